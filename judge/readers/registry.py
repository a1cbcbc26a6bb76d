"""All readers, in the order in which content without a telling extension is offered to them, each loaded when needed.

There are many, a workspace needs few of them, and to load all takes longer than to read a small file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from judge.readers import plain
from judge.readers.document import Reader


class Place(NamedTuple):
    """Where a reader stands.

    Attributes:
        name: Its name.
        module: Its module in this package.
        attribute: What it is called there.
        suffixes: The extensions that it claims, the same as in its module, parted by spaces.
        isolated: Whether it works in a process of its own, the same as in its module.
    """

    name: str
    module: str
    attribute: str
    suffixes: str
    isolated: bool = True


PLACES: tuple[Place, ...] = (
    Place(
        "picture",
        "picture",
        "READER",
        ".apng .avif .avifs .bmp .cur .dib .gif .heic .heif .hif .ico .j2c .j2k .jfif .jp2 .jpe .jpeg .jpg "
        ".jpx .pbm .pgm .png .pnm .ppm .tif .tiff .webp",
    ),
    Place("pdf", "pdf", "READER", ".pdf"),
    Place("ods", "opensheet", "READER", ".ods .ots"),
    Place("office", "office", "READER", ".docm .docx .dotx .epub .odp .odt .otp .ott .ppsx .pptm .pptx"),
    Place("workbook", "workbook", "READER", ".xlsm .xlsx .xltx"),
    Place("doc", "worddoc", "READER", ".doc"),
    Place("ppt", "slides", "READER", ".pps .ppt"),
    Place("xls", "oldsheets", "READER", ".xls .xlt"),
    Place("msg", "mail", "MSG_READER", ""),
    Place("rtf", "richtext", "READER", ".rtf"),
    Place("encrypted document", "ole", "READER", "", isolated=False),
    Place("pickle", "pickles", "READER", ".ckpt .cloudpickle .dill .jbl .joblib .p .pickle .pkl .pt .pth .sav"),
    Place("safetensors", "safetensors", "READER", ".safetensors", isolated=False),
    Place("keras", "keras", "READER", ".keras"),
    Place("gguf", "gguf", "READER", ".gguf"),
    Place("tflite", "tflite", "READER", ".tflite"),
    Place("onnx", "onnxfile", "READER", ".onnx"),
    Place("npy", "arrays", "NPY", ".npy", isolated=False),
    Place("npz", "arrays", "NPZ", ".npz"),
    Place("mat", "matlab", "READER", ".mat"),
    Place("hdf5", "hdf", "READER", ".h5 .hdf .hdf5 .he5"),
    Place("columnar", "columnar", "READER", ".arrow .arrows .feather .ipc .orc .parq .parquet .pq"),
    Place("sqlite", "database", "READER", ".db .db3 .gpkg .mbtiles .sqlite .sqlite3"),
    Place("wav", "sound", "READER", ".wav .wave", isolated=False),
    Place(
        "audio",
        "media",
        "AUDIO",
        ".aac .adts .aif .aifc .aiff .amr .au .caf .flac .m4a .m4b .m4r .mp2 .mp3 .mpga .oga .ogg .opus .snd .spx .wma",
    ),
    Place(
        "video",
        "media",
        "VIDEO",
        ".3g2 .3gp .asf .avi .f4v .flv .m1v .m2ts .m2v .m4v .mk3d .mka .mkv .mov .mp4 .mpe .mpeg .mpg .mts "
        ".ogv .qt .vob .weba .webm .wmv",
    ),
    Place("zip", "archive", "ZIP", ".apk .egg .jar .nupkg .war .whl .zip"),
    Place("packed", "archive", "PACKED", ".bz2 .gz .lzma .tar .tbz .tbz2 .tgz .txz .tzst .xz .zst"),
    Place("7z", "sevenzip", "READER", ".7z"),
    Place("rar", "rar", "READER", ".rar"),
    Place("known binary", "binary", "KNOWN_READER", "", isolated=False),
    Place("notebook", "notebook", "READER", ".ipynb", isolated=False),
    Place("svg", "svg", "READER", ".svg", isolated=False),
    Place("eml", "mail", "READER", ".eml .mht .mhtml"),
    Place("env", "env", "READER", ".env .envrc", isolated=False),
    Place("table", "table", "READER", ".csv .psv .tab .tsv", isolated=False),
    Place("html", "markup", "HTML", ".htm .html .xhtml", isolated=False),
    Place("xml", "markup", "XML", ".drawio .gpx .kml .plist .rss .xml .xsd .xsl", isolated=False),
    Place("markdown", "markup", "MARKDOWN", ".markdown .md .mdx", isolated=False),
    Place("tex", "typeset", "TEX", ".ltx .tex", isolated=False),
    Place("rst", "typeset", "RST", ".rst", isolated=False),
    Place("json", "data", "JSON", ".code-workspace .geojson .har .json .jsonc .webmanifest", isolated=False),
    Place("jsonl", "data", "JSONL", ".jsonl .jsonlines .ndjson", isolated=False),
    Place("yaml", "data", "YAML", ".yaml .yml", isolated=False),
    Place("toml", "data", "TOML", ".toml", isolated=False),
    Place("ini", "data", "INI", ".cfg .conf .ini .properties", isolated=False),
    Place("log", "logs", "READER", ".err .log .out .stderr .stdout", isolated=False),
    Place("code", "plain", "CODE_READER", " ".join(sorted(plain.CODE)), isolated=False),
    Place("text", "plain", "TEXT_READER", " ".join(sorted(plain.TEXT)), isolated=False),
    Place("binary", "binary", "UNKNOWN_READER", "", isolated=False),
    # Below the one that takes anything: never found by content, only by extension.
    Place(
        "packed pickle",
        "pickles",
        "PACKED_READER",
        ".ckpt .cloudpickle .dill .jbl .joblib .p .pickle .pkl .pt .pth .sav",
    ),
    Place("tensorflow", "tensorflow", "READER", ".pb"),
    Place("old mat", "matlab", "OLD_READER", ".mat"),
    Place("compound file", "ole", "OTHER_READER", ".doc .pps .ppt .xls .xlt"),
)
_BY_NAME = {place.name: place for place in PLACES}


@cache
def _load(place: Place) -> Reader:
    found = getattr(import_module(f"judge.readers.{place.module}"), place.attribute)
    assert isinstance(found, Reader)
    return found


def readers() -> Iterator[Reader]:
    """All readers, in their order; each is loaded when it is its turn."""
    return map(_load, PLACES)


def reader_named(name: str) -> Reader:
    """The reader of that name.

    Raises:
        KeyError: There is none.
    """
    return _load(_BY_NAME[name])


def claimants(suffix: str) -> list[Reader]:
    """Readers that an extension points to."""
    return [_load(place) for place in _claims().get(suffix, [])]


def is_isolated(suffix: str) -> bool:
    """Whether files with that extension are mostly read in a process of their own; no reader is loaded to tell."""
    return any(place.isolated for place in _claims().get(suffix, [])[:1])


@cache
def _claims() -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for place in PLACES:
        for suffix in place.suffixes.split():
            found.setdefault(suffix, []).append(place)
    return found
