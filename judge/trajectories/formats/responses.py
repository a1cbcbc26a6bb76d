"""Items of OpenAI's Responses API: messages, reasoning, calls and their outputs, as Codex and others store them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.values import as_json, mapping, number_of, parsed, sequence, string, text_of

CALLS = (
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "tool_call",
    "web_search_call",
    "mcp_call",
    "shell_call",
    "apply_patch_call",
    "code_interpreter_call",
    "computer_call",
    "file_search_call",
    "image_generation_call",
    "tool_search_call",
)
_WHOLE = frozenset(
    {"web_search_call", "mcp_call", "code_interpreter_call", "file_search_call", "image_generation_call"}
)
"""Calls that the server runs: what came out, if anything is said of it, stands in the call itself."""
OUTPUTS = (
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "tool_result",
    "tool_call_output",
    "shell_call_output",
    "apply_patch_call_output",
    "computer_call_output",
    "tool_search_output",
)


def reasoning_text(item: Mapping[str, Any], builder: Builder) -> str:
    """What of the model's reasoning can be read: the summary, or the text; often it is encrypted."""
    summary = text_of(item.get("summary"), builder.report)
    return summary or text_of(item.get("content") or item.get("text"), builder.report)


def take_call(builder: Builder, item: Mapping[str, Any], time: float | None) -> None:
    """A call of any type."""
    kind = item.get("type")
    call = item.get("call_id") or item.get("id")
    function = mapping(item.get("function"))
    name = string(item.get("name")) or string(function.get("name"))
    arguments = item.get("arguments", item.get("input", function.get("arguments")))
    if kind in ("local_shell_call", "shell_call"):
        name = name or "shell"
        arguments = mapping(item.get("action")) or arguments
        if isinstance(arguments, Mapping):
            arguments = {
                "working_directory" if k == "cwd" else k: v
                for k, v in arguments.items()
                if v is not None and k != "type"
            }
    elif kind == "code_interpreter_call":
        name, arguments = name or "code_interpreter", {"code": string(item.get("code"))}
    elif isinstance(kind, str) and kind.endswith("_call") and not name and kind not in ("function_call", "tool_call"):
        told = mapping(item.get("action") or item.get("operation"))
        rest = {key: item[key] for key in ("queries", "query") if item.get(key)}
        name, arguments = kind.removesuffix("_call"), told or rest or arguments
    if kind in _WHOLE and not isinstance(call, str):
        # Without an id nothing else could be told from an answer to an older call.
        call = builder.new_id()
    namespace = string(item.get("namespace")) or string(item.get("server_label"))
    if not builder.call(call, f"{namespace}.{name}" if namespace else name, arguments, time=time):
        return
    if kind in _WHOLE:
        found = [item[key] for key in ("output", "outputs", "results", "error") if item.get(key) is not None]
        if not found:
            builder.final_call(call)
        else:
            text = _outputs(found[0], builder)
            builder.result(call, text, failed=True if item.get("error") else None, time=time)


def _outputs(value: object, builder: Builder) -> str:
    """What a server's tool gave: a text, blocks, or the logs of code."""
    items = [mapping(item) for item in sequence(value)]
    if items and all(string(item.get("logs")) for item in items):
        return "\n".join(string(item["logs"]).rstrip("\n") for item in items)
    return text_of(value, builder.report)


def take_output(builder: Builder, item: Mapping[str, Any], time: float | None) -> None:
    """The output of a call: a text, blocks, or an object with the exit code beside the text."""
    raw = item.get("output", item.get("result", item.get("content")))
    text, code, failed = output_text(raw, builder)
    builder.result(item.get("call_id") or item.get("tool_call_id"), text, exit_code=code, failed=failed, time=time)


def output_text(raw: object, builder: Builder) -> tuple[str, int | None, bool | None]:
    """The text of an output, its exit code and whether it failed, as far as given."""
    value = parsed(raw)
    if isinstance(value, Mapping):
        code = _exit_code(mapping(value.get("metadata")) or value)
        success = value.get("success")
        failed = not success if isinstance(success, bool) else None
        streams = [
            value[key] for key in ("output", "stdout", "stderr", "content", "aggregated_output") if value.get(key)
        ]
        if streams or code is not None or failed is not None:
            if "metadata" in value or "output" in value or "content" in value:
                return text_of(streams[0] if streams else "", builder.report), code, failed
            # Standard output and error apart: both, as a terminal shows them.
            return "\n".join(text_of(part, builder.report).rstrip("\n") for part in streams), code, failed
        return as_json(value), None, None
    if isinstance(raw, str):
        return raw, None, None
    items = [mapping(item) for item in sequence(value)]
    if items and all("stdout" in item or "stderr" in item for item in items):
        # One entry for each command of a shell call.
        texts = [string(item.get(key)).rstrip("\n") for item in items for key in ("stdout", "stderr")]
        codes = [_exit_code(mapping(item.get("outcome")) or item) for item in items]
        bad = [code for code in codes if code]
        return "\n".join(text for text in texts if text), bad[0] if bad else codes[-1], None
    return (
        "\n".join(text_of(part, builder.report) for part in sequence(value)) or text_of(value, builder.report),
        None,
        None,
    )


def _exit_code(value: Mapping[str, Any]) -> int | None:
    for key in ("exit_code", "exitCode", "returncode"):
        code = value.get(key)
        if isinstance(code, int) and not isinstance(code, bool):
            return code
        if isinstance(code, float) and number_of(code) is not None:
            return int(code)
    return None
