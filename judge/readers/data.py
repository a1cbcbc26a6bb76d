"""Structured data in text: JSON, JSON lines, YAML, TOML and INI."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from typing import Any

from judge.readers.columns import Columns, shown
from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.readers.jsoncomments import takes_comments, without_comments
from judge.readers.parts import Clock, never, text_document, text_of
from judge.text import Decoded, looks_like_text

_MAX_DEPTH = 500
_MAX_TOML = 1024 * 1024
_KEYS = 100
_SAMPLED = 2_000
_NOT_FINITE = re.compile(r"[:\[,]\s*(?:NaN|-?Infinity)\s*(?=[,}\]])")
_PROPERTY = re.compile(r"^[ \t]*(?![#!])([^\s=:]{1,200})[ \t]*[=:]", re.MULTILINE)
_TEMPLATE = re.compile(r"(?<!\$)\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_Facts = dict[str, Any]


def parse_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: It is no JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer with more digits than Python converts
        return json.loads(text, parse_int=float)


def _shape(value: Any) -> _Facts:
    if isinstance(value, dict):
        return {"type": "object", "keys": [str(key) for key in list(value)[:_KEYS]], "items": len(value)}
    if isinstance(value, list):
        facts: _Facts = {"type": "array", "items": len(value)}
        records = [item for item in value[:_SAMPLED] if isinstance(item, dict)]
        if records and isinstance(value[0], dict):
            facts["keys"] = [str(key) for key in list(value[0])[:_KEYS]]
            if len(records) == len(value[:_SAMPLED]):
                facts |= {"rows": len(value), **_columns(records)}
        return facts
    return {"type": {str: "string", bool: "boolean", type(None): "null"}.get(type(value), "number"), "items": 1}


def _is_nothing(value: Any) -> bool:
    return value is None or value == "" or value == [] or value == {}


def _read_json(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    if not decoded.text.strip() or source.truncated:
        return text_document(source, limits, "json", Family.DATA, decoded)
    try:
        value = parse_json(decoded.text)
    except ValueError as error:
        lines = _json_lines(decoded, limits)
        if lines and lines["records"] > 1 and not lines["bad_lines"]:
            problem = "one JSON value a line, not one JSON value"
            return text_document(source, limits, "jsonl", Family.DATA, decoded, facts=lines, problems=[problem])
        state, problem = State.BROKEN, f"no valid JSON: {error}"
        if takes_comments(source.path) and (value := without_comments(decoded.text)) is not None:
            facts = {**_shape(value), "comments": True}
            return text_document(source, limits, "json", Family.DATA, decoded, facts=facts)
        if decoded.text.lstrip()[:1] not in {"{", "[", '"'}:
            state = State.MISMATCH
        return text_document(source, limits, "json", Family.DATA, decoded, problems=[problem], state=state)
    state = State.EMPTY if _is_nothing(value) else State.SOUND
    facts = _shape(value)
    odd = len(_NOT_FINITE.findall(decoded.text)) if "N" in decoded.text or "Infinity" in decoded.text else 0
    if odd:
        facts["not_finite"] = odd
    return text_document(source, limits, "json", Family.DATA, decoded, facts=facts, state=state)


def _json_lines(decoded: Decoded, limits: Limits) -> _Facts:
    records, bad, keys, cut = 0, 0, dict[str, None](), False
    first: list[dict[str, Any]] = []
    clock = Clock(limits.max_seconds / 2)
    for line in decoded.text.split("\n"):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError:
            bad += 1
            if bad > 1000:
                break
            continue
        records += 1
        if isinstance(value, dict):
            if len(keys) < _KEYS:
                keys.update(dict.fromkeys(str(key) for key in value))
            if len(first) < _SAMPLED:
                first.append(value)
        if records % 1000 == 0 and clock.over:
            cut = True
            break
    return {
        "records": records,
        "rows": records,
        "all_rows_counted": not cut,
        "bad_lines": bad,
        "keys": list(keys)[:_KEYS],
        **_columns(first),
    }


def _columns(records: list[dict[str, Any]]) -> _Facts:
    """Facts on records as on the rows of a table."""
    names = list(dict.fromkeys(str(key) for record in records[:100] for key in record))[:_KEYS]
    if not names:
        return {}
    columns = Columns(len(names))
    for record in records:
        columns.add([shown(record.get(name)) for name in names])
    facts = columns.facts(names)
    return {"columns": names, "column_count": len(names), "sampled_rows": columns.rows, **facts}


def _read_jsonl(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    facts = _json_lines(decoded, limits)
    bad = facts["bad_lines"] - (1 if source.truncated else 0)
    state, problems = State.SOUND, []
    if not facts["all_rows_counted"]:
        state = State.PARTIAL
        problems.append("only counted in part, it takes too long")
    facts["all_rows_counted"] = facts["all_rows_counted"] and not source.truncated
    if bad > 0:
        state = State.BROKEN if facts["records"] else State.MISMATCH
        problems.append(f"{bad} lines are no JSON")
    return text_document(source, limits, "jsonl", Family.DATA, decoded, facts=facts, problems=problems, state=state)


def _read_yaml(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    problems: list[str] = []
    state = State.SOUND
    facts: _Facts = {}
    if decoded.text.strip() and not source.truncated:
        facts, problem = _yaml_events(decoded.text, limits)
        if problem:
            if _TEMPLATE.search(decoded.text):  # it becomes YAML only when a program has filled it in
                facts["template"] = True
            else:
                state = State.BROKEN
                problems.append(problem)
        elif not facts["items"]:
            state = State.EMPTY
    return text_document(source, limits, "yaml", Family.DATA, decoded, facts=facts, problems=problems, state=state)


def _yaml_events(text: str, limits: Limits) -> tuple[_Facts, str]:
    """Facts and a problem, from the stream of events alone: nothing is built, so no alias can multiply anything."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    clock = Clock(limits.max_seconds / 2)
    shape = _YamlShape()
    problem = ""
    try:
        for number, event in enumerate(yaml.parse(text, Loader=loader)):
            shape.add(event)
            if shape.depth > _MAX_DEPTH:
                problem = "nested too deeply"
                break
            if number % 1000 == 0 and clock.over:
                shape.facts["checked_in_part"] = True
                break
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = f"no valid YAML: {' '.join(str(error).split())}"
    if shape.facts.get("type") == "object":
        shape.facts["keys"] = shape.keys
    return {**shape.facts, "documents": shape.documents, "items": shape.items}, problem


class _YamlShape:
    """What a stream of YAML events is made of."""

    def __init__(self) -> None:
        self.depth = self.documents = self.items = 0
        self.keys: list[str] = []
        self.facts: _Facts = {}
        self._key_is_next = False

    def add(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "DocumentStartEvent":
            self.documents += 1
        elif kind in {"ScalarEvent", "AliasEvent"}:
            self.items += kind == "AliasEvent" or bool(event.value)
            self._node(event.value if kind == "ScalarEvent" else "")
        elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
            self._node("")
            if self.depth == 0:
                mapping = kind == "MappingStartEvent"
                self.facts["type"] = "object" if mapping else "array"
                self._key_is_next = mapping
            self.depth += 1
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            self.depth -= 1

    def _node(self, value: str) -> None:
        """A node begins; in the outermost mapping keys and values take turns."""
        if self.depth != 1 or self.facts.get("type") != "object":
            return
        if self._key_is_next and value and len(self.keys) < _KEYS:
            self.keys.append(value)
        self._key_is_next = not self._key_is_next


def _read_toml(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    facts: _Facts = {}
    problems: list[str] = []
    state = State.SOUND
    deep = any(line.partition("=")[0].count(".") > _MAX_DEPTH for line in decoded.text[:_MAX_TOML].split("\n"))
    if deep:  # the parser needs quadratic time for them
        state = State.BROKEN
        problems.append("no valid TOML: nested too deeply")
    elif decoded.text.strip() and not source.truncated and len(decoded.text) <= _MAX_TOML:
        try:
            facts = _shape(tomllib.loads(decoded.text))
        except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
            state = State.BROKEN
            problems.append(f"no valid TOML: {error}")
    elif len(decoded.text) > _MAX_TOML:
        state = State.PARTIAL
        problems.append("too long to be parsed, only its text was read")
    return text_document(source, limits, "toml", Family.DATA, decoded, facts=facts, problems=problems, state=state)


def _read_ini(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    facts: _Facts = {}
    problems: list[str] = []
    if source.suffix == ".properties":
        return text_document(source, limits, "properties", Family.DATA, decoded, facts=_properties(decoded.text))
    if not source.truncated and len(decoded.text) <= _MAX_TOML:
        try:
            parser.read_string(decoded.text)
            facts["keys"] = parser.sections()[:_KEYS]
        except (configparser.Error, ValueError, AttributeError) as error:
            # Many kinds of files are called .cfg or .conf: this one is some other text.
            problems.append(f"no sections and options: {str(error).splitlines()[0] if str(error) else 'unknown'}")
    elif len(decoded.text) > _MAX_TOML:
        problems.append("too long to be parsed, only its text was read")
    return text_document(source, limits, "ini", Family.DATA, decoded, facts=facts, problems=problems)


def _properties(text: str) -> _Facts:
    keys = dict.fromkeys(match.group(1) for match in _PROPERTY.finditer(text[:_MAX_TOML]))
    return {"keys": list(keys)[:_KEYS], "items": len(keys)}


def _sniff_json(data: bytes) -> bool:
    head = data[:65536].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] not in {b"{", b"["} or not looks_like_text(data):
        return False
    try:
        parse_json(data.decode("utf-8-sig"))
    except ValueError:
        return False
    return True


JSON = Reader(
    "json",
    frozenset({".json", ".geojson", ".webmanifest", ".har", ".jsonc", ".code-workspace"}),
    _sniff_json,
    _read_json,
    textual=True,
)
JSONL = Reader("jsonl", frozenset({".jsonl", ".ndjson", ".jsonlines"}), never, _read_jsonl, textual=True)
YAML = Reader("yaml", frozenset({".yaml", ".yml"}), never, _read_yaml, textual=True)
TOML = Reader("toml", frozenset({".toml"}), never, _read_toml, textual=True)
INI = Reader("ini", frozenset({".ini", ".cfg", ".conf", ".properties"}), never, _read_ini, textual=True)
