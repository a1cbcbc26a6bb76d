"""File names made from task names, which may hold anything."""

from __future__ import annotations

import hashlib
import re

_UNSAFE = re.compile(r"[^\w.\-+ ()\[\],=@]", re.UNICODE)
_LONGEST = 150


def file_name(name: str) -> str:
    """A file name for a task name: the name itself where it is harmless, else cleaned and made unique with a hash.

    >>> file_name("39_Drug_Response")
    '39_Drug_Response'
    >>> file_name("../x").startswith("_x-")
    True
    """
    clean = _UNSAFE.sub("_", name).encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").strip(". ")
    if clean and clean == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{clean or 'task'}-{digest}"


def slug(text: str) -> str:
    """A short lower-case word for a folder name.

    >>> slug("openai:gpt-5 mini")
    'openai-gpt-5-mini'
    """
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[:48] or "run"
