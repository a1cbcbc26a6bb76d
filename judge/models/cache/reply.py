"""Which replies are worth keeping, and how they are written."""

from __future__ import annotations

import json
import zlib
from typing import Any

import orjson

from judge.models.answers import ParsedVerdict, parse_verdict
from judge.models.base import Finish, Reply, Request
from judge.schemas import Usage

_VERDICTS = "verdict"
_LONGEST = 4 * 1024 * 1024


def usable(request: Request, reply: Reply) -> bool:
    """Whether a reply is whole and gives what was asked for: nothing else is worth being given again."""
    if reply.finish is not Finish.STOP or not reply.text.strip() or len(reply.text) > _LONGEST:
        return False
    if request.schema is None:
        return True
    if request.schema_name == _VERDICTS:
        return isinstance(parse_verdict(reply), ParsedVerdict)
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        return False
    needed = request.schema.get("required", ())
    return isinstance(value, dict) and all(name in value for name in needed)


def encode(reply: Reply, text: str) -> bytes:
    """A reply as bytes; ``text`` stands for its own."""
    value = {"text": text, "model": reply.model, "structured": reply.structured}
    return zlib.compress(orjson.dumps(value), 3)


def decode(data: bytes) -> Reply | None:
    """The reply that was kept, its markers still folded; None when the bytes are damaged."""
    try:
        unpacker = zlib.decompressobj()
        value: Any = orjson.loads(unpacker.decompress(data, 8 * _LONGEST))
        text, model, structured = value["text"], value["model"], value["structured"]
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
    if not isinstance(text, str) or not isinstance(model, str) or not isinstance(structured, bool):
        return None
    return Reply(text, usage=Usage(cached_calls=1), model=model, structured=structured)
