"""What frameworks find by themselves: classes by their base, definitions by annotation, pages by their place."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from judge.modules.graph.conventions import Conventions
from judge.modules.graph.facts import DefKind
from judge.modules.graph.other_program import Program, last_name
from judge.modules.graph.raw import Raw, RawDef

_APPLICATION = re.compile(
    r"(?:Controller|Application|Mapping|Route|WebServlet|Path|ApiController|Http(?:Get|Post|Put|Delete)|Scheduled|"
    r"Listener|KafkaListener|Component|Service|Configuration|Bean|Injectable|Module|Activity|Resolver|Gateway|"
    r"command|get|post|put|delete|patch|handler|tauri::command|wasm_bindgen|no_mangle|main|AsCommand|AsController)$"
)
_PAGE = re.compile(
    r"(?:^|/)(?:src/)?(?:pages|routes)/.*\.(?:[jt]sx?|vue|svelte|astro)$"
    r"|(?:^|/)(?:src/)?app/(?:.*/)?(?:page|layout|route|loading|error|template|not-found|_layout)\.[jt]sx?$"
    r"|(?:^|/)(?:src/)?(?:middleware|hooks\.server|App)\.(?:[jt]sx?|vue|svelte)$"
)
_PAGED = re.compile(
    r'"(?:next|nuxt|gatsby|astro|expo|expo-router|@remix-run/[\w-]+|@sveltejs/kit|@tanstack/router)"\s*:'
)


class Frameworks:
    """Answers for one workspace."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._classes = self._derived()
        texts: Mapping[str, str] = program.texts
        self._roots = [
            posixpath.dirname(path)
            for path, text in texts.items()
            if posixpath.basename(path) == "package.json" and _PAGED.search(text)
        ]

    def _derived(self) -> set[tuple[str, str]]:
        """Family and name of classes that derive, directly or not, from a base of a framework."""
        found: set[tuple[str, str]] = set()
        below: dict[tuple[str, str], list[tuple[str, str]]] = {}
        queue: list[tuple[str, str]] = []
        for (family, name), homes in self._program.homes.items():
            for raw, item in homes:
                pattern = self._program.table(raw).framework_bases
                if pattern is None or item.kind is not DefKind.CLASS:
                    continue
                for base in map(_plain, item.bases):
                    key = (family, last_name(base))
                    if key in self._program.homes:
                        below.setdefault(key, []).append((family, name))
                    elif pattern.search(base):
                        queue.append((family, name))
        while queue:
            key = queue.pop()
            if key not in found:
                found.add(key)
                queue.extend(below.get(key, ()))
        return found

    def derives(self, raw: Raw, item: RawDef) -> bool:
        """Whether a class is one that a framework makes."""
        return item.kind is DefKind.CLASS and (self._program.family(raw), item.name) in self._classes

    def is_page(self, raw: Raw) -> bool:
        """Whether a framework serves a file because of where it lies."""
        return (
            bool(self._roots)
            and _PAGE.search(raw.path) is not None
            and any(not root or raw.path.startswith(f"{root}/") for root in self._roots)
        )


def registers(item: RawDef, table: Conventions) -> bool:
    """Whether an annotation that is not known to be neutral stands on a definition."""
    marks = {mark.rpartition(".")[2].rpartition("::")[2] for mark in item.decorators}
    return bool(marks - table.neutral - table.test_decorators)


def is_application(item: RawDef) -> bool:
    """Whether an annotation says that a server or an application calls a definition."""
    return any(_APPLICATION.search(mark) for mark in item.decorators)


def _plain(base: str) -> str:
    return re.sub(r"[<(].*", "", base, flags=re.DOTALL).strip()
