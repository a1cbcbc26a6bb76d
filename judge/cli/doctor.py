"""``judge doctor``: what is set up, and which model would be used."""

from __future__ import annotations

import platform
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from judge.cli import model_options as models
from judge.cli import options as shared
from judge.cli.installed import answers_line, extras_line, plugins_line
from judge.errors import ExitCode, JudgeError

if TYPE_CHECKING:
    from judge.config import Settings


_WIDTH = 120
"""Characters of a line of a list."""
_LISTS = frozenset({"packages", "missing packages", "wrong versions", "code graph", "extras", "prompts", "providers"})


class State(StrEnum):
    """How a check went."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


class Check(NamedTuple):
    """One line of the report."""

    name: str
    state: State
    detail: str


def doctor(
    model: models.Models = None,
    base_url: models.BaseUrl = None,
    api: models.Api = None,
    cache: models.Cache = None,
    cache_dir: models.CacheDir = None,
    out: Annotated[Path, typer.Option("--out", help="Where run folders would be made.", metavar="FOLDER")] = Path(
        "runs"
    ),
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Show what is set up and which model would be used.

    No server is asked and no key is shown. Exit code 2 when something is broken.

    --json prints: ok, checks (name, state, detail).
    """
    given = shared.settings_given({name: value for name, value in locals().items() if name != "out"})
    from judge.cli.console import show, show_json

    checks = list(_checks(given, config, out))
    ok = all(check.state != State.BROKEN for check in checks)
    if as_json:
        show_json({"ok": ok, "checks": [check._asdict() for check in checks]})
    else:
        for line in _lines(checks):
            show(line)
    if not ok:
        raise typer.Exit(int(ExitCode.BAD_INPUT))


def _lines(checks: Sequence[Check]) -> Iterator[str]:
    """The report for people; a long list goes on below itself, all else is a line that can be searched and copied."""
    name_width = max(len(check.name) for check in checks)
    for check in checks:
        head = f"{check.state.value:6}  {check.name:{name_width}}  "
        width = _WIDTH - len(head) if check.name in _LISTS else max(1, len(check.detail))
        wrapped = textwrap.wrap(check.detail, width, break_long_words=False, break_on_hyphens=False)
        yield head + (wrapped[0] if wrapped else "")
        yield from (" " * len(head) + line for line in wrapped[1:])


def _checks(flags: dict[str, Any], config: Path | None, out: Path) -> Iterator[Check]:
    from judge import __version__

    yield Check("judge", State.OK, f"{__version__} in {Path(__file__).resolve().parents[1]}")
    version = platform.python_version()
    old = sys.version_info < (3, 11)
    yield Check("python", State.BROKEN if old else State.OK, f"{version} ({sys.executable})")
    yield from _packages()
    yield _guarded("tokens", _tokens)
    yield _guarded("prompts", _prompts)
    yield _guarded("code graph", _graph)
    yield _guarded("extras", extras_line)
    yield _guarded("providers", plugins_line)
    yield _writable(out)
    yield from _settings(flags, config)


def _packages() -> Iterator[Check]:
    """What the installed distribution itself says it needs, and what is there of it."""
    from importlib.metadata import PackageNotFoundError, requires, version

    try:
        from packaging.requirements import Requirement

        needed = [Requirement(line) for line in requires("judge") or ()]
    except ImportError as error:  # judge is not installed as a distribution, or packaging is missing itself
        own = isinstance(error, PackageNotFoundError)
        what = "not known: judge runs from a folder and is not installed" if own else f"{error}; install judge again"
        yield Check("packages", State.NOTE if own else State.BROKEN, what)
        return
    found, missing, other = [], [], []
    for item in needed:
        if item.marker is not None and not item.marker.evaluate({"extra": ""}):
            continue
        try:
            there = version(item.name)
        except PackageNotFoundError:
            missing.append(item.name)
            continue
        found.append(f"{item.name} {there}")
        if not item.specifier.contains(there, prereleases=True):
            other.append(f"{item.name} {there} is not {item.specifier}")
    yield Check("packages", State.OK, ", ".join(found))
    if missing:
        yield Check("missing packages", State.BROKEN, ", ".join(missing) + "; install judge again")
    if other:
        yield Check("wrong versions", State.BROKEN, ", ".join(other) + "; install judge again")


def _guarded(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, State.OK, check())
    except Exception as error:  # noqa: BLE001 - a report says what is broken instead of ending with it
        text = str(error) if isinstance(error, JudgeError) else f"{type(error).__name__}: {error}"
        return Check(name, State.BROKEN, " ".join(text.split()))


def _tokens() -> str:
    from judge.tokens import count

    number = count("hello world")
    if number != 2:
        raise ValueError(f"'hello world' counts as {number} tokens instead of 2")
    return "counted offline"


def _prompts() -> str:
    from judge.modules.ask import prompt_hashes

    hashes = prompt_hashes()
    return ", ".join(f"{name} {digest[:8]}" for name, digest in sorted(hashes.items()))


def _graph() -> str:
    from judge.modules.graph.languages import LANGUAGES

    return "analyses " + ", ".join(sorted(item.name for item in LANGUAGES if item.analysed))


def _writable(out: Path) -> Check:
    import os

    folder = out.absolute()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    ok = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    return Check("run folder", State.OK if ok else State.BROKEN, f"{out} {'can' if ok else 'cannot'} be written")


def _settings(flags: dict[str, Any], config: Path | None) -> Iterator[Check]:
    from judge.cli.choose import resolve

    try:
        settings = resolve(flags, config)
    except JudgeError as error:
        yield Check("settings", State.BROKEN, str(error))
        return
    source = str(settings.config_path) if settings.config_path is not None else "no judge.toml"
    yield Check("settings", State.OK, source)
    for line in settings.warnings:
        yield Check("settings", State.NOTE, line)
    keys = ", ".join(sorted(settings.keys))
    yield Check("keys", State.OK if keys else State.NOTE, f"set: {keys}" if keys else "none set")
    yield _guarded("answers", lambda: answers_line(settings))
    yield from _models(settings)


def _models(settings: Settings) -> Iterator[Check]:
    if not settings.model or settings.model == "rules":
        yield Check("model", State.NOTE, "none: judging with the offline rules")
        return
    from dataclasses import replace

    from judge.cli.choose import panel

    for spec in panel(settings):
        yield _model(replace(settings, model=spec, panel=(spec,)))


def _model(settings: Settings) -> Check:
    import asyncio

    from judge.cli.choose import model_line, open_models
    from judge.engine.prices import keeps_prompts
    from judge.schemas import Usage

    try:
        (model,) = open_models("agent", settings)
        named = model_line(settings).removeprefix("model ")
    except JudgeError as error:
        return Check("model", State.BROKEN, f"{settings.model}: {error}")
    detail = f"{model.context_tokens:,} tokens, {'sees' if model.sees_images else 'does not see'} images"
    price = model.cost_of(Usage(calls=1, input_tokens=1_000_000))
    costs = "price unknown" if price is None else f"${price:.2f} for a million tokens of prompts"
    kept = ", keeps the beginnings of prompts" if keeps_prompts(settings.model, settings.models) else ""
    api = f", API {settings.api}" if settings.model.startswith("openai") else ""
    asyncio.run(model.close())
    return Check("model", State.OK, f"{named}, {detail}, {costs}{api}{kept}")
