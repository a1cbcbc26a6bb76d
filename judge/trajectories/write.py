"""Writes a trajectory as DevAI JSON: valid under the official schema, what is unknown marked as such."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.jsontext import show_path
from judge.schemas import Step, Trajectory

_EXTRA = ("tool", "tool_arguments", "exit_code", "failed", "cwd")


def devai_steps(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """The steps as objects of DevAI's format.

    The schema has no place for an unknown cost, count or time: a zero stands there, and ``usage_known`` says that it
    means nothing.
    """
    cost = time = 0.0
    for step in trajectory.steps:
        usage = step.usage
        cost += usage.cost or 0.0
        time += usage.step_execution_time or 0.0
        yield {
            "step": step.step,
            "user_message": step.user_message,
            "agent": _agent(step),
            "environment": step.environment,
            "step_usage": {
                "input_tokens": usage.input_tokens or 0,
                "output_tokens": usage.output_tokens or 0,
                "model": usage.model or "",
                "cost": usage.cost or 0.0,
                "llm_inference_time": usage.llm_inference_time or 0.0,
                "step_execution_time": usage.step_execution_time or 0.0,
            },
            "accumulated_usage": {"accumulated_cost": round(cost, 9), "accumulated_time": round(time, 6)},
            "usage_known": {
                "tokens": usage.input_tokens is not None or usage.output_tokens is not None,
                "cost": usage.cost is not None,
                "time": usage.step_execution_time is not None or usage.llm_inference_time is not None,
            },
        }


def _agent(step: Step) -> dict[str, Any]:
    agent: dict[str, Any] = {"thought": step.thought, "action": step.action}
    if step.agent_name is not None:
        agent["agent_name"] = step.agent_name
    extra = step.model_extra or {}
    return agent | {key: extra[key] for key in _EXTRA if key in extra}


def devai_text(trajectory: Trajectory) -> Iterator[str]:
    """The JSON text in pieces, one step a piece."""
    separator = "[\n"
    for step in devai_steps(trajectory):
        yield separator + json.dumps(step, ensure_ascii=False, allow_nan=False)
        separator = ",\n"
    yield "\n]\n" if separator != "[\n" else "[]\n"


def write_trajectory(trajectory: Trajectory, path: Path, *, overwrite: bool = False) -> None:
    """Writes a DevAI file: as a whole or not at all.

    Raises:
        InputError: The file is there already and ``overwrite`` is not set, or it cannot be written.
    """
    if not overwrite and os.path.lexists(path):
        raise InputError("is there already", where=show_path(path), hint="--force overwrites it")
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".judge-", suffix=".tmp", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.writelines(devai_text(trajectory))
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        if overwrite:
            os.replace(temporary, path)
        else:
            # A link fails where a file has appeared meanwhile; a rename would not.
            try:
                os.link(temporary, path)
            except FileExistsError:
                raise InputError("is there already", where=show_path(path), hint="--force overwrites it") from None
            except OSError:
                os.replace(temporary, path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be written: {reason}", where=show_path(path)) from None
    finally:
        if temporary and os.path.lexists(temporary):
            os.unlink(temporary)
