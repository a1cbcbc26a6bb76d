"""Whether a command that a criterion quotes can be run in the workspace."""

from __future__ import annotations

import json
import re

from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unknown, unmet
from judge.rules.run_checks import command_worked


def check_command(evidence: Evidence, command: str) -> Finding:
    """Whether what the command names is there: the script with something to run, the target, the package script."""
    words = command.removeprefix("$ ").split()
    program = words[0]
    if program == "make":
        return _make(evidence, words[1] if len(words) > 1 else "")
    if program in ("npm", "yarn", "pnpm", "bun"):
        name = words[2] if len(words) > 2 and words[1] == "run" else words[1] if len(words) > 1 else ""
        return _package_script(evidence, name)
    for word in words[1:]:
        if re.search(r"\.(?:py|js|ts|sh|rb|php|jl|R|go)$", word):
            return _script(evidence, word)
    if program.startswith("python") and "-m" in words[1:-1]:
        module = words[words.index("-m") + 1].replace(".", "/")
        for path in (f"{module}.py", f"{module}/__main__.py"):
            if evidence.exists(path):
                return _script(evidence, path)
        if "/" in module or evidence.case.workspace.is_folder(module):
            return unmet(f"there is no module {module} to run", 0.8)
    return unknown(f"whether {command!r} runs")


def _script(evidence: Evidence, path: str) -> Finding:
    entry = evidence.case.workspace.find(path)
    if entry is None:
        return unmet(f"{path} does not exist", 0.9)
    seen = command_worked(evidence, entry.path)
    if seen is not None:
        return seen
    file = evidence.live.get(entry.path)
    if file is None:
        return unknown(f"what {path} does")
    if file.path in evidence.live.files and not file.file.entry:
        return unmet(f"{path} does nothing when it is run", 0.78, file.cite(1))
    if not file.calls and file.path in evidence.live.files:
        return unmet(f"{path} does nothing when it is run", 0.78, file.cite(1))
    return met(f"{path} can be run", 0.72, file.cite(file.file.entry_line or 1))


def _make(evidence: Evidence, target: str) -> Finding:
    for path, file in evidence.live.plain.items():
        if path.rsplit("/", 1)[-1].lower() == "makefile":
            pattern = rf"(?m)^{re.escape(target)}\s*:" if target else r"(?m)^[\w.-]+\s*:"
            match = re.search(pattern, file.file.source)
            if match:
                line = file.file.source.count("\n", 0, match.start()) + 1
                return met(f"{path}:{line} has the target {target or 'by default'}", 0.76, file.cite(line, line + 2))
            return unmet(f"{path} has no target {target}", 0.84, file.cite(1))
    return unmet("there is no Makefile", 0.88)


def _package_script(evidence: Evidence, name: str) -> Finding:
    for path, file in evidence.live.plain.items():
        if path.rsplit("/", 1)[-1] == "package.json":
            try:
                scripts = json.loads(file.file.source).get("scripts", {})
            except (ValueError, AttributeError):
                return unmet(f"{path} is broken", 0.84, file.cite(1))
            if name in scripts or name in ("install", "ci", "i"):
                return met(f"{path} has the script {name}", 0.74, file.cite(1))
            return unmet(f"{path} has no script {name}", 0.82, file.cite(1))
    return unmet("there is no package.json", 0.88)
