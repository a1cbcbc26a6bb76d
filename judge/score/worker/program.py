"""Runs a file as a program: real standard streams, ``__main__``, its exit code."""

from __future__ import annotations

import builtins
import os
import sys
from types import ModuleType
from typing import Any

from . import load
from .audit import Watch


def run(config: dict[str, Any]) -> None:
    """Runs the main file and ends the process as the interpreter would.

    Args:
        config: Of the worker.
    """
    for name in ("req", "rep"):
        os.close(config["fds"][name])
    load.prepare(config, Watch(config["fds"]["ev"], config["scratch"], config["readable"]))
    path = os.path.join(config["scratch"], config["main"])
    sys.argv[:] = [config["main"], *config["argv"]]
    module = ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = module
    code = 1
    try:
        exec(compile(config["files"][config["main"]], path, "exec", dont_inherit=True), module.__dict__)
        code = 0
    except SystemExit as error:
        code = _exit_code(error)
    except BaseException:  # noqa: BLE001 - printed as the interpreter would
        _print_trace()
    finally:
        _leave(code)


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)  # noqa: T201 - what the interpreter does
    return 1


def _print_trace() -> None:
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename == _leave.__code__.co_filename:
        trace = trace.tb_next
    if kind is not None and error is not None:
        sys.excepthook(kind, error.with_traceback(trace), trace)


def _leave(code: int) -> None:
    """Waits for threads, runs exit handlers and flushes, as the end of the interpreter does."""
    import atexit
    import threading

    for finish in (threading._shutdown, atexit._run_exitfuncs, sys.stdout.flush, sys.stderr.flush):  # type: ignore[attr-defined]
        try:
            finish()
        except BaseException:  # noqa: BLE001 - nothing may keep the process from its end
            code = code or 120
    os._exit(code)
