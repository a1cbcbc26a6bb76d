"""Runs a program from standard input to standard output, as a judge of contests does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.score.execute.replies import ProgramReply
from judge.score.execute.session import Bounds, Ended, Session
from judge.score.reply import Status
from judge.score.sandbox.box import Box
from judge.score.sandbox.settings import Job

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.execute.program import Program
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import Limits


def run_program(
    sandbox: Sandbox, program: Program, stdin: bytes, argv: Sequence[str], limits: Limits, hash_seed: int = 0
) -> ProgramReply:
    """Runs a file once, in a process of its own.

    Args:
        sandbox: Where it runs.
        program: The submission.
        stdin: All of its input.
        argv: Its arguments.
        limits: Of the run.
        hash_seed: Of its interpreter.
    """
    problem = program.problem()
    if problem:
        return ProgramReply(Status.LOAD, detail=problem)
    more = {
        "allow": list(program.allow_imports),
        "deny": list(program.deny_imports),
        "argv": list(argv),
        "asynchronous": False,
    }
    job = Job("program", program.files, program.main, "", limits, hash_seed, more)
    try:
        session = Session(Box(job, sandbox.level))
    except OSError as error:
        return ProgramReply(Status.ENGINE, detail=f"the program could not be started: {error}")
    try:
        return _run(session, stdin, limits)
    finally:
        session.box.kill()


def _run(session: Session, stdin: bytes, limits: Limits) -> ProgramReply:
    bounds = Bounds.of(limits)
    status, detail, code, cpu = Status.RETURNED, "", None, 0.0
    try:
        word, number, seconds = session.run_to_end(stdin, bounds).split()
        code, cpu = int(number) if word == "exit" else -int(number), float(seconds)
        if code < 0:
            status, detail = Status.CRASHED, f"ended by signal {-code}"
    except Ended as end:
        status, detail = end.status, end.detail
    evidence = session.take_evidence()
    return ProgramReply(
        status,
        bytes(session.pump.stdout[: bounds.output]),
        bytes(session.pump.stderr),
        code,
        max(cpu, session.cpu_s),
        session.wall_s,
        detail,
        evidence,
    )
