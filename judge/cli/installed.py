"""What is installed and kept around the program: extras, plugins of models, kept answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from judge.text import plural

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.models.cache import CacheStats

_ROOT = Path(__file__).resolve().parents[2]
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


def extras_line(root: Path = _ROOT) -> str:
    """Which extras are complete, and what the others lack, with the command that installs it.

    Args:
        root: The folder that holds the package: a checkout has a command of its own, an installed package that of pip.
    """
    found = list(extras())
    if not found:
        return "not known: judge runs from a folder and is not installed"
    whole = [name for name, missing in found if not missing]
    lacking = [f"{name} lacks {', '.join(missing)}" for name, missing in found if missing]
    hint = f"; {_install([name for name, missing in found if missing], root)}" if lacking else ""
    return "; ".join([*([", ".join(whole)] if whole else []), *lacking]) + hint


def _install(names: list[str], root: Path) -> str:
    if (root / "scripts" / "judge").is_file() and (root / "pyproject.toml").is_file():
        return "JUDGE_EXTRAS=all scripts/judge doctor installs them"
    return f"pip install 'judge[{','.join(names)}]'"


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

    if not folder.is_dir():
        return "no answers yet"
    store = ReplyStore(folder)
    try:
        stats = store.stats()
    except StoreError as error:
        return f"cannot be used ({error})"
    finally:
        store.close()
    return kept_line(stats)


def kept_line(stats: CacheStats) -> str:
    """How many answers are kept, of which models, and what they take on disk."""
    from judge.modules.overview import size

    number = sum(item.entries for item in stats.models)
    names = list(dict.fromkeys(item.model for item in stats.models))
    more = f" and {plural(len(names) - _SHOWN, 'other')}" if len(names) > _SHOWN else ""
    models = f" of {', '.join(names[:_SHOWN])}{more}" if names else ""
    return f"{plural(number, 'answer')}{models}, {size(stats.size)}"
