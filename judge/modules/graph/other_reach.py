"""Links source files of languages other than Python: local imports, entry points, reachability by name."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence

from judge.modules.graph.facts import CodeFile
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.other_emit import code_file
from judge.modules.graph.treesitter import Raw

_ENTRY_NAMES = frozenset({"index", "main", "app", "server", "cli", "script", "start", "run"})
_TEST = re.compile(r"(\.|_|-)(test|tests|spec)\.\w+$|(^|/)(__tests__|test|tests)/")
_SCRIPT_TAG = re.compile(r"""<script[^>]*\bsrc\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_HANDLER = re.compile(r"""\bon\w+\s*=\s*["']([^"']{1,300})["']""", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_TARGET = re.compile(r"[\w./-]+\.(?:jsx?|tsx?|mjs|cjs)\b")
_SUFFIXES = ("", ".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs", "/index.js", "/index.ts", "/index.tsx", "/index.jsx")
PAGES = (".html", ".htm", ".ejs", ".vue", ".svelte")


def spread(raws: Sequence[Raw], runners: Mapping[str, str]) -> tuple[dict[str, CodeFile], dict[str, EntryKind]]:
    """Facts and entry points of all files."""
    if not raws:
        return {}, {}
    by_path = {raw.path: raw for raw in raws}
    imports = {raw.path: {use.text: local_import(use.text, raw.path, by_path) for use in raw.imports} for raw in raws}
    importers: dict[str, set[str]] = {}
    for path, found in imports.items():
        for target in filter(None, found.values()):
            importers.setdefault(target, set()).add(path)
    entries, extra = _entries(by_path, runners, importers)
    library = not any(kind is not EntryKind.TEST for kind in entries.values())
    reached_files = _closure(set(by_path) if library else set(entries), imports)
    reached = _by_name([by_path[path] for path in sorted(reached_files)], extra, library)
    files = {
        raw.path: code_file(
            raw,
            imports[raw.path],
            reached.get(raw.path),
            tuple(sorted(importers.get(raw.path, set()) - {raw.path})),
            raw.path in entries,
        )
        for raw in raws
    }
    return files, entries


def local_import(name: str, importer: str, files: Mapping[str, Raw]) -> str:
    """The workspace file that an import names, or an empty string."""
    folder = posixpath.dirname(importer)
    bases = (
        [posixpath.join(folder, name)]
        if name.startswith(".")
        else [name.removeprefix("@/"), f"src/{name.removeprefix('@/')}"]
    )
    for base in bases:
        clean = posixpath.normpath(base)
        stems = [clean, posixpath.splitext(clean)[0]] if clean.endswith((".js", ".jsx", ".mjs")) else [clean]
        for candidate in (f"{stem}{suffix}" for stem in stems for suffix in _SUFFIXES):
            if candidate in files:
                return candidate
    return ""


def _entries(
    files: Mapping[str, Raw], runners: Mapping[str, str], importers: Mapping[str, set[str]]
) -> tuple[dict[str, EntryKind], set[str]]:
    """Files that run by themselves, and names that web pages call."""
    found: dict[str, EntryKind] = {}
    names: set[str] = set()
    for path, text in runners.items():
        for target in _run_targets(path, text):
            _mention(target, path, files, found)
        if path.endswith(PAGES):
            names.update(word for handler in _HANDLER.findall(text) for word in _WORD.findall(handler))
    for path, raw in files.items():
        if _TEST.search(path):
            found[path] = EntryKind.TEST
        elif path not in found and _works(raw, bool(importers.get(path))):
            found[path] = EntryKind.SCRIPT
    return found, names


def _run_targets(path: str, text: str) -> list[str]:
    """Files that a page loads, or that package metadata or a script runs."""
    if path.endswith(PAGES):
        return _SCRIPT_TAG.findall(text)
    return _package_targets(text) if posixpath.basename(path) == "package.json" else _TARGET.findall(text)


def _works(raw: Raw, imported: bool) -> bool:
    """Whether a file calls something at its top level and is meant to be run."""
    if ".config." in raw.path or not any(call.scope == "" and call.text != "require" for call in raw.calls):
        return False
    return not imported or posixpath.basename(raw.path).split(".")[0].lower() in _ENTRY_NAMES


def _package_targets(text: str) -> list[str]:
    """Files that package.json runs or offers."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, dict):
        return []
    values: list[object] = [data.get("main"), data.get("module"), data.get("browser")]
    for key in ("bin", "scripts"):
        item = data.get(key)
        values.extend(item.values() if isinstance(item, dict) else [item])
    texts = [value for value in values if isinstance(value, str)]
    return [target for value in texts for target in (_TARGET.findall(value) or ([value] if " " not in value else []))]


def _mention(target: str, near: str, files: Mapping[str, Raw], found: dict[str, EntryKind]) -> None:
    name = posixpath.normpath(target.split("?")[0].lstrip("/"))
    for base in (posixpath.join(posixpath.dirname(near), name), name, f"public/{name}", f"static/{name}"):
        for suffix in _SUFFIXES:
            candidate = f"{posixpath.normpath(base)}{suffix}"
            if candidate in files:
                found.setdefault(candidate, EntryKind.MENTIONED)
                return


def _closure(start: set[str], imports: Mapping[str, Mapping[str, str]]) -> set[str]:
    reached, queue = set(start), list(start)
    while queue:
        for target in imports[queue.pop()].values():
            if target and target not in reached:
                reached.add(target)
                queue.append(target)
    return reached


def _by_name(raws: Sequence[Raw], extra: set[str], library: bool) -> dict[str, set[str]]:
    """Qualified names of reached definitions by path; a definition is reached when reached code says its name."""
    words: dict[tuple[str, str], set[str]] = {}
    homes: dict[str, list[tuple[str, str]]] = {}
    for raw in raws:
        own = {(item.start, item.name) for item in raw.definitions}
        for use in raw.words:
            if (use.start, use.text) not in own:
                words.setdefault((raw.path, use.scope), set()).add(use.text)
        for item in raw.definitions:
            homes.setdefault(item.name, []).append((raw.path, item.qualname))
    reached: dict[str, set[str]] = {raw.path: set() for raw in raws}
    queue: list[tuple[str, str]] = [(raw.path, "") for raw in raws]
    if library:
        queue += [
            (raw.path, item.qualname) for raw in raws for item in raw.definitions if not item.name.startswith("_")
        ]
    queue += [home for name in extra for home in homes.get(name, ())]
    spoken: set[str] = set()
    seen: set[tuple[str, str]] = set()
    while queue:
        key = queue.pop()
        if key in seen:
            continue
        seen.add(key)
        if key[1]:
            reached[key[0]].add(key[1])
            spoken_here = {"constructor", "render"}
        else:
            spoken_here = set()
        for name in (words.get(key, set()) | spoken_here) - spoken:
            spoken.add(name)
            queue.extend(homes.get(name, ()))
    return reached
