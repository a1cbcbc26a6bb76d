"""Asks for a verdict: one answer, at most one repair, then a typed error; never a guess."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judge.errors import ProviderError
from judge.models.answers import ParsedVerdict, Unparsable, parse_verdict
from judge.models.base import Finish, Message, Model, Reply, Request, Role
from judge.models.faults import ContextOverflow
from judge.schemas import Usage

_RAW = 8_000
_LARGER = 2


def _nullable(kind: str, description: str) -> dict[str, Any]:
    return {"anyOf": [{"type": kind}, {"type": "null"}], "description": description}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# The order of the keys is the order of writing: the reason comes before the verdict it leads to.
VERDICT_SCHEMA: dict[str, Any] = _object(
    reason={"type": "string", "description": "What the evidence shows, and what is missing; two to five sentences."},
    citations={
        "type": "array",
        "description": "The places that decide it.",
        "items": _object(
            path=_nullable("string", "Path of the file as shown; null for a trajectory step."),
            line=_nullable("integer", "First line, as numbered in the evidence; null for a whole file or a step."),
            end_line=_nullable("integer", "Last line; null when it is the first."),
            step=_nullable("integer", "Number of the trajectory step; null for a file."),
            quote={"type": "string", "description": "The cited text, copied exactly, without line numbers."},
        ),
    },
    confidence={"type": "number", "description": "Between 0 and 1: how sure the verdict is."},
    verdict={"type": "string", "enum": ["SATISFIED", "UNSATISFIED"]},
)


class UnusableAnswer(ProviderError):
    """A model that answered, but gave no clear verdict, not even after a repair.

    Attributes:
        answers: The raw answers, in order.
        usage: What they used.
    """

    def __init__(
        self, what: str, *, where: str, answers: tuple[str, ...], usage: Usage, status: int | None = None
    ) -> None:
        super().__init__(what, where=where, status=status)
        self.answers = answers
        self.usage = usage


class UnansweredRepair(UnusableAnswer):
    """A model whose first answer gave no clear verdict, and whose provider failed when it was asked for a clear one.

    What the repair would have said is not known, so this is a failure of the provider, as if the first call had failed.
    """


async def ask_verdict(model: Model, request: Request, repair: Callable[[str], str]) -> tuple[ParsedVerdict, Usage]:
    """Asks for the verdict on one requirement.

    Args:
        model: Who is asked.
        request: The prompt; the schema of verdicts is put in when it has none.
        repair: Gives the message that asks for a clear answer, told why the first one was not.

    Returns:
        What the answer clearly says, and what all its calls used.

    Raises:
        UnusableAnswer: Neither the answer nor its repair gives a clear verdict, or the repair is too long to be sent.
        UnansweredRepair: The answer gives none, and the provider failed at the repair.
        ProviderError: The provider did not answer.
        BudgetExceeded: The run's limit is reached.
    """
    if request.schema is None:
        request = replace(request, schema=VERDICT_SCHEMA, schema_name="verdict")
    reply = await model.complete(request)
    parsed = parse_verdict(reply)
    if isinstance(parsed, ParsedVerdict):
        return parsed, reply.usage
    why, answers, usage = parsed.why, (_raw(reply),), reply.usage
    try:
        second = await model.complete(_repair(request, reply, repair(why)))
    except ProviderError as error:
        # The repair is longer than what was answered; that it does not fit is no outage.
        kind = UnusableAnswer if isinstance(error, ContextOverflow) else UnansweredRepair
        what = f"{why}; and the repair failed: {error.what}"
        raise kind(what, where=model.id, answers=answers, usage=usage, status=error.status) from error
    usage += second.usage
    parsed = parse_verdict(second)
    if isinstance(parsed, Unparsable):
        what = f"no clear verdict: {why}; after the repair: {parsed.why}"
        raise UnusableAnswer(what, where=model.id, answers=(*answers, _raw(second)), usage=usage)
    return parsed, usage


def _repair(request: Request, reply: Reply, message: str) -> Request:
    told = Message(Role.USER, message)
    # A refusal or a cut answer is not worth reading again; an answer that is nearly right is.
    own = () if reply.finish is not Finish.STOP else (Message(Role.ASSISTANT, reply.text[:_RAW]),)
    own = own if reply.text.strip() else ()
    limit = request.max_output_tokens * (_LARGER if reply.finish is Finish.LENGTH else 1)
    return replace(request, messages=(*request.messages, *own, told), max_output_tokens=limit, purpose="repair")


def _raw(reply: Reply) -> str:
    return reply.text[:_RAW]
