"""The trajectory formats; a new one is a file here and a line in the table."""

from judge.trajectories.format import Format
from judge.trajectories.formats import (
    aider,
    anthropic_messages,
    atif,
    autogen,
    claude_code,
    claude_stream,
    cline,
    codex,
    codex_exec,
    devai,
    gemini_cli,
    inspect_log,
    langchain,
    langsmith,
    metagpt,
    mini_swe_agent,
    openai_chat,
    openhands,
    openhands_harness,
    openhands_sdk,
    otel,
    smolagents,
    swe_agent,
)

FORMATS: tuple[Format, ...] = (
    devai.FORMAT,
    claude_code.FORMAT,
    claude_stream.FORMAT,
    codex.FORMAT,
    codex_exec.FORMAT,
    gemini_cli.FORMAT,
    atif.FORMAT,
    openhands.FORMAT,
    openhands_sdk.FORMAT,
    openhands_harness.FORMAT,
    swe_agent.FORMAT,
    mini_swe_agent.FORMAT,
    inspect_log.FORMAT,
    langsmith.FORMAT,
    langchain.FORMAT,
    otel.FORMAT,
    smolagents.FORMAT,
    autogen.FORMAT,
    cline.FORMAT,
    aider.FORMAT,
    metagpt.FORMAT,
    openai_chat.FORMAT,
    anthropic_messages.FORMAT,
)
"""All formats, those of whole programs before general lists of messages."""

__all__ = ["FORMATS"]
