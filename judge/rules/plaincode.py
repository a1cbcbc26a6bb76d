"""Facts of code and settings files for which there is no grammar: definitions and strings by their usual shape."""

from __future__ import annotations

import re

from judge.modules.graph.facts import Body, CodeFile, Definition, DefKind, StringLiteral
from judge.rules.codetext import code_text
from judge.workspace import Entry, Workspace

MAX_BYTES = 512 * 1024
MAX_FILES = 2_000

SUFFIXES = frozenset(
    ".java .kt .go .rs .c .cc .cpp .cxx .h .hpp .cs .rb .php .r .jl .scala .swift .sh .bash .sql .html .htm .css .scss "
    ".js .jsx .mjs .ts .tsx .vue .svelte .lua .pl .dart .ex .exs .toml .yaml .yml .ini .cfg .mod .gradle .xml "
    ".properties .tf .proto .graphql .cmake".split()
)
NAMES = frozenset(
    "makefile dockerfile procfile justfile package.json pyproject.toml jenkinsfile cmakelists.txt".split()
)

_DEFINITION = re.compile(
    r"^[ \t]*(?:(?:public|private|protected|static|final|abstract|async|export|default|override|virtual|inline|pub|"
    r"const|suspend|open|data|sealed)\s+)*"
    r"(?:(?P<class>class|interface|struct|enum|trait|record|object|impl|type)\s+(?P<type>[A-Za-z_]\w*)|"
    r"(?:func|fn|def|function|fun|sub)\s+(?:\([^)]*\)\s*)?(?P<function>[A-Za-z_][\w.]*)|"
    r"(?P<target>[A-Za-z_][\w-]*)\s*:(?!=)(?=[^\n]*\n\t)|"
    r"[\w<>\[\],.?*&]+\s+(?P<method>[A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:throws[\w\s,.]+)?\{)",
    re.MULTILINE,
)
_STRING = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`([^`]*)`")
_KEYWORDS = frozenset("if for while switch catch return else do try new".split())


def is_plain(entry: Entry) -> bool:
    """Whether a file is code or settings that can be looked at by shape."""
    return entry.suffix in SUFFIXES or entry.name.lower() in NAMES


def read_plain(workspace: Workspace, entry: Entry) -> CodeFile | None:
    """The facts of one file, None when it is no text."""
    if entry.size > MAX_BYTES:
        return None
    text = workspace.read_text(entry, MAX_BYTES)
    if text.binary or not text.text.strip():
        return None
    source = text.text
    reduced = code_text(source, entry.path)
    return CodeFile(
        path=entry.path,
        language=entry.suffix.lstrip(".") or entry.name.lower(),
        source=source,
        definitions=tuple(_definitions(reduced.code)),
        strings=tuple(
            StringLiteral(
                match.group(1) or match.group(2) or match.group(3) or "", _line(reduced.full, match.start()), ""
            )
            for match in _STRING.finditer(reduced.full)
        )[:5_000],
        entry=True,
    )


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _definitions(code: str) -> list[Definition]:
    found = []
    starts = [match for match in _DEFINITION.finditer(code) if not _KEYWORDS & set(match.groups())]
    for index, match in enumerate(starts[:2_000]):
        name = match.group("type") or match.group("function") or match.group("target") or match.group("method")
        end = starts[index + 1].start() if index + 1 < len(starts) else len(code)
        body = re.sub(r"[\s{}();,]", "", code[match.end() : end])
        kind = DefKind.CLASS if match.group("class") else DefKind.FUNCTION
        found.append(
            Definition(
                name=name.rsplit(".", 1)[-1],
                qualname=name,
                kind=kind,
                line=_line(code, match.start("type") if match.group("type") else match.start()),
                end_line=_line(code, end),
                body=Body.REAL if body or kind is DefKind.CLASS else Body.STUB,
            )
        )
    return found
