"""Where verdicts go: to disk first, then into the counts, then to whoever watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.engine.breaker import is_outage
from judge.engine.folder import RunFolder
from judge.engine.progress import Progress
from judge.errors import InputError, JudgeError
from judge.schemas import Evidence, Judgment, Usage, VerdictValue


class Recorder:
    """The verdicts of a run.

    Attributes:
        usage: What the verdicts recorded by this process used.
        provider_failures: Requirements that the provider failed in this process.
    """

    def __init__(self, folder: RunFolder, progress: Progress) -> None:
        """Takes what earlier runs in the folder found.

        Args:
            folder: The run folder.
            progress: Who is told.
        """
        self._folder = folder
        self._progress = progress
        self._latest = folder.journal.latest()
        self.usage = Usage()
        self.provider_failures = 0

    def verdicts(self, task: str) -> Mapping[int, Judgment]:
        """The verdicts of a task that count, by requirement id."""
        return {number: item for (name, number), item in self._latest.items() if name == task}

    def kept(self, task: str, requirement_id: int) -> VerdictValue | None:
        """The verdict on a requirement that will not be asked for again, or None."""
        known = self._latest.get((task, requirement_id))
        return None if known is None or known.verdict == VerdictValue.ERROR else known.verdict

    def record(self, judgment: Judgment, evidence: Sequence[Evidence] = (), failure: JudgeError | None = None) -> None:
        """Puts a verdict on disk and tells of it.

        Raises:
            InputError: The run folder cannot be written.
        """
        if is_outage(failure):
            self.provider_failures += 1
        key = (judgment.task, judgment.requirement_id)
        known = self._latest.get(key)
        if known is None or not _same_failure(known, judgment):
            judgment = self._store(judgment, evidence)
        self._latest[key] = judgment
        self.usage = self.usage + judgment.usage
        self._progress.judged(judgment, self.usage)

    def _store(self, judgment: Judgment, evidence: Sequence[Evidence]) -> Judgment:
        try:
            if evidence:
                judgment = judgment.model_copy(update={"evidence_hash": self._folder.evidence.put(evidence)})
            self._folder.journal.append(judgment)
        except OSError as error:
            what = f"cannot be written: {error.strerror or error}"
            raise InputError(what, where=str(self._folder.path), hint="what is there is kept; run again") from error
        return judgment


def _same_failure(known: Judgment, judgment: Judgment) -> bool:
    """Whether this failure is on disk already and cost nothing: a rerun then adds no line."""
    same = known.verdict == judgment.verdict == VerdictValue.ERROR and known.error == judgment.error
    return same and judgment.usage.calls == 0
