"""Which modules run by themselves, and why."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Mapping

from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.python.access import matching
from judge.modules.graph.python.folding import Folder
from judge.modules.graph.python.hooks import hooks
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.python.runners import is_test
from judge.modules.graph.python.spawn import is_command, named_files

_CONSOLE = re.compile(r"""["'][\w.-]+\s*=\s*([\w.]+):([\w.]+)["']""")
Entries = dict[int, EntryKind]


def own_entry(module: RawModule, evaluator: Folder) -> EntryKind | None:
    """Why a module runs by itself, looking at nothing but its code; None when it does not."""
    if is_test(module.path):
        return EntryKind.TEST
    if module.guard:
        return EntryKind.MAIN_GUARD
    if module.path.endswith(".ipynb"):
        return EntryKind.NOTEBOOK
    name = posixpath.basename(module.path)
    if name == "__main__.py" or _works(module, evaluator):
        return None if name in {"__init__.py", "setup.py"} else EntryKind.SCRIPT
    if _is_application(module, evaluator):
        return EntryKind.APP
    return None


def _works(module: RawModule, evaluator: Folder) -> bool:
    """Whether the module level does more than define and set up."""
    if module.work:
        return True
    ctx = evaluator.program.context(module.index, 0)
    for number in module.work_calls:
        call = module.calls[number]
        for form, _ in evaluator.callees(call, ctx):
            if evaluator.program.scope(form[1], form[2]).kind == "function":
                return True
        target = evaluator.call_target(call, ctx)
        if any(rule.access == "reads" for rule in matching(target, call.label)) and not _only_config(target):
            return True
    return False


def _only_config(target: str) -> bool:
    return target.split(".")[0] in {"open", "json", "yaml", "toml", "tomllib", "dotenv", "pathlib", "omegaconf", "os"}


def _is_application(module: RawModule, evaluator: Folder) -> bool:
    """Whether the module makes an application object that a server would load."""
    ctx = evaluator.program.context(module.index, 0)
    wanted = hooks().applications
    for number in module.work_calls:
        if evaluator.call_target(module.calls[number], ctx) in wanted:
            return True
    name = posixpath.basename(module.path)
    return name in hooks().django and any(item.module.startswith("django") for item in module.imports)


def mentioned(texts: Mapping[str, str], evaluator: Folder) -> tuple[Entries, list[tuple[int, str]]]:
    """Modules that build files, shell scripts and project metadata run, and functions they name as console scripts."""
    index = evaluator.program.index
    found: Entries = {}
    functions: list[tuple[int, str]] = []
    for path, text in texts.items():
        name = posixpath.basename(path)
        if name in {"pyproject.toml", "setup.py", "setup.cfg"}:
            for dotted, function in _console_scripts(name, text):
                resolved = index.resolve(dotted, path, 0)
                if resolved in index.files:
                    found[index.files[resolved]] = EntryKind.CONSOLE_SCRIPT
                    functions.append((index.files[resolved], function))
            continue
        for line in text.splitlines()[:5000]:
            if is_command(line) or name in {"Procfile", "Dockerfile"}:
                clean = line.replace('"', " ").replace("'", " ").replace(",", " ")
                for target in named_files(" ".join(clean.split()), index, path):
                    found.setdefault(index.files[target], EntryKind.MENTIONED)
    return found, functions


def _console_scripts(name: str, text: str) -> list[tuple[str, str]]:
    if name != "pyproject.toml":
        scripts = _CONSOLE.findall(text)
        scripts += re.findall(r"^\s*[\w.-]+\s*=\s*([\w.]+):([\w.]+)\s*$", text, re.MULTILINE)
        return [(module, function) for module, function in scripts]
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    project = data.get("project")
    poetry = data.get("tool", {}).get("poetry", {}) if isinstance(data.get("tool"), dict) else {}
    tables = [
        table.get(key) for table in (project, poetry) if isinstance(table, dict) for key in ("scripts", "gui-scripts")
    ]
    values = [
        value for table in tables if isinstance(table, dict) for value in table.values() if isinstance(value, str)
    ]
    return [(value.split(":")[0].strip(), value.split(":")[1].strip()) for value in values if ":" in value]
