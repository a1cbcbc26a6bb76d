"""From a named path to the files that are really there, and to what comes near when it is not."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fnmatch import translate as fnmatch_expression
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from judge.modules.locate.mentions import Mention, Named, as_glob

if TYPE_CHECKING:
    from judge.workspace import Workspace

_NEAR = 5
_CHILDREN = 4
_ALIKE = 80.0
"""Percent of likeness from which a name may be another one with a typing error."""
_ALIKE_NAMES = 3
_SHORT = 4
_SEARCHED = 20_000
_ODD_NAME = re.compile(r"[\s()\[\]{}=;&,+'!#@$%]")


class Hit(NamedTuple):
    """A file with the reason it was taken; ``score`` is from 0 to 1."""

    path: str
    why: str
    score: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of a named path.

    Attributes:
        named: The path as it was named.
        hits: Files that it names.
        near: Files or folders that it may have meant, best first; only when there is no hit.
        skipped: Why something of that name was left out of the workspace, or empty.
        empty_folder: Whether it names a folder that is there and holds no file.
    """

    named: str
    hits: tuple[Hit, ...] = ()
    near: tuple[Hit, ...] = ()
    skipped: str = ""
    empty_folder: bool = False

    @property
    def missing(self) -> bool:
        """Whether nothing of that name is there."""
        return not self.hits and not self.empty_folder


class Matcher:
    """Looks named paths up in one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Takes the workspace; lookup tables are built when they are first needed.

        Args:
            workspace: Where to look.
        """
        self._workspace = workspace

    def resolve(self, mention: Mention, source: str) -> Resolution:
        """What a mention names.

        Args:
            mention: A file, folder or pattern; other kinds resolve to nothing.
            source: Where it was named, for the reason: ``the criterion``, ``the task``.

        Returns:
            The files, or near misses.
        """
        path = mention.text
        if mention.kind == Named.PATTERN:
            hits = tuple(self._by_glob(as_glob(path), f"matches `{path}`, named in {source}"))
        else:
            hits = tuple(self._exact(path, source))
        if hits:
            return Resolution(path, hits=hits)
        if mention.kind != Named.PATTERN and self._workspace.is_folder(path.rstrip("/")):
            return Resolution(path, empty_folder=True)
        return Resolution(path, near=self._near(path, mention.kind), skipped=self._skipped(path))

    def _exact(self, path: str, source: str) -> Iterator[Hit]:
        entry = self._workspace.find(path)
        if entry is not None:
            yield Hit(entry.path, f"named in {source}", 1.0)
            return
        composed = self._composed.get(unicodedata.normalize("NFC", path), ()) if not path.isascii() else ()
        if composed:  # the same letters, their accents written apart
            yield Hit(composed[0], f"named in {source}", 1.0)
            return
        folder = path.rstrip("/")
        if self._workspace.is_folder(folder):
            children = sorted(self._workspace.children(folder), key=lambda item: (item.path.count("/"), item.path))
            for rank, child in enumerate(children):  # a few show what the rest is like; the code must find room too
                yield Hit(child.path, f"in `{folder}/`, named in {source}", 0.9 if rank < _CHILDREN else 0.45)
            return
        if "/" not in path and self._same_name.get(path):  # a bare name says nothing of the folder
            found = self._same_name[path]
            yield from (Hit(item, f"has the name given in {source}", 0.95) for item in found)

    def _by_glob(self, pattern: str, why: str) -> Iterator[Hit]:
        bare = "/" not in pattern.rstrip("/")
        number = 0
        for entry in self._workspace.files:
            subject = entry.name if bare else entry.path
            if fnmatchcase(subject, pattern) or fnmatchcase(entry.path, pattern.rstrip("/") + "/*"):
                yield Hit(entry.path, why, 0.9 if (number := number + 1) <= _CHILDREN else 0.45)

    def _near(self, path: str, kind: Named) -> tuple[Hit, ...]:
        found: dict[str, Hit] = {}
        steps = {
            Named.FOLDER: (self._near_folder,),
            Named.PATTERN: (self._near_pattern,),
        }
        for step in steps.get(kind, (self._near_case, self._near_name, self._near_spelling)):
            for hit in step(path.rstrip("/")):
                known = found.get(hit.path)
                if known is None or hit.score > known.score:
                    found[hit.path] = hit
        best = sorted(found.values(), key=lambda hit: (-hit.score, hit.path))
        return tuple(best[:_NEAR])

    def _near_case(self, path: str) -> Iterator[Hit]:
        for item in self._folded.get(path.casefold(), ()):
            yield Hit(item, "same path but for upper and lower case", 0.85)

    def _near_name(self, path: str) -> Iterator[Hit]:
        wanted = PurePosixPath(path)
        for item in self._folded_name.get(wanted.name.casefold(), ()):
            yield Hit(item, *_elsewhere(item, path))
        for item in self._stem.get(wanted.stem.casefold(), ()):
            other = PurePosixPath(item)
            if other.suffix.lower() != wanted.suffix.lower():
                same = other.parent == wanted.parent
                why = "same name with another extension" + ("" if same else ", in another folder")
                yield Hit(item, why, 0.7 if same else 0.6)

    def _near_spelling(self, path: str) -> Iterator[Hit]:
        wanted = PurePosixPath(path)
        for name, likeness in _alike(wanted.stem, self._stems_of.get(wanted.suffix.lower(), ())):
            for found in self._same_name.get(name + wanted.suffix, ()):
                if name != wanted.stem:
                    yield Hit(found, "a similar name", round(0.5 + 0.1 * likeness, 3))
        folder = str(wanted.parent)
        parts = _parts(wanted.stem)
        for item in self._workspace.children(folder) if self._workspace.is_folder(folder) else ():
            other = PurePosixPath(item.path)
            if other.parent == wanted.parent and other.suffix == wanted.suffix and parts & _parts(other.stem):
                yield Hit(item.path, "shares a word of the name, in the same folder", 0.5)

    def _near_pattern(self, path: str) -> Iterator[Hit]:
        """Files that fit a pattern in another folder, in other case, or but for their extension."""
        pattern = as_glob(path)
        folder, _, name = pattern.rpartition("/")
        stem, dot, _ = name.rpartition(".")
        loose = re.compile(fnmatch_expression(f"{stem}.*")) if dot and stem.strip("*?[]") else None
        folded, folded_name = (re.compile(fnmatch_expression(text.casefold())) for text in (pattern, name))
        telling = bool(re.sub(r"[*?\[\]]", "", stem if dot else name))
        for item in islice(self._workspace.files, _SEARCHED):
            own = item.path.casefold()
            if folded.fullmatch(own):
                yield Hit(item.path, "fits but for upper and lower case", 0.85)
            elif folder and folded_name.fullmatch(own.rpartition("/")[2]):
                yield Hit(item.path, "fits in another folder", 0.75 if telling else 0.6)
            elif loose is not None and loose.fullmatch(item.name) and item.path.rpartition("/")[0] == folder:
                yield Hit(item.path, "fits with another extension", 0.6)

    def _near_folder(self, path: str) -> Iterator[Hit]:
        for folder in self._workspace.folders:
            if folder.casefold() == path.casefold():
                yield Hit(folder + "/", "same folder but for upper and lower case", 0.85)
            elif folder.rsplit("/", 1)[-1].casefold() == path.rsplit("/", 1)[-1].casefold():
                yield Hit(folder + "/", "a folder of the same name elsewhere", 0.75)
        for folder, likeness in _alike(path, self._workspace.folders):
            if folder.casefold() != path.casefold():
                yield Hit(folder + "/", "a folder of a similar name", round(0.5 + 0.1 * likeness, 3))
        parent = path.rpartition("/")[0]
        while parent and not self._workspace.is_folder(parent):
            parent = parent.rpartition("/")[0]
        if parent:
            yield Hit(parent + "/", "the folder above it", 0.5)

    def _skipped(self, path: str) -> str:
        wanted = path.rstrip("/")
        for item in self._workspace.skipped:
            if item.path == wanted or wanted.startswith(item.path.rstrip("/") + "/"):
                detail = f" ({item.detail})" if item.detail else ""
                return f"`{item.path}` was left out of the workspace: {item.reason.value}{detail}"
        return ""

    def spelt_out(self, text: str) -> Iterator[Hit]:
        """Files whose names hold spaces or signs that end a word, where a text writes such a name without quotes."""
        folded = text.casefold()
        for name in self._odd_names:
            place = folded.find(name)
            if place >= 0 and not folded[place - 1 : place].isalnum():
                yield from (Hit(path, "its whole name is in the criterion", 0.95) for path in self._folded_name[name])

    @cached_property
    def _odd_names(self) -> list[str]:
        return [name for name in self._folded_name if _ODD_NAME.search(name) and len(name) > _SHORT]

    @cached_property
    def _composed(self) -> dict[str, list[str]]:
        return self._table(lambda path: unicodedata.normalize("NFC", path))

    @cached_property
    def _same_name(self) -> dict[str, list[str]]:
        return self._table(lambda path: path.rsplit("/", 1)[-1])

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        return self._table(str.casefold)

    @cached_property
    def _folded_name(self) -> dict[str, list[str]]:
        return self._table(lambda path: path.rsplit("/", 1)[-1].casefold())

    @cached_property
    def _stem(self) -> dict[str, list[str]]:
        return self._table(lambda path: PurePosixPath(path).stem.casefold())

    @cached_property
    def _stems_of(self) -> dict[str, list[str]]:
        """Stems of file names by extension, each once, sorted."""
        table: dict[str, set[str]] = defaultdict(set)
        for name in self._same_name:
            path = PurePosixPath(name)
            table[path.suffix.lower()].add(path.stem)
        return {suffix: sorted(stems) for suffix, stems in table.items()}

    def _table(self, key: Callable[[str], str]) -> dict[str, list[str]]:
        table: dict[str, list[str]] = defaultdict(list)
        for entry in self._workspace.files:
            table[key(entry.path)].append(entry.path)
        return dict(table)


def _alike(text: str, choices: Sequence[str]) -> list[tuple[str, float]]:
    """The choices most like a text, with their likeness from 0 to 1; short names are like too many others."""
    from rapidfuzz import fuzz, process

    if len(text) < _SHORT:
        return []
    found = process.extract(text, choices, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_ALIKE_NAMES)
    return [(choice, score / 100) for choice, score, _ in found]


def _parts(stem: str) -> set[str]:
    """Longer words of a file name."""
    return {part for part in re.split(r"[^a-z0-9]+", stem.casefold()) if len(part) >= 4}


def _elsewhere(found: str, wanted: str) -> tuple[str, float]:
    """Why a file of the right name in another folder is near, and how near."""
    have, want = found.split("/"), wanted.split("/")
    if _within(have, want):
        lost = [part for part in want if part not in have]
        return f"same path without the folder {'/'.join(lost) or '(repeated)'}", 0.85
    if _within(want, have):
        return "same path with another folder in between", 0.85
    return "same name in another folder", 0.75


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return len(short) < len(long) and all(part in rest for part in short)
