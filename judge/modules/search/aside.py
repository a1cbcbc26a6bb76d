"""Files that nobody wrote for the task: code of others, built bundles, what a generator wrote, lists of packages."""

from __future__ import annotations

import re

_FOLDERS = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendors|vendored|_vendor|third[_-]?party|external|externals|extern"
    r"|site-packages|dist-packages|\.?venv|virtualenv|\.git|\.next|\.nuxt|bundles?|__generated__|generated)/",
    re.IGNORECASE,
)
_BUILT = re.compile(r"(?:^|/)(?:dist|build|out|public|static|target)/(?:.*/)?[^/]*\.(?:m?js|css|map)$", re.IGNORECASE)
_NAMES = re.compile(
    r"(?:\.min\.\w+|\.bundle\.\w+|[.-]bundle\.js|\.chunk\.\w+|\.map|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)"
    r"|\.g\.(?:dart|cs)|\.designer\.cs|\.lock|-lock\.(?:json|yaml)|lock\.json)$",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(
    r"@generated\b|\bdo not edit\b[^\n]{0,80}$|\bauto-?generated\b"
    r"|^[^\w\n]{0,6}(?:this (?:file|code) (?:is|was) )?(?:auto-?(?:matically )?)?generated (?:by|from|with)\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 1_200
_LONG_LINE = 400
_LEAST = 2_000


def is_aside(path: str) -> bool:
    """Whether a path tells that the file is the work of others or of a tool.

    >>> is_aside("web/jquery.min.js"), is_aside("src/app.js")
    (True, False)
    """
    return bool(_FOLDERS.search(path) or _BUILT.search(path) or _NAMES.search(path))


def is_generated(text: str, *, code: bool) -> bool:
    """Whether source code says that a tool wrote it, or is written for machines: long lines without a break.

    Args:
        text: Its text, or the beginning of it.
        code: Whether it is source code; of other texts nothing is known.
    """
    if not code or not text:
        return False
    if _SAYS_SO.search(text[:_HEAD]):
        return True
    return len(text) > _LEAST and len(text) / (text.count("\n") + 1) > _LONG_LINE
