"""What a test says of a small project: its files and what the graph must know of them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Project:
    """A workspace in one language.

    Attributes:
        language: Name in the table of languages.
        files: Contents by path.
        entries: Why a file runs, by path; no other file of the language does.
        definitions: Qualified names that must be there.
        stubs: Those without a body that does something.
        calls: Qualified names of caller (empty for the top level) and callee.
        imports: Paths of importer and imported.
        packages: External packages.
        inherits: Qualified names of class and base.
        writes: Written paths, and whether code that can run writes them.
        reads: The same for reads.
        dead: Qualified names that nothing reaches.
        tests: Qualified names of test and tested.
        displays: Displayed paths.
        broken: Path of a file that does not parse, and a definition that is found in it all the same.
    """

    language: str
    files: dict[str, str | bytes]
    entries: dict[str, str]
    definitions: set[str]
    stubs: set[str] = field(default_factory=set)
    calls: set[tuple[str, str]] = field(default_factory=set)
    imports: set[tuple[str, str]] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)
    inherits: set[tuple[str, str]] = field(default_factory=set)
    writes: dict[str, bool] = field(default_factory=dict)
    reads: dict[str, bool] = field(default_factory=dict)
    dead: set[str] = field(default_factory=set)
    tests: set[tuple[str, str]] = field(default_factory=set)
    displays: set[str] = field(default_factory=set)
    broken: dict[str, str] = field(default_factory=dict)
