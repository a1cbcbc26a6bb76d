"""Quoted terms, paths and links in the text of a criterion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from judge.rules.words import squash

CODE_SUFFIXES = frozenset(
    ".py .js .jsx .ts .tsx .mjs .cjs .vue .svelte .java .kt .go .rs .c .cc .cpp .h .hpp .cs .rb .php .r .jl .scala "
    ".swift .sh .bash .sql .css .scss .lua .pl .dart .ex .exs".split()
)
FILE_SUFFIXES = CODE_SUFFIXES | frozenset(
    ".ipynb .txt .md .pdf .html .htm .csv .tsv .json .jsonl .yaml .yml .toml .xml .ini .cfg .log .png .jpg .jpeg .gif "
    ".bmp .webp .svg .tiff .mp4 .avi .mov .mkv .webm .wav .mp3 .flac .ogg .pt .pth .pkl .pickle .joblib .npy .npz .h5 "
    ".hdf5 .keras .onnx .safetensors .ckpt .bin .model .parquet .feather .db .sqlite .sqlite3 .xlsx .xls .docx .doc "
    ".pptx .rtf .tex .zip .tar .gz .env .lock .xls .ods .ppt .odt .odp .epub .eml .rst .ndjson .properties .arrow .orc "
    ".mat .gguf .tflite .pb .7z .rar .bz2 .xz .zst .tgz".split()
)
CODE_NAMES = frozenset("Dockerfile Makefile Procfile Jenkinsfile Justfile justfile Rakefile".split())
_BARE_NAMES = CODE_NAMES | frozenset("LICENSE README Gemfile".split())
_PRODUCTS = frozenset(
    "nodejs d3js chartjs expressjs vuejs nextjs threejs reactjs plotlyjs leafletjs socketio aspnet".split()
)
"""Products whose names end like a file."""


class SpanKind(StrEnum):
    """What a quoted piece of a criterion is."""

    FILE = "file"
    FOLDER = "folder"
    FLAG = "flag"
    ROUTE = "route"
    CODE = "code"
    COMMAND = "command"
    IDENTIFIER = "identifier"
    WORDS = "words"
    URL = "url"


@dataclass(frozen=True, slots=True)
class Span:
    """A quoted or path-like piece of a criterion.

    Attributes:
        text: The piece without its quotes and without a trailing comma or full stop.
        kind: What it is.
        start: Offset in the criterion.
        end: Offset behind it, quotes included.
    """

    text: str
    kind: SpanKind
    start: int
    end: int

    @property
    def path(self) -> str:
        """The path without ``./``, without a leading ``/`` and without a trailing ``/``."""
        parts = [part for part in self.text.replace("\\", "/").split("/") if part not in ("", ".")]
        return "/".join(parts)

    @property
    def suffix(self) -> str:
        """Lower-case extension of the path, with its dot."""
        return PurePosixPath(self.path).suffix.lower()


_LINK = re.compile(r"\[([^\]\n]{0,200})\]\((https?://[^\s)]+)\)")
_URL = re.compile(r"https?://[^\s`\"'<>)]+")
_TICK = re.compile(r"`+([^`\n]{1,300})`+")
_DOUBLE = re.compile(r'"([^"\n]{1,200})"')
_SINGLE = re.compile(r"(?<![A-Za-z0-9])'([^'\n]{1,120})'(?![A-Za-z0-9])")
_BARE = re.compile(
    r"(?<![\w`\"'/.~-])((?:\.{0,2}/)?(?:[\w.-]+/)+[\w.-]*|[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,10})(?![\w])"
)
_IDENTIFIER = re.compile(r"^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$")
_ROUTE = re.compile(r"^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?/[\w{}<>:./*-]*(?:\?\S*)?$")
_FLAG = re.compile(r"^--?[A-Za-z][\w-]*(?:[ =]\S+)?$")
_COMMAND = re.compile(
    r"^(?:\$ )?(?:(?:python3?|node|bash|sh|make|npm|npx|yarn|pnpm|go|cargo|java|mvn|gradle|docker|docker-compose|"
    r"pytest|streamlit|uvicorn|flask|pip|uv|ruby|php|Rscript|deno|bun|\./\S+)\s+\S.*|make|pytest)$"
)


def find_spans(text: str) -> list[Span]:
    """All quoted and path-like pieces of a text, in order, none overlapping; time grows with the text alone."""
    found: list[Span] = []
    taken = bytearray(len(text) + 1)

    def add(piece: str, kind: SpanKind | None, start: int, end: int) -> None:
        if piece and kind is not None and not any(taken[start:end]):
            found.append(Span(piece, kind, start, end))
            taken[start:end] = b"\x01" * (end - start)

    for match in _LINK.finditer(text):
        add(match.group(2), SpanKind.URL, match.start(), match.end())
    for pattern in (_TICK, _DOUBLE, _SINGLE):
        for match in pattern.finditer(text):
            inner = _trim(match.group(1).strip().rstrip(",;").strip())
            add(inner, classify(inner, pattern is not _DOUBLE) if inner else None, match.start(), match.end())
    for pattern in (_URL, _BARE):
        for match in pattern.finditer(text):
            piece = match.group(0).rstrip(".,;:")
            kind = SpanKind.URL if pattern is _URL else _bare_kind(piece)
            add(piece, kind, match.start(), match.start() + len(piece))
    return sorted(found, key=lambda span: span.start)


def _trim(inner: str) -> str:
    return inner[:-1] if inner.endswith((".", ",")) and len(inner) > 1 else inner


def classify(inner: str, code: bool) -> SpanKind:
    """What a quoted piece is; ``code`` says that it stood in back-ticks or single quotes."""
    if inner.startswith(("http://", "https://")):
        return SpanKind.URL
    if _FLAG.match(inner):
        return SpanKind.FLAG
    if squash(inner) in _PRODUCTS or inner.startswith("~"):
        return SpanKind.WORDS
    if code and _COMMAND.match(inner):
        return SpanKind.COMMAND
    path = PurePosixPath(inner.rstrip("/"))
    file_like = path.suffix.lower() in FILE_SUFFIXES and " " not in inner and not inner.endswith("/")
    if file_like or path.name in _BARE_NAMES:
        return SpanKind.FILE
    return _classify_rest(inner, code)


def _classify_rest(inner: str, code: bool) -> SpanKind:
    if re.match(r"^(?:GET|POST|PUT|PATCH|DELETE)\s+/", inner) or (inner.startswith("/") and _ROUTE.match(inner)):
        return SpanKind.ROUTE
    if "/" in inner and re.match(r"^[\w./-]+$", inner):
        dotted = "." in PurePosixPath(inner).name and not inner.endswith("/")
        looks_like_path = code or inner.endswith("/") or inner.startswith((".", "src/", "data/", "results/", "models/"))
        return SpanKind.WORDS if dotted or not looks_like_path else SpanKind.FOLDER
    if _IDENTIFIER.match(inner) and (code or "_" in inner):
        return SpanKind.IDENTIFIER
    if code and re.search(r"[()=\[\]{}]|^(?:from|import)\s", inner):
        return SpanKind.CODE
    return SpanKind.WORDS


def _bare_kind(piece: str) -> SpanKind | None:
    suffix = PurePosixPath(piece).suffix.lower()
    if suffix in FILE_SUFFIXES and squash(piece) not in _PRODUCTS:
        return SpanKind.FILE
    if piece.endswith("/") and re.match(r"^[\w./-]+$", piece) and piece.count("/") >= 1:
        return SpanKind.FOLDER
    return None
