"""The suite's own code: reference, generators, properties, checkers; each file in a sandboxed worker of its own."""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.execute import Program, ProgramReply, Worker, run_program
from judge.score.reply import Reply, Status
from judge.score.worker.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.score.questions import Question
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite
    from judge.score.values import Value


def ask(worker: Worker, question: Question, kind: str, *, after: bool) -> Reply:
    """Puts a question to a worker.

    Args:
        worker: Of a submission or of the reference.
        question: With its arguments made.
        kind: ``function`` or ``class``.
        after: Whether the arguments after the call are wanted.
    """
    if kind == "class":
        return worker.construct_and_call(question.init or (), question.calls or ())
    return worker.call(question.args, dict(question.kwargs), after=after)


def key_of(question: Question) -> bytes:
    """A digest of everything that a question asks; equal questions have equal answers."""
    parts = (question.args, dict(question.kwargs), question.init, question.calls, question.stdin, question.argv)
    return hashlib.sha256(encode(list(parts))).digest()


class Answers:
    """Answers of the reference, shared by all submissions, so that it is asked each question once.

    Attributes:
        replies: Digest of a question -> what the reference said.
    """

    def __init__(self) -> None:
        """Starts empty."""
        self.replies: dict[bytes, Reply | ProgramReply] = {}
        self.lock = threading.Lock()


class SuiteSide:
    """Runs what belongs to the suite; one per thread, since a worker answers one question at a time.

    Args:
        suite: The suite.
        sandbox: Where its code runs.
        answers: The shared answers of the reference.
    """

    def __init__(self, suite: LoadedSuite, sandbox: Sandbox, answers: Answers) -> None:
        """Starts no worker yet."""
        self._loaded, self._suite = suite, suite.suite
        self._sandbox, self._answers = sandbox, answers
        self._workers: dict[tuple[str, str], Worker] = {}

    def close(self) -> None:
        """Ends all workers."""
        while self._workers:
            self._workers.popitem()[1].close()

    def __enter__(self) -> SuiteSide:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Ends all workers."""
        self.close()

    @property
    def has_reference(self) -> bool:
        """Whether the suite has a reference."""
        return self._suite.reference is not None

    def reference_program(self) -> Program:
        """The reference as something that can be run.

        Raises:
            InputError: The suite has none.
        """
        reference = self._suite.reference
        if reference is None:
            raise InputError(
                "the suite has no reference", where=str(self._loaded.path), hint="add reference: {file: …}"
            )
        target = self._suite.target
        return Program(
            files=self._loaded.files,
            main=reference.file,
            entry=reference.entry or target.entry,
            kind=target.kind,
            asynchronous=target.asynchronous != "forbid",
        )

    def reference_problem(self) -> str:
        """Why the reference cannot be asked anything, one sentence; empty when it can."""
        program = self.reference_program()
        if program.main not in program.files:
            return f"there is no file {program.main}"
        if program.kind == "program":
            return ""
        reply = self._worker(program).call((), {})
        return reply.detail or "it cannot be loaded" if reply.status is Status.LOAD else ""

    def answer(self, question: Question) -> Reply | ProgramReply:
        """What the reference says, from memory where it was asked before."""
        key = key_of(question)
        with self._answers.lock:
            known = self._answers.replies.get(key)
        if known is None:
            known = self._ask_reference(question)
            with self._answers.lock:
                self._answers.replies[key] = known
        return known

    def _ask_reference(self, question: Question) -> Reply | ProgramReply:
        program = self.reference_program()
        if program.kind == "program":
            return run_program(self._sandbox, program, question.stdin or b"", question.argv, self._suite.limits)
        return ask(self._worker(program), question, program.kind, after=True)

    def signature(self) -> str:
        """The signature: the suite's own text, else that of the reference; empty when there is neither."""
        if self._suite.target.signature or not self.has_reference or self._suite.target.kind != "function":
            return self._suite.target.signature
        return self._worker(self.reference_program()).signature() or ""

    def call(self, name: str, args: Sequence[Value]) -> Reply:
        """Calls ``file.py:function`` of the suite."""
        file, _, function = name.partition(":")
        return self._function(file, function).call(tuple(args), {})

    def make(self, question: Question) -> tuple[Value, ...]:
        """The generated arguments of a question.

        Raises:
            InputError: The generator failed, or gave no list or tuple.
        """
        spec = question.generate
        if spec is None:
            return question.args
        reply = self._function(spec.file, spec.func).call(tuple(spec.params), {"seed": spec.seed})
        if reply.status is not Status.RETURNED or not isinstance(reply.value, (list, tuple)):
            what = reply.raised.message if reply.raised else reply.detail or reply.status.value
            raise InputError(
                f"the generator of {question.id!r} gave no list of arguments: {what}",
                where=f"{self._loaded.path.parent / spec.file}:{spec.func}",
            )
        return tuple(reply.value)

    def meets(self, names: Mapping[str, Value]) -> bool:
        """Whether an input meets all of the suite's ``requires``; one that cannot be evaluated is not met."""
        conditions = self._suite.inputs.requires
        if not conditions:
            return True
        worker = self._worker(Program({"conditions.py": b""}, "conditions.py", "", "function"))
        reply = worker.evaluate(conditions, dict(names))
        return reply.status is Status.RETURNED and isinstance(reply.value, list) and all(reply.value)

    def _function(self, file: str, name: str) -> Worker:
        return self._worker(Program(self._loaded.files, file, name, "function"))

    def _worker(self, program: Program) -> Worker:
        key = (program.main, program.entry)
        worker = self._workers.get(key)
        if worker is None:
            worker = Worker.start(self._sandbox, program, self._suite.limits)
            self._workers[key] = worker
        return worker
