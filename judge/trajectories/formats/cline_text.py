"""The texts of Cline's older conversations: tool calls as XML tags, results and context in the user's messages."""

from __future__ import annotations

import re

_TOOLS = (
    "execute_command", "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content",
    "search_and_replace", "search_files", "list_files", "list_code_definition_names", "browser_action", "use_mcp_tool",
    "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task", "switch_mode", "edit_file",
    "fetch_instructions", "plan_mode_respond", "load_mcp_documentation", "update_todo_list", "codebase_search",
    "web_fetch", "apply_patch", "condense", "new_rule", "list_code_definitions", "run_slash_command", "generate_image",
)  # fmt: skip
_TOOL = re.compile(rf"<({'|'.join(_TOOLS)})>(.*?)(?:</\1>|\Z)", re.S)
_ARGUMENT = re.compile(r"<([a-z_]+)>(.*?)</\1>", re.S)
_CONTEXT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.S)
_RESULT = re.compile(r"^\[(\w+)(?: for (?:'.*?'|\".*?\"))?[^\]\n]*\] Result:[ \t]*\n?", re.S)
_TASK = re.compile(r"<(task|user_message|feedback|answer)>\s*(.*?)\s*(?:</\1>|\Z)", re.S)
_NOTICE = re.compile(r"^\s*(?:\[ERROR\] You did not use a tool|\[TASK RESUMPTION\]|# Next Steps|# task_progress)")
_THINKING = re.compile(r"<thinking>(.*?)</thinking>", re.S)


def find_tool(text: str) -> tuple[str, str, dict[str, str] | None]:
    """The thought, the tool and its arguments in an answer; without a call the tool is empty."""
    match = _TOOL.search(text)
    if match is None:
        return _plain(text), "", None
    body = match[2]
    if match[1] in ("write_to_file", "replace_in_file", "apply_diff"):
        # The content may hold tags itself: what stands between the outermost ones counts.
        body_arguments = {}
        for key in ("path", "content", "diff", "line_count"):
            found = re.search(
                rf"<{key}>(.*)</{key}>" if key in ("content", "diff") else rf"<{key}>(.*?)</{key}>", body, re.S
            )
            if found is None and key in ("content", "diff"):
                found = re.search(rf"<{key}>(.*)\Z", body, re.S)
            if found:
                body_arguments[key] = found[1].strip("\n")
        arguments = body_arguments
    else:
        arguments = {key: value.strip() for key, value in _ARGUMENT.findall(body)}
    thought = text[: match.start()] + text[match.end() :]
    return _plain(thought), match[1], arguments or ({"text": body.strip()} if body.strip() else {})


def _plain(text: str) -> str:
    return _THINKING.sub(lambda m: m[1].strip() + "\n", text).strip()


def result_of(texts: list[str], is_open: bool) -> tuple[str, list[str]]:
    """Of the texts of a user's message: the result of the call before it, and what is left for prompts."""
    if not is_open:
        return "", texts
    result: list[str] = []
    prompts: list[str] = []
    for text in texts:
        if match := _RESULT.match(text):
            result.append(text[match.end() :])
            if told := _TASK.search(text):
                prompts.append(told[0])
        elif result and not _CONTEXT.match(text.strip()) and not _TASK.search(text):
            result.append(text)
        else:
            prompts.append(text)
    return "\n".join(part for part in result if part.strip()), prompts


def task_of(text: str) -> str:
    """What a person said in a user's message: without the context that the program adds."""
    bare = _CONTEXT.sub("", text).strip()
    if _NOTICE.match(bare):
        return ""
    found = [match[2] for match in _TASK.finditer(bare)]
    return "\n\n".join(found) if found else bare
