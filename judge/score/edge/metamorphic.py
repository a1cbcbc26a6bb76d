"""Relations between the answers to an input and to a changed one, for functions whose right answers nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.score.compare import show
from judge.score.edge.inputs import EdgeInput
from judge.score.edge.random_search import Outcome, Verdict
from judge.score.reply import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from judge.score.reply import Reply
    from judge.score.suite.model import Metamorphic
    from judge.score.values import Value

_TEXT = 400


@dataclass(frozen=True, slots=True)
class Related:
    """What came of one relation on one input.

    Attributes:
        name: The relation.
        input: The input before the change.
        changed: The input after it; None when it could not be changed.
        outcome: Dropped when the suite's own code failed or gave nothing.
    """

    name: str
    input: EdgeInput
    changed: EdgeInput | None
    outcome: Outcome


def check_relations(
    relations: Sequence[Metamorphic],
    inputs: Iterable[EdgeInput],
    call: Callable[[str, Sequence[Value]], Reply],
    ask: Callable[[tuple[Value, ...], dict[str, Value]], Reply],
) -> list[Related]:
    """Asks each input and its changed form, and has the relation judge the two answers.

    ``transform(args, kwargs)`` gives the new args, or None for an input that it has nothing to do with;
    ``relation(output, changed output, args, changed args)`` gives True when the two agree.

    Args:
        relations: Those of the suite.
        inputs: To start from.
        call: Calls ``file.py:function`` of the suite in a worker of its own.
        ask: Asks the submission.
    """
    return [_one(relation, found, call, ask) for found in inputs for relation in relations]


def _one(
    relation: Metamorphic,
    found: EdgeInput,
    call: Callable[[str, Sequence[Value]], Reply],
    ask: Callable[[tuple[Value, ...], dict[str, Value]], Reply],
) -> Related:
    made = call(relation.transform, (list(found.args), dict(found.kwargs)))
    if made.status is not Status.RETURNED or not isinstance(made.value, list | tuple):
        why = "it leaves this input alone" if made.status is Status.RETURNED else f"{relation.transform} failed"
        return Related(relation.name, found, None, Outcome(Verdict.DROP, why))
    changed = EdgeInput(tuple(made.value), found.kwargs, found.category, "metamorphic", found.categories)
    first, second = ask(found.args, dict(found.kwargs)), ask(changed.args, dict(changed.kwargs))
    return Related(relation.name, found, changed, _judge(relation, found, changed, first, second, call))


def _judge(
    relation: Metamorphic,
    found: EdgeInput,
    changed: EdgeInput,
    first: Reply,
    second: Reply,
    call: Callable[[str, Sequence[Value]], Reply],
) -> Outcome:
    for reply in (first, second):
        if reply.status is Status.ENGINE:
            return Outcome(Verdict.DROP, "it could not be asked")
        if reply.status is not Status.RETURNED:
            why = reply.raised.types[0] if reply.raised and reply.raised.types else reply.status.value
            return Outcome(Verdict.FAIL, f"there is no answer to relate: {why}", relation.name, why)
    said = call(relation.relation, (first.value, second.value, list(found.args), list(changed.args)))
    if said.status is not Status.RETURNED:
        return Outcome(Verdict.DROP, f"{relation.relation} failed")
    if said.value is True:
        return Outcome(Verdict.PASS)
    actual = f"{show(first.value, _TEXT)}, and {show(second.value, _TEXT)} after the change"
    return Outcome(Verdict.FAIL, f"the two answers are not related by {relation.name}", relation.name, actual)
