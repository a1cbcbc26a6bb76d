"""The nastiest workspace we can write: judged within bounds of time and memory, without a traceback."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import random
import socket
import sqlite3
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MEMORY = 500 * 1024
"""KiB: the largest process of a run."""
CPU = 30.0
"""Seconds of all processes of a run together."""

MEASURE = """
import json, resource, subprocess, sys
ran = subprocess.run([sys.executable, "-m", "judge", *sys.argv[1:]], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
print(json.dumps([ran.returncode, used.ru_maxrss, seconds, ran.stdout[-3000:], ran.stderr[-3000:]]))
"""


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
    (root / "line.csv").write_text("a," * 3_000_000)
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
    _odd_entries(root)


def _odd_entries(root: Path) -> None:
    many = root / "many"
    many.mkdir()
    for number in range(8_000):
        (many / f"f{number}.py").write_text(f"def f{number}():\n    return f{(number * 7) % 8000}()\n")
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
    (root / "main.py").write_text("import line, deep, nested\nopen('results/metrics.txt', 'w').write('accuracy 0.9')\n")


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("nasty")
    (place / "ws").mkdir()
    fill(place / "ws")
    names = sorted(path.name for path in (place / "ws").iterdir() if path.name.isascii() and path.name.isprintable())
    criteria = [f"`{name}` is read and shows the results." for name in names if "." in name][:40]
    criteria += ["The accuracy is saved in `results/metrics.txt`.", "Everything is plotted.", "x" * 5_000]
    requirements = [
        {"requirement_id": number, "prerequisites": [], "criteria": text} for number, text in enumerate(criteria)
    ]
    task = {"name": "nasty", "query": "Do it.", "tags": [], "requirements": requirements, "preferences": []}
    (place / "nasty.json").write_text(json.dumps(task))
    yield place


def measured(place: Path, *arguments: object) -> tuple[int, int, float, str, str]:
    command = [sys.executable, "-c", MEASURE, *map(str, arguments)]
    ran = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=280, check=True)
    code, memory, seconds, out, err = json.loads(ran.stdout)
    return code, memory, seconds, out, err


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("command", ["run", "graph", "evidence"])
def test_the_nastiest_workspace_stays_within_bounds(nasty: Path, command: str, tmp_path: Path) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "run": ("run", "nasty.json", "-w", "ws", "--judge", "rules", "--out", tmp_path / "out"),
        "graph": ("graph", "ws"),
        "evidence": ("evidence", "nasty.json", "-w", "ws", "--requirement", "0"),
    }
    code, memory, seconds, _, err = measured(nasty, *arguments[command])
    print(f"{command}: {memory // 1024} MiB, {seconds:.1f} CPU s")  # figures for SECURITY.md
    assert code in (0, 5), err
    assert "Traceback" not in err
    assert memory < MEMORY, f"{memory // 1024} MiB"
    assert seconds < CPU
    if command == "run":
        lines = (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()
        assert len(lines) == len(json.loads((nasty / "nasty.json").read_text())["requirements"])
    assert not (nasty / "ws" / "results").exists(), "something was executed or written"
