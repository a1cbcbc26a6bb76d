"""``judge graph``: what the code of a workspace holds, reaches, reads and writes."""

from __future__ import annotations

import os
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, InputError

if TYPE_CHECKING:
    import networkx

    from judge.modules.graph import WorkspaceGraph


class GraphFormat(StrEnum):
    """Output formats."""

    SUMMARY = "summary"
    JSON = "json"
    GRAPHML = "graphml"
    DOT = "dot"


def graph(
    workspace: Annotated[Path, typer.Argument(help="Workspace folder.", metavar="WORKSPACE")],
    form: Annotated[GraphFormat, typer.Option("--format", "-f", help="Output format.")] = GraphFormat.SUMMARY,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this file instead of stdout.", metavar="FILE")
    ] = None,
    focus: Annotated[
        str | None,
        typer.Option("--focus", metavar="PATH[:SYMBOL]", help="Only what is around this file or definition."),
    ] = None,
    ignore: shared.Ignore = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Show the graph of a workspace, or export it.

    The summary names languages, entry points, the biggest parts, code that no entry point reaches, stubs, and which
    code writes which file. Nothing of the workspace is executed.

    --format json prints networkx node-link data: directed, multigraph, graph, nodes (id, kind, path, name, qualname,
    line, end_line, reachable), edges (source, target, kind, line).
    """
    from judge.cli.console import say, show
    from judge.modules.graph import build_graph
    from judge.workspace import WalkOptions, Workspace

    opened = Workspace.open(workspace, WalkOptions(ignore=tuple(ignore or ())))
    if out is not None and _inside(out, workspace):
        raise ConfigError("would write into the judged workspace", where="--out", hint="choose a file outside it")
    built = build_graph(opened)
    if not opened.complete:
        say("judge: the workspace was not walked completely; the graph covers what was")
    text = _render(built, GraphFormat.JSON if as_json else form, focus)
    if out is None:
        show(text.rstrip("\n"))
    else:
        _write(out, text if text.endswith("\n") else f"{text}\n")
        say(f"wrote {out}")


def _render(built: WorkspaceGraph, form: GraphFormat, focus: str | None) -> str:
    from judge.modules.graph import export

    if form is GraphFormat.SUMMARY:
        return _focused_summary(built, focus) if focus else built.summary()
    part = _focused(built, focus) if focus else built.nx
    if form is GraphFormat.JSON:
        import json

        return json.dumps(export.node_link(part), ensure_ascii=False, indent=1)
    return export.graphml(part) if form is GraphFormat.GRAPHML else export.dot(part)


def _focused(built: WorkspaceGraph, place: str) -> networkx.MultiDiGraph[str]:
    from judge.modules.graph import export

    try:
        return export.focus(built, place)
    except KeyError:
        raise InputError(
            "no such file or definition in the workspace", where=place, hint="give PATH or PATH:SYMBOL"
        ) from None


def _focused_summary(built: WorkspaceGraph, place: str) -> str:
    from judge.modules.graph.around import around

    try:
        return around(built, place)
    except KeyError:
        raise InputError(
            "no such file or definition in the workspace", where=place, hint="give PATH or PATH:SYMBOL"
        ) from None


def _inside(out: Path, workspace: Path) -> bool:
    return workspace.resolve() in out.resolve().parents


def _write(out: Path, text: str) -> None:
    """Write a file so that it is either complete or not there."""
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
        os.chmod(name, 0o644)
        os.replace(name, out)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=str(out), hint="is the folder there?") from None
