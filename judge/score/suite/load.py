"""Reads a suite strictly: every mistake at once, each with its line and what is expected."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.score.compare.digest import digest
from judge.score.suite.check import check
from judge.score.suite.construct import Constructed
from judge.score.suite.files import SuiteFiles
from judge.score.suite.model import Compare, LoadedSuite
from judge.score.suite.nodes import Unreadable, compose
from judge.score.suite.problems import SuiteError, SuiteProblem
from judge.score.suite.shape import shape

_MOST_BYTES = 4 * 1024 * 1024
_EXACT = Compare(dict_order="strict", signed_zero="strict", dict_type="strict")


def load_suite(path: Path) -> LoadedSuite:
    """The suite of a YAML file, or of the ``suite.yaml`` in a folder, with the Python files that it names.

    Nothing of those files runs. Cases without an id get ``case-N``, N being their place from 1.

    Raises:
        SuiteError: It has mistakes; the error holds all of them.
        InputError: The file cannot be read.
    """
    path = path / "suite.yaml" if path.is_dir() else path
    text = _text(path)
    try:
        root = compose(text)
    except Unreadable as error:
        raise SuiteError([error.problem], where=str(path)) from None
    document = Constructed(root)
    files = SuiteFiles(path.parent)
    suite = shape(document)
    check(document, files)
    if suite is None or document.problems:
        raise SuiteError(document.problems, where=str(path))
    _name_cases(document.value)
    suite = type(suite).model_validate(document.value)
    notes = tuple(sorted(set(document.notes)))
    return LoadedSuite(
        suite=suite,
        path=path,
        files=files.contents,
        warnings=tuple(str(note) for note in notes),
        notes=notes,
        digest=_digest(document.value, files.contents),
    )


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise InputError("is no regular file", where=str(path))
        with path.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", where=str(path), hint="expects a suite in YAML") from None
    if len(data) > _MOST_BYTES:
        message = f"is larger than {_MOST_BYTES // 1024} KiB"
        hint = "make big inputs with generate: {file: gen.py, func: NAME}"
        raise SuiteError([SuiteProblem(1, 1, "", message, hint)], where=str(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        problem = SuiteProblem(line, column, "", f"the byte 0x{data[error.start]:02x} is no UTF-8", "save it as UTF-8")
        raise SuiteError([problem], where=str(path)) from None


def _name_cases(document: dict[str, Any]) -> None:
    taken = {case.get("id") for case in document["cases"]}
    for number, case in enumerate(document["cases"], 1):
        if not case.get("id"):
            name = f"case-{number}"
            while name in taken:
                name += "'"
            taken.add(name)
            case["id"] = name


def _digest(document: Any, files: dict[str, bytes]) -> str:
    """Over what is said, so that comments and layout do not count."""
    running = sha256(digest(document, _EXACT))
    for name in sorted(files):
        running.update(f"{len(name)}:{name}:{len(files[name])}:".encode("utf-8", "surrogatepass") + files[name])
    return running.hexdigest()
