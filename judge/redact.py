"""Takes secrets out of text that leaves the machine.

Only text on its way to a model or into a message goes through here; facts about the workspace that are used locally
are never touched. The patterns are data in ``redact_patterns.toml``. There is no guessing by entropy: hashes, commit
ids, UUIDs and base64 data are evidence and stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
# A private key without its end is masked up to this far, as long as its lines look like key data.
_KEY_LENGTH = 16_384
_REMEMBERED = 200_000
_REACH, _SPAN = 160, 800
"""How far before and behind a hint the match of a pattern with ``then`` can reach."""
_KEY_LINE = re.compile(r"(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]+: [^\n]{0,200}|[A-Za-z0-9+/=]{1,76})?\r?\Z")
_PLACEHOLDER = re.compile(
    r"""\A(?:[x*.\-_#0]+|\[redacted:.*|<.*>|\{.*\}|\$.*|%.*%?|.*\{\w*\}.*|(?:your|my|the|some|insert|enter|add|replace|put)
    [-_ ]?.*|none|null|true|false|undefined|changeme|example.*|placeholder.*|dummy.*|os\.environ.*|os\.getenv.*|
    getenv.*|process\.env.*|.*_here)\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_NOBODY = frozenset(
    ("user", "users", "ubuntu", "runner", "app", "node", "jovyan", "vscode", "codespace", "shared", "public", "default")
    # What names a role and no person stays, so that paths in the evidence remain readable.
)

_GENERIC = frozenset(
    "com org net edu gov mil int info biz name pro io ai dev app tech cloud online site xyz me co tv science".split()
)
_TOPS = _GENERIC | frozenset(
    # Country codes without those that are better known as endings of files or as methods (py, pl, rs, md, sh, mean).
    "ac ae af ag al am ar at au az ba bd be bg bh bo br bt bw by bz ca ch ci cl cn cr cu cy cz de dk do dz ec ee eg es"
    " et eu fi fj fr gb ge gh gr gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li lk lt lu lv"
    " ly ma mc mg mk ml mm mn mo mt mu mx my mz na ng ni nl no np nz om pa pe ph pk pt qa ro ru rw sa se sg si sk sn su"
    " sv sy th tn tr tw tz ua ug uk us uy uz va ve vn ye za zm zw".split()
)


class Finding(NamedTuple):
    """A masked secret: its line, 1-based, and its kind."""

    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets.

    Attributes:
        text: The text, with ``[redacted:KIND]`` in place of each secret and the same number of lines.
        kinds: The kinds of secret found, each once, sorted.
        findings: Every masked secret with its line.
    """

    text: str
    kinds: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    hints: tuple[str, ...]
    exact: tuple[str, ...]
    regex: re.Pattern[str]
    check: str
    everywhere: bool
    word: int
    then: re.Pattern[str] | None
    span: int


def redact(text: str) -> Redacted:
    """Masks keys, tokens, passwords, private keys and user names of home folders.

    Args:
        text: Any text; the time is linear in its length.

    >>> redact("token: ghp_" + "a1B2" * 9).text
    'token: [redacted:github-token]'
    """
    return _masked(text, sorted(_spans(text, _Memory(), readable=False)))


class Redactor:
    """Masks the same and e-mail addresses in many texts that are read as what was done; home folders are ``user``'s.

    Paths stay paths, in commands too, and files of one home folder stay together. It remembers which words are
    harmless, since the texts of one agent repeat each other.

    Attributes:
        counts: How often each kind of secret was masked.

    >>> Redactor().redact("cp /home/" + "mjones/a.csv out/ # mail mjones@uni.edu")
    'cp /home/user/a.csv out/ # mail [redacted:email]'
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._memory = _Memory()

    def redact(self, text: str, words: Iterable[str] | None = None) -> str:
        """The text without its secrets.

        Args:
            text: Any text.
            words: What ``text.split()`` gives, where it is known already.
        """
        spans = sorted(_spans(text, self._memory, readable=True, words=words))
        if not spans:
            return text
        pieces: list[str] = []
        at = 0
        for start, end, kind in spans:
            if start >= at:
                self.counts[kind] += 1
                mask = "user" if kind == "home" else f"[redacted:{kind}]"
                pieces += [text[at:start], mask, "\n" * text.count("\n", start, end)]
                at = end
        return "".join([*pieces, text[at:]])


def _masked(text: str, spans: list[tuple[int, int, str]]) -> Redacted:
    if not spans:
        return Redacted(text)
    pieces: list[str] = []
    findings: list[Finding] = []
    at, line = 0, 1
    for start, end, kind in spans:
        if start < at:
            continue
        line += text.count("\n", at, start)
        findings.append(Finding(line, kind))
        gone = text.count("\n", start, end)
        pieces += [text[at:start], f"[redacted:{kind}]", "\n" * gone]
        line += gone
        at = end
    pieces.append(text[at:])
    return Redacted("".join(pieces), tuple(sorted({item.kind for item in findings})), tuple(findings))


def _spans(
    text: str, memory: _Memory, *, readable: bool, words: Iterable[str] | None = None
) -> Iterator[tuple[int, int, str]]:
    patterns = memory.candidates(set(text.split() if words is None else words))
    if memory.private in patterns:
        yield from _private_keys(text)
    lowered = text.lower() if any(pattern.then for pattern in patterns) else ""
    for pattern in patterns:
        if (pattern.everywhere or readable) and pattern is not memory.private:
            group = 1 if pattern.regex.groups else 0
            for match in _matches(pattern, text, lowered):
                if _passes(pattern.check, match[group]):
                    yield (*match.span(group), pattern.kind)


class _Memory:
    """Which patterns the words of texts call for. No hint holds a blank, so that words can be looked at one by one."""

    def __init__(self) -> None:
        self.private = _private_key_pattern()
        self._harmless: set[str] = set()
        self._telling: dict[str, tuple[_Pattern, ...]] = {}
        self._tellers: set[str] = set()
        """The keys of ``_telling`` as a set, with which sets are compared much faster than with a dict."""

    def candidates(self, words: set[str]) -> list[_Pattern]:
        """The patterns that can match in a text of these words, in the order of the table."""
        fresh = words.difference(self._harmless, self._tellers)
        if fresh:
            self._learn(fresh)
        told = {id(item) for word in words & self._tellers for item in self._telling[word]}
        return [item for item in (self.private, *_patterns()) if id(item) in told] if told else []

    def _learn(self, fresh: set[str]) -> None:
        if len(self._harmless) + len(self._telling) > _REMEMBERED:
            self._harmless.clear()
            self._telling.clear()
            self._tellers.clear()
        joined = "\n".join(fresh)
        lowered = joined.lower()
        if _any_hint().search(lowered) is None and not any(h in joined for item in _patterns() for h in item.exact):
            self._harmless |= fresh
            return
        possible = [item for item in (self.private, *_patterns()) if _hinted(item, joined, lowered)]
        for word in fresh if possible else ():
            low = word.lower()
            # One long word is a whole secret, so it can be tried at once.
            found = tuple(
                item
                for item in possible
                if _hinted(item, word, low)
                and (not item.word or (len(word) >= item.word and item.regex.search(word) is not None))
            )
            if found:
                self._telling[word] = found
                self._tellers.add(word)
        self._harmless |= fresh - self._tellers


def _hinted(pattern: _Pattern, text: str, lowered: str) -> bool:
    for hint in pattern.hints:
        if hint in lowered:
            return True
    for hint in pattern.exact:  # noqa: SIM110 - a generator costs more than the search
        if hint in text:
            return True
    return False


def _matches(pattern: _Pattern, text: str, lowered: str) -> Iterator[re.Match[str]]:
    """The places where a pattern fits; a costly one is only tried where what must follow its hints does."""
    if pattern.then is None or len(lowered) != len(text):
        yield from pattern.regex.finditer(text)
        return
    start = stop = 0
    for at in sorted(_places(pattern, lowered)):
        # Places that are close are searched in one go, so that the time stays linear.
        if at - _REACH > stop:
            if stop:
                yield from pattern.regex.finditer(text, start, stop)
            start = at - _REACH
        stop = at + pattern.span
    if stop:
        yield from pattern.regex.finditer(text, start, stop)


def _places(pattern: _Pattern, lowered: str) -> Iterator[int]:
    assert pattern.then is not None
    for hint in pattern.hints:
        at = lowered.find(hint)
        while at >= 0:
            if pattern.then.match(lowered, at + len(hint)):
                yield at
            at = lowered.find(hint, at + 1)


def _passes(check: str, value: str) -> bool:
    if not check:
        return True
    if check == "person":
        return value.lower() not in _NOBODY
    if check == "address":
        return _is_address(value)
    if _PLACEHOLDER.match(value):
        return False
    return check == "value" or _is_random(value)


def _is_address(value: str) -> bool:
    """Whether a text is a person's e-mail address: no remote of git, no package with a version, no product."""
    name, _, host = value.lower().rpartition("@")
    domain, _, top = host.rpartition(".")
    if name in {"git", "hg", "noreply", "no-reply", "user", "root"} or top not in _TOPS:
        return False
    # Domains that are kept free for examples and tests name nobody.
    return domain.rpartition(".")[2] not in {"example", "test", "localhost", "domain", "email"} or top not in _GENERIC


def _is_random(value: str) -> bool:
    """Whether a value mixes letters and digits as a key does, unlike words, identifiers, versions and paths."""
    if " " in value.strip() or not any(char.isdigit() for char in value) or not any(char.isalpha() for char in value):
        return False
    runs = [run for run in re.split(r"[^A-Za-z0-9]", value) if run]
    return any(
        len(run) >= 8 and len(re.findall(r"[0-9](?![0-9])|(?<=[0-9])[A-Za-z]", run)) >= 3 for run in runs
    ) or any(len(run) >= 12 and re.search("[0-9]", run) and re.search("[A-Za-z]", run) for run in runs)


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while begin := _BEGIN.search(text, at):
        end = _END.search(text, begin.end(), begin.end() + _KEY_LENGTH)
        following = _BEGIN.search(text, begin.end(), end.start() if end else begin.end())
        at = end.end() if end and not following else _key_data_end(text, begin.end())
        yield begin.start(), at, "private-key"


def _key_data_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    if end < 0:
        return min(len(text), start + _KEY_LENGTH)
    while end < min(len(text), start + _KEY_LENGTH):
        stop = text.find("\n", end + 1)
        stop = len(text) if stop < 0 else stop
        if stop - end > 400 or not _KEY_LINE.match(text[end + 1 : stop]):
            break
        end = stop
    return end


@cache
def _private_key_pattern() -> _Pattern:
    """Stands for private keys, which are found by their lines and not by one pattern."""
    return _Pattern("private-key", ("private",), (), _BEGIN, "", True, 0, None, _SPAN)


@cache
def _any_hint() -> re.Pattern[str]:
    """All hints at once; faster than one by one in short texts."""
    hints = [hint for item in (_private_key_pattern(), *_patterns()) for hint in item.hints]
    return re.compile("|".join(map(re.escape, hints)))


@cache
def _patterns() -> tuple[_Pattern, ...]:
    import tomllib
    from importlib.resources import files

    table = tomllib.loads((files("judge") / "redact_patterns.toml").read_text(encoding="utf-8"))
    return tuple(
        _Pattern(
            item["kind"],
            tuple(hint for hint in item["hints"] if hint == hint.lower()),
            tuple(hint for hint in item["hints"] if hint != hint.lower()),
            re.compile(item["pattern"]),
            item.get("check", ""),
            item.get("everywhere", True),
            item.get("word", 0),
            re.compile(item["then"]) if "then" in item else None,
            item.get("span", _SPAN),
        )
        for item in table["secret"]
    )
