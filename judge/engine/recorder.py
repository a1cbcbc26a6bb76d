"""Where verdicts go: to disk first, then into the counts, then to whoever watches."""

from __future__ import annotations

from collections.abc import Sequence

from judge.engine.breaker import is_outage
from judge.engine.folder import RunFolder
from judge.engine.journal import Verdicts
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
        self.usage = Usage()
        self.provider_failures = 0

    def verdicts(self, task: str) -> Verdicts:
        """The verdicts of a task that count, by requirement id; read from the disk one by one."""
        return self._folder.journal.verdicts(task)

    def kept(self, task: str, requirement_id: int) -> VerdictValue | None:
        """The verdict on a requirement that will not be asked for again, or None."""
        known = self.verdicts(task).value(requirement_id)
        return None if known == VerdictValue.ERROR else known

    def record(self, judgment: Judgment, evidence: Sequence[Evidence] = (), failure: JudgeError | None = None) -> None:
        """Puts a verdict on disk and tells of it.

        Raises:
            InputError: The run folder cannot be written.
        """
        if is_outage(failure):
            self.provider_failures += 1
        if not self._is_known_failure(judgment):
            judgment = self._store(judgment, evidence)
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

    def _is_known_failure(self, judgment: Judgment) -> bool:
        """Whether this failure is on disk already and cost nothing: a rerun then adds no line."""
        if judgment.verdict != VerdictValue.ERROR or judgment.usage.calls:
            return False
        verdicts = self.verdicts(judgment.task)
        if verdicts.value(judgment.requirement_id) != VerdictValue.ERROR:
            return False
        return verdicts[judgment.requirement_id].error == judgment.error
