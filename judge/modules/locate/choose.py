"""Asks the model which files a requirement is about, when nothing else told; its answer is checked against the tree."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from judge.modules.base import Case
from judge.modules.locate.match import Hit
from judge.modules.overview import workspace_map

if TYPE_CHECKING:
    from judge.models import Model

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"paths": {"type": "array", "items": {"type": "string"}, "description": "Paths as listed."}},
    "required": ["paths"],
    "additionalProperties": False,
}
_MAP_TOKENS = 6_000
_SCORE = 0.6
_STEP = 0.01  # keeps the model's order
_ANSWER_TOKENS = 500


async def ask_for_files(case: Case, model: Model) -> list[Hit]:
    """Files that the model names and that are really there.

    Args:
        case: The requirement.
        model: Who is asked.

    Returns:
        At most as many as may be located; none when the answer is of no use.

    Raises:
        ProviderError: The provider did not answer.
        BudgetExceeded: The run's limit is reached.
    """
    from judge.fence import Fence
    from judge.models import Message, Request, Role
    from judge.prompts import load_prompt
    from judge.redact import redact

    prompt, fence = load_prompt("locate"), Fence.new()
    masks = case.strategies.redact
    files = redact(_tree(case)).text if masks else _tree(case)
    tree = fence.wrap("files of the workspace", files, numbered=False)
    limit = str(case.bounds.max_files)
    criterion = redact(case.requirement.criteria).text if masks else case.requirement.criteria
    messages = (
        Message(Role.SYSTEM, prompt.render_section("system")),
        Message(Role.USER, prompt.render_section("workspace", workspace_map=tree), cache=True),
        Message(Role.USER, prompt.render_section("criterion", criterion=criterion, max_files=limit)),
    )
    request = Request(
        messages=messages,
        schema=_SCHEMA,
        schema_name="paths",
        max_output_tokens=_ANSWER_TOKENS,
        purpose="locate",
    )
    reply = await model.complete(request)
    found = (case.workspace.find(path) for path in _paths(reply.text))
    known = dict.fromkeys(entry.path for entry in found if entry is not None)
    why = "chosen by the model from the list of files"
    hits = [Hit(path, why, _SCORE - _STEP * rank) for rank, path in enumerate(known)]
    return hits[: case.bounds.max_files]


def _tree(case: Case) -> str:
    return workspace_map(case.workspace, case.graph, _MAP_TOKENS).text


def _paths(answer: str) -> list[str]:
    """Paths in an answer: those of its JSON object, else its lines."""
    match = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        value = json.loads(match.group(0)) if match else None
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and isinstance(value.get("paths"), list):
        return [item for item in value["paths"] if isinstance(item, str)]
    return [line.strip(" \t-*`\"',") for line in answer.splitlines()]
