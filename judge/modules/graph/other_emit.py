"""Facts of a source file that was read through tree-sitter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from judge.modules.graph.facts import Access, Call, CodeFile, Definition, FileAccess, Import, StringLiteral, Value
from judge.modules.graph.treesitter import Raw, RawUse

_QUOTED = re.compile(r"""^(["'`])(.*)\1$""", re.DOTALL)
_HOLE = re.compile(r"\$\{[^}]*\}")
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")
_CALLED = re.compile(r"^(?:await\s+)?(?:new\s+)?([A-Za-z_$][\w$.]*)\s*\(")
_WRITES = {
    "writeFile": 0, "writeFileSync": 0, "appendFile": 0, "appendFileSync": 0, "createWriteStream": 0, "outputJson": 0,
    "outputFile": 0, "writeJson": 0, "writeJsonSync": 0, "toFile": 0, "saveAs": 1, "copyFile": 1, "copyFileSync": 1,
}  # fmt: skip
_READS = {
    "readFile": 0, "readFileSync": 0, "createReadStream": 0, "readJson": 0, "readJsonSync": 0, "sendFile": 0,
    "fetch": 0, "readdir": 0, "readdirSync": 0, "copyFile": 0, "copyFileSync": 0,
}  # fmt: skip


def code_file(
    raw: Raw, local: Mapping[str, str], reached: set[str] | None, imported_by: tuple[str, ...], entry: bool
) -> CodeFile:
    """The facts of one file.

    Args:
        raw: What the file says.
        local: Workspace path (or nothing) of every imported module.
        reached: Qualified names of reached definitions; None when the file itself is not reached.
        imported_by: Files that import it.
        entry: Whether it runs by itself.
    """
    aliases = _aliases(raw)

    def live(scope: str) -> bool:
        return reached is not None and (not scope or scope in reached)

    calls = tuple(_call(use, aliases, raw, live(use.scope)) for use in raw.calls)
    return CodeFile(
        path=raw.path,
        language=raw.language,
        source=raw.source,
        definitions=tuple(
            Definition(
                name=item.name,
                qualname=item.qualname,
                kind=item.kind,
                line=item.line,
                end_line=item.end_line,
                body=item.body,
                bases=item.bases,
                parameters=item.parameters,
                reachable=live(item.qualname),
            )
            for item in raw.definitions
        ),
        calls=calls,
        imports=tuple(_imports(raw, local)),
        strings=tuple(StringLiteral(_plain(use.text), use.line, use.scope, live(use.scope)) for use in raw.strings),
        accesses=tuple(access for call in calls for access in _accesses(call)),
        entry=entry,
        entry_line=1 if entry else 0,
        imported_by=imported_by,
        names=_first_lines(raw.words),
        comments=tuple((use.line, use.text) for use in raw.comments),
        error=raw.error,
    )


def _first_lines(uses: Iterable[RawUse]) -> dict[str, int]:
    found: dict[str, int] = {}
    for use in uses:
        found.setdefault(use.text, use.line)
    return found


def _aliases(raw: Raw) -> dict[str, str]:
    """What imported names and variables that hold a call result stand for."""
    modules = sorted(raw.imports, key=lambda use: use.start)
    found: dict[str, str] = {}
    for bound, name, start in raw.imported:
        module = next((use.text for use in modules if use.start >= start), "")
        found[bound] = f"{module}.{name}" if name else module
    for variable, text in raw.assigned.items():
        called = _CALLED.match(text)
        if called and called.group(1) not in {"require", "function"} and variable not in found:
            found[variable] = f"{_resolve(called.group(1), found)}()"
    return found


def _resolve(text: str, aliases: Mapping[str, str]) -> str:
    first, dot, rest = text.partition(".")
    return f"{aliases.get(first, first)}{dot}{rest}"


def _call(use: RawUse, aliases: Mapping[str, str], raw: Raw, reachable: bool) -> Call:
    compact = re.sub(r"\s+", "", use.text)
    target = _resolve(compact, aliases)
    name = re.split(r"[.)]", target)[-1] or target
    own = next((item.qualname for item in raw.definitions if item.qualname == compact or item.name == compact), "")
    return Call(
        target=target[:200],
        name=name[:100],
        line=use.line,
        end_line=use.end_line,
        scope=use.scope,
        args=tuple(_value(text) for text in use.args),
        reachable=reachable,
        resolved=f"{raw.path}::{own}" if own else "",
    )


def _value(text: str) -> Value:
    quoted = _QUOTED.match(text)
    if quoted:
        plain = _HOLE.sub("{}", quoted.group(2))
        return Value(text, plain, "${" not in text)
    if _NUMBER.match(text):
        return Value(text, float(text) if "." in text else int(text), True)
    if text in {"true", "false"}:
        return Value(text, text == "true", True)
    return Value(text)


def _plain(text: str) -> str:
    quoted = _QUOTED.match(text)
    return _HOLE.sub("{}", quoted.group(2)) if quoted else text


def _imports(raw: Raw, local: Mapping[str, str]) -> Iterable[Import]:
    modules = sorted(raw.imports, key=lambda use: use.start)
    bound: dict[int, list[tuple[str, str]]] = {}
    for alias, name, start in raw.imported:
        use = next((item for item in modules if item.start >= start), None)
        if use is not None:
            bound.setdefault(use.start, []).append((alias, name))
    counts: dict[str, int] = {}
    for word in raw.words:
        counts[word.text] = counts.get(word.text, 0) + 1
    for use in modules:
        for alias, name in bound.get(use.start, [("", "")]):
            used = not alias or counts.get(alias, 0) > 1
            yield Import(use.text, name, alias, use.line, used, local.get(use.text, ""))


def _accesses(call: Call) -> Iterable[FileAccess]:
    for access, table in ((Access.WRITE, _WRITES), (Access.READ, _READS)):
        position = table.get(call.name)
        if position is None or position >= len(call.args):
            continue
        path = call.args[position].constant
        if isinstance(path, str) and "://" not in path and "\n" not in path:
            content = call.args[1] if access is Access.WRITE and position == 0 and len(call.args) > 1 else None
            yield FileAccess(
                access, path.removeprefix("./"), call.target, call.line, call.scope, call.reachable, content
            )
