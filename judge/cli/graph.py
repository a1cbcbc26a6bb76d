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
    from judge.modules.graph import GraphCache, WorkspaceGraph
    from judge.modules.graph.rows import Rows


class GraphFormat(StrEnum):
    """Output formats."""

    TEXT = "text"
    JSON = "json"
    GRAPHML = "graphml"
    DOT = "dot"
    HTML = "html"


def graph(
    workspace: Annotated[Path, typer.Argument(help="Workspace folder.", metavar="WORKSPACE")],
    form: Annotated[
        GraphFormat | None,
        typer.Option("--format", "-f", help="Output format; by the ending of --out by default, else text."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this file instead of stdout.", metavar="FILE")
    ] = None,
    focus: Annotated[
        str | None,
        typer.Option("--focus", metavar="PATH[:SYMBOL]", help="Only what is around this file or definition."),
    ] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=10, help="Steps that --focus follows.", metavar="N")] = 1,
    outline: Annotated[
        str | None,
        typer.Option("--outline", metavar="PATH", help="Signatures in a file, or in every file of a folder."),
    ] = None,
    ignore: shared.Ignore = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Neither use nor keep what was found out about files in earlier runs.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Show the graph of a workspace, or export it.

    The summary names languages, entry points, the biggest parts, code that no entry point reaches, stubs, and which
    code writes which file. Nothing of the workspace is executed.

    --format json prints networkx node-link data: directed, multigraph, graph, nodes (id, kind, path, name, qualname,
    line, end_line, reachable), edges (source, target, kind, line). --format html writes one page with a map to zoom,
    search and filter; it needs no network.

    What is found out about a file is kept by the hash of its content in the cache folder of the user, so that an
    unchanged file is not parsed again.
    """
    from judge.cli.console import say, show
    from judge.modules.graph import build_graph
    from judge.workspace import WalkOptions, Workspace

    _check(form, as_json, focus, depth, outline)
    chosen = GraphFormat.JSON if as_json else form or _by_suffix(out)
    opened = Workspace.open(workspace, WalkOptions(ignore=tuple(ignore or ())))
    if out is not None and _inside(out, workspace):
        raise ConfigError("would write into the judged workspace", where="--out", hint="choose a file outside it")
    built = build_graph(opened, None if no_cache else _cache(workspace))
    if not opened.complete:
        say("judge: the workspace was not walked completely; the graph covers what was")
    text = _render(built, chosen, focus, depth, workspace) if outline is None else _outlined(built, outline)
    if out is None:
        show(text.rstrip("\n"))
    else:
        _write(out, text if text.endswith("\n") else f"{text}\n")
        say(f"judge: wrote {out}")


def _check(form: GraphFormat | None, as_json: bool, focus: str | None, depth: int, outline: str | None) -> None:
    """Refuse options that would have no effect."""
    if as_json and form not in {None, GraphFormat.TEXT, GraphFormat.JSON}:
        raise ConfigError(f"cannot be used with --format {form}", where="--json")
    if depth != 1 and focus is None:
        raise ConfigError("needs --focus", where="--depth")
    if outline is not None and (focus is not None or as_json or form not in {None, GraphFormat.TEXT}):
        raise ConfigError("is text and cannot be used with --focus or another format", where="--outline")


def _by_suffix(out: Path | None) -> GraphFormat:
    """The format that the ending of a file names; text for any other."""
    known = {f".{form}": form for form in GraphFormat if form is not GraphFormat.TEXT}
    return known.get(out.suffix.lower(), GraphFormat.TEXT) if out is not None else GraphFormat.TEXT


def _cache(workspace: Path) -> GraphCache | None:
    """The cache of facts, unless the cache folder lies in the workspace, into which nothing is written."""
    from judge.cli.console import say
    from judge.config import cache_home
    from judge.modules.graph import GraphCache

    folder = cache_home() / "graph"
    if _inside(folder, workspace):
        return None
    return GraphCache(folder, lambda problem: say(f"judge: {problem}"))


def _render(built: WorkspaceGraph, form: GraphFormat, focus: str | None, depth: int, workspace: Path) -> str:
    from judge.modules.graph import export

    if form is GraphFormat.TEXT:
        return _focused_text(built, focus, depth) if focus else built.summary() or _nothing(built, workspace)
    part = _focused(built, focus, depth) if focus else built.rows
    if form is GraphFormat.JSON:
        return export.json_text(part)
    if form is GraphFormat.HTML:
        return _page(built, part, workspace)
    return export.graphml(part) if form is GraphFormat.GRAPHML else export.dot(part)


def _nothing(built: WorkspaceGraph, workspace: Path) -> str:
    """What is said where there is no summary."""
    return f"no {'code' if built.listing else 'files'} to look at in {workspace}"


def _page(built: WorkspaceGraph, part: Rows, workspace: Path) -> str:
    from judge import __version__
    from judge.modules.graph.picture import picture
    from judge.report.graph_page import graph_page

    return graph_page(picture(built, workspace.resolve().name or "workspace", __version__, part))


def _focused(built: WorkspaceGraph, place: str, depth: int) -> Rows:
    from judge.modules.graph.export import find_place

    try:
        return built.rows.around(find_place(built, place), depth)
    except KeyError:
        raise _unknown(place) from None


def _focused_text(built: WorkspaceGraph, place: str, depth: int) -> str:
    from judge.modules.graph.around import around

    try:
        return around(built, place, depth)
    except KeyError:
        raise _unknown(place) from None


def _unknown(place: str) -> InputError:
    return InputError("no such file or definition in the workspace", where=place, hint="give PATH or PATH:SYMBOL")


def _outlined(built: WorkspaceGraph, place: str) -> str:
    """The outlines of the files at or below a path."""
    from judge.modules.graph import outline
    from judge.modules.graph.graph import normal

    path = normal(place)
    chosen = [name for name in built.files if not path or name == path or name.startswith(f"{path}/")]
    if not chosen:
        raise InputError("no such source file in the workspace", where=place, hint="give the path of a file or folder")
    if chosen == [path]:
        return outline(built.files[path]) or f"{path} defines nothing"
    parts = []
    for name in chosen:
        text = outline(built.files[name])
        parts.append("\n".join([name, *(f"  {line}" for line in text.split("\n") if line)]))
    return "\n".join(parts)


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
