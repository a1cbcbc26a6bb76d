"""Whether quoted terms that are in no vocabulary are found in live code: names, flags, routes, code, words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.modules.graph.facts import Body
from judge.rules.commands import check_command
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unknown, unmet
from judge.rules.live import LiveFile
from judge.rules.routes import route_shape
from judge.rules.run_checks import answered
from judge.rules.spans import Span, SpanKind
from judge.rules.words import split_words, squash, stem, stems
from judge.schemas import Citation


def check_term(evidence: Evidence, span: Span, paths: Sequence[str]) -> Finding:
    """Whether live code in these files (and what they use), or anywhere when none is named, has the term."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else None)
    if not paths and not evidence.names_tests:
        files = tuple(file for file in files if not is_test(file.path))
    if span.kind is SpanKind.COMMAND:
        return check_command(evidence, span.text)
    if span.kind is SpanKind.ROUTE and (seen := answered(evidence, span.text)) is not None:
        return seen
    finder = {
        SpanKind.IDENTIFIER: _identifier,
        SpanKind.FLAG: _flag,
        SpanKind.ROUTE: _route,
        SpanKind.CODE: _code,
    }.get(span.kind, _words)
    if finder is _identifier:
        stub = _stub(files, span.text)
        if stub is not None:
            return stub
    for file in files:
        found = finder(file, span.text)
        if found is not None:
            strength, how, line = found
            return met(f"{file.path}:{line} {how}", strength, file.cite(line))
    where = f" of {', '.join(paths)}" if paths else ""
    cite, told = _only_claimed(files, span.text)
    does = f"handles {span.text}" if span.kind is SpanKind.ROUTE else f'has "{span.text}"'
    because = f"no reachable code{where} {does}{told}"
    if span.kind is SpanKind.WORDS and not is_proper_name(span.text):
        return unknown(because, *cite)
    return unmet(because, 0.7, *cite)


def check_term_absent(evidence: Evidence, span: Span, paths: Sequence[str]) -> Finding:
    """Whether a quoted module or name that must not be used is not used."""
    wanted = squash(span.text)
    for file in evidence.live.select(evidence.live.closure(paths) if paths else None):
        for item in file.file.imports:
            if wanted in {squash(item.name), squash(item.module), squash(item.module.split(".")[0])} - {""}:
                return unmet(f"{file.path}:{item.line} imports {span.text}", 0.86, file.cite(item.line))
        for call in file.calls:
            if squash(call.name) == wanted:
                return unmet(f"{file.path}:{call.line} calls {span.text}", 0.82, file.cite(call.line))
    return met(f'"{span.text}" is not used', 0.78)


def is_test(path: str) -> bool:
    """Whether a file holds tests, which exercise code but are not the thing asked for."""
    return (
        re.search(r"(?:^|/)tests?/|(?:^|/)(?:test_[^/]*|[^/]*_test|[^/]*\.(?:test|spec))\.\w+$|Tests?\.java$", path)
        is not None
    )


def is_proper_name(text: str) -> bool:
    """Whether a quoted term looks like the name of something (``FooNet``, ``OTB50``), not like a description."""
    words = re.findall(r"[A-Za-z0-9+#.]+", text)
    if not words or len(words) > 3:
        return False
    telling = [re.search(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|^[A-Z]{2,}$", word) is not None for word in words]
    return all(shape or word[:1].isupper() for shape, word in zip(telling, words, strict=True)) and any(telling)


def _only_claimed(files: Sequence[LiveFile], text: str) -> tuple[tuple[Citation, ...], str]:
    flat = squash(text)
    for file in files:
        for line, comment in file.file.comments:
            if len(flat) > 2 and flat in squash(comment):
                return (file.cite(line),), f"; {file.path}:{line} only mentions it in a comment"
    return (), ""


def _stub(files: Sequence[LiveFile], text: str) -> Finding | None:
    name = text.removesuffix("()").rsplit(".", 1)[-1]
    matching = [(file, d) for file in files for d in file.file.definitions if d.name == name]
    if matching and all(d.body is Body.STUB for _, d in matching):
        file, definition = matching[0]
        return unmet(f"{file.path}:{definition.line} defines {name} without a body", 0.88, file.cite(definition.line))
    if matching and all(d in file.dead for file, d in matching):
        file, definition = matching[0]
        return unmet(
            f"{file.path}:{definition.line} defines {name}, which is never reached", 0.7, file.cite(definition.line)
        )
    return None


_IMPORT = re.compile(
    r"\s*(?:import|from|use|using|#\s*include|package|library|require(?:_once)?|extern crate)\b(?!\s*\()"
)


def _identifier(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    name = text.removesuffix("()")
    last = name.rsplit(".", 1)[-1]
    for definition in file.definitions:
        if definition.name == last or definition.qualname == name:
            return 0.88, f"defines {definition.qualname}", definition.line
    for call in file.calls:
        if call.target == name or call.name == last or ("." in name and call.target.startswith(name + ".")):
            return 0.82, f"calls {last}", call.line
        if len(last) > 7 and squash(last) in squash(call.name):
            return 0.7, f"calls {call.name}", call.line
    if "." in name and any(item.module == name or f"{item.module}.{item.name}" == name for item in file.imports):
        line = next(item.line for item in file.imports if item.module == name or f"{item.module}.{item.name}" == name)
        return 0.78, f"imports {name}, which is used", line
    for literal in file.file.strings:
        if literal.reachable and (
            literal.value == name or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", literal.value)
        ):
            return 0.7, f"uses the name {last}", literal.line
    return _in_text(file, last)


def _in_text(file: LiveFile, name: str) -> tuple[float, str, int] | None:
    """The first line that has a name, imports aside: what is only imported is not used."""
    word = re.compile(rf"(?<![\w]){re.escape(name)}(?!\w)")
    for number, line in enumerate(file.text.full.split("\n"), start=1):
        if word.search(line) and not _IMPORT.match(line):
            return 0.66, f"uses {name}", number
    return None


def _flag(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    flag = re.split(r"[ =]", text)[0]
    for literal in file.file.strings:
        if literal.reachable and flag in re.split(r"[\s,|]+", literal.value):
            return 0.85, f"has the option {flag}", literal.line
    bare = flag.lstrip("-")
    match = re.search(rf"[\"'`]-{{0,2}}{re.escape(bare)}[\"'`]", file.text.full)
    if match and not file.path.endswith(".py"):
        return 0.7, f"has the option {flag}", file.text.full.count("\n", 0, match.start()) + 1
    parameter = bare.replace("-", "_")
    for call in file.calls:
        if re.search(r"^(?:typer|click|fire)\.", call.target):
            for definition in file.definitions:
                if parameter in definition.parameters:
                    return 0.75, f"has the option {flag}", definition.line
    return None


def _route(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    method, _, path = text.rpartition(" ")
    wanted = route_shape(path)
    for literal in file.file.strings:
        if literal.reachable and literal.value.startswith("/") and route_shape(literal.value) == wanted:
            near = "\n".join(file.lines[max(0, literal.line - 2) : literal.line + 1]).lower()
            right = not method or method.lower() in near or (method == "GET" and "methods" not in near)
            if right:
                return 0.82, f"handles the route {literal.value}", literal.line
    prefixed = _prefixed_route(file, wanted)
    if prefixed:
        return prefixed
    if not file.path.endswith(".py"):
        for match in re.finditer(r"[\"'`](?:(?:GET|POST|PUT|DELETE|PATCH)\s+)?(/[^\"'`\s]*)[\"'`]", file.text.full):
            if route_shape(match.group(1)) == wanted:
                return 0.75, f"handles the route {path}", file.text.full.count("\n", 0, match.start()) + 1
    return None


def _prefixed_route(file: LiveFile, wanted: str) -> tuple[float, str, int] | None:
    """A route that is put together from the prefix of a blueprint or router and the rest."""
    prefixes = re.findall(r"(?:url_prefix|prefix)\s*=\s*[\"'](/[^\"']+)[\"']", file.text.full)
    for prefix in prefixes:
        for literal in file.file.strings:
            if (
                literal.reachable
                and literal.value.startswith("/")
                and route_shape(prefix.rstrip("/") + literal.value) == wanted
            ):
                return 0.76, f"handles the route {literal.value} below {prefix}", literal.line
    return None


def _code(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    imported = re.match(r"^(?:from\s+([\w.]+)\s+)?import\s+([\w.]+)", text)
    if imported:
        module, name = imported.group(1) or imported.group(2), imported.group(2) if imported.group(1) else ""
        for item in file.imports:
            if item.module == module and (not name or item.name in (name, "")):
                return 0.85, f"has {text}, which is used", item.line
        return None
    called = re.search(r"([\w.]+)\(\s*(?:[\"']([^\"']+)[\"'])?", text)
    if called:
        name, argument = called.group(1).rsplit(".", 1)[-1], called.group(2)
        for call in file.calls:
            constants = [str(v.constant) for v in (*call.args, *call.keywords.values()) if v.constant is not None]
            if call.name == name and (argument is None or argument in constants):
                return 0.88, f"calls {name} so", call.line
    flat = re.sub(r"\s+", "", text)
    for number, line in enumerate(file.text.full.split("\n"), start=1):
        if flat in re.sub(r"\s+", "", line):
            return 0.8, f"has the code {text}", number
    return None


def _words(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    flat = squash(text)
    if not flat:
        return None
    return _in_calls(file, text, flat) or _in_names(file, text, flat) or _scattered(file, text)


def _in_calls(file: LiveFile, text: str, flat: str) -> tuple[float, str, int] | None:
    for call in file.calls:
        constants = (value.constant for value in (*call.args, *call.keywords.values()))
        if any(isinstance(c, str) and len(c) < 400 and flat in squash(c) for c in constants):
            return 0.76, f'passes "{text}" to {call.name}', call.line
        if len(flat) > 3 and flat in squash(call.target):
            return 0.74, f"calls {call.name}", call.line
    return None


def _in_names(file: LiveFile, text: str, flat: str) -> tuple[float, str, int] | None:
    for definition in file.definitions:
        if len(flat) > 3 and flat in squash(definition.name) and definition.body is Body.REAL:
            return 0.66, f"defines {definition.qualname}", definition.line
    if not file.path.endswith((".py", ".ipynb")):
        for number, line in enumerate(file.text.full.split("\n"), start=1):
            if flat in squash(line):
                return 0.68, f'has "{text}"', number
    for literal in file.file.strings:
        if literal.reachable and flat in squash(literal.value) and len(literal.value) < 200:
            return 0.62, f'has the value "{text}"', literal.line
    return None


def _scattered(file: LiveFile, text: str) -> tuple[float, str, int] | None:
    """All telling words of the term stand in names of one live definition."""
    wanted = set(stems(text))
    if not wanted:
        return None
    for unit in file.units:
        if unit.whole_file:
            continue
        present = {stem(word) for word in split_words(unit.name + " " + unit.text.full)}
        if wanted <= present:
            return 0.58, f'is about "{text}"', unit.line
    return None
