"""The generated edge cases as people see them, and as YAML for a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from judge.errors import InputError
from judge.score.check import describe
from judge.score.examiner import show_input
from judge.score.reply import Reply, Status
from judge.score.suite_side import SuiteSide

if TYPE_CHECKING:
    from judge.score.prepare import Prepared
    from judge.score.questions import Question
    from judge.score.values import Value


class GeneratedCase(NamedTuple):
    """One case.

    Attributes:
        id: Name.
        category: Kind of edge case.
        input: As text.
        expected: What the reference says, as text; empty without a reference.
        question: The same with its values.
        reply: Of the reference; None without one.
    """

    id: str
    category: str
    input: str
    expected: str
    question: Question
    reply: Reply | None


def generated_cases(prepared: Prepared) -> list[GeneratedCase]:
    """The boundary cases of a suite with the answers of its reference."""
    found = []
    with SuiteSide(prepared.loaded, prepared.sandbox, prepared.answers) as side:
        for question in prepared.boundary:
            answer = side.answer(question) if side.has_reference else None
            reply = answer if isinstance(answer, Reply) else None
            expected = describe(reply) if reply is not None else ""
            found.append(GeneratedCase(question.id, question.category, show_input(question), expected, question, reply))
    return found


def to_yaml(cases: list[GeneratedCase]) -> str:
    """The cases as a ``cases:`` list that a suite can hold.

    Args:
        cases: Of `generated_cases`.

    Returns:
        YAML with the tags of suites for what plain YAML cannot hold. A case whose values it cannot carry is a comment.

    Raises:
        InputError: There is no case.
    """
    import yaml

    if not cases:
        raise InputError("no edge case was generated", hint="give the suite a signature with type hints")
    dumper = _dumper()
    parts = ["cases:\n"]
    for case in cases:
        entry: dict[str, Any] = {"id": case.id.replace(" ", "-"), "tier": "edge", "category": case.category}
        entry["args"] = list(case.question.args)
        if case.question.kwargs:
            entry["kwargs"] = dict(case.question.kwargs)
        if case.reply is None:
            entry["property"] = []
        elif case.reply.raised is not None:
            entry["raises"] = case.reply.raised.types[0]
        elif case.reply.status is Status.RETURNED:
            entry["expected"] = case.reply.value
        try:
            text = yaml.dump([entry], Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)
        except yaml.YAMLError:
            text = f"# {case.id}: {case.input} has values that YAML cannot hold\n"
        parts.append("".join(f"  {line}\n" for line in text.splitlines()))
    return "".join(parts)


def _dumper() -> Any:
    """A safe dumper that knows the tags of suites."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Value) -> bool:
            return True

    def mapping(dumper: Any, value: dict[Value, Value]) -> Any:
        if all(type(key) is str for key in value):
            return dumper.represent_dict(value)
        return dumper.represent_sequence("!dict", [[key, item] for key, item in value.items()])

    def sequence(tag: str) -> Any:
        return lambda dumper, value: dumper.represent_sequence(
            tag, sorted(value, key=repr) if tag != "!tuple" else value
        )

    Dumper.add_representer(dict, mapping)
    Dumper.add_representer(tuple, sequence("!tuple"))
    Dumper.add_representer(set, sequence("!set"))
    Dumper.add_representer(frozenset, sequence("!frozenset"))
    Dumper.add_representer(bytes, lambda dumper, value: dumper.represent_scalar("!hex", value.hex()))
    Dumper.add_representer(complex, lambda dumper, value: dumper.represent_scalar("!complex", str(value)))
    return Dumper
