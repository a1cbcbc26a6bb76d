"""Names that a package offers without loading the modules they stand in: a command needs few of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def offer(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The function ``__getattr__`` of a package (PEP 562).

    Args:
        package: Its name.
        homes: The modules in the package, each with the names that it gives, parted by spaces.

    Returns:
        Gives a name's value; raises ``AttributeError`` for one that is not offered.
    """
    places = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        module = places.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module}"), name)

    return find
