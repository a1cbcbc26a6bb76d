"""Makes the timed inputs: by the suite's generator, in a sandboxed worker of its own, a new one for each timed call."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.examiner import EngineFault
from judge.score.execute import Program, Worker
from judge.score.reply import Status

if TYPE_CHECKING:
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite
    from judge.score.values import Value


class InputMaker:
    """Gives inputs that differ from call to call and are the same for the same seed; close it when done.

    Args:
        sandbox: Where the generator runs.
        loaded: A suite that names a generator of timed inputs.
        seed: Of all inputs.

    Raises:
        InputError: The suite names none.
    """

    def __init__(self, sandbox: Sandbox, loaded: LoadedSuite, seed: int) -> None:
        """Starts the worker of the generator."""
        spec = loaded.suite.performance.inputs
        if spec is None:
            raise InputError("the suite names no inputs for timing", where=str(loaded.path))
        self._size = spec.size
        self._where = f"{loaded.path.parent / spec.file}:{spec.func}"
        self._draw = random.Random(seed)
        program = Program(loaded.files, spec.file, spec.func, "function")
        self._worker = Worker.start(sandbox, program, loaded.suite.limits)

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()

    def __enter__(self) -> InputMaker:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Ends the worker."""
        self.close()

    def make(self, count: int, size: int | None = None) -> list[tuple[Value, ...]]:
        """New inputs.

        Args:
            count: How many.
            size: Of each; the suite's when None.

        Returns:
            Positional arguments of one call each.

        Raises:
            InputError: The generator failed, or gave no list or tuple.
            EngineFault: The worker could not be run.
        """
        return [self._one(self._size if size is None else size) for _ in range(count)]

    def _one(self, size: int) -> tuple[Value, ...]:
        reply = self._worker.call((size, self._draw.randrange(2**31)))
        if reply.status is Status.ENGINE:
            raise EngineFault(f"the generator of timed inputs could not be run: {reply.detail}")
        if reply.status is not Status.RETURNED or not isinstance(reply.value, (list, tuple)):
            what = reply.raised.message if reply.raised else reply.detail or reply.status.value
            raise InputError(
                f"the generator of timed inputs gave no list of arguments: {what}",
                where=self._where,
                hint="func(size, seed) must return the positional arguments of one call as a list",
            )
        return tuple(reply.value)
