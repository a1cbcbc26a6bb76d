"""What a text names: files, folders, file patterns, symbols and terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_TICKS = re.compile(r"`{1,3}([^`\n]{1,300})`{1,3}")
_QUOTED = re.compile(r"[\"“”„]([^\"“”„\n]{1,200})[\"“”]|(?<![\w])['‘]([^'‘’\n]{1,200})['’](?!\w)")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w./\\-])(?:\.{0,2}/)?[\w.*{}<>\[\]-]+(?:[/\\][\w.*{}<>\[\]-]+)*[/\\]?(?![\w])", re.UNICODE)
_EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,9}|7z|3gp|mp[34])$")
_BARE_EXTENSIONS_TEXT = """
py ipynb js jsx ts tsx mjs cjs java kt c h cc cpp hpp rs go rb php pl r jl scala swift sh bash bat ps1 sql
html htm css scss md rst txt log csv tsv json jsonl ndjson yaml yml toml ini cfg conf env xml
xlsx xls docx doc pptx ppt pdf rtf odt epub tex bib png jpg jpeg gif bmp svg webp tif tiff ico
mp3 mp4 wav flac ogg avi mov mkv webm npy npz pkl pickle joblib h5 hdf5 keras pt pth ckpt onnx pb tflite
safetensors gguf bin dat db sqlite sqlite3 parquet feather arrow zip tar gz tgz bz2 xz 7z whl lock
"""
_BARE_EXTENSIONS = frozenset(_BARE_EXTENSIONS_TEXT.split())
_COMMAND = re.compile(
    r"^(?:\$ )?(?:python[\d.]*|bash|sh|node|Rscript|julia|ruby|perl|streamlit run)\s+([^\s-]\S*\.\w+)(?=\s|$)"
)
_MODULE = re.compile(r"^(?:\$ )?python[\d.]*\s+(?:-\w\s+)*-m\s+([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?=\s|$)")
_PLACE_IN_FILE = re.compile(r"(?<=\w)(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$")
"""A line behind a path, as editors and code hosts write it."""
_EMPHASIS = re.compile(r"^(\*{1,3})([^*]+)\1$")
_IDENTIFIER = re.compile(r"^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*(?:\(\))?$")
_PLACEHOLDER = re.compile(r"<[^<>/]*>|\{[^{}/]*\}")
_CODE_WORD = re.compile(r"\b(?:[a-z0-9]+_[a-z0-9_]+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Za-z_]\w*\(\))")


class Named(StrEnum):
    """What a mention names."""

    FILE = "file"
    FOLDER = "folder"
    PATTERN = "pattern"
    SYMBOL = "symbol"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names.

    Attributes:
        text: A path with ``/`` and without a leading ``./``, an identifier, or words.
        kind: What it is.
        quoted: Whether it stood in back-ticks or quotes, which makes it sure.
    """

    text: str
    kind: Named
    quoted: bool


def mentions(text: str) -> tuple[Mention, ...]:
    """Everything a text names, in its order, each once.

    >>> [item.text for item in mentions("Saved as `results/a.png` by train.py in `models/`.")]
    ['results/a.png', 'models/', 'train.py']
    """
    seen: dict[tuple[str, Named], Mention] = {}
    for item in _all(text):
        seen.setdefault((item.text, item.kind), item)
    return tuple(seen.values())


def _all(text: str) -> Iterator[Mention]:
    rest = text
    for pattern in (_TICKS, _QUOTED):
        for match in pattern.finditer(rest):
            inner = next(group for group in match.groups() if group is not None)
            found = _quoted(inner)
            if found is not None:
                yield found
        rest = pattern.sub(lambda match: " " * len(match.group(0)), rest)
    rest = _URL.sub(" ", rest)
    for match in _BARE.finditer(rest):
        bare = _bare(match.group(0))
        if bare is not None:
            yield bare
    for match in _CODE_WORD.finditer(rest):
        yield Mention(match.group(0).removesuffix("()"), Named.SYMBOL, quoted=False)


def _quoted(inner: str) -> Mention | None:
    text = inner.strip().rstrip(",;:!?").strip()
    if not text or _URL.match(text):
        return None
    module = _MODULE.match(text)
    if module:
        return Mention(module.group(1), Named.SYMBOL, quoted=True)
    command = _COMMAND.match(text)
    if command:  # `python src/run.py --fast` names the script
        text = command.group(1)
    text = _PLACE_IN_FILE.sub("", text)
    path = clean_path(text)
    if _is_path(path, text):
        return Mention(path, _path_kind(path), quoted=True)
    if _IDENTIFIER.match(text):
        return Mention(text.removesuffix("()"), Named.SYMBOL, quoted=True)
    return Mention(text.rstrip("."), Named.TERM, quoted=True)


def _is_path(path: str, text: str) -> bool:
    """Whether quoted text is a path rather than words or code."""
    if not path or len(path) > 250 or ("/" not in text and any(sign in text for sign in "=();|&")):
        return False
    extension = _EXTENSION.search(path)
    if "/" in path:
        parts = [part for part in path.split("/") if part]
        return bool(parts) and (extension is not None or not any(" " in part for part in parts))
    if extension is None:
        return path in {"Dockerfile", "Makefile", "Procfile", "LICENSE", "README", "Pipfile"}
    plain = path.count(".") == 1 and " " not in path and not path.startswith(".") and not _IDENTIFIER.match(path)
    return plain or extension.group(1).lower() in _BARE_EXTENSIONS


def _bare(word: str) -> Mention | None:
    text = word.rstrip(".,;:!?)]}>\"'")
    text = _EMPHASIS.sub(r"\2", text).rstrip(".,;:!?")
    text = text if ">" in text else text.lstrip("<")
    path = clean_path(text)
    extension = _EXTENSION.search(path)
    known = extension is not None and extension.group(1).lower() in _BARE_EXTENSIONS
    if known and extension is not None and path[: extension.start()].strip("./"):
        return Mention(path, _path_kind(path), quoted=False)
    if path.endswith("/") and len(path) > 1:
        return Mention(path, Named.FOLDER, quoted=False)
    if path.count("/") >= 1 and len(path) > 3:  # `src/data` or `and/or`: only what is there tells
        return Mention(path + "/", Named.FOLDER, quoted=False)
    return None


def _path_kind(path: str) -> Named:
    if any(sign in path for sign in "*?") or _PLACEHOLDER.search(path):
        return Named.PATTERN
    last = path.rsplit("/", 1)[-1]
    if path.endswith("/") or ("/" in path and not _EXTENSION.search(last) and not last.startswith(".")):
        return Named.FOLDER
    return Named.FILE


def clean_path(text: str) -> str:
    """A path as the workspace writes it: ``/`` between parts, no ``./`` or ``/workspace/`` in front."""
    path = re.sub(r"/{2,}", "/", text.strip().replace("\\", "/"))
    for prefix in ("./", "/workspace/", "~/"):
        path = path.removeprefix(prefix)
    return path.removeprefix("/")


def module_paths(name: str) -> tuple[str, ...]:
    """Where a Python module of that dotted name lies."""
    path = name.replace(".", "/")
    return (f"{path}.py", f"{path}/__main__.py", f"{path}/__init__.py")


def as_glob(pattern: str) -> str:
    """A file pattern with its placeholders (``<name>``, ``{epoch}``) as ``*``."""
    return _PLACEHOLDER.sub("*", pattern)
