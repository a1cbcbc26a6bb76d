"""Which workspace file an import means."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence


class ModuleIndex:
    """All Python files of a workspace by the places they can be imported from."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = {path: number for number, path in enumerate(paths)}
        self.folders: set[str] = set()
        self._inside: dict[str, set[str]] | None = None
        for path in self.files:
            folder = posixpath.dirname(path)
            while folder:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)
        self._sources = sorted(
            {folder for folder in self.folders if posixpath.basename(folder) in {"src", "lib", "python"}},
            key=lambda folder: (folder.count("/"), folder),
        )
        self._cache: dict[tuple[str, str, tuple[str, ...]], str | None] = {}

    def find(self, root: str, dotted: str) -> str | None:
        """The file of a dotted module below one root, or ``folder/`` for a folder without ``__init__``."""
        base = posixpath.join(root, dotted.replace(".", "/")) if dotted else root
        for candidate in (f"{base}/__init__.py" if base else "__init__.py", f"{base}.py"):
            if candidate in self.files:
                return candidate
        return f"{base}/" if base in self.folders else None

    def inside(self, folder: str) -> set[str]:
        """Names of the modules and folders of code in a folder."""
        if self._inside is None:
            self._inside = {}
            for path in (*self.files, *self.folders):
                above, _, name = path.rpartition("/")
                self._inside.setdefault(above, set()).add(name.removesuffix(".py"))
        return self._inside.get(folder, set())

    def resolve(self, dotted: str, importer: str, level: int, extra: Sequence[str] = ()) -> str | None:
        """The file (or ``folder/``) an import names.

        Args:
            dotted: Module name without leading dots.
            importer: Path of the importing file.
            level: Number of leading dots.
            extra: More roots that the importer puts on ``sys.path``.
        """
        folder = posixpath.dirname(importer)
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            return self.find(folder, dotted)
        key = (dotted, folder, tuple(extra))
        if key not in self._cache:
            self._cache[key] = self._absolute(dotted, folder, extra, importer)
        return self._cache[key]

    def _absolute(self, dotted: str, folder: str, extra: Sequence[str], importer: str) -> str | None:
        namespace = None
        for root in self._roots(folder, extra):
            found = self.find(root, dotted)
            if found is None:
                continue
            if not found.endswith("/"):
                return found
            namespace = namespace or found
        return namespace

    def _roots(self, folder: str, extra: Sequence[str]) -> list[str]:
        """Places to look: the file's own folder, what it adds, the folders above it, source folders."""
        roots = [folder, *extra]
        above = folder
        while above:
            above = posixpath.dirname(above)
            roots.append(above)
        roots += [source for source in self._sources if posixpath.dirname(source) in roots]
        return list(dict.fromkeys(roots))

    def child(self, folder: str, name: str) -> str | None:
        """The module or folder ``name`` inside a package folder."""
        return self.find(folder.rstrip("/"), name)


def module_name(path: str) -> str:
    """Dotted name of a file from the workspace root."""
    stem = path.rsplit(".", 1)[0]
    if stem.endswith("/__init__"):
        stem = stem[: -len("/__init__")]
    return stem.replace("/", ".")
