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
_HELD = frozenset({"array", "model"})
_TEXT_FAMILIES = frozenset({"code", "text", "markup"})
# What a reader needs for its own work, or what the list of files says already.
_PLAIN = frozenset(
    {
        "size",
        "lines",
        "encoding",
        "all_rows_counted",
        "delimiter",
        "header",
        "column_count",
        "type",
        "types",
        "dtypes",
        "looked_into",
        "finite_share",
        "all_constant",
        "all_zero",
        "names",
    }
)


def facts_line(document: Document) -> str:
    """What was measured of a file, on one line in square brackets; empty for sound text and short settings."""
    family, state = str(document.family), str(document.state)
    log = "error_count" in document.facts and (document.facts["error_count"] or "last_lines" in document.facts)
    if family in _TEXT_FAMILIES and state == "sound" and not document.problems and not log:
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
    elif family in {"table", "data"} and "column_count" in facts:
        yield from _table(facts)
    elif family in _HELD and facts.get("arrays"):
        yield from _arrays(facts)
    elif family == "array" and "shape" in facts:
        yield _array(facts)
    elif family == "archive" and "member_count" in facts:
        yield from _archive(facts)
    elif "error_count" in facts:
        yield from _log(facts)
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
    yield from _figure(facts)
    if "shapes" in facts:
        yield "shapes: " + (_value(facts["shapes"]) or "none")


def _figure(facts: Mapping[str, Any]) -> Iterator[str]:
    """What tells a figure, and what is written on a picture or in its file."""
    if facts.get("hues"):
        yield f"{facts['hues']} distinct hue{'' if facts['hues'] == 1 else 's'}"
    if facts.get("axes"):
        yield "lines like axes"
    for name in ("title", "x_label", "y_label", "metadata", "links", "note"):
        if facts.get(name):
            yield f"{name.replace('_', ' ')}: {_value(facts[name])}"


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
    width = facts.get("column_count", len(names))
    if len(facts.get("sheets", ())) > 1:
        yield f"sheets {_value(facts['sheets'])}; what follows is of the first that holds something"
    yield f"{rows}{more} row{'' if rows == 1 else 's'}, {width} column{'' if width == 1 else 's'}"
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
    infinite = dict(facts.get("infinite", {})).get(name)
    if infinite:
        notes.append(f"{infinite} infinite")
    return f"{_short(name)} ({'; '.join(notes)})" if notes else _short(name)


def _arrays(facts: Mapping[str, Any]) -> Iterator[str]:
    """Arrays of a file, each with its shape, and what its values are like."""
    arrays = dict(facts["arrays"])
    yield f"{len(arrays)} array{'' if len(arrays) == 1 else 's'}"
    for key in ("groups", "parameters", "layers", "links_out"):
        if facts.get(key):
            yield f"{key.replace('_', ' ')} {_value(facts[key])}"
    shown = [f"{_short(name)} ({_array(dict(about))})" for name, about in list(arrays.items())[:_LISTED]]
    yield ", ".join(shown) + (f", … {len(arrays) - _LISTED} more" if len(arrays) > _LISTED else "")


def _array(facts: Mapping[str, Any]) -> str:
    sides = " x ".join(str(side) for side in facts.get("shape") or ()) or "one value"
    notes = [f"{sides} {_short(facts.get('dtype', ''))}"]
    if facts.get("all_zero"):
        notes.append("all zero")
    elif facts.get("value_counts"):
        notes.append(_value(facts["value_counts"]))
    elif "min" in facts:
        notes.append(f"{_value(facts['min'])} to {_value(facts['max'])}, mean {_value(facts.get('mean'))}")
    notes += [f"{facts[key]} {word}" for key, word in (("nan", "NaN"), ("inf", "infinite")) if facts.get(key)]
    notes += [f"like {facts['like']}"] if facts.get("like") else []
    return "; ".join(notes)


def _archive(facts: Mapping[str, Any]) -> Iterator[str]:
    count = facts["member_count"]
    yield f"{count} member{'' if count == 1 else 's'}, {facts.get('unpacked_bytes', 0)} bytes unpacked"
    if facts.get("special_members"):
        yield f"{facts['special_members']} of them links, devices or encrypted"
    yield _value(facts.get("members", ()))


def _log(facts: Mapping[str, Any]) -> Iterator[str]:
    """Where a log says that something went wrong, and its end if it is long."""
    yield f"{facts['error_count']} lines of errors, {facts.get('warning_count', 0)} of warnings"
    if facts.get("error_lines"):
        yield "line " + "; line ".join(_short(line) for line in facts["error_lines"][:_LISTED])
    if facts.get("last_lines"):
        yield "it ends with: " + " / ".join(_short(line) for line in facts["last_lines"][-3:])


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
