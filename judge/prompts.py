"""Loads, renders, versions and hashes the templates in ``prompts/*.md``.

A template is a Markdown file with front matter (``id``, ``version``) and variables ``{{name}}``. There is no template
language: a value is put in as it is and never looked at again, so text in it that looks like a variable stays text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from judge.errors import InputError

_VARIABLE = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_SECTION = re.compile(r"^<!-- section: ([a-z][a-z0-9_]*) -->[ \t]*\n", re.MULTILINE)
_ID = re.compile(r"[a-z][a-z0-9-]*\Z")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template.

    Attributes:
        id: Its name: the file's name without ``.md``.
        version: Raised with every change of meaning.
        text: The template, front matter removed, section marks kept.
        hash: SHA-256 of the whole file's text, 16 hex digits.
    """

    id: str
    version: str
    text: str
    hash: str

    @property
    def sections(self) -> dict[str, str]:
        """Section name -> its template; a template without marks is one section ``body``."""
        parts = _SECTION.split(self.text)
        if len(parts) == 1:
            return {"body": self.text.strip("\n")}
        return {name: body.strip("\n") for name, body in zip(parts[1::2], parts[2::2], strict=True)}

    @property
    def variables(self) -> frozenset[str]:
        """Names that the whole template needs."""
        return frozenset(_VARIABLE.findall(self.text))

    def render(self, **values: str) -> str:
        """Fills in the whole template.

        Raises:
            InputError: A variable has no value, or a value no variable.
        """
        return _fill(self.id, "\n\n".join(self.sections.values()), values)

    def render_section(self, name: str, **values: str) -> str:
        """Fills in one section, for prompts that are sent as several messages.

        Raises:
            InputError: There is no such section, a variable has no value, or a value no variable.
        """
        if name not in self.sections:
            raise InputError(f"has no section {name!r}", where=f"prompt {self.id}")
        return _fill(f"{self.id}, section {name}", self.sections[name], values)


@cache
def load_prompt(id: str) -> Prompt:
    """The template with that id, from the checkout's ``prompts/`` or from the installed package.

    Raises:
        InputError: There is none, or its front matter is wrong.
    """
    if not _ID.match(id):
        raise InputError("is no name of a prompt", where=repr(id))
    for folder in _folders():
        file = folder / f"{id}.md"
        if file.is_file():
            return _parse(id, file.read_text(encoding="utf-8").replace("\r\n", "\n"))
    raise InputError("no such prompt", where=f"prompts/{id}.md", hint="is the installation complete?")


def prompt_ids() -> tuple[str, ...]:
    """The ids of all templates, sorted."""
    for folder in _folders():
        if folder.is_dir():
            return tuple(sorted(item.name[:-3] for item in folder.iterdir() if item.name.endswith(".md")))
    return ()


def _folders() -> tuple[Traversable, ...]:
    # A wheel carries the templates inside the package; an editable checkout has them beside it.
    return (files("judge") / "_prompts", Path(__file__).resolve().parents[1] / "prompts")


def _parse(id: str, text: str) -> Prompt:
    where = f"prompts/{id}.md"
    found = re.match(r"---\n(.*?)\n---\n(.*)\Z", text, re.DOTALL)
    if not found:
        raise InputError("has no front matter", where=where)
    fields: dict[str, str] = {}
    for line in found[1].splitlines():
        name, _, value = line.partition(":")
        fields[name.strip()] = value.strip()
    if set(fields) != {"id", "version"} or fields["id"] != id or not fields["version"]:
        raise InputError(f"needs front matter with id: {id} and a version, and nothing else", where=where)
    return Prompt(id, fields["version"], found[2].strip("\n") + "\n", hashlib.sha256(text.encode()).hexdigest()[:16])


def _fill(where: str, template: str, values: dict[str, str]) -> str:
    wanted = set(_VARIABLE.findall(template))
    missing, extra = sorted(wanted - set(values)), sorted(set(values) - wanted)
    if missing or extra:
        what = f"no value for {', '.join(missing)}" if missing else f"no variable {', '.join(extra)}"
        raise InputError(what, where=f"prompt {where}")
    # One pass with a function: what a value holds is never read again, neither as a variable nor as an escape.
    return _VARIABLE.sub(lambda found: values[found[1]], template)
