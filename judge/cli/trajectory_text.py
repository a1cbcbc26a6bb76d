"""How ``judge trajectory show`` prints a trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from judge.jsontext import show_path
from judge.text import plural
from judge.trajectories import Converted, render_step
from judge.trajectories.summary import Amount, Summary, summarise
from judge.trajectories.write import devai_steps

_SHOWN = 15


def as_data(path: Path, item: Converted, *, report: bool, steps: tuple[int, int] | None) -> dict[str, Any]:
    """A trajectory's summary in JSON types."""
    found = summarise(item.trajectory, item.report)
    usage = {k: getattr(found, k)._asdict() for k in ("input_tokens", "output_tokens", "cost", "seconds")}
    data: dict[str, Any] = {
        "path": show_path(path),
        "name": found.name,
        "format": found.format,
        "steps": found.steps,
        "prompts": found.prompts,
        "actions": found.actions,
        "results": found.results,
        "tools": found.tools,
        "agents": found.agents,
        "models": list(found.models),
        "usage": usage,
        "files": {"written": list(found.written), "removed": list(found.removed), "ran": list(found.ran)},
        "failures": [failure._asdict() for failure in found.failures],
        "problems": list(item.trajectory.problems),
    }
    if report:
        data["report"] = item.report.as_json()
    if steps is not None:
        data["trajectory"] = [s for s in devai_steps(item.trajectory) if steps[0] <= s["step"] <= steps[1]]
    return data


def describe(path: Path, item: Converted, *, report: bool, steps: tuple[int, int] | None) -> str:
    """A trajectory's summary, its report and steps where they are asked for."""
    found = summarise(item.trajectory, item.report)
    lines = [f"{show_path(path)}" + (f"#{item.name}" if item.name else "")]
    lines += [f"  {label:<16}{value}" for label, value in _rows(found)]
    lines += _failures(found)
    if item.trajectory.problems:
        lines.append("  warnings")
        lines += [f"    {line}" for line in item.trajectory.problems]
    if report:
        lines += _report(item)
    if steps is not None:
        wanted = [step for step in item.trajectory.steps if steps[0] <= step.step <= steps[1]]
        lines += ["", *("\n\n".join(render_step(step) for step in wanted) or "no such steps").split("\n")]
    return "\n".join(lines)


def _rows(found: Summary) -> Iterable[tuple[str, str]]:
    yield "format", found.format
    prompts, actions = plural(found.prompts, "prompt"), plural(found.actions, "action")
    results = plural(found.results, "result")
    yield "steps", f"{found.steps} ({prompts}, {actions}, {results})"
    if found.agents:
        yield "agents", _counts(found.agents)
    if found.tools:
        yield "tools", _counts(found.tools)
    if found.models:
        yield "models", ", ".join(found.models)
    yield "tokens", _tokens(found)
    yield "cost", _amount(found.cost, "${:.6f}")
    yield "time", _amount(found.seconds, "{:.1f} s")
    for label, paths in (("wrote", found.written), ("removed", found.removed), ("ran", found.ran)):
        if paths:
            more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
            yield label, ", ".join(paths[:_SHOWN]) + more
    if found.opaque:
        yield "not understood", f"{plural(found.opaque, 'action')}: what is done to files there cannot be told"


def _tokens(found: Summary) -> str:
    if found.input_tokens.value is None and found.output_tokens.value is None:
        return "not recorded"
    parts = [_amount(found.input_tokens, "{:,.0f} in"), _amount(found.output_tokens, "{:,.0f} out")]
    return ", ".join(parts)


def _amount(amount: Amount, pattern: str) -> str:
    if amount.value is None:
        return "not recorded"
    return pattern.format(amount.value) + (f" ({amount.source})" if amount.source != "summed" else "")


def _counts(table: Mapping[str, int]) -> str:
    items = list(table.items())
    shown = ", ".join(f"{name} {count}" for name, count in items[:_SHOWN])
    return shown + (f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else "")


def _failures(found: Summary) -> list[str]:
    if not found.failures:
        return []
    lines = [f"  failures        {len(found.failures)}"]
    lines += [f"    step {item.step}: {item.what}: {item.how}" for item in found.failures[:_SHOWN]]
    return lines + ([f"    and {len(found.failures) - _SHOWN} more"] if len(found.failures) > _SHOWN else [])


def _report(item: Converted) -> list[str]:
    report = item.report
    lines = ["  report"]
    for label, table in (("used", report.used), ("skipped", report.skipped), ("masked", report.masked)):
        counted = ", ".join(f"{kind} {count}" for kind, count in sorted(table.items()) if count) or "nothing"
        lines.append(f"    {label:<10}{counted}")
    if report.images:
        lines.append(f"    {'pictures':<10}{report.images} replaced by a marker")
    lines += [f"    {key}: {value}" for key, value in report.notes.items()]
    return lines
