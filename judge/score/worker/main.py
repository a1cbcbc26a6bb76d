"""From the first line of the interpreter to the worker: namespaces, root, scratch, supervision."""

from __future__ import annotations

import os
import sys
from typing import Any

from . import linux, probe, program, root, serve, supervise
from .confine import confine

_ACTIONS = {"serve": serve.run, "program": program.run, "probe": probe.run}


def main(config: dict[str, Any]) -> None:
    """Sets the worker up as ``config`` says and runs it; never returns.

    Args:
        config: From judge; see ``judge.score.sandbox.settings``.
    """
    for descriptor in config["fds"].values():
        os.set_inheritable(descriptor, False)
    try:
        if config["level"] == "namespaces":
            _first_of_its_namespace(config)
            root.build(config)
        _fill_scratch(config)
    except OSError as error:
        os.write(config["fds"]["stat"], f"error {error}\n".encode())
        os._exit(71)
    supervise.supervise(config, _work)


def _work(config: dict[str, Any]) -> None:
    config["missing"] = confine(config)
    sys.path[:] = [path for path in sys.path if path and path != config["scratch"]]
    _ACTIONS[config["action"]](config)


def _first_of_its_namespace(config: dict[str, Any]) -> None:
    """Goes on as process 1 of new namespaces; the outer process only waits for its end."""
    root.enter_namespaces()
    outer = os.getpid()
    inner = os.fork()
    if inner == 0:
        linux.prctl(linux.PDEATHSIG, 9)
        if os.getppid() not in (0, outer):
            os._exit(0)
        return
    for name in ("req", "rep", "ev", "life", "stat"):
        os.close(config["fds"][name])
    os.waitpid(inner, 0)
    os._exit(0)


def _fill_scratch(config: dict[str, Any]) -> None:
    scratch, level = config["scratch"], config["level"]
    for name, data in config["files"].items():
        path = os.path.join(scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data)
    if config["limits"]["file_kb"]:
        if config["uid"]:
            os.chown(scratch, config["uid"], config["uid"])
    elif level == "namespaces":
        linux.mount("", scratch, "", linux.MS_REMOUNT | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)
    os.chdir(scratch)
