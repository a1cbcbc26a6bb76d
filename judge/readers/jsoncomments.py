"""JSON with comments, as the settings of some programs are written."""

from __future__ import annotations

import json
import re
from typing import Any

_STRING = r'("(?:[^"\\\n]|\\.)*")'
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_LAST_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])")
_COMMENTED = re.compile(
    r"/(?:[tj]sconfig[^/]*|\.?(?:eslintrc|babelrc|jshintrc|swcrc|devcontainer|api-extractor|deno|turbo|nx)[^/]*)\.json$"
    r"|/\.(?:vscode|devcontainer)/[^/]+\.json$|\.(?:code-workspace|sublime-[a-z]+)$|\.jsonc$"
)
"""Settings whose programs take comments in JSON."""


def takes_comments(path: str) -> bool:
    """Whether a file of that path is read by a program that takes comments in JSON."""
    return _COMMENTED.search(f"/{path.lower()}") is not None


def without_comments(text: str) -> Any:
    """The value of a JSON text with comments and commas before closing brackets; None when it is none either."""
    plain = _COMMENT.sub(lambda match: match.group(1) or " ", text)
    try:
        return json.loads(_LAST_COMMA.sub(lambda match: match.group(1) or "", plain))
    except (ValueError, RecursionError):
        return None
