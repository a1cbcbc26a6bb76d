"""One step as text within a budget, without what the prompt shows elsewhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge.fence import BREAK
from judge.modules.retrieve.elide import condense, elide
from judge.text import split_lines
from judge.tokens import count
from judge.trajectories.truncate import Part, cut_text

if TYPE_CHECKING:
    from judge.modules.retrieve.elide import Shown
    from judge.schemas import Step
    from judge.trajectories import FileEvent

_PROMPT = re.compile(r"^\S{1,40}@\S{1,60}[: ]\S{0,200} ?[$#]$|^\$$")
_FRAMED = re.compile(r"^(?:\[.{12,300}\]|\(.{12,300}\))$")
_OFTEN = 3
_SHARE = 0.3
_LEAST_LINES = {"result": 6}
_LEAST_DEFAULT = 3
_TITLES = 12
_CONTENT_CHARS = 80
_CHARS = 60_000
_LEAST_CHARS = 4_000
_TOKEN_CHARS = 12
_TAIL = 8_000
_PART = re.compile(r"^(?=[ \t]*(?:(?:user|thought|action|result):|\[step \d))", re.MULTILINE)
_FAILURE = re.compile(
    r"Traceback \(most recent call last\)|^\w*(?:Error|Exception)\b|exit code [1-9]|command not found|No such file",
    re.MULTILINE,
)


def boilerplate(steps: Sequence[Step]) -> frozenset[str]:
    """Lines that an agent's tools add to many results: bracketed notes that say the same every time."""
    counts: Counter[str] = Counter()
    for step in steps:
        lines = {line.strip() for line in split_lines((step.environment or "")[-_TAIL:])[-40:]}
        counts.update(line for line in lines if _FRAMED.match(line))
    least = max(_OFTEN, int(_SHARE * len(steps)))
    return frozenset(line for line, number in counts.items() if number >= least)


@dataclass(frozen=True, slots=True)
class Frame:
    """What all steps of one requirement are shown with.

    Attributes:
        noise: Lines of results to leave out.
        events: What happened to files, by step: for the content that a step wrote.
        names: Paths and words in question.
        cut: Which part of a long step is cut.
    """

    noise: frozenset[str]
    events: Mapping[int, Sequence[FileEvent]]
    names: tuple[str, ...]
    cut: Part = Part.MIDDLE


class StepText(NamedTuple):
    """A step as it is shown.

    Attributes:
        text: Its parts.
        failed: Whether its result tells of a failure.
    """

    text: str
    failed: bool


def show_step(step: Step, tokens: int, shown: Shown, frame: Frame) -> StepText:
    """A step's text.

    Args:
        step: The step.
        tokens: Budget; of what is too long one part is cut.
        shown: What the prompt shows already, which is left out here.
        frame: What else is known.
    """
    parts = {
        "user": step.user_message or "",
        "thought": step.thought,
        "action": _plain(step, shown, frame),
        "result": _clean(step.environment or "", frame.noise),
    }
    texts = {
        name: _unlike(
            _held(elide(_ends(text), shown, _LEAST_LINES.get(name, _LEAST_DEFAULT)).strip("\n"), tokens, frame.cut)
        )
        for name, text in parts.items()
    }
    shares = _shares([count(text) for text in texts.values()], tokens - _TITLES)
    rows = [
        f"{name}: {cut_text(text, share, frame.cut)}"
        for (name, text), share in zip(texts.items(), shares, strict=True)
        if share
    ]
    return StepText("\n".join(rows), bool(_FAILURE.search((step.environment or "")[-4_000:])))


def _held(text: str, tokens: int, cut: Part) -> str:
    """As much of a text as could ever fit a budget, so that the rest need not be counted: a token is rarely longer."""
    most = max(_LEAST_CHARS, tokens * _TOKEN_CHARS)
    if len(text) <= most:
        return text
    mark = f"[… {len(text) - most} characters …]"
    if cut is Part.BEGINNING:
        return f"{mark}\n{text[-most:]}"
    half = most // 2
    return f"{text[:most]}\n{mark}" if cut is Part.END else f"{text[:half]}\n{mark}\n{text[-half:]}"


def _ends(text: str) -> str:
    """A very long text without its middle, which no budget could hold."""
    half = _CHARS // 2
    return text if len(text) <= _CHARS else f"{text[:half]}\n[… {len(text) - _CHARS} characters …]\n{text[-half:]}"


def _unlike(text: str) -> str:
    """Lines that look as if another part of a step began are broken by the sign that breaks look-alikes."""
    return _PART.sub(BREAK, text)


def _clean(text: str, noise: frozenset[str]) -> str:
    """A result without empty prompts and without what the agent's tools add every time."""
    lines = split_lines(text)
    kept = [line for line in lines if not _PROMPT.match(line.strip()) and line.strip() not in noise]
    return "\n".join(kept) if len(kept) < len(lines) else text


def _plain(step: Step, shown: Shown, frame: Frame) -> str:
    """The action; content in escaped form is written out where that lets it be left out, other files are cut."""
    action = step.action or ""
    for event in frame.events.get(step.step, ()) if action else ():
        content = event.content
        if not content or len(content) < _CONTENT_CHARS:
            continue
        for ascii_only in (False, True) if "\\n" in action else ():
            escaped = json.dumps(content, ensure_ascii=ascii_only)[1:-1]
            if escaped in action and len(elide(content, shown, _LEAST_DEFAULT)) < len(content) // 2:
                action = action.replace(escaped, f"\n{content}\n", 1)
        if not shown.has(event.path):
            action = condense(action, content, event.path, frame.names)
    return action


def _shares(sizes: Sequence[int], tokens: int) -> list[int]:
    """Divides a budget: what is short is kept whole, the rest is shared evenly among the long parts."""
    shares = [0] * len(sizes)
    open_parts = [index for index, size in enumerate(sizes) if size]
    left = max(tokens, 0)
    while open_parts:
        even = left // len(open_parts)
        small = [index for index in open_parts if sizes[index] <= even]
        if not small:
            for index in open_parts:
                shares[index] = even
            break
        for index in small:
            shares[index] = sizes[index]
            left -= sizes[index]
            open_parts.remove(index)
    return shares
