"""Takes secrets out of text that leaves the machine.

Only text on its way to a model or into a message goes through here; facts about the workspace that are used locally
are never touched. The patterns are data in ``redact_patterns.toml``. There is no guessing by entropy: hashes, commit
ids, UUIDs and base64 data are evidence and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
# A private key without its end is masked up to this far, as long as its lines look like key data.
_KEY_LENGTH = 16_384
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
    regex: re.Pattern[str]
    check: str


def redact(text: str) -> Redacted:
    """Masks keys, tokens, passwords, private keys and user names of home folders.

    Args:
        text: Any text; the time is linear in its length.

    >>> redact("token: ghp_" + "a1B2" * 9).text
    'token: [redacted:github-token]'
    """
    spans = sorted(_spans(text))
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


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    lowered = text.lower()
    if "private key" in lowered:
        yield from _private_keys(text)
    for pattern in _patterns():
        if not any(hint in lowered for hint in pattern.hints):
            continue
        group = 1 if pattern.regex.groups else 0
        for match in pattern.regex.finditer(text):
            if _passes(pattern.check, match[group]):
                yield (*match.span(group), pattern.kind)


def _passes(check: str, value: str) -> bool:
    if not check:
        return True
    if check == "person":
        return value.lower() not in _NOBODY
    if _PLACEHOLDER.match(value):
        return False
    return check == "value" or _is_random(value)


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
def _patterns() -> tuple[_Pattern, ...]:
    import tomllib
    from importlib.resources import files

    table = tomllib.loads((files("judge") / "redact_patterns.toml").read_text(encoding="utf-8"))
    return tuple(
        _Pattern(item["kind"], tuple(item["hints"]), re.compile(item["pattern"]), item.get("check", ""))
        for item in table["secret"]
    )
