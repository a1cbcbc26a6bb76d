"""The nastiest workspace we can write on a few megabytes: bombs, loops, depth, width, broken files, odd names."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import socket
import sqlite3
import struct
import zipfile
import zlib
from pathlib import Path

FILES = 20_000


def png(width: int, height: int) -> bytes:
    """A picture that is far bigger unpacked than packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" * (width // 8 + 1)
    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(row) for _ in range(min(height, 20_000))) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def looping_pdf() -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 99999999/Parent 2 0 R>>endobj\n"
        b"trailer<</Root 1 0 R/Prev 0>>\n%%EOF"
    )


def office(member: str) -> bytes:
    """A document whose one part is a bomb."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(member, b"<a>" * 15_000_000)
    return out.getvalue()


def russian_doll() -> bytes:
    """Archives in archives."""
    data = b"\0" * 20_000_000
    for level in range(30):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{level}.zip", data)
        data = out.getvalue()
    return data


def fill(root: Path) -> None:
    """Bombs, loops, depth, width, broken files and odd names."""
    zeros = b"\0" * 50_000_000
    (root / "bomb.gz").write_bytes(gzip.compress(zeros))
    (root / "bomb.csv.bz2").write_bytes(bz2.compress(b"a,b\n" * 10_000_000))
    (root / "bomb.json.xz").write_bytes(lzma.compress(zeros))
    with zipfile.ZipFile(root / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"../../{number}.txt", zeros)
    (root / "huge.png").write_bytes(png(60_000, 60_000))
    (root / "loop.pdf").write_bytes(looping_pdf())
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    (root / "laughs.xml").write_text(f'<!DOCTYPE x [<!ENTITY a0 "ha">{entities}]><x>&a11;</x>')
    (root / "laughs.svg").write_text(f'<!DOCTYPE svg [<!ENTITY a0 "ha">{entities}]><svg>&a11;</svg>')
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (root / "laughs.yaml").write_text("\n".join(lines))
    (root / "deep.json").write_text("[" * 200_000 + "]" * 200_000)
    (root / "wide.json").write_text(json.dumps([{"x": number} for number in range(300_000)]))
    (root / "line.csv").write_text("a," * 1_500_000)
    (root / "line.py").write_text("x = [" + "1," * 1_000_000 + "]\n")
    (root / "deep.py").write_text("x = " + "(" * 5_000 + "1" + ")" * 5_000 + "\n" + "-" * 50_000 + "1\n")
    (root / "nested.py").write_text("\n".join(" " * n + f"if x{n}:" for n in range(90)) + "\n" + " " * 90 + "pass\n")
    (root / "regex.log").write_text(("a" * 5_000 + "!\n") * 200 + "Error: " * 100_000)
    (root / "notebook.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": ["x\n"] * 200_000}]}))
    noise = random.Random(1).randbytes(200_000)
    heads = {"db": b"SQLite format 3\0", "parquet": b"PAR1", "h5": b"\x89HDF\r\n\x1a\n", "docx": b"PK\x03\x04"}
    heads |= {
        "pkl": b"\x80\x04",
        "pt": b"PK\x03\x04",
        "npy": b"\x93NUMPY\x01\x00\xff\xff",
        "wav": b"RIFF",
        "mp4": b"\0\0\0\x18ftyp",
    }
    for suffix, head in heads.items():
        (root / f"broken.{suffix}").write_bytes(head + noise)
    (root / "bomb.pkl").write_bytes(b"\x80\x04" + b"(" * 500_000 + b"]" * 500_000 + b".")
    with sqlite3.connect(root / "evil.sqlite") as base:
        base.execute("CREATE TABLE t (x)")
        base.execute("CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c")
    (root / "bomb.docx").write_bytes(office("word/document.xml"))
    (root / "bomb.xlsx").write_bytes(office("xl/worksheets/sheet1.xml"))
    (root / "doll.zip").write_bytes(russian_doll())
    (root / "statements.py").write_text("if x:\n    x = [y for y in f(x, y=[1, {2: (3, 4)}])]\n" * 60_000)
    (root / "branches.js").write_text("if (x) {" * 20_000 + "}" * 20_000)
    (root / "deep.sql").write_text("SELECT " + "(SELECT " * 20_000 + "1" + ")" * 20_000)
    (root / "deep.html").write_text("<div>" * 200_000)
    (root / "cells.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": "x = f(y)"}] * 50_000}))
    (root / "nan.jsonl").write_text('{"loss": NaN, "a": [[[[]]]]}\n' * 50_000)
    _odd_entries(root)


def _odd_entries(root: Path) -> None:
    many = root / "many"
    many.mkdir()
    for number in range(FILES):
        (many / f"f{number}.py").write_text(f"def f{number}():\n    return f{(number * 7) % FILES}()\n")
    deep = root
    for number in range(80):
        deep = deep / f"d{number}"
    deep.mkdir(parents=True)
    (deep / "end.py").write_text("x = 1\n")
    for name in (
        "new\nline.py",
        "\u202eevil.py",
        "<script>alert(1)<script>.py",
        "a" * 250,
        "-rf",
        "~",
        "$(id)",
        "%s%n",
    ):
        (root / name).write_text("x = 1\n")
    Path(os.fsdecode(os.fsencode(root) + b"/bytes-\xff\xfe.py")).write_text("x = 1\n", encoding="utf-8")
    (root / "loop").symlink_to(root)
    (root / "outside").symlink_to("/etc")
    (root / "dangling").symlink_to("nowhere")
    (root / "self").symlink_to("self")
    os.mkfifo(root / "fifo.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        place = os.getcwd()
        os.chdir(root)
        try:
            listener.bind("socket.txt")
        finally:
            os.chdir(place)
    locked = root / "locked"
    locked.mkdir()
    (locked / "a.py").write_text("x = 1\n")
    (root / "unreadable.py").write_text("x = 1\n")
    (root / "unreadable.py").chmod(0)
    locked.chmod(0)
    (root / "main.py").write_text("import line, deep, nested\nopen('results/metrics.txt', 'w').write('accuracy 0.9')\n")
