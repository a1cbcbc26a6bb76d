"""Raised exceptions held against those a case asks for."""

from __future__ import annotations

import pytest

from judge.score.compare import same_exception
from judge.score.reply import Raised
from judge.score.suite.model import Compare

KEY = Raised(("KeyError", "LookupError", "Exception", "BaseException", "object"), "'x'")
JSON = Raised(("json.decoder.JSONDecodeError", "ValueError", "Exception", "BaseException", "object"), "line 1 column 2")


@pytest.mark.parametrize(
    ("raised", "wanted", "match", "mode", "ok"),
    [
        (KEY, "KeyError", "", "subclass", True),
        (KEY, "LookupError", "", "subclass", True),
        (KEY, "LookupError", "", "exact", False),
        (KEY, "ValueError", "", "subclass", False),
        (KEY, "ValueError | KeyError", "", "exact", True),
        (KEY, "builtins.KeyError", "", "exact", True),
        (JSON, "json.JSONDecodeError", "", "exact", True),
        (JSON, "json.decoder.JSONDecodeError", "", "exact", True),
        (JSON, "other.JSONDecodeError", "", "exact", False),
        (JSON, "ValueError", "column [0-9]", "subclass", True),
        (JSON, "ValueError", "^column", "subclass", False),
        (Raised(("submission.RateLimited", "Exception"), ""), "RateLimited", "", "exact", True),
        (Raised((), ""), "ValueError", "", "subclass", False),
    ],
)
def test_types_and_messages(raised: Raised, wanted: str, match: str, mode: str, ok: bool) -> None:
    verdict = same_exception(raised, wanted, match, Compare.model_validate({"exception": mode}))
    assert verdict.ok is ok
    assert bool(verdict.reason) is not ok


def test_the_reason_names_both_types() -> None:
    assert same_exception(KEY, "ValueError", "", Compare()).reason == "KeyError was raised, not ValueError"


def test_the_reason_bounds_a_hostile_message() -> None:
    long = Raised(("ValueError",), "\x1b" * 10**6)
    assert len(same_exception(long, "ValueError", "nothing", Compare()).reason) < 300
