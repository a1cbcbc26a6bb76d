"""How module names become paths where a project file or a folder layout says so: Go, Rust, Swift, PHP."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from functools import cached_property

from judge.modules.graph.raw import Raw, RawUse

_GO_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_CRATE = re.compile(r"^\s*name\s*=\s*\"([^\"]+)\"", re.MULTILINE)
_ROOTS = ("lib.rs", "main.rs")


class Projects:
    """Project files of a workspace."""

    def __init__(self, files: Mapping[str, Raw], texts: Mapping[str, str]) -> None:
        self.files = files
        self.texts = texts

    @cached_property
    def _folders(self) -> Mapping[str, list[str]]:
        """Source files by folder."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(posixpath.dirname(path), []).append(path)
        return found

    @cached_property
    def _go_modules(self) -> list[tuple[str, str]]:
        """Module path and folder of every ``go.mod``, the longest first."""
        found = []
        for path, text in self.texts.items():
            module = _GO_MODULE.search(text) if posixpath.basename(path) == "go.mod" else None
            if module:
                found.append((module.group(1), posixpath.dirname(path)))
        return sorted(found, key=lambda item: -len(item[0]))

    def go(self, raw: Raw, name: str) -> list[str]:
        """Files of a package by its import path."""
        for module, folder in self._go_modules:
            if name == module or name.startswith(f"{module}/"):
                wanted = posixpath.normpath(posixpath.join(folder, name[len(module) :].lstrip("/")))
                return self._go_files("" if wanted == "." else wanted)
        if name.startswith("."):
            return self._go_files(posixpath.normpath(posixpath.join(posixpath.dirname(raw.path), name)))
        if self._go_modules or "/" not in name:
            return []
        ending = [folder for folder in self._folders if folder and f"/{name}".endswith(f"/{folder}")]
        return self._go_files(max(ending, key=len)) if ending else []

    def _go_files(self, folder: str) -> list[str]:
        return [
            path for path in self._folders.get(folder, ()) if path.endswith(".go") and not path.endswith("_test.go")
        ]

    @cached_property
    def _crates(self) -> Mapping[str, str]:
        """Folder of a crate's sources by its name."""
        found: dict[str, str] = {}
        for path, text in self.texts.items():
            name = _CRATE.search(text) if posixpath.basename(path) == "Cargo.toml" else None
            if name:
                found[name.group(1).replace("-", "_")] = posixpath.join(posixpath.dirname(path), "src")
        return found

    def rust(self, raw: Raw, use: RawUse) -> list[str]:
        """The file of a module: ``mod x`` or a path of a ``use``."""
        folder, name = posixpath.split(raw.path)
        own = folder if name in {"lib.rs", "main.rs", "mod.rs"} else posixpath.join(folder, name.removesuffix(".rs"))
        if self._is_crate_root(raw.path):
            own = folder
        parts = [*use.text.split("."), *([use.value] if use.value not in {"", "*"} else [])]
        first = parts[0]
        base: str | None = own
        if first == "crate":
            base, parts = self._crate_folder(raw.path), parts[1:]
        elif first in {"self", "super"}:
            while parts and parts[0] in {"self", "super"}:
                base = posixpath.dirname(base or "") if parts[0] == "super" else base
                parts = parts[1:]
        elif first in self._crates:
            base, parts = self._crates[first], parts[1:]
        found = self._rust_module(base or "", parts)
        if not found and first in {"crate", *self._crates}:
            found = next(
                (path for path in (posixpath.join(base or "", root) for root in _ROOTS) if path in self.files), ""
            )
        return [found] if found else []

    def _is_crate_root(self, path: str) -> bool:
        folder = posixpath.basename(posixpath.dirname(path))
        return folder in {"bin", "examples", "tests", "benches"}

    def _crate_folder(self, path: str) -> str:
        folder = posixpath.dirname(path)
        while folder:
            if any(posixpath.join(folder, root) in self.files for root in _ROOTS):
                return folder
            folder = posixpath.dirname(folder)
        return "src" if any(posixpath.join("src", root) in self.files for root in _ROOTS) else ""

    def _rust_module(self, base: str, parts: list[str]) -> str:
        found = ""
        for part in parts:
            base = posixpath.join(base, part)
            hit = next((path for path in (f"{base}.rs", f"{base}/mod.rs") if path in self.files), "")
            if not hit:
                break
            found = hit
        return found

    def swift(self, name: str) -> list[str]:
        """Files of a module: the folder of that name below ``Sources``."""
        return [path for path in self.files if f"/Sources/{name}/" in f"/{path}"]

    @cached_property
    def _psr4(self) -> list[tuple[str, str]]:
        """Namespace prefixes (dotted) and folders of ``composer.json``."""
        found: list[tuple[str, str]] = []
        for path, text in self.texts.items():
            if posixpath.basename(path) != "composer.json":
                continue
            try:
                data = json.loads(text)
            except (ValueError, RecursionError):
                continue
            for section in ("autoload", "autoload-dev"):
                table = data.get(section) if isinstance(data, dict) else None
                mapping = table.get("psr-4") if isinstance(table, dict) else None
                for prefix, folders in mapping.items() if isinstance(mapping, dict) else ():
                    for folder in folders if isinstance(folders, list) else [folders]:
                        if isinstance(folder, str):
                            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), folder))
                            found.append((prefix.replace("\\", ".").strip("."), place))
        return sorted(found, key=lambda item: -len(item[0]))

    def php(self, module: str, name: str) -> list[str]:
        """The file of a class by the autoload rules."""
        full = f"{module}.{name}"
        for prefix, folder in self._psr4:
            if not prefix or full.startswith(f"{prefix}."):
                rest = full[len(prefix) :].strip(".").replace(".", "/")
                path = posixpath.normpath(posixpath.join(folder, f"{rest}.php"))
                if path in self.files:
                    return [path]
        return []
