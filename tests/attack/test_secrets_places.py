"""A secret reaches no server from any place of a workspace or a trajectory, in any form that files give it."""

from __future__ import annotations

import io
import json
import pickle
import sqlite3
import string
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.attack.test_secrets import KEY, judge, sent
from tests.models.conftest import Server


def token(name: str) -> str:
    """A secret of a known form, another one for each place."""
    return "ghp_" + "".join(Random(name).choices(string.ascii_letters + string.digits, k=36))


def notebook(source: str, output: str) -> str:
    cell = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "source": source,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": output}],
    }
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})


def database(secret: str) -> bytes:
    base = sqlite3.connect(":memory:")
    base.execute(f'CREATE TABLE "t {secret}" (a TEXT)')
    base.execute(f"INSERT INTO \"t {secret}\" VALUES ('{secret}')")
    base.commit()
    try:
        return base.serialize()
    finally:
        base.close()


def sheet(secret: str) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    assert page is not None
    page.append(["name", secret])
    page.append([secret, 1])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def picture(secret: str) -> bytes:
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Comment", secret)
    out = io.BytesIO()
    Image.radial_gradient("L").save(out, "PNG", pnginfo=info)
    return out.getvalue()


def packed(secret: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(f"{secret}.txt", f"token {secret}\n")
    return out.getvalue()


PLACES: dict[str, Callable[[str], str | bytes]] = {
    "comment.py": lambda secret: f"x = 1  # {secret}\n",
    "name.py": lambda secret: f"def f_{secret}():\n    return '{secret}'\n",
    "settings.yaml": lambda secret: f"server:\n  token: {secret}\n  {secret}: 1\n",
    "settings.toml": lambda secret: f'token = "{secret}"\n',
    "settings.json": lambda secret: json.dumps({"token": secret, secret: [1]}),
    "source.ipynb": lambda secret: notebook(f"t = '{secret}'", "ok"),
    "output.ipynb": lambda secret: notebook("print(t)", f"{secret}\n"),
    "cell.csv": lambda secret: f"a,b\n1,{secret}\n2,3\n",
    "head.csv": lambda secret: f"a,{secret}\n1,2\n2,3\n",
    "rows.db": database,
    "sheet.xlsx": sheet,
    "page.html": lambda secret: f"<html><body><p data-t='{secret}'>token {secret}</p></body></html>",
    "data.xml": lambda secret: f"<a t='{secret}'>{secret}</a>",
    "run.log": lambda secret: f"INFO start\nINFO using {secret}\nTraceback (most recent call last):\nE: {secret}\n",
    "words.md": lambda secret: f"# Use\n\n`curl -H 'X: {secret}'`\n",
    "packed.zip": packed,
    "figure.png": picture,
    "model.pkl": lambda secret: pickle.dumps({"token": secret}),
    "wide.txt": lambda secret: "word " * 3_000 + secret + " word" * 3_000,
    "utf16.txt": lambda secret: f"token {secret}\n".encode("utf-16"),
}


def filled(root: Path) -> Path:
    """A workspace with a secret in each place, and a task that asks for each file."""
    folder = root / "ws" / "places"
    folder.mkdir(parents=True)
    for name, make in PLACES.items():
        data = make(token(name))
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    (folder / f"backup-{token('file name')}.txt").write_text("saved\n")
    (folder / f"folder-{token('folder name')}").mkdir()
    (folder / f"folder-{token('folder name')}" / "notes.txt").write_text("notes\n")
    criteria = [f"The token is in `{name}`." for name in PLACES]
    criteria += ["The backup is saved in a text file.", "The notes are in `notes.txt`."]
    requirements = [
        {"requirement_id": number, "prerequisites": [], "criteria": text} for number, text in enumerate(criteria)
    ]
    task = {"name": "places", "query": "Do it.", "tags": [], "requirements": requirements, "preferences": []}
    (root / "places.json").write_text(json.dumps(task))
    return folder


def steps(root: Path) -> Path:
    """A trajectory with a secret in each part of a step."""
    call = {"name": "bash", "arguments": json.dumps({"command": f"export T={token('action')}; cat settings.yaml"})}
    chat = [
        {"role": "user", "content": f"Use {token('request')} for the token."},
        {
            "role": "assistant",
            "content": f"I read the token {token('thought')}.",
            "tool_calls": [{"id": "c", "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": "c", "content": f"token: {token('result')}\n"},
    ]
    (root / "steps").mkdir()
    (root / "steps" / "places.json").write_text(json.dumps(chat))
    return root / "steps"


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder


def names() -> list[str]:
    return [*PLACES, "file name", "folder name", "request", "thought", "action", "result"]


@pytest.mark.parametrize("way", ["agent", "llm"])
def test_no_place_of_a_secret_leaks_it(tmp_path: Path, server: Server, way: str) -> None:
    filled(tmp_path)
    given = ("-w", "ws", "-t", steps(tmp_path), "--setting", "gray-box", "--judge", way)
    model = ("-m", "openai:some-model", "--base-url", f"{server.url}/v1", "--out", "out")
    ran = judge(Place(tmp_path), "run", "places.json", *given, *model, OPENAI_API_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    body = sent(server)
    assert [name for name in PLACES if name in body], "the files were shown"
    assert "[redacted:github-token]" in body
    assert not [name for name in names() if token(name)[4:] in body]
    lines = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    listed = " ".join(item for line in lines for item in line["redacted"])
    assert "comment.py: github-token" in listed


def test_they_would_be_seen_there(tmp_path: Path, server: Server) -> None:
    filled(tmp_path)
    given = ("-w", "ws", "-t", steps(tmp_path), "--setting", "gray-box", "--no-redact")
    model = ("-m", "openai:some-model", "--base-url", f"{server.url}/v1", "--out", "out")
    ran = judge(Place(tmp_path), "run", "places.json", *given, *model, OPENAI_API_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    body = sent(server)
    seen = [name for name in names() if token(name)[4:] in body]
    assert len(seen) > len(names()) // 2, seen
