"""Replaces what the scan finds: by a mask that names the kind, or a home folder's name by ``user``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from judge.redact.scan import find_secrets


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


def redact(text: str) -> Redacted:
    """Masks keys, tokens, passwords, private keys and user names of home folders.

    Args:
        text: Any text; the time is linear in its length.

    >>> redact("token: ghp_" + "a1B2" * 9).text
    'token: [redacted:github-token]'
    """
    spans = find_secrets(text, everything=False)
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


class Redactor:
    """Masks the same and e-mail addresses in many texts that are read as what was done; home folders are ``user``'s.

    Paths stay paths, in commands too, and files of one home folder stay together.

    Attributes:
        counts: How often each kind of secret was masked.

    >>> Redactor().redact("cp /home/" + "mjones/a.csv out/ # mail mjones@uni.edu")
    'cp /home/user/a.csv out/ # mail [redacted:email]'
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def redact(self, text: str, words: Iterable[str] | None = None) -> str:
        """The text without its secrets.

        Args:
            text: Any text.
            words: What ``text.split()`` gives, where it is known already.
        """
        spans = find_secrets(text, everything=True, words=words)
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
