"""One answer, one repair, then an error that keeps the raw answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import jsonschema
import pytest

from judge.errors import BudgetExceeded, ExitCode, ProviderError
from judge.models import (
    VERDICT_SCHEMA,
    ContextOverflow,
    Finish,
    Message,
    ParsedVerdict,
    Reply,
    Request,
    Role,
    UnansweredRepair,
    UnusableAnswer,
    ask_verdict,
)
from judge.schemas import Usage

GOOD = '{"reason": "r", "citations": [], "confidence": 1, "verdict": "UNSATISFIED"}'
REQUEST = Request(messages=(Message(Role.SYSTEM, "s"), Message(Role.USER, "u")), max_output_tokens=100)


@dataclass
class Fake:
    """Gives its replies in turn and keeps the requests."""

    replies: list[Any]
    requests: list[Request] = field(default_factory=list)
    id: str = "fake:model"
    sees_images: bool = False
    context_tokens: int = 1_000

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        reply = self.replies[len(self.requests) - 1]
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            reply = Reply(reply)
        return Reply(reply.text, reply.finish, Usage(calls=1, input_tokens=10, cost=0.5))

    async def close(self) -> None:
        pass


def ask(*replies: Any) -> tuple[Fake, ParsedVerdict, Usage]:
    model = Fake(list(replies))
    parsed, usage = asyncio.run(ask_verdict(model, REQUEST, "Again: {}".format))
    return model, parsed, usage


def test_a_clear_answer_takes_one_call() -> None:
    model, parsed, usage = ask(GOOD)
    assert parsed.verdict.value == "UNSATISFIED"
    assert (usage.calls, len(model.requests)) == (1, 1)
    assert model.requests[0].schema == VERDICT_SCHEMA
    assert model.requests[0].purpose == "judge"


def test_an_unclear_answer_is_repaired_once() -> None:
    model, parsed, usage = ask("This is not <SATISFIED>", GOOD)
    assert parsed.verdict.value == "UNSATISFIED"
    assert (usage.calls, usage.cost) == (2, 1.0)
    repair = model.requests[1]
    assert repair.messages[:2] == REQUEST.messages, "the cached prefix stays"
    assert [message.role for message in repair.messages[2:]] == [Role.ASSISTANT, Role.USER]
    assert "not given on its own at the end" in repair.messages[-1].text
    assert repair.purpose == "repair"


@pytest.mark.parametrize(
    "first", [Reply("", Finish.STOP), Reply('{"reason": "', Finish.LENGTH), Reply("no", Finish.REFUSAL)]
)
def test_empty_cut_and_refused_answers_are_asked_anew(first: Reply) -> None:
    model, parsed, _ = ask(first, GOOD)
    assert parsed.verdict.value == "UNSATISFIED"
    assert [message.role for message in model.requests[1].messages] == [Role.SYSTEM, Role.USER, Role.USER]
    assert model.requests[1].max_output_tokens == (200 if first.finish is Finish.LENGTH else 100)


def test_two_unclear_answers_are_an_error_that_keeps_them() -> None:
    with pytest.raises(UnusableAnswer) as caught:
        ask("maybe", "<SATISFIED> <UNSATISFIED>", GOOD)
    error = caught.value
    assert error.answers == ("maybe", "<SATISFIED> <UNSATISFIED>")
    assert error.usage.calls == 2
    assert error.exit_code is ExitCode.PROVIDER
    assert "gives no verdict" in str(error)
    assert "more than one verdict" in str(error)


def test_an_outage_is_an_outage() -> None:
    with pytest.raises(ProviderError, match="down") as caught:
        ask(ProviderError("down", retryable=True))
    assert not isinstance(caught.value, UnusableAnswer)


def test_an_outage_during_the_repair_keeps_the_first_answer_and_its_usage() -> None:
    with pytest.raises(UnansweredRepair, match="the repair failed: down") as caught:
        ask("maybe", ProviderError("down", status=503))
    assert caught.value.answers == ("maybe",)
    assert caught.value.usage.calls == 1
    assert caught.value.status == 503


def test_a_repair_that_is_too_long_to_be_sent_is_no_outage() -> None:
    with pytest.raises(UnusableAnswer, match="the repair failed: too long") as caught:
        ask("maybe", ContextOverflow("too long"))
    assert not isinstance(caught.value, UnansweredRepair)


def test_the_budget_is_not_swallowed() -> None:
    with pytest.raises(BudgetExceeded):
        ask("maybe", BudgetExceeded("limit"))


def test_the_schema_is_strict_and_reasons_first() -> None:
    assert list(VERDICT_SCHEMA["properties"]) == ["reason", "citations", "confidence", "verdict"]
    jsonschema.Draft202012Validator.check_schema(VERDICT_SCHEMA)

    def objects(schema: Any) -> Any:
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for value in schema.values():
                yield from objects(value)

    for item in objects(VERDICT_SCHEMA):
        assert item["additionalProperties"] is False
        assert item["required"] == list(item["properties"])
