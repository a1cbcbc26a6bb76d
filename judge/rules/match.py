"""Whether live code does what a concept of the vocabulary stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.modules.graph.facts import Call, DefKind, Value
from judge.rules.live import LiveFile, Unit
from judge.rules.vocabulary import Argument, Concept, Kind
from judge.schemas import Citation

LIBRARY = 0.9
ARGUMENT = 0.88
METHOD = 0.82
OWN_FUNCTION = 0.74
OWN_CLASS = 0.7
OWN_FILE = 0.6


@dataclass(frozen=True, slots=True)
class Hit:
    """Live code that shows a concept.

    Attributes:
        path: File.
        line: First line.
        scope: Qualified name of the definition it stands in.
        how: What the line does, a verb and its object; empty where it is a hand-written form.
        strength: How sure it is, 0-1.
        citation: The lines.
    """

    path: str
    line: int
    scope: str
    how: str
    strength: float
    citation: Citation

    def told(self, label: str) -> str:
        """A clause on it.

        Args:
            label: The concept in the words of the criterion.
        """
        if self.how:
            return f"{self.path}:{self.line} {self.how}"
        scope = f" ({self.scope})" if self.scope else ""
        return f"{self.path}:{self.line}{scope} is hand-written code for {label}"


class Scopes:
    """A restriction to some definitions of some files; None in place of it means everywhere."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.pairs = frozenset(pairs)

    def __contains__(self, pair: tuple[str, str]) -> bool:
        path, scope = pair
        return (path, scope) in self.pairs or any(
            known == path and base and scope.startswith(base + ".") for known, base in self.pairs
        )


def find_hits(concept: Concept, files: Sequence[LiveFile], scopes: Scopes | None = None) -> list[Hit]:
    """All places of live code that show a concept, the surest first."""
    hits: list[Hit] = []
    for file in files:
        hits += _call_hits(concept, file, scopes)
        hits += _use_hits(concept, file, scopes)
        if not hits and scopes is None:
            hits += _named_hits(concept, file)
    if concept.own and not any(hit.strength >= METHOD for hit in hits):
        for file in files:
            hits += _own_hits(concept, file, scopes)
    return sorted(hits, key=lambda hit: -hit.strength)


def _call_hits(concept: Concept, file: LiveFile, scopes: Scopes | None) -> list[Hit]:
    hits = []
    for call in file.calls:
        if scopes is not None and (file.path, call.scope) not in scopes:
            continue
        strength = call_strength(concept, call)
        if strength and not is_unused(file, call):
            how = f"calls {_short(call.target)}"
            hits.append(Hit(file.path, call.line, call.scope, how, strength, file.cite(call.line, call.end_line)))
    return hits


def is_unused(file: LiveFile, call: Call) -> bool:
    """Whether the result of a call only goes into a name that is never read again."""
    line = file.lines[call.line - 1] if 0 < call.line <= len(file.lines) else ""
    match = re.match(r"\s*((?:self\.|cls\.)?[A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)\s*(.*)", line)
    if match is None or (
        not match.group(2).lstrip("( ").startswith(call.target.split(".")[-1].split("()")[0])
        and (call.name + "(" not in match.group(2).split("(")[0] + "(")
    ):
        return False
    name = match.group(1).rsplit(".", 1)[-1]
    if name == "_":
        return False
    pattern = rf"\.{name}\b" if "." in match.group(1) else rf"(?<![\w.]){name}\b"
    rest = file.text.code.split("\n")
    uses = 0
    for number, text in enumerate(rest, start=1):
        if number == call.line:
            text = text.partition("=")[2]
        uses += len(re.findall(pattern + r"(?!\s*(?::[^=\n]+)?=(?!=))", text))
        if uses:
            return False
    if any(d.kind is DefKind.CLASS and d.qualname == call.scope for d in file.definitions):
        return False  # a field of a class is read by whoever uses the class
    exported = not call.scope or "." in match.group(1)
    return not (
        exported and any(re.search(rf"(?<!\w){re.escape(name)}\b", other.text.code) for other in file.importers)
    )


def call_strength(concept: Concept, call: Call) -> float:
    """How sure a call shows a concept; 0 when it does not."""
    if any(_glob(pattern, call.target) for pattern in concept.idle):
        return 0.0
    if not call.resolved:
        if any(_glob(pattern, call.target) for pattern in concept.calls):
            return LIBRARY
        if any(_in_module(call.target, module) for module in concept.imports):
            return LIBRARY
        if call.name in concept.methods:
            return METHOD
    if any(_argument(argument, call) for argument in concept.arguments):
        return ARGUMENT
    return 0.0


def _use_hits(concept: Concept, file: LiveFile, scopes: Scopes | None) -> list[Hit]:
    hits = []
    for definition in file.definitions:
        if scopes is not None and (file.path, definition.qualname) not in scopes:
            continue
        for name in (*definition.uses, *definition.bases, *definition.decorators):
            if any(_glob(pattern, name) for pattern in concept.idle):
                continue
            shown = any(_glob(pattern, name) for pattern in concept.calls) or any(
                _in_module(name, module) and concept.kind is not Kind.LIBRARY for module in concept.imports
            )
            if shown:
                hits.append(
                    Hit(
                        file.path,
                        definition.line,
                        definition.qualname,
                        f"uses {_short(name)}",
                        METHOD,
                        file.cite(definition.line),
                    )
                )
                break
    return hits


def _named_hits(concept: Concept, file: LiveFile) -> list[Hit]:
    """Classes that are only named, not called: values of a registry, or looked up by ``getattr``."""
    roots = {item.module.split(".")[0] for item in file.imports if not item.local}
    for pattern in concept.calls:
        name = pattern.rsplit(".", 1)[-1]
        root = pattern.split(".")[0]
        if "*" in name or not name[:1].isupper() or (root not in roots and (root != "*" or not roots)):
            continue
        imported = any(item.name == name or item.alias == name for item in file.imports if not item.local)
        before = r"(?<!\w)" if imported else r"(?<=\w\.)"
        named = re.search(rf"{before}{re.escape(name)}(?!\w|\s*\()", file.text.code)
        looked_up = "getattr(" in file.text.code and re.search(rf"[\"']{re.escape(name)}[\"']", file.text.full)
        match = named or looked_up
        if match:
            line = (file.text.code if named else file.text.full).count("\n", 0, match.start()) + 1
            return [Hit(file.path, line, "", f"names {name} to be called", 0.72, file.cite(line))]
    return []


def _own_hits(concept: Concept, file: LiveFile, scopes: Scopes | None) -> list[Hit]:
    hits: list[Hit] = []
    for unit in file.units:
        if scopes is not None and (unit.whole_file or (unit.path, unit.name) not in scopes):
            continue
        if unit.whole_file and (concept.kind not in (Kind.METHOD, Kind.APP, Kind.LIBRARY) or hits):
            continue
        line = own_line(concept, unit)
        if line:
            strength = (
                OWN_FILE
                if unit.whole_file
                else OWN_CLASS
                if "." not in unit.name and unit.name[:1].isupper()
                else OWN_FUNCTION
            )
            hits.append(Hit(file.path, line, unit.name, "", strength, file.cite(line)))
    return hits


def own_line(concept: Concept, unit: Unit) -> int:
    """First line of a hand-written form of a concept in a unit, 0 when it is not there."""
    for option in concept.own:
        first = 0
        for pattern in option:
            kept = pattern.pattern.startswith("s:")
            match = _compiled(pattern.pattern[2:]).search(unit.text.full) if kept else pattern.search(unit.text.code)
            if match is None:
                break
            text = unit.text.full if kept else unit.text.code
            line = unit.line + text.count("\n", 0, match.start())
            first = first or line
        else:
            return first
    return 0


@lru_cache(maxsize=2_000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=4_000)
def _glob_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")) + r"(?:\(\).*)?\Z", re.IGNORECASE)


def _glob(pattern: str, target: str) -> bool:
    """Whether a dotted name (or a method of what it returns) matches; ``*.Name`` also matches a bare ``Name``."""
    if _glob_pattern(pattern).match(target):
        return True
    bare = target.removeprefix("?.")
    return pattern.startswith("*.") and "." not in bare and bool(_glob_pattern(pattern[2:]).match(bare))


def _in_module(target: str, module: str) -> bool:
    """Whether a call goes into a module: directly, or to a method of an object of one of its classes."""
    if target != module and not target.startswith((module + ".", module + "/")):
        return False
    made, _, method = target.partition("()")
    return (
        not method
        or made.rsplit(".", 1)[-1][:1].isupper()
        or (method.count(".") <= 1 and "." in made.removeprefix(module))
    )


def _argument(argument: Argument, call: Call) -> bool:
    if not _glob(argument.call, call.target) and argument.call != "*":
        return False
    if argument.keyword:
        value = call.keywords.get(argument.keyword)
        return value is not None and _value_matches(argument.value, value)
    return any(_value_matches(argument.value, value) for value in (*call.args, *call.keywords.values()))


def _value_matches(pattern: str, value: Value) -> bool:
    if pattern == "*":
        return value.constant is not None or value.text not in ("None", "False", "")
    constant = str(value.constant) if value.constant is not None else ""
    return bool(_glob_pattern(pattern).match(constant)) or bool(_glob_pattern(pattern).match(value.text.strip("\"'")))


def _short(target: str) -> str:
    return target if len(target) <= 60 else "…" + target[-58:]
