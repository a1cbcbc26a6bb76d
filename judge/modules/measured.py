"""What was measured of a file, in words on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge.readers import Document

_CHARS = 700
_COLUMNS = 24
_LISTED = 8
_ITEM = 60
_MANY_COLOURS = 4096
_SHORT = 60
_SETTINGS = frozenset({"json", "toml", "yaml", "ini"})
_TEXT_FAMILIES = frozenset({"code", "text", "markup"})
# What a reader needs for its own work, or what the list of files says already.
_PLAIN = frozenset({"size", "lines", "encoding", "all_rows_counted", "delimiter", "header", "column_count", "type"})


def facts_line(document: Document) -> str:
    """What was measured of a file, on one line in square brackets; empty for sound text and short settings."""
    family, state = str(document.family), str(document.state)
    if family in _TEXT_FAMILIES and state == "sound" and not document.problems:
        return ""
    if document.format in _SETTINGS and state == "sound" and document.facts.get("lines", 0) <= _SHORT:
        return ""  # it is shown whole
    parts = [document.format]
    if state != "sound":
        parts.append(state)
    parts += _measured(document, family)
    parts += document.problems
    line = "; ".join(parts)
    return f"[{line if len(line) <= _CHARS else line[:_CHARS] + ' …'}]"


def _measured(document: Document, family: str) -> Iterator[str]:
    facts = document.facts
    if family == "image" and "blank" in facts:
        yield from _picture(facts)
    elif family == "notebook" and "code_cells" in facts:
        yield from _notebook(facts)
    elif family == "table" and "column_count" in facts:
        yield from _table(facts)
    else:
        yield from _others(facts)


def _picture(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"{facts.get('width')} x {facts.get('height')} pixels"
    if facts.get("frames", 1) != 1:
        yield f"{facts['frames']} frames" + (", animated" if facts.get("animated") else "")
    if "distinct_frames" in facts:
        yield f"{facts['distinct_frames']} distinct of the {facts.get('frames_looked_at')} frames looked at"
    yield "blank" if facts["blank"] else "not blank"
    if "empty_axes" in facts and not facts["blank"]:
        yield f"axes with nothing drawn: {'yes' if facts['empty_axes'] else 'no'}"
    if "colours" in facts:
        number = facts["colours"]
        yield f"{number} or more colours" if number >= _MANY_COLOURS else f"{number} colours"
    if "ink" in facts:
        yield f"{_percent(facts['ink'])} of it drawn on, {_percent(facts.get('colourful', 0.0))} in colour"
    if "shapes" in facts:
        yield "shapes: " + (_value(facts["shapes"]) or "none")


def _notebook(facts: Mapping[str, Any]) -> Iterator[str]:
    code, ran, outputs = facts["code_cells"], facts.get("executed_cells", 0), facts.get("outputs", 0)
    yield f"{code} code cell{'' if code == 1 else 's'} of {facts.get('cells', code)} cells"
    yield "none executed" if not ran else "all executed" if ran == code else f"{ran} executed"
    pictures = facts.get("output_images", 0)
    yield f"{outputs} outputs, {pictures} of them pictures" if outputs else "no outputs"
    if facts.get("text_cut"):
        yield "text cut"


def _table(facts: Mapping[str, Any]) -> Iterator[str]:
    rows, names = facts.get("rows", 0), list(facts.get("columns", ()))
    more = "" if facts.get("all_rows_counted", True) else " or more"
    yield f"{rows}{more} rows, {facts.get('column_count', len(names))} columns"
    if not facts.get("header", True):
        yield "no header"
    sampled = facts.get("sampled_rows", rows)
    if sampled < rows:
        yield f"values of the first {sampled} rows"
    if facts.get("constant_columns"):
        yield "constant: " + _value(facts["constant_columns"])
    shown = [_column(str(name), facts) for name in names[:_COLUMNS]]
    if len(names) > _COLUMNS:
        shown.append(f"… {len(names) - _COLUMNS} more")
    yield ", ".join(shown)


def _column(name: str, facts: Mapping[str, Any]) -> str:
    """A column with its range or the number of each of its values, and its gaps."""
    notes = []
    counts = dict(facts.get("value_counts", {})).get(name)
    span = dict(facts.get("ranges", {})).get(name)
    if counts:
        notes.append(", ".join(f"{_short(value)}: {number}" for value, number in counts.items()))
    elif span:
        notes.append(f"{_value(span[0])} to {_value(span[1])}")
    missing = dict(facts.get("missing", {})).get(name)
    if missing:
        notes.append(f"{missing} missing")
    return f"{_short(name)} ({'; '.join(notes)})" if notes else _short(name)


def _others(facts: Mapping[str, Any]) -> Iterator[str]:
    for key, value in facts.items():
        if key in _PLAIN or value in (None, "", [], {}):
            continue
        words = key.replace("_", " ")
        if isinstance(value, bool):
            yield f"{words}: {'yes' if value else 'no'}"
        else:
            yield f"{words} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_value(item) for item in value[:_LISTED])
        return f"{shown}, … {len(value)} in all" if len(value) > _LISTED else shown
    if isinstance(value, Mapping) and "name" in value and "columns" in value:  # a table of a database or a sheet
        return f"{_short(value['name'])} ({_value(value.get('rows'))} rows; {_value(value['columns'])})"
    if isinstance(value, Mapping):
        shown = ", ".join(f"{_short(key)}: {_value(item)}" for key, item in list(value.items())[:_LISTED])
        return f"{shown}, … {len(value)} in all" if len(value) > _LISTED else shown
    return _short(value)


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _ITEM else text[: _ITEM - 1] + "…"


def _percent(share: float) -> str:
    return "under 0.1 %" if 0 < share < 0.001 else f"{share * 100:.3g} %"
