"""Brings the submission in: its files as modules, its imports by the suite's rules."""

from __future__ import annotations

import builtins
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .audit import Watch

_FALLBACK = "submission"
_ALWAYS = frozenset({"__future__", "typing"})


def prepare(config: dict[str, Any], watch: Watch) -> None:
    """Makes the interpreter what a script expects, and starts to listen and to enforce.

    Args:
        config: Of the worker.
        watch: The audit hook.
    """
    import _sitebuiltins

    # The interpreter runs without `site`, which would bring these.
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D"))
    sys.path.insert(0, os.path.dirname(os.path.join(config["scratch"], config["main"])))
    if config["asynchronous"]:
        # Its import takes longer than most calls.
        import asyncio  # noqa: F401
    if config["allow"] or config["deny"]:
        _rule_imports(config, watch)
    watch.start()
    # Nothing foreign has run yet, so this cannot be forged; an end before it is a fault of ours.
    os.write(config["fds"]["ev"], b"ready\n")


def load(config: dict[str, Any]) -> ModuleType:
    """Runs the main file as a module.

    Args:
        config: Of the worker.

    Raises:
        BaseException: Whatever the file raises.
    """
    path = os.path.join(config["scratch"], config["main"])
    stem = os.path.basename(config["main"]).rpartition(".")[0]
    taken = stem in sys.modules or stem in getattr(sys, "stdlib_module_names", ())
    name = stem if stem.isidentifier() and not taken else _FALLBACK
    module = ModuleType(name)
    module.__file__ = path
    # Not the copy that our own modules have, which the submission must not change.
    module.__dict__["__builtins__"] = builtins
    module.__spec__ = ModuleSpec(name, None, origin=path)
    sys.modules[name] = module
    code = compile(config["files"][config["main"]], path, "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module


def find(module: ModuleType, entry: str) -> Any:
    """What a dotted name of the module stands for.

    Raises:
        AttributeError: Nothing.
    """
    found: Any = module
    for part in entry.split("."):
        found = getattr(found, part)
    return found


def _rule_imports(config: dict[str, Any], watch: Watch) -> None:
    original: Callable[..., Any] = builtins.__import__
    scratch = config["scratch"]
    siblings = {name.partition("/")[0].partition(".")[0] for name in config["files"]}
    allowed = frozenset(config["allow"]) | siblings | _ALWAYS
    denied = frozenset(config["deny"])

    def refuse(top: str) -> None:
        if top in denied or (config["allow"] and top not in allowed):
            watch.note(f"denied: import {top}")
            raise ImportError(f"the suite does not allow to import {top!r}", name=top)

    def ruled(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        origin = (globals or {}).get("__file__") or scratch
        if level == 0 and isinstance(origin, str) and origin.startswith(scratch):
            refuse(name.partition(".")[0])
        return original(name, globals, locals, fromlist, level)

    builtins.__import__ = ruled
