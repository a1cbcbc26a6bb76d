"""Tool calls that a model writes into its text, with the results in the next user message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.trajectories.formats.conversations import role_of
from judge.trajectories.values import parsed, string

_MOST = 0.6
_FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.S)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)</parameter>", re.S)
_TAG = re.compile(r"<(execute_bash|execute_ipython|execute_command)>(.*?)(?:</\1>|\Z)", re.S)
_TOOL_CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*(?:</tool_call>|\Z)", re.S)
_FENCE = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\n(.*?)^```[ \t]*$", re.M | re.S)
_RESULT_HEAD = re.compile(r"\s*(?:EXECUTION RESULT of \[[^\]\n]*\]:|OBSERVATION:|Observation:|<tool_response>)\s*")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of writing calls.

    Attributes:
        name: For the report.
    """

    name: str

    def find_call(self, text: str) -> tuple[str, object] | None:
        """The tool and arguments of the one call in a text; None when there is none."""
        if self.name == "<function=…>" and (match := _FUNCTION.search(text)):
            pairs = _PARAMETER.findall(match[2])
            return match[1], {key: value.removeprefix("\n").removesuffix("\n") for key, value in pairs}
        if self.name == "<execute_…>" and (match := _TAG.search(text)):
            return match[1], match[2].strip("\n")
        if self.name == "<tool_call>" and (match := _TOOL_CALL.search(text)):
            value = parsed(match[1])
            if isinstance(value, dict):
                return string(value.get("name")), value.get("arguments", value.get("parameters"))
        if self.name == "fenced shell block":
            found = _FENCE.findall(text)
            return ("bash", found[0].rstrip("\n")) if len(found) == 1 else None
        return None

    def is_result(self, text: str) -> bool:
        """Whether a user's message that follows a call is its result: in such files every one is."""
        return bool(text.strip())

    def result_text(self, text: str) -> str:
        """The result without the words that introduce it."""
        body = _RESULT_HEAD.sub("", text, count=1)
        return body.removesuffix("</tool_response>").rstrip() if "<tool_response>" in text else body


_PATTERNS = ("<function=…>", "<execute_…>", "<tool_call>", "fenced shell block")


def find_pattern(messages: Sequence[Mapping[str, Any]]) -> Pattern | None:
    """The way in which most of the model's turns write a call that a user's message answers; None when few do."""
    if any("tool_calls" in m or "function_call" in m or role_of(m) == "tool" for m in messages):
        return None
    answers = [
        (_text(message), index + 1 < len(messages) and role_of(messages[index + 1]) == "user")
        for index, message in enumerate(messages)
        if role_of(message) == "assistant"
    ]
    if not answers:
        return None
    for name in _PATTERNS:
        pattern = Pattern(name)
        hits = sum(pattern.find_call(text) is not None for text, _ in answers)
        answered = sum(pattern.find_call(text) is not None and followed for text, followed in answers)
        if hits >= _MOST * len(answers) and answered >= 1 and (hits >= 2 or name != "fenced shell block"):
            return pattern
    return None


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content", message.get("value", message.get("text")))
    if isinstance(content, list):
        return "\n".join(string(item.get("text")) for item in content if isinstance(item, dict))
    return string(content)
