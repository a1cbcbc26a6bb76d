"""The style sheet of alignment pages, for light and dark, screen, phone and paper."""

from __future__ import annotations

STYLE = """
:root { --back: #fff; --fore: #1c1e21; --soft: #5c6370; --line: #d5d8dd; --stripe: #f5f6f8;
  --c0: #2463c4; --c1: #c4501b; --c2: #1f8a4c; --c3: #8e3fb0; --c4: #a8791a; --c5: #0f8591;
  --c6: #c22f63; --c7: #5b6472; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --fore: #e6e8eb; --soft: #a0a7b4; --line: #3a3f48;
  --stripe: #1e2127; --c0: #7aa9f7; --c1: #f0905f; --c2: #62c98c; --c3: #cf95ea; --c4: #dcb45c; --c5: #5fc8d3;
  --c6: #f283a8; --c7: #a9b1be; } }
body { margin: 0; background: var(--back); color: var(--fore); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2, summary { font-size: 1.15rem; font-weight: 600; margin: 1.6rem 0 .3rem; }
summary { cursor: pointer; } p { margin: .2rem 0 .6rem; color: var(--soft); } code { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { vertical-align: bottom; } td small { display: block; color: var(--soft); font-size: .8rem; }
td { white-space: pre-wrap; } td:not(:last-child) { white-space: pre; } .r { text-align: right; }
th { color: var(--soft); font-weight: 600; } tbody tr:nth-child(even) { background: var(--stripe); }
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 1rem 0; }
figure { margin: 0; width: 380px; max-width: 100%; }
figcaption { font-weight: 600; margin: 0 0 .3rem; } figure > svg { width: 100%; height: auto; }
.legend { list-style: none; margin: .2rem 0 .4rem; padding: 0 0 0 52px; font-size: .87rem; overflow-wrap: anywhere; }
.legend svg { vertical-align: -3px; } footer { margin: 2rem 0 1rem; color: var(--soft); }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; } svg .axis { fill: var(--fore); }
.grid { stroke: var(--line); stroke-width: .6; fill: none; } .frame { stroke: var(--soft); fill: none; }
.line { fill: none; stroke-width: 2; stroke: currentColor; }
.chance { stroke: var(--soft); stroke-dasharray: 5 4; stroke-width: 1.3; }
.bar { fill: currentColor; opacity: .22; } .mark { fill: currentColor; stroke: var(--back); stroke-width: 1; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); }
.c4 { color: var(--c4); } .c5 { color: var(--c5); } .c6 { color: var(--c6); } .c7 { color: var(--c7); }
:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; }
@media print { main { max-width: none; } .wide { overflow: visible; } }
"""
