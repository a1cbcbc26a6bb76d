"""A tool call as the text of a step: what a person reads, and what the file history can take apart again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge.trajectories.values import as_json, parsed

_SHELLS = frozenset({
    "bash", "sh", "zsh", "shell", "terminal", "console", "powershell", "pwsh", "cmd", "command", "exec",
    "execute_bash", "run_bash", "bash_command", "run_bash_command", "bash_tool", "execute_command", "run_command",
    "run_commands", "run_shell", "run_shell_command", "shell_command", "shell_exec", "shell_tool", "exec_command",
    "local_shell", "local_shell_call", "container_exec", "developer_shell", "run_terminal_cmd", "run_in_terminal",
    "terminal_command", "command_execution", "execute_shell_command", "bash_execute", "system", "run",
    "terminalaction", "executebashaction", "execute_terminal_command", "bash_session", "unix_shell",
})  # fmt: skip
_PYTHONS = frozenset({
    "python", "ipython", "run_ipython", "execute_ipython", "execute_ipython_cell", "python_interpreter", "jupyter",
    "code_interpreter", "run_python", "execute_python", "python_exec", "python_repl", "run_cell", "jupyter_execute",
    "ipythonruncellaction", "execute_code", "run_python_code", "python_tool",
})  # fmt: skip
_CODES = ("code", "python_code", "script", "input", "source", "cell", "query")
_COMMANDS = ("command", "cmd", "script", "commands", "keystrokes", "bash_command", "shell_command", "input", "code")
_PLACES = ("workdir", "cwd", "working_directory", "dir_path", "directory")
_WRAPPERS = re.compile(r"(?:/(?:usr/)?bin/)?(?:bash|sh|zsh)")
_LONG = 400


def is_python(tool: str) -> bool:
    """Whether a tool of that name runs Python code that it is given."""
    return re.sub(r"[^a-z0-9]+", "_", tool.lower()).strip("_") in _PYTHONS


def is_shell(tool: str) -> bool:
    """Whether a tool of that name runs what it is given in a shell."""
    name = re.sub(r"[^a-z0-9]+", "_", tool.lower()).strip("_")
    return name in _SHELLS or name.rpartition("__")[2] in _SHELLS


def render_call(tool: str, arguments: object, cwd: str = "") -> tuple[str, dict[str, Any]]:
    """The text of a call, and what of its arguments the text leaves out.

    A shell tool gives its command, unescaped, and a Python tool its code. Other tools give their name and their
    arguments as JSON on one line, or, where a text of several lines is among them, as ``<function=…>`` with the texts
    as they are.

    Args:
        tool: The tool's name; may be empty.
        arguments: An object, JSON in a text, or a text that is no JSON (kept as it is).
        cwd: The folder in which the agent works; a call that names it again is shown without it.
    """
    value = parsed(arguments)
    if isinstance(value, Mapping) and is_shell(tool):
        key = next((key for key in _COMMANDS if isinstance(value.get(key), str | list) and value[key]), "")
        command = value.get(key)
        # Several commands are no words of one.
        text = "\n".join(map(str, command)) if key == "commands" and isinstance(command, list) else _command(command)
        if text is not None:
            rest = {key: item for key, item in value.items() if item is not command and key not in ("description",)}
            return _placed(text, value, cwd), {k: v for k, v in rest.items() if isinstance(v, str | int | float | bool)}
    if isinstance(value, Mapping) and is_python(tool):
        code = next((value[key] for key in _CODES if isinstance(value.get(key), str) and value[key]), None)
        if code is not None:
            return code, {k: v for k, v in value.items() if v is not code and isinstance(v, str | int | float | bool)}
    if isinstance(value, str):
        if is_shell(tool) or is_python(tool) or not tool:
            return value, {}
        return (f"{tool}\n{value}" if "\n" in value else f"{tool} {value}".rstrip()), {}
    if isinstance(value, Mapping):
        if any(isinstance(item, str) and "\n" in item.strip("\n") for item in value.values()):
            return _tagged(tool or "call", value), {}
        return f"{tool} {as_json(value)}".strip(), {}
    return (tool if value is None else f"{tool} {as_json(value)}".strip()), {}


def _command(value: object) -> str | None:
    if isinstance(value, str):
        return value.rstrip("\n") or value
    if not isinstance(value, list):
        return None
    words = [word if isinstance(word, str) else as_json(word) for word in value]
    if len(words) == 3 and _WRAPPERS.fullmatch(words[0]) and re.fullmatch(r"-[a-z]*c", words[1]):
        return words[2]
    import shlex

    if len(words) == 2 and words[0] == "apply_patch":
        return "apply_patch <<'EOF'\n" + words[1].rstrip("\n") + "\nEOF"
    return shlex.join(words)


def _placed(command: str, arguments: Mapping[str, Any], cwd: str) -> str:
    """The command behind a ``cd`` where the call names another folder, so that its paths mean what they say."""
    place = next((arguments[key] for key in _PLACES if isinstance(arguments.get(key), str)), "")
    if place in ("", ".", "./", cwd, cwd.rstrip("/") + "/"):
        return command
    import shlex

    return f"cd {shlex.quote(place)}\n{command}"


def _tagged(tool: str, arguments: Mapping[str, Any]) -> str:
    lines = [f"<function={tool}>"]
    for key, value in arguments.items():
        text = value if isinstance(value, str) else as_json(value)
        lines.append(
            f"<parameter={key}>\n{text}\n</parameter>" if "\n" in text else f"<parameter={key}>{text}</parameter>"
        )
    return "\n".join([*lines, "</function>"])
