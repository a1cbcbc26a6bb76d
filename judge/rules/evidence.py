"""What one judgment works on: the case, its live code and its documents, computed once per workspace."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from judge.modules.base import Case
from judge.modules.graph import WorkspaceGraph
from judge.modules.graph.facts import FileAccess
from judge.readers import Document, Family
from judge.rules.live import LiveCode
from judge.rules.match import Scopes
from judge.rules.vocabulary import Concept, Vocabulary, load_vocabulary
from judge.schemas import Citation
from judge.trajectories import FileHistory, file_history
from judge.workspace import Workspace


class LiveCache:
    """Live code by workspace graph, so that the requirements of a task share it."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[WorkspaceGraph, LiveCode] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, graph: WorkspaceGraph, workspace: Workspace) -> LiveCode:
        """The live code of a workspace."""
        with self._lock:
            live = self._known.get(graph)
            if live is None:
                live = self._known[graph] = LiveCode(graph, workspace)
            return live


@dataclass(frozen=True)
class Evidence:
    """The case seen by the checks.

    Attributes:
        case: The case.
        live: Live code of its workspace.
        vocabulary: The vocabulary in use.
    """

    case: Case
    live: LiveCode
    vocabulary: Vocabulary

    @classmethod
    def of(cls, case: Case, cache: LiveCache) -> Evidence:
        """The evidence for a case."""
        return cls(case, cache.get(case.graph, case.workspace), load_vocabulary())

    @cached_property
    def history(self) -> FileHistory | None:
        """What the trajectory tells of the files; None when black-box."""
        return file_history(self.case.trajectory) if self.case.trajectory is not None else None

    @cached_property
    def names_tests(self) -> bool:
        """Whether the criterion speaks of tests, so that what stands in tests counts too."""
        return re.search(r"\btests?\b", self.case.requirement.criteria, re.IGNORECASE) is not None

    @cached_property
    def _phrases(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for mention in self.vocabulary.find(self.case.requirement.criteria):
            phrase = mention.phrase
            plain = mention.start == 0 and phrase[1:] == phrase[1:].lower()  # a capital that begins the sentence
            found.setdefault(mention.concept.id, phrase[:1].lower() + phrase[1:] if plain else phrase)
        return found

    def wording(self, concept: Concept) -> str:
        """A concept in the words of the criterion."""
        if concept.id in self._phrases:
            return self._phrases[concept.id]
        written = re.search(re.escape(concept.names[0]), self.case.requirement.criteria, re.IGNORECASE)
        return written.group(0) if written else concept.names[0]

    def quoted(self, concept: Concept) -> str:
        """The same in quotes."""
        return f'"{self.wording(concept)}"'

    def document(self, path: str) -> Document:
        """The content of a file."""
        return self.case.documents.get(path)

    def writing(self, path: str) -> tuple[str, ...]:
        """Lines of text that are seen on a picture or a video; reading them by OCR takes a second or two, once."""
        return tuple(str(line) for line in self.case.documents.get(path, ocr=True).facts.get("writing") or ())

    def exists(self, path: str) -> bool:
        """Whether the workspace has that file."""
        return self.case.workspace.find(path) is not None

    def files_below(self, folder: str) -> tuple[str, ...]:
        """Paths of all files below a folder."""
        return tuple(entry.path for entry in self.case.workspace.children(folder))

    def similar(self, path: str) -> tuple[str, ...]:
        """Files with the same name elsewhere, or the same stem with another extension."""
        name = path.rsplit("/", 1)[-1].lower()
        stem = name.rsplit(".", 1)[0]
        found = [e.path for e in self.case.workspace.files if e.path != path and e.name.lower() == name]
        found += [
            e.path
            for e in self.case.workspace.files
            if e.path not in found and e.path != path and e.name.lower().rsplit(".", 1)[0] == stem
        ]
        return tuple(found[:3])

    def writers(self, path: str) -> tuple[tuple[str, FileAccess], ...]:
        """Live code that writes that file."""
        return tuple(
            (code, access)
            for code, access in self.case.graph.writers(path)
            if code in self.live.files and access in self.live.files[code].accesses
        )

    def dead_writers(self, path: str) -> tuple[tuple[str, FileAccess], ...]:
        """Code that would write that file but is never reached."""
        live = self.writers(path)
        return tuple(pair for pair in self.case.graph.writers(path) if pair not in live)

    def around(self, writers: tuple[tuple[str, FileAccess], ...]) -> Scopes:
        """The definitions that take part in writing: the writer, what it calls, and who calls it."""
        return Scopes(self._spread({(code, access.scope) for code, access in writers}))

    def _spread(self, start: set[tuple[str, str]]) -> set[tuple[str, str]]:
        callers = {
            (file.path, call.scope)
            for file in self.live.files.values()
            for call in file.calls
            if call.resolved and any(_names(call.resolved, code, scope) for code, scope in start if scope)
        }
        found = start | callers
        frontier = set(found)
        for _ in range(4):
            callees = {
                pair
                for code, scope in frontier
                if code in self.live.files
                for call in self.live.files[code].calls
                if call.scope == scope and call.resolved
                for pair in [_pair(call.resolved)]
            }
            frontier = callees - found
            if not frontier:
                break
            found |= frontier
        return found

    def file_citation(self, path: str, pattern: str = "") -> Citation:
        """A citation of a document's first line that matches, else of the file as such."""
        document = self.document(path)
        if document.lines_match and pattern:
            for number, line in enumerate(document.text.split("\n"), start=1):
                if re.search(pattern, line, re.IGNORECASE):
                    return Citation(path=path, line=number, end_line=number, quote=line[:300])
        if document.lines_match and document.family not in (Family.IMAGE, Family.BINARY):
            for number, line in enumerate(document.text.split("\n")[:50], start=1):
                if line.strip():
                    return Citation(path=path, line=number, end_line=number, quote=line[:300])
        return Citation(path=path)


def _pair(node: str) -> tuple[str, str]:
    path, _, qualname = node.partition("::")
    return path, qualname


def _names(node: str, code: str, scope: str) -> bool:
    path, qualname = _pair(node)
    return path == code and (qualname == scope or scope.startswith(qualname + "."))
