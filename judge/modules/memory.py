"""The module ``memory``: what the judge itself decided before on the same task. Off by default: mistakes spread."""

from __future__ import annotations

from collections.abc import Sequence

from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind, Judgment, VerdictValue
from judge.tokens import count, cut_end, cut_middle

_TOKENS = 1_500
_CRITERION = 80
_REASON = 60
_TITLE = "the judge's own earlier verdicts on this task, which may be wrong"


class Memory:
    """Tells earlier verdicts of the same task."""

    name = "memory"

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item with one line a verdict, in the order they were given; the oldest are left out when they are many.

        Args:
            case: The requirement, with ``earlier`` filled.
            found: Not used.

        Returns:
            Evidence of kind ``memory``; none when nothing was decided before.
        """
        lines: list[str] = []
        left = _TOKENS
        for judgment in reversed(case.earlier):
            line = _line(case, judgment)
            left -= count(line) + 1
            if left < 0:
                lines.append(f"({len(case.earlier) - len(lines)} earlier ones are left out)")
                break
            lines.append(line)
        if not lines:
            return ()
        text = "\n".join(reversed(lines))
        facts = {"requirements": [judgment.requirement_id for judgment in case.earlier]}
        return (
            Evidence(
                module="memory",
                kind=EvidenceKind.MEMORY,
                title=_TITLE,
                text=text,
                why="given before on the same task",
                facts=facts,
                tokens=count(text),
            ),
        )


def _line(case: Case, judgment: Judgment) -> str:
    try:
        criterion = case.task.requirement(judgment.requirement_id).criteria
    except KeyError:
        criterion = "(no longer in the task)"
    own = "prerequisite " if judgment.requirement_id in case.requirement.prerequisites else "requirement "
    said = f"{own}{judgment.requirement_id} ({cut_middle(_one_line(criterion), _CRITERION)})"
    if judgment.verdict == VerdictValue.ERROR:
        return f"{said}: not judged, nothing follows from it"
    reason = cut_end(_one_line(judgment.reason), _REASON)
    return f"{said}: {judgment.verdict.value}" + (f" - {reason}" if reason else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())
