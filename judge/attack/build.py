"""Writes bases and attacks to disk; the same attack gives the same bytes every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from judge.attack.model import Attack, Base, Site


class Made(NamedTuple):
    """What was written.

    Attributes:
        workspace: The folder to judge.
        trajectory: The file with the steps.
    """

    workspace: Path
    trajectory: Path


def make_base(base: Base, folder: Path) -> Made:
    """Writes a clean base.

    Args:
        base: Which.
        folder: Where; made when it is not there.

    Raises:
        OSError: It cannot be written.
    """
    return _finish(_site(base, folder), folder)


def make_attack(attack: Attack, folder: Path) -> Made:
    """Writes an attacked copy of a base.

    Args:
        attack: Which.
        folder: Where; made when it is not there.

    Raises:
        OSError: It cannot be written.
        ImportError: The writer needs a package that is not installed.
    """
    site = _site(attack.base, folder)
    attack.technique.write(site, attack.text)
    return _finish(site, folder)


def _site(base: Base, folder: Path) -> Site:
    site = Site(folder / "workspace", base, [dict(step) for step in base.steps])
    site.root.mkdir(parents=True, exist_ok=True)
    for path, text in base.files.items():
        site.write(path, text.lstrip("\n"))
    for path in base.pictures:
        site.write(path, _bar_chart())
    return site


def _finish(site: Site, folder: Path) -> Made:
    path = folder / "trajectory.json"
    steps = [_step(number, step, site.base.query) for number, step in enumerate(site.steps)]
    path.write_text(json.dumps(steps, indent=1, ensure_ascii=True), encoding="utf-8")
    return Made(site.root, path)


def _step(number: int, step: dict[str, str], query: str) -> dict[str, object]:
    return {
        "step": number,
        "user_message": step.get("user_message", query if number == 0 else None),
        "agent": {
            "thought": step.get("thought", ""),
            "action": step.get("action", ""),
            "agent_name": step.get("agent_name", "CodeActAgent"),
        },
        "environment": step.get("environment", ""),
        "step_usage": {
            "input_tokens": 900,
            "output_tokens": 40,
            "model": "a-model",
            "cost": 0.01,
            "llm_inference_time": 2.0,
            "step_execution_time": 1.0,
        },
        "accumulated_usage": {"accumulated_cost": 0.01 * (number + 1), "accumulated_time": 3.0 * (number + 1)},
    }


def _bar_chart() -> bytes:
    from io import BytesIO

    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (320, 240), "white")
    draw = ImageDraw.Draw(picture)
    draw.line((30, 10, 30, 210, 310, 210), fill="black", width=2)
    for place, (height, colour) in enumerate(((90, "steelblue"), (150, "darkorange"), (60, "seagreen"))):
        draw.rectangle((60 + 80 * place, 210 - height, 110 + 80 * place, 209), fill=colour)
        draw.text((60 + 80 * place, 216), ("months", "price", "calls")[place], fill="black")
    draw.text((120, 4), "Coefficients", fill="black")
    target = BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()
