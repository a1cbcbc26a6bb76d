"""How sources and documents travel between the judge and its reading process: JSON, never pickles."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from judge.readers.document import Document, Family, Limits, Source, State

LENGTH = 8
"""Bytes of the length, big-endian, in front of every message."""
READY = b"R"
"""What the process writes when it has started."""


def pack_request(reader: str, source: Source, limits: Limits) -> bytes:
    """A request as one message: its length, a JSON line, then the bytes of the file."""
    head = {
        "reader": reader,
        "path": source.path,
        "suffix": source.suffix,
        "size": source.size,
        "truncated": source.truncated,
        "data": len(source.data),
        "limits": asdict(limits),
    }
    body = json.dumps(head).encode() + b"\n" + source.data + source.tail
    return len(body).to_bytes(LENGTH, "big") + body


def unpack_request(body: bytes) -> tuple[str, Source, Limits]:
    """The reader's name, the source and the limits of a request."""
    line, _, rest = body.partition(b"\n")
    head = json.loads(line)
    cut = head["data"]
    source = Source(head["path"], head["suffix"], rest[:cut], head["size"], head["truncated"], rest[cut:])
    return head["reader"], source, Limits(**head["limits"])


def pack_document(document: Document) -> bytes:
    """A document as one message."""
    body = json.dumps(
        {
            "path": document.path,
            "format": document.format,
            "family": document.family,
            "state": document.state,
            "text": document.text,
            "facts": document.facts,
            "images": [
                {
                    "media_type": image.media_type,
                    "data_base64": image.data_base64,
                    "width": image.width,
                    "height": image.height,
                }
                for image in document.images
            ],
            "problems": document.problems,
            "lines_match": document.lines_match,
        },
        allow_nan=False,
    ).encode()
    return len(body).to_bytes(LENGTH, "big") + body


def unpack_document(body: bytes) -> Document:
    """The document in a message.

    Raises:
        ValueError: It is none (the process was taken over or broke down).
    """
    from judge.schemas import Image

    try:
        raw: dict[str, Any] = json.loads(body)
        return Document(
            path=str(raw["path"]),
            format=str(raw["format"]),
            family=Family(raw["family"]),
            state=State(raw["state"]),
            text=str(raw["text"]),
            facts=dict(raw["facts"]),
            images=tuple(Image.model_validate(image) for image in raw["images"]),
            problems=tuple(str(problem) for problem in raw["problems"]),
            lines_match=bool(raw["lines_match"]),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no document: {error}") from None
