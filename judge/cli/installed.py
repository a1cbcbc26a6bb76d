"""What is installed and kept around the program: extras, plugins of models, kept answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from judge.config import Settings

_SHOWN = 6


def extras() -> Iterator[tuple[str, list[str]]]:
    """The optional parts of the installed program, each with the packages that it lacks.

    Yields:
        Name of an extra, and what is missing or too old of it; nothing when judge is not installed as a package.
    """
    from importlib.metadata import PackageNotFoundError, metadata, requires

    from packaging.requirements import Requirement

    try:
        names = metadata("judge").get_all("Provides-Extra") or []
        needed = [Requirement(line) for line in requires("judge") or ()]
    except PackageNotFoundError:
        return
    for name in names:
        wanted = [item for item in needed if item.marker is not None and item.marker.evaluate({"extra": name})]
        own = [item for item in wanted if not item.marker.evaluate({"extra": ""})]  # type: ignore[union-attr]
        if own and not any(item.name == "judge" for item in own):
            yield name, [str(item.name) for item in own if not _is_there(item)]


def _is_there(item: object) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    from packaging.requirements import Requirement

    assert isinstance(item, Requirement)
    try:
        return bool(item.specifier.contains(version(item.name), prereleases=True))
    except PackageNotFoundError:
        return False


def extras_line() -> str:
    """Which extras are complete, and what the others lack."""
    found = list(extras())
    if not found:
        return "not known: judge runs from a folder and is not installed"
    whole = [name for name, missing in found if not missing]
    lacking = [f"{name} lacks {', '.join(missing)}" for name, missing in found if missing]
    hint = f"; pip install 'judge[{','.join(name for name, missing in found if missing)}]'" if lacking else ""
    return "; ".join([*([", ".join(whole)] if whole else []), *lacking]) + hint


def plugins_line() -> str:
    """The providers of models: our own, and those of other packages."""
    from judge.models import PROVIDERS
    from judge.models.plugins import list_plugins

    own = ", ".join(f"{name}:" for name in PROVIDERS)
    others = ", ".join(f"{item.name}: ({item.package or item.value})" for item in list_plugins())
    return f"{own}; plugins: {others or 'none'}"


def answers_line(settings: Settings) -> str:
    """Where answers of models are kept, and how many there are."""
    folder = settings.responses
    if folder is None:
        return "answers are not kept: there is no home folder; give --cache-dir"
    off = "" if settings.cache else "off (--no-cache); "
    return f"{off}{_kept(folder)} in {folder}"


def _kept(folder: Path) -> str:
    from judge.models.cache.store import ReplyStore, StoreError
    from judge.modules.overview import size

    if not folder.is_dir():
        return "no answers yet"
    store = ReplyStore(folder)
    try:
        stats = store.stats()
    except StoreError as error:
        return f"cannot be used ({error})"
    finally:
        store.close()
    number = sum(item.entries for item in stats.models)
    models = ", ".join(item.model for item in stats.models[:_SHOWN])
    return f"{number:,} answers{f' of {models}' if models else ''}, {size(stats.size)}"
