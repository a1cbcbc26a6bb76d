"""Tool calls with named arguments: editors, file writers, shells, under the many names that agents give them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from judge.trajectories.actions.commands import interpret_shell
from judge.trajectories.actions.patches import interpret_patches
from judge.trajectories.actions.python_code import interpret_python
from judge.trajectories.actions.record import Effect, Origin, Recorder

_PATHS = (
    "path",
    "file_path",
    "filepath",
    "filename",
    "file_name",
    "file",
    "target_file",
    "notebook_path",
    "absolute_path",
    "TargetFile",
)
_CONTENTS = ("file_text", "content", "contents", "text", "code_edit", "new_source", "CodeContent")
_NEW = ("new_str", "new_string", "new_text", "replace", "replacement", "new_content", "insert_text", "insert_line_text")
_OLD = ("old_str", "old_string", "old_text", "search", "to_replace", "edits", "diff", "insert_line", "view_range")
_COMMAND = ("command", "cmd", "script", "commands", "shell_command", "bash_command", "CommandLine", "input")
_CODE = ("code", "python_code", "source", "cell")
_NESTED = ("arguments", "args", "input", "parameters", "params", "kwargs", "action_input", "tool_input")
_NAMES = ("name", "tool", "tool_name", "function", "action", "recipient_name", "kind", "type")
_READ = ("read", "view", "open", "cat", "get", "list", "grep", "search", "find", "ls")
_DELETE = ("delete", "remove", "rm", "unlink")
_WRITE = ("write", "create", "save", "add", "overwrite", "put", "new")
_MAX_DEPTH = 6


def interpret_json(value: object, recorder: Recorder, name: str, depth: int = 0) -> bool:
    """Records a tool call given as JSON: ``{"name": …, "arguments": {…}}`` in any usual spelling, or bare arguments."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(value, list):
        return any([interpret_json(item, recorder, name, depth + 1) for item in value[:100] if isinstance(item, dict)])
    if not isinstance(value, dict):
        return False
    for key in _NAMES:
        inner = value.get(key)
        if isinstance(inner, dict) and key in {"function", "action"}:
            return interpret_json(inner, recorder, name, depth + 1)
        if isinstance(inner, str) and not name:
            name = inner
    inner = _arguments(value)
    if inner is not None:
        return interpret_json(inner, recorder, name, depth + 1)
    return interpret_call(name, value, recorder)


def _arguments(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments inside a tool call, also when they are JSON in a string."""
    for key in _NESTED:
        inner = value.get(key)
        if isinstance(inner, str) and inner.lstrip().startswith("{"):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                continue
        if isinstance(inner, dict):
            return inner
    return None


def _first(arguments: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((arguments[key] for key in keys if isinstance(arguments.get(key), str)), None)


def interpret_call(name: str, arguments: Mapping[str, Any], recorder: Recorder) -> bool:
    """Records one tool call; False when its arguments say nothing about files or code."""
    if isinstance(arguments.get("changes"), list | dict):
        return _changes(arguments["changes"], recorder)
    path = _first(arguments, _PATHS)
    command = _first(arguments, _COMMAND)
    if path is not None:
        return _file_call(name.lower(), command, path, arguments, recorder)
    if (code := _first(arguments, _CODE)) is not None:
        interpret_python(code, recorder, interpret_shell)
        return True
    if command is None and isinstance(arguments.get("command"), list):
        return _argv(arguments["command"], recorder)
    if command is not None:
        if not interpret_patches(command, recorder):
            if "python" in name.lower() and "shell" not in name.lower():
                interpret_python(command, recorder, interpret_shell)
            else:
                interpret_shell(command, recorder)
        return True
    patch = _first(arguments, ("patch", "diff"))
    return patch is not None and interpret_patches(patch, recorder)


def _changes(changes: list[Any] | dict[str, Any], recorder: Recorder) -> bool:
    """Changes of several files at once: ``[{"path": …, "kind": "add"}]`` or ``{path: {"add": {"content": …}}}``."""
    if isinstance(changes, dict):
        pairs = [(path, change) for path, change in changes.items() if isinstance(change, dict)]
        changes = [{"path": path, "kind": next(iter(change), ""), **_inner(change)} for path, change in pairs]
    found = False
    for change in changes[:1000]:
        path = _first(change, _PATHS) if isinstance(change, dict) else None
        if path is None:
            continue
        found = True
        kind = str(change.get("kind", change.get("type", ""))).lower()
        content = _first(change, _CONTENTS)
        if kind in {"delete", "remove", "deleted", "removed"}:
            recorder.add(Effect.REMOVED, path)
        else:
            made = kind in {"add", "create", "added", "created", "new"}
            recorder.add(Effect.WRITTEN if made else Effect.EDITED, path, origin=Origin.HAND, content=content)
    return found


def _inner(change: Mapping[str, Any]) -> dict[str, Any]:
    inner = next(iter(change.values()), None)
    return {key: value for key, value in inner.items() if key != "path"} if isinstance(inner, dict) else {}


def _argv(words: list[Any], recorder: Recorder) -> bool:
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) == 3 and texts[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"} and texts[1] in {"-c", "-lc"}:
        interpret_shell(texts[2], recorder)
        return True
    if texts and texts[0] == "apply_patch":
        return interpret_patches("\n".join(texts[1:]), recorder)
    interpret_shell(" ".join("'" + text.replace("'", "'\\''") + "'" for text in texts), recorder)
    return bool(texts)


def _file_call(name: str, command: str | None, path: str, arguments: Mapping[str, Any], recorder: Recorder) -> bool:
    verb = (command or "").lower() if command and "\n" not in command and " " not in command else ""
    new, content = _first(arguments, _NEW), _first(arguments, _CONTENTS)
    words = set(name.replace("-", "_").replace(".", "_").split("_")) | {verb.partition("_")[0]}
    if words & set(_DELETE):
        recorder.add(Effect.REMOVED, path)
    elif new is not None or any(key in arguments for key in _OLD if key != "view_range"):
        recorder.add(Effect.EDITED, path, origin=Origin.HAND, content=new)
    elif content is not None and (words & {"append", "edit", "update", "insert"}):
        recorder.add(Effect.EDITED, path, origin=Origin.HAND, content=content)
    elif content is not None:
        recorder.add(Effect.WRITTEN, path, origin=Origin.HAND, content=content)
    elif words & set(_READ) or any(name.startswith(word) for word in _READ):
        recorder.add(Effect.READ, path)
    elif words & set(_WRITE):
        recorder.add(Effect.WRITTEN, path, origin=Origin.UNKNOWN)
    elif words & {"edit", "update", "str", "replace", "insert", "multiedit"}:
        recorder.add(Effect.EDITED, path, origin=Origin.HAND)
    else:
        return False
    return True
