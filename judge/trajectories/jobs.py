"""Commands that go on in the background: how they ended is told by a later step that asks for their output."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.schemas import Step
from judge.trajectories.outcomes import Outcome, Result, read_outcome

_STARTED = re.compile(
    r"(?:running in (?:the )?background with (?:task )?ID:|Process running with session ID|moved to background"
    r" \(PID:|background (?:task|process|job|shell) (?:started )?(?:with )?ID:?)\s*([\w-]{1,80})",
    re.IGNORECASE,
)
_CODE = re.compile(r"<exit_code>\s*(-?\d{1,9})\s*</exit_code>|Process exited with code (-?\d{1,9})")
_STATUS = re.compile(r"<status>\s*(completed|failed|killed|error|timed[_ ]?out)\s*</status>", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:killed|stopped|terminated)\b[^\n]{0,40}\b(?:shell|task|process|job|command)\b", re.IGNORECASE
)
_HANDLE = r"""(?:\b|_)(?:id|pid)["']?\s*[:=>]\s*["']?{}(?![\w-])"""
_KEPT = 100_000


def late_results(steps: Iterable[Step]) -> dict[int, Result]:
    """How the command of each step ended that was still running when the step was over; unknown where nothing tells.

    The keys are numbers of steps. A step is asked about a command when it names its id.
    """
    found: dict[int, Result] = {}
    running: dict[str, tuple[int, str]] = {}
    for step in steps:
        text = step.environment or ""
        asked = [handle for handle in running if re.search(_HANDLE.format(re.escape(handle)), step.action or "")]
        for handle in asked:
            number, before = running[handle]
            told = f"{before}\n{text}"[-_KEPT:]
            running[handle] = (number, told)
            result = _ended(text, told)
            if result is not None:
                found[number] = result
                del running[handle]
        if not asked and (match := _STARTED.search(text[-2000:]) or _STARTED.search(text[:2000])):
            running[match[1]] = (step.step, "")
            found[step.step] = Result(Outcome.UNKNOWN)
    return found


def _ended(text: str, told: str) -> Result | None:
    if match := _CODE.search(text):
        return read_outcome(told, int(match[1] or match[2]))
    if match := _STATUS.search(text):
        status = match[1].lower()
        if status == "killed":
            return Result(Outcome.KILLED)
        return read_outcome(told, 0) if status == "completed" else read_outcome(told, None, True)
    return Result(Outcome.KILLED) if _STOPPED.search(text) else None
