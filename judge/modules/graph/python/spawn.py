"""Python files that a call or a command line starts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.modules.graph.python.folding import ROOT
from judge.modules.graph.python.ir import RawCall

if TYPE_CHECKING:
    from judge.modules.graph.python.folding import Folder
    from judge.modules.graph.python.imports import ModuleIndex
    from judge.modules.graph.python.program import Context

_STARTERS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "system", "popen", "run_path", "run_module", "exec"}
)
_SCRIPT = re.compile(r"[\w./\\-]+\.py\b")
_MODULE = re.compile(r"(?:python[\d.]*\s+(?:-\w\s+)*-m|pytest|torchrun)\s+([\w.]+)")
_SERVED = re.compile(
    r"(?:uvicorn|gunicorn|hypercorn|waitress-serve|celery -A|flask --app)\s+(?:-\S+\s+)*([\w.]+)(?=[:\s]|$)"
)
_RUNNER = re.compile(
    r"(?:python[\d.]*|streamlit run|torchrun|accelerate launch|flask --app|uv run|poetry run"
    r"|bokeh serve|panel serve|%?run|\./)"
)


def started_files(call: RawCall, ctx: Context, evaluator: Folder) -> list[str]:
    """Workspace files that a process or ``runpy`` call runs."""
    if call.label not in _STARTERS:
        return []
    target = evaluator.call_target(call, ctx)
    if not target.startswith(("subprocess.", "os.", "runpy.")):
        return []
    texts: list[str] = []
    for arg in call.args[:1]:
        for form, home in evaluator.expand(arg, ctx):
            if form[0] == "l" and home is not None:
                texts.append(" ".join(text for item in form[1] for text in evaluator.texts(item, home)[:1]))
            else:
                texts.extend(evaluator.texts(arg, ctx))
    return [
        path for text in texts for path in named_files(text.replace(ROOT, ""), evaluator.program.index, ctx.module.path)
    ]


def named_files(text: str, index: ModuleIndex, near: str = "") -> list[str]:
    """Workspace Python files that a command line names by path or with ``-m``."""
    found: list[str] = []
    for match in _SCRIPT.findall(text):
        path = find_script(match, index, near)
        if path is not None:
            found.append(path)
    for dotted in (*_MODULE.findall(text), *_SERVED.findall(text)):
        resolved = index.resolve(dotted, near, 0) if "/" not in dotted else None
        if resolved is None:
            continue
        if resolved.endswith("/") or resolved.endswith("__init__.py"):
            folder = resolved.removesuffix("__init__.py").rstrip("/")
            found.extend(path for path in (f"{folder}/__main__.py", resolved) if path in index.files)
        else:
            found.append(resolved)
    return list(dict.fromkeys(found))


def find_script(name: str, index: ModuleIndex, near: str = "") -> str | None:
    """A Python file by the path a command gives, from the root, the naming file's folder or as a unique ending."""
    name = name.replace("\\", "/")
    while name.startswith(("./", "../", "/")):
        name = name.split("/", 1)[1]
    if name in index.files:
        return name
    folder = near.rpartition("/")[0]
    if folder and f"{folder}/{name}" in index.files:
        return f"{folder}/{name}"
    endings = [path for path in index.files if path.endswith(f"/{name}")]
    return endings[0] if len(endings) == 1 else None


def is_command(line: str) -> bool:
    """Whether a line of a script runs something with Python."""
    line = line.strip()
    return not line.startswith("#") and _RUNNER.search(line) is not None
