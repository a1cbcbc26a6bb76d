"""Imports the SDK of a provider without the thousand types of its other services."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

# For two models of one provider whose clients are made in different threads.
_TURN = threading.RLock()


def import_sdk(package: str) -> ModuleType:
    """Imports an SDK, with the packages below its ``types`` run only when something of them is asked for.

    They hold a model for everything that a service can say, most of the time that the import takes, and are needed by
    methods that are never called here. Whoever asks such a package for something finds it as after a plain import.

    Args:
        package: Its name, such as ``openai``. When it was imported before, nothing changes.

    Raises:
        ImportError: It is not installed.
    """
    with _TURN:
        if package in sys.modules:
            return import_module(package)
        finder = _LazyTypes(f"{package}.types")
        sys.meta_path.insert(0, finder)
        try:
            return import_module(package)
        finally:
            sys.meta_path.remove(finder)


class _LazyTypes(MetaPathFinder):
    """Finds packages at and below a name, to be run later; their modules are found as always."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name and not fullname.startswith(f"{self._name}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None and spec.submodule_search_locations is not None:
            spec.loader = _Later(spec.loader)
        return spec


class _Later(Loader):
    """Runs a package when it is asked for something that is not there yet."""

    def __init__(self, inner: Loader) -> None:
        self._inner = inner

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        def missing(name: str) -> Any:
            if name.startswith("__") and name != "__all__":  # the import system looks for some; that is no use of it
                raise AttributeError(name)
            with _TURN:
                if vars(module).get("__getattr__") is missing:
                    del vars(module)["__getattr__"]  # its own parts may ask it for what is not there yet
                    self._inner.exec_module(module)
            return getattr(module, name)

        vars(module)["__getattr__"] = missing
