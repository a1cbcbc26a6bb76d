"""One requirement as the measurements see it: a verdict beside a label."""

from __future__ import annotations

from dataclasses import dataclass

from judge.schemas import VerdictValue


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement with its label and one judge's verdict.

    Attributes:
        task: Name of its task.
        requirement_id: Its id there; unique within the task.
        criteria: Its text.
        category: Its category; empty when it has none.
        prerequisites: Ids of requirements of the same task.
        label: What people say; None when unlabelled.
        verdict: What the judge says; None when it says nothing.
        score: How probable the judge holds SATISFIED, 0 to 1; None when it gave no confidence.
    """

    task: str
    requirement_id: int
    criteria: str = ""
    category: str = ""
    prerequisites: tuple[int, ...] = ()
    label: bool | None = None
    verdict: VerdictValue | None = None
    score: float | None = None

    @property
    def decided(self) -> bool | None:
        """The verdict as met or not met; None for ERROR and for no verdict."""
        if self.verdict in {None, VerdictValue.ERROR}:
            return None
        return self.verdict == VerdictValue.SATISFIED

    @property
    def compared(self) -> bool:
        """Whether there is a verdict as well as a label."""
        return self.label is not None and self.decided is not None
