"""Which files a call of any language reads, writes or shows, by the tables in ``tables/``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from judge.modules.graph.conventions import EVERY, LAST, NONE, RECEIVER, AccessRule, Conventions
from judge.modules.graph.facts import Access, Call, FileAccess, Value
from judge.modules.graph.other_calls import Target
from judge.modules.graph.other_program import Program
from judge.modules.graph.pieces import HERE, HOLE
from judge.modules.graph.raw import Raw, RawUse
from judge.modules.graph.words import argument

MAX_PATTERN = 400
_WRITE_MODE = re.compile(
    r"""^[:"'][rwab]*t?[wax+]|WRONLY|RDWR|O_CREAT|O_APPEND|\b(?:Append|Create|CreateNew|OpenOrCreate|Truncate|Write)\b|"""
    r"""ios(?:_base)?::(?:out|app)|WRITE|\.(?:write|append|create|create_new|truncate)\(true"""
)
_LIKE_PATH = re.compile(r"(?s)^(?!.*[\n<>|])(?!https?:)(.*/.*|.*\.[A-Za-z][A-Za-z0-9]{0,7}|.*\{\})$")
_PACKAGE = re.compile(r"(?:[a-z]\w*\.)+[a-z]\w*|[A-Z]\w*(?:\.[A-Z]\w*)+")
_PLAIN_WORD = re.compile(r"^(?!s/)[\w./{}~@+\x00-]+$")
_NO_FILE = re.compile(r"^(?:/dev/|&?\d+$|-$|https?:|:memory:|jar:|classpath:)|://|\n")


class Accesses:
    """File accesses of one source file."""

    def __init__(self, program: Program, raw: Raw) -> None:
        self.program = program
        self.raw = raw
        self.table: Conventions = program.table(raw)

    def of(self, use: RawUse, target: Target, call: Call) -> Iterator[FileAccess]:
        """The accesses of one call: for each kind those of the first rule that finds a path."""
        done: set[Access] = set()
        for rule in self._rules(target):
            if not self._owned(rule, target):
                continue
            access = self._kind(rule, use)
            if access in done:
                continue
            found = self._patterns(rule, use)
            if not found and not rule.blind:
                continue
            for pattern in found or [""]:
                fact = self._fact(rule, access, pattern, use, call)
                if fact is not None:
                    done.add(access)
                    yield fact

    def _owned(self, rule: AccessRule, target: Target) -> bool:
        """Whether a rule is about what stands before the name; a class may be spelled with its package."""
        if rule.owns(target.owner) or rule.owns(target.dotted.rpartition(".")[0]):
            return True
        spelled = target.name[:1].isupper() and _PACKAGE.fullmatch(target.owner) is not None
        return spelled and rule.owns("")

    def _rules(self, target: Target) -> Iterator[AccessRule]:
        dotted = target.dotted.rpartition(".")[2]
        for name in dict.fromkeys((target.name, dotted, f"{target.owner}.{target.name}")):
            yield from self.table.access.get(name, ())

    def _kind(self, rule: AccessRule, use: RawUse) -> Access:
        if rule.access != "opens":
            return Access(rule.access)
        if rule.mode == -2:
            text = use.text
        else:
            named = [value for label, value in map(self._argument, use.args) if label in {"mode", "access", "open"}]
            text = named[0] if named else " ".join(use.args[rule.mode or 0 : (rule.mode or 0) + 1])
        constant = text if not re.fullmatch(r"\w+", text) else self._first(text, use)
        return Access.WRITE if _WRITE_MODE.search(constant) else Access.READ

    def _first(self, text: str, use: RawUse) -> str:
        found = self.program.values(self.raw).texts(text, self.raw, use.scope)[0]
        return text if found == HOLE else f'"{found}"'

    def _argument(self, text: str) -> tuple[str, str]:
        return argument(text, self.table.named)

    def _patterns(self, rule: AccessRule, use: RawUse) -> list[str]:
        """The paths of a call, as workspace-relative patterns."""
        found: list[str] = []
        for text in self._expressions(rule, use)[:12]:
            found.extend(self.program.values(self.raw).texts(text, self.raw, use.scope))
        clean = [item.removeprefix(rule.strip).replace("\\", "/").strip() for item in found]
        if rule.path == EVERY:
            clean = [item for item in clean if _PLAIN_WORD.match(item)]
        return [item for item in dict.fromkeys(clean) if _acceptable(item, strict=rule.likely)]

    def _expressions(self, rule: AccessRule, use: RawUse) -> list[str]:
        """The texts of the arguments that hold the path."""
        args = [self._argument(text) for text in use.args]
        named = [value for label, value in args if label in rule.keywords]
        if named:
            return named
        if rule.flags:
            after = [word for flag, word in zip(use.args, use.args[1:], strict=False) if flag in rule.flags]
            return after + [word.partition("=")[2] for word in use.args if word.partition("=")[0] in rule.flags]
        plain = [value for label, value in args if not label or self.table.named != ("=",) or not rule.keywords]
        words = [text for text in use.args if not text.startswith("-")]
        if rule.path == RECEIVER:
            receiver = re.sub(r"(?:\?\.|!!\.|\.)\s*\w+\s*$", "", use.text)
            return [receiver] if receiver != use.text else []
        if rule.path == EVERY:
            return words
        if rule.path == LAST:
            return words[-1:] if len(words) > 1 else []
        return plain[rule.path : rule.path + 1] if rule.path < NONE else []

    def _fact(self, rule: AccessRule, access: Access, pattern: str, use: RawUse, call: Call) -> FileAccess | None:
        anchored = pattern.startswith(HERE)
        path = pattern.replace(HERE, "")
        path = path if path.strip("{}/. ") else ""
        if path:
            path = ("/" if path.startswith("/") and not anchored else "") + posixpath.normpath(path).strip("/")
            if anchored and path.startswith(".."):
                return None
        content: Value | None = None
        if access is Access.WRITE and rule.content is not None and rule.content < len(call.args):
            content = call.args[rule.content]
        return FileAccess(
            access=access,
            pattern=path[:MAX_PATTERN],
            call=call.target,
            line=use.line,
            scope=use.scope,
            reachable=call.reachable,
            content=content,
            anchored=anchored and bool(path),
            folder=rule.folder,
        )


def _acceptable(text: str, *, strict: bool) -> bool:
    """Whether a text can be a path of the workspace."""
    if not text or len(text) > MAX_PATTERN or _NO_FILE.search(text):
        return False
    if not text.strip("{}/. "):
        return not strict and text == HOLE
    return _LIKE_PATH.match(text) is not None if strict else True
