"""SECURITY.md names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_bound_has_a_test_that_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 20
    missing = [name for file, name in named if f"def {name}(" not in (ROOT / file).read_text(encoding="utf-8")]
    assert not missing


def test_every_promise_names_a_place_that_exists() -> None:
    table = PAGE[PAGE.index("## Promises") : PAGE.index("## Bounds")]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 10
    for row in rows:
        places = re.findall(r"`(tests/[\w/]+?(?:\.py)?)`", row)
        assert all((ROOT / place).exists() for place in places), row
