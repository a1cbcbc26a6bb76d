"""Stored evidence is found by its hash, so its bytes must depend on what it says alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from judge.engine.evidence_store import EvidenceStore, encode
from judge.schemas import Evidence, EvidenceKind


def test_equal_evidence_is_stored_once_under_the_hash_of_its_bytes(tmp_path: Path) -> None:
    items = [Evidence(module="read", kind=EvidenceKind.FILE, title="a.py", text="x = 1\n", facts={"b": 1, "a": [0.5]})]
    store = EvidenceStore(tmp_path)
    digest = store.put(items)
    assert store.put(items) == digest
    (file,) = tmp_path.iterdir()
    assert file.name == f"{digest}.json" and hashlib.sha256(file.read_bytes()).hexdigest() == digest
    assert json.loads(file.read_bytes())["evidence"][0]["facts"] == {"a": [0.5], "b": 1}


@pytest.mark.parametrize("odd", ["caf\ud800", 2**70])
def test_what_json_libraries_refuse_is_stored_all_the_same(odd: object) -> None:
    plain, strange = ({"path": "a", "facts": {"z": [], "value": value, "c": 1.5}} for value in ("cafe", odd))
    lines = encode([plain]).decode().splitlines()
    other = encode([strange]).decode().splitlines()
    assert [line for line in lines if '"value"' not in line] == [line for line in other if '"value"' not in line]
