"""What all submissions of a suite share: its questions, made once, and the answers of the reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.edge import EdgeInput, boundary_inputs, no_inputs_because, pack_inputs, parse_signature
from judge.score.questions import AsReference, Oracle, Properties, Question, written_questions
from judge.score.reply import Reply, Status
from judge.score.suite_side import Answers, SuiteSide

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judge.score.edge import Signature
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite, Suite
    from judge.score.values import Value


@dataclass(frozen=True)
class Prepared:
    """A suite ready to be asked.

    Attributes:
        loaded: The suite.
        sandbox: Where all code runs.
        answers: Answers of the reference, filled as they are asked for.
        signature: Of the target; None for classes and programs, or when it is not known.
        standard: Questions of the correctness dimension.
        edge: Written edge cases.
        boundary: Generated ones.
        notes: What could not be done, one sentence each.
        seed: Of everything that is drawn.
    """

    loaded: LoadedSuite
    sandbox: Sandbox
    answers: Answers
    signature: Signature | None
    standard: tuple[Question, ...]
    edge: tuple[Question, ...]
    boundary: tuple[Question, ...]
    notes: tuple[str, ...] = ()
    seed: int = 0
    dropped: int = field(default=0)

    @property
    def suite(self) -> Suite:
        """What the suite says."""
        return self.loaded.suite


def prepare(loaded: LoadedSuite, sandbox: Sandbox, seed: int | None = None) -> Prepared:
    """Makes the questions of a suite.

    Args:
        loaded: The suite.
        sandbox: Where its own code runs.
        seed: Of everything that is drawn; the suite's own when None.

    Raises:
        InputError: The reference or a generator does not work.
    """
    suite = loaded.suite
    answers = Answers()
    notes: list[str] = []
    seed = suite.edge_cases.random.seed if seed is None else seed
    with SuiteSide(loaded, sandbox, answers) as side:
        _check_reference(side, loaded)
        signature = _signature(side, notes)
        boundary, dropped = _boundary(loaded, signature, side, notes, seed)
    return Prepared(
        loaded=loaded,
        sandbox=sandbox,
        answers=answers,
        signature=signature,
        standard=tuple(written_questions(suite, "standard")),
        edge=tuple(written_questions(suite, "edge")),
        boundary=boundary,
        notes=tuple(notes),
        seed=seed,
        dropped=dropped,
    )


def generated_oracle(suite: Suite) -> Oracle | None:
    """The oracle of generated inputs: the reference, properties, or both; None when the suite has neither."""
    names = tuple(suite.edge_cases.properties)
    if suite.reference is not None:
        return AsReference(names, declared_exceptions(suite))
    return Properties(names) if names else None


def declared_exceptions(suite: Suite) -> frozenset[str]:
    """The exceptions that cases of a suite ask for, by full and by last name."""
    names = {part.strip() for case in suite.cases for part in case.raises.split("|") if part.strip()}
    return frozenset(names | {name.rpartition(".")[2] for name in names})


def fits(question: Question, signature: Signature, side: SuiteSide) -> bool:
    """Whether a generated input is one that the suite defines: ``requires`` holds, and the reference answers.

    Args:
        question: The input.
        signature: Names its arguments.
        side: The suite's own code.
    """
    if not side.meets(bind(signature, question.args, question.kwargs)):
        return False
    if not isinstance(question.oracle, AsReference):
        return True
    answer = side.answer(question)
    if not isinstance(answer, Reply):
        return answer.status is Status.RETURNED
    if answer.raised is not None:
        return question.oracle.declared is not None and question.oracle.defines(answer.raised)
    return answer.status is Status.RETURNED


def bind(signature: Signature, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments by the names of their parameters."""
    names = [parameter.name for parameter in signature.parameters]
    return {**dict(zip(names, args, strict=False)), **kwargs}


def edge_question(found: EdgeInput, number: int, oracle: Oracle, suite: Suite) -> Question:
    """A generated input as a question."""
    own = found.source in ("boundary", "random")
    return Question(
        id=f"{found.source} {number}",
        source=found.source if own else "boundary",  # a pack adds to the boundary values
        category=found.category,
        weight=1.0,
        oracle=oracle,
        compare=suite.compare,
        args=tuple(found.args),
        kwargs=dict(found.kwargs),
    )


def _check_reference(side: SuiteSide, loaded: LoadedSuite) -> None:
    """A reference that cannot be loaded would let every generated input fall away in silence."""
    if not side.has_reference:
        return
    problem = side.reference_problem()
    if problem:
        raise InputError(
            f"the reference cannot be used: {problem}",
            where=str(loaded.path),
            hint="`judge score lint` shows all faults of a suite",
        )


def _signature(side: SuiteSide, notes: list[str]) -> Signature | None:
    text = side.signature()
    if not text:
        return None
    try:
        return parse_signature(text)
    except InputError as error:
        notes.append(f"no edge cases were generated: {error}")
        return None


def _boundary(
    loaded: LoadedSuite, signature: Signature | None, side: SuiteSide, notes: list[str], seed: int
) -> tuple[tuple[Question, ...], int]:
    suite = loaded.suite
    oracle = generated_oracle(suite)
    if suite.target.kind != "function" or signature is None or oracle is None:
        if suite.edge_cases.auto and suite.target.kind == "function" and signature is not None:
            notes.append("no edge cases were generated: the suite has neither a reference nor properties to judge by")
        return (), 0
    found: list[EdgeInput] = []
    if suite.edge_cases.auto:
        found += boundary_inputs(loaded, signature, seed)
        why = no_inputs_because(loaded, signature)
        if why:
            notes.append(f"no edge cases were generated: {why}")
    found += _from_packs(loaded, signature, side)
    return _fitting(found, oracle, suite, signature, side)


def _from_packs(loaded: LoadedSuite, signature: Signature, side: SuiteSide) -> list[EdgeInput]:
    return list(pack_inputs(loaded.suite.edge_cases.plugins, signature, side.call))


def _fitting(
    found: Iterable[EdgeInput], oracle: Oracle, suite: Suite, signature: Signature, side: SuiteSide
) -> tuple[tuple[Question, ...], int]:
    kept, dropped = [], 0
    for number, item in enumerate(found, start=1):
        question = edge_question(item, number, oracle, suite)
        if fits(question, signature, side):
            kept.append(question)
        else:
            dropped += 1
    return tuple(kept), dropped
