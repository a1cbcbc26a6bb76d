"""How a run ended, read from the text that came back; what the text does not show is unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How the run of a program ended."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    KILLED = "killed"
    NOT_RUN = "not run"
    """It stood behind a command that failed."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Result:
    """What the environment's text tells.

    Attributes:
        outcome: How it ended.
        exit_code: The exit code, when the text names one.
        error: The error's own line, such as ``ModuleNotFoundError: No module named 'sklearn'``.
        frames: (file, line) of the last traceback, outermost first.
    """

    outcome: Outcome
    exit_code: int | None = None
    error: str = ""
    frames: tuple[tuple[str, int], ...] = ()


_EXIT = re.compile(
    r"(?:exit(?:ed)?(?: with)?[ _-]?(?:code|status)?|return[ _-]?code|exitCode)[\"']?"
    r"\s*(?:[:=>]|was|is|of)?\s*(-?\d{1,3})\b(?!\.\d)",
    re.IGNORECASE,
)
_EXIT_NEAR = re.compile(r"exit|returncode|return code", re.IGNORECASE)
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)', re.M)
_CELL = re.compile(r"^(?:Cell In ?\[\d+\], line (\d+)|<ipython-input[^>]*>)", re.M)
_ERROR_LINE = re.compile(
    r"^(?:[A-Za-z_][\w.]*\.)?(?:[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Failure|Fault|Iteration|Warning)|NotFound\w*)(?::.*)?$",
    re.M,
)
_STRONG = (
    "can't open file",
    "command not found",
    ": No such file or directory",
    ": Permission denied",
    ": No module named ",
    "Segmentation fault",
    "(core dumped)",
    "Error: Cannot find module ",
    "syntax error near unexpected token",
    "Fatal Python error",
)
"""Words with which shells and interpreters, not programs, say that something did not run."""
_JS_TRACE = re.compile(r"^\s+at .+\(?.+:\d+:\d+\)?$", re.M)
_PYTEST_BAD = re.compile(r"^=+ .*\b\d+ (?:failed|error)", re.M)
_TIMEOUT = re.compile(
    r"\btimed?[ -]?out\b(?! ?=)|TimeoutExpired|no new output after|exceeded the (?:time|timeout)|time limit exceeded",
    re.IGNORECASE,
)
_KILLED = re.compile(
    r"^(?:.*\s)?(?:Killed|Terminated|\^C|Out of memory|oom-kill\w*)\s*(?:\d+.*|.*: Killed.*)?$|^KeyboardInterrupt$",
    re.M,
)
_WEAK = re.compile(
    r"^\s*(?:\S+:\s+)?(?:error|fatal|failed|exception)\b(?!\s*(?:rate|=|:\s*-?[\d.]))", re.IGNORECASE | re.M
)
_NOISE = re.compile(
    r"^(?:\[(?:Python Interpreter|Jupyter|Command (?:finished|exit)|The command|Current working directory)[^\n]*"
    r"|[\w.-]+@[\w.-]+:\S* ?[$#].*|\(?[\w.-]*\)?\s*(?:bash-[\d.]+)?[$#]\s*|\(Open file:.*|\(Current directory:.*)$",
    re.M,
)
_TAIL_LINES = 6


def read_outcome(text: str | None, exit_code: int | None = None, failed: bool | None = None) -> Result:
    """Reads the environment's text of one step as the outcome of one run.

    Args:
        text: What came back; None when nothing is recorded.
        exit_code: The exit code, where the file gives it apart from the text.
        failed: Whether the tool itself reports a failure, where the file says so.
    """
    if text is None:
        return Result(Outcome.UNKNOWN)
    if exit_code == 0:
        return Result(Outcome.OK, 0)
    result = _read(text if exit_code is None else f"{text}\nexit code: {exit_code}")
    if failed and result.outcome in (Outcome.OK, Outcome.UNKNOWN):
        return Result(Outcome.ERROR, result.exit_code, result.error, result.frames)
    return result


def _read(text: str) -> Result:
    code = _exit_code(text)
    body = _NOISE.sub("", text).strip()
    frames, error, at_end = _traceback(body)
    if code is not None and code != 0:
        return Result(_by_code(code, body), code, error or _strong(body), frames)
    if code == 0:
        return Result(Outcome.OK, 0, "", ())
    if _KILLED.search(body[-2000:]):
        return Result(Outcome.KILLED, None, _line(_KILLED, body), frames)
    if error:
        return Result(Outcome.ERROR if at_end else Outcome.UNKNOWN, None, error, frames)
    if _TIMEOUT.search(body[-2000:]):
        return Result(Outcome.TIMEOUT, None, _line(_TIMEOUT, body))
    if strong := _strong(body):
        return Result(Outcome.ERROR, None, strong)
    if _WEAK.search(body[-4000:]):
        return Result(Outcome.UNKNOWN)
    return Result(Outcome.OK)


def _exit_code(text: str) -> int | None:
    """The last exit code that the tail or head of a text names; programs that print the word elsewhere do not count."""
    for part in (text[-600:], text[:200]):
        if _EXIT_NEAR.search(part):
            found = [int(match[1]) for match in _EXIT.finditer(part)]
            tagged = re.search(r"<(?:returncode|exit_code)>\s*(-?\d+)", part)
            if tagged:
                return int(tagged[1])
            if found:
                return found[-1]
    return None


def _by_code(code: int, body: str) -> Outcome:
    if code == 124 or (code == -1 and _TIMEOUT.search(body)):
        return Outcome.TIMEOUT
    if code in {137, 143, 130, -9, -15, -2}:
        return Outcome.KILLED
    return Outcome.UNKNOWN if code == -1 else Outcome.ERROR


def _traceback(body: str) -> tuple[tuple[tuple[str, int], ...], str, bool]:
    """Frames and error line of the last traceback, and whether it ends the text."""
    start = max(body.rfind("Traceback (most recent call last)"), 0)
    frames = [(match[1], int(match[2])) for match in _FRAME.finditer(body, start)]
    has_trace = bool(frames) or start > 0 or body.startswith("Traceback") or _CELL.search(body) is not None
    errors = [match for match in _ERROR_LINE.finditer(body, start)] if has_trace else []
    if not errors and _JS_TRACE.search(body):
        errors = list(re.finditer(r"^(?:Uncaught )?\w*Error(?::.*)?$", body, re.M))
        has_trace = bool(errors)
    if not errors and _PYTEST_BAD.search(body):
        return (), _line(_PYTEST_BAD, body), True
    if not errors:
        return (), "", False
    last = errors[-1]
    after = [line for line in body[last.end() :].split("\n")[1:] if line.strip()]
    trailing = [line for line in after if not line.lstrip().startswith(("at ", "Node.js", "During", "File"))]
    return tuple(frames[-50:]), last[0].strip()[:300], len(trailing) <= _TAIL_LINES


def _strong(body: str) -> str:
    lines = body[-4000:].split("\n")
    return next((line.strip()[:300] for line in lines if any(words in line for words in _STRONG)), "")


def _line(pattern: re.Pattern[str], body: str) -> str:
    found = pattern.search(body[-2000:]) or pattern.search(body)
    if found is None:
        return ""
    start = body.rfind("\n", 0, body.find(found[0]) + 1) + 1 if found[0] in body else 0
    return body[start:].split("\n", 1)[0].strip()[:300]
