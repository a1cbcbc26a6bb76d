"""Tells in which dialect an action is written, and hands it to the one that understands it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from judge.trajectories.action import is_python, is_shell
from judge.trajectories.actions.commands import interpret_shell
from judge.trajectories.actions.patches import interpret_patches
from judge.trajectories.actions.python_code import interpret_python
from judge.trajectories.actions.record import Effect, Origin, Recorder
from judge.trajectories.actions.shell import split_shell
from judge.trajectories.actions.tools import interpret_call, interpret_json

_SHELL_PREFIX = re.compile(
    r"\s*(?:(?:running|run|execut(?:e|ing|ed))\s+(?:the\s+)?(?:shell |bash |terminal )?(?:command|cmd)s?"
    r"|(?:bash|shell|terminal|command|cmd|exec|execute_bash|run_command|run_shell_command|shell_command))\s*:\s*",
    re.IGNORECASE,
)
_PYTHON_PREFIX = re.compile(
    r"\s*(?:(?:running|run|execut(?:e|ing|ed))\s+(?:the\s+)?(?:python|ipython|jupyter)(?:\s+(?:code|cell))?(?:\s+interactively)?"
    r"|(?:python|ipython|jupyter|execute_ipython(?:_cell)?|python_interpreter|code_interpreter))\s*:\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*```[ \t]*(\w*)[^\n]*\n(.*?)\n?```\s*$", re.DOTALL)
_TAGGED = re.compile(r"<(execute_bash|execute_ipython|bash|python|cmd|execute_command)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)</parameter>", re.DOTALL)
_FILE_ACTION = re.compile(
    r"\s*(?P<verb>writ(?:e|ing)(?: to)?|wrote|creat(?:e|ing|ed)|sav(?:e|ing|ed)|overwrit(?:e|ing)"
    r"|edit(?:ing|ed)?|updat(?:e|ing|ed)|append(?:ing)?(?: to)?"
    r"|delet(?:e|ing|ed)|remov(?:e|ing|ed)|read(?:ing)?|open(?:ing)?|view(?:ing)?)"
    r"[ \t]+(?:the[ \t]+|a[ \t]+|new[ \t]+)*file[ \t]*:?[ \t]*[`'\"]?(?P<path>[^\s`'\":]+)[`'\"]?:?[ \t]*(?:\n|$)",
    re.IGNORECASE,
)
_NAMED_JSON = re.compile(
    r"\s*(?:tool|call|calling|using|invoke|action)?[:\s]*([A-Za-z_][\w.-]*)\s*[:(]?\s*(?=\{)", re.IGNORECASE
)
_NAMED_CALL = re.compile(r"\s*([A-Za-z_][\w.]*)\(.*\)\s*$", re.DOTALL)
_NAMED_LINES = re.compile(r"\s*([A-Za-z_][\w-]*)[ \t]*\n((?:[ \t]*[A-Za-z_]\w*[ \t]*[:=].*)(?:\n.*)*)$")
_KEY_LINE = re.compile(
    r"^[ \t]*(command|cmd|code|path|file_path|filename|file_text|content|old_str|new_str|old_string|new_string)"
    r"[ \t]*[:=][ \t]?",
    re.M,
)
# A text without any mark is taken for shell only when it starts as a command does; prose does not.
_COMMANDS = frozenset({
    "cd", "ls", "cat", "echo", "printf", "mkdir", "rm", "cp", "mv", "touch", "python", "python3", "pip", "pip3",
    "node", "npm", "npx", "yarn", "bash", "sh", "git", "find", "grep", "head", "tail", "sed", "awk", "export",
    "source", "sudo", "apt", "apt-get", "conda", "uv", "poetry", "pytest", "make", "curl", "wget", "tar", "unzip",
    "chmod", "pwd", "which", "env", "timeout", "nohup", "tee", "jupyter", "streamlit", "uvicorn", "gunicorn",
    "flask", "Rscript", "julia", "go", "cargo", "docker", "set", "wc", "sort", "diff", "ps", "kill", "sleep",
    "test", "time", "tree", "file", "stat", "pandoc", "str_replace_editor", "create", "open", "ruby", "php", "java",
    "perl", "xvfb-run", "nvidia-smi", "ln", "du", "df", "date", "true", "false", "if", "for", "while", "ipython",
    "pushd",
})  # fmt: skip


def interpret(action: str, recorder: Recorder, tool: str = "") -> None:
    """Records what an action does to files; an action that is not understood records nothing and marks it opaque.

    Args:
        action: The action's text.
        recorder: Takes what is found.
        tool: The name of the tool that was called, where the file gives it apart from the text.
    """
    if tool and _by_tool(action, recorder, tool):
        return
    for dialect in _DIALECTS:
        if dialect(action, recorder):
            return
    if action.strip():
        recorder.opaque = True


def _by_tool(action: str, recorder: Recorder, tool: str) -> bool:
    """An action whose tool is known: what a shell gets is shell, however it looks."""
    if is_shell(tool):
        if not interpret_patches(action, recorder):
            interpret_shell(_unfenced(action), recorder)
        return True
    if is_python(tool):
        interpret_python(_unfenced(action), recorder, interpret_shell)
        return True
    if action.startswith(f"<function={tool}>"):
        # The texts in it are contents of files, whatever else they look like.
        return _tagged(action, recorder) and not recorder.opaque
    return action.startswith(f"{tool} {{") and _named(action, recorder)


def _json(text: str, recorder: Recorder) -> bool:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return False
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return False
    return interpret_json(value, recorder, "")


def _prefixed(text: str, recorder: Recorder) -> bool:
    if match := _PYTHON_PREFIX.match(text):
        interpret_python(_unfenced(text[match.end() :]), recorder, interpret_shell)
        return True
    if match := _SHELL_PREFIX.match(text):
        rest = text[match.end() :]
        if not _json(rest, recorder):
            interpret_shell(_unfenced(rest), recorder)
        return True
    return False


def _unfenced(text: str) -> str:
    match = _FENCE.match(text)
    return match[2] if match else text


def _fenced(text: str, recorder: Recorder) -> bool:
    match = _FENCE.match(text)
    if match is None:
        return False
    language = match[1].lower()
    if language in {"python", "py", "ipython", "python3"}:
        interpret_python(match[2], recorder, interpret_shell)
    elif language in {"bash", "sh", "shell", "console", "zsh"} or (not language and _plausible(match[2])):
        interpret_shell(re.sub(r"^\$ ", "", match[2], flags=re.M), recorder)
    else:
        return False
    return True


def _tagged(text: str, recorder: Recorder) -> bool:
    found = False
    for match in _TAGGED.finditer(text):
        found = True
        if match[1] in {"execute_ipython", "python"}:
            interpret_python(match[2].strip("\n"), recorder, interpret_shell)
        else:
            interpret_shell(match[2], recorder)
    for match in _FUNCTION.finditer(text):
        found = True
        arguments = {name: value.removeprefix("\n").removesuffix("\n") for name, value in _PARAMETER.findall(match[2])}
        interpret_call(match[1], arguments, recorder)
    return found


def _file_action(text: str, recorder: Recorder) -> bool:
    match = _FILE_ACTION.match(text)
    if match is None:
        return False
    verb, body = match["verb"].lower(), _unfenced(text[match.end() :])
    if verb.startswith(("delet", "remov")):
        recorder.add(Effect.REMOVED, match["path"])
    elif verb.startswith(("read", "open", "view")):
        recorder.add(Effect.READ, match["path"])
    elif verb.startswith(("edit", "updat", "append")):
        recorder.add(Effect.EDITED, match["path"], origin=Origin.HAND, content=body)
    else:
        recorder.add(Effect.WRITTEN, match["path"], origin=Origin.HAND, content=body)
    return True


def _named(text: str, recorder: Recorder) -> bool:
    """A tool's name with arguments: ``name {json}``, ``name(key="value")``, or the name and ``key: value`` lines."""
    if match := _NAMED_JSON.match(text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, match.end())
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return interpret_json(value, recorder, match[1])
    if (match := _NAMED_CALL.match(text)) and match[1] not in _COMMANDS:
        before = len(recorder.deeds)
        interpret_python(text.strip(), recorder, interpret_shell)
        return len(recorder.deeds) > before
    if match := _NAMED_LINES.match(text):
        keys = list(_KEY_LINE.finditer(match[2]))
        ends = [key.start() for key in keys[1:]] + [len(match[2])]
        arguments = {key[1]: match[2][key.end() : end].rstrip("\n") for key, end in zip(keys, ends, strict=True)}
        return bool(arguments) and interpret_call(match[1], arguments, recorder)
    return False


def _plausible(text: str) -> bool:
    commands = split_shell(text[:4000])
    if not commands or not commands[0].words:
        return bool(commands and commands[0].outputs)
    first = commands[0].words[0].text
    name = first.rsplit("/", 1)[-1]
    return (
        name in _COMMANDS or first.startswith(("./", "/", "../")) or re.match(r"[A-Z_][A-Z0-9_]*=", first) is not None
    )


def _shell(text: str, recorder: Recorder) -> bool:
    text = re.sub(r"^\s*\$ ", "", text)
    if not _plausible(text):
        return False
    interpret_shell(text, recorder)
    return True


_DIALECTS: tuple[Callable[[str, Recorder], bool], ...] = (
    _json,
    _prefixed,
    _fenced,
    interpret_patches,
    _tagged,
    _file_action,
    _named,
    _shell,
)
"""In the order in which they are tried; each says whether the action is its own."""
