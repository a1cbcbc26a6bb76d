"""Models that other packages bring along.

A package names a factory in the entry point group ``judge.models``::

    [project.entry-points."judge.models"]
    myserver = "my_package:open_model"

and ``--model myserver:NAME`` then calls ``open_model(NAME, settings)``. The factory gets the name and the
``ModelSettings``, and gives a ``Model``: the protocol in ``judge.models.base``. It should raise ``ProviderError`` (with
``retryable``) when the server does not answer, never return half an answer, and leave retries, limits, cache and budget
to the program. A model may have a method ``cost_of(usage)`` that gives US dollars, or None when they are unknown; a
file of prices outranks it. The names of the built-in providers cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.errors import ConfigError, JudgeError
from judge.models.pricebook import load_rates

if TYPE_CHECKING:
    from judge.config import ModelSettings
    from judge.models.base import Model
    from judge.schemas import Usage

GROUP = "judge.models"
_NEEDED = ("id", "sees_images", "context_tokens", "complete", "close")


class Plugin(NamedTuple):
    """A factory of models that an installed package names; it is not imported to be listed.

    Attributes:
        name: What stands before the colon of ``--model``.
        value: ``module:attribute``.
        package: Name and version of the package, empty when unknown.
    """

    name: str
    value: str
    package: str


def list_plugins() -> tuple[Plugin, ...]:
    """All plugins that are installed, by name."""
    return tuple(sorted(Plugin(item.name, item.value, _package(item)) for item in entry_points(group=GROUP)))


def open_plugin(
    provider: str, name: str, settings: ModelSettings
) -> tuple[Model, Callable[[Usage], float | None]] | None:
    """A model of a plugin with what it costs; None when no plugin has that name.

    Raises:
        ConfigError: The plugin is broken, or there are two of that name.
    """
    found = [item for item in entry_points(group=GROUP) if item.name == provider]
    if not found:
        return None
    if len({item.value for item in found}) > 1:
        packages = " and ".join(sorted(_package(item) or item.value for item in found))
        raise ConfigError(f"{packages} both bring models named {provider!r}", where="--model", hint="uninstall one")
    item = found[0]
    where = f"plugin {provider} ({_package(item) or item.value})"
    try:
        model = item.load()(name, settings)
    except JudgeError:
        raise
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        raise ConfigError(f"cannot be used: {words}", where=where) from error
    missing = [part for part in _NEEDED if not hasattr(model, part)]
    if missing:
        raise ConfigError(f"gives something that is no model: it has no {', '.join(missing)}", where=where)
    return model, _price(model, settings)


def _price(model: Any, settings: ModelSettings) -> Callable[[Usage], float | None]:
    rates = load_rates(settings.prices, model.id) if settings.prices is not None else None
    if rates is not None:
        return rates.of
    own = getattr(model, "cost_of", None)
    return own if callable(own) else lambda usage: None


def _package(item: EntryPoint) -> str:
    return f"{item.dist.name} {item.dist.version}" if item.dist is not None else ""
