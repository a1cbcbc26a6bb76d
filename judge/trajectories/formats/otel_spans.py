"""Spans of OpenTelemetry as one shape, whatever wrote them: OTLP JSON, Python's console exporter, Go's stdouttrace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.trajectories.values import mapping, number_of, parsed, sequence, string, time_of

_DEEPEST = 20
_NAMES = ("Name", "name", "span_name")
_STARTS = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "StartTime", "start_timestamp", "startTime")
_ENDS = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "EndTime", "end_timestamp", "endTime")
_ROOTS = ("llm", "openinference", "gen_ai", "traceloop", "tool", "input", "output")
_INFERENCE = "openinference.span.kind"


@dataclass(frozen=True, slots=True)
class Span:
    """One span.

    Attributes:
        trace: The id of its trace.
        id: Its own id.
        parent: The id of the span it is part of; empty for a root.
        name: Its name.
        start: Seconds since 1970; None when unknown.
        end: Likewise.
        attributes: Name -> value in JSON types.
        events: Name and attributes of each event, in order.
        failed: Whether its status is an error.
        message: What the status says.
    """

    trace: str
    id: str
    parent: str
    name: str
    start: float | None
    end: float | None
    attributes: Mapping[str, Any]
    events: tuple[tuple[str, Mapping[str, Any]], ...]
    failed: bool
    message: str


def spans_in(value: object, depth: int = 0) -> Iterator[Span]:
    """All spans of a value: an OTLP export, one of its parts, a list, or a single span."""
    if isinstance(value, list):
        for item in value:
            yield from spans_in(item, depth + 1) if depth < _DEEPEST else ()
        return
    record = mapping(value)
    for key in (
        "resourceSpans",
        "resource_spans",
        "scopeSpans",
        "scope_spans",
        "instrumentationLibrarySpans",
        "spans",
        "batches",
    ):
        inner = record.get(key)
        if isinstance(inner, list) and depth < _DEEPEST:
            yield from spans_in(inner, depth + 1)
    if is_span(record):
        yield _span(record)


def is_span(record: Mapping[str, Any]) -> bool:
    """Whether an object is a span of one of the writers."""
    if isinstance(record.get("SpanContext"), dict):
        return "Name" in record
    if not any(isinstance(record.get(key), str) for key in _NAMES):
        return False
    if isinstance(record.get("context"), dict) and "trace_id" in record["context"]:
        return True
    return ("traceId" in record or "trace_id" in record) and ("spanId" in record or "span_id" in record)


def _span(record: Mapping[str, Any]) -> Span:
    context = mapping(record.get("SpanContext")) or mapping(record.get("context")) or record
    parent = mapping(record.get("Parent"))
    status = mapping(record.get("status")) or mapping(record.get("Status"))
    code = status.get("code", status.get("status_code", status.get("Code")))
    code = _any(record, "status_code", "statusCode", "otel_status_code") if code is None else code
    listed = (
        (string(_any(item, "name", "Name", "event_name")), _attributes(_any(item, "attributes", "Attributes")))
        for item in sequence(parsed(_any(record, "events", "Events", "otel_events")))
    )
    above = string(_any(record, "parentSpanId", "parent_span_id", "parent_id")) or string(parent.get("SpanID"))
    message = _any(status, "message", "description", "Description") or _any(
        record, "status_message", "statusMessage", "otel_status_message"
    )
    attributes = _attributes(parsed(_any(record, "attributes", "Attributes")))
    kind = record.get("span_kind")
    if isinstance(kind, str) and kind in ("LLM", "TOOL", "AGENT", "CHAIN") and _INFERENCE not in attributes:
        attributes = {**attributes, _INFERENCE: kind}
    return Span(
        trace=string(_any(context, "traceId", "trace_id", "TraceID")),
        id=string(_any(context, "spanId", "span_id", "SpanID")),
        parent="" if not above.strip("0x") else above,
        name=next((record[key] for key in _NAMES if isinstance(record.get(key), str)), ""),
        start=_time(_any(record, *_STARTS)),
        end=_time(_any(record, *_ENDS)),
        attributes=attributes,
        events=tuple(listed),
        failed=code in (2, "2", "ERROR", "Error", "STATUS_CODE_ERROR"),
        message=string(message),
    )


def _any(record: object, *names: str) -> Any:
    table = mapping(record)
    return next((table[name] for name in names if name in table), None)


def _time(value: object) -> float | None:
    if isinstance(value, str) and value.isdigit():
        return time_of(float(value))
    return time_of(value)


def _attributes(value: object) -> Mapping[str, Any]:
    if isinstance(value, dict):
        if not any(isinstance(value.get(key), dict) for key in _ROOTS):
            return value
        flat: dict[str, Any] = {}
        for key, item in value.items():
            _flatten(flat, key, item, key not in _ROOTS)
        return flat
    found = {}
    for item in sequence(value):
        pair = mapping(item)
        key = string(_any(pair, "key", "Key"))
        if key:
            found[key] = _value(_any(pair, "value", "Value"))
    return found


def _flatten(flat: dict[str, Any], key: str, value: object, leaf: bool, depth: int = 0) -> None:
    """Some writers nest what others call by dotted names: ``{"llm": {"model_name": …}}``."""
    if not leaf and depth < _DEEPEST and isinstance(value, dict):
        for inner, item in value.items():
            _flatten(flat, f"{key}.{inner}", item, False, depth + 1)
    elif not leaf and depth < _DEEPEST and isinstance(value, list) and value and isinstance(value[0], dict):
        for place, item in enumerate(value):
            _flatten(flat, f"{key}.{place}", item, False, depth + 1)
    else:
        flat[key] = value


def _value(value: object, depth: int = 0) -> Any:
    """A typed value: ``{"intValue": "3"}``, or Go's ``{"Type": "INT64", "Value": 3}``."""
    record = mapping(value)
    if not record or depth > _DEEPEST:
        return value
    if "Type" in record and "Value" in record:
        return record["Value"]
    for name in ("stringValue", "boolValue", "bytesValue"):
        if name in record:
            return record[name]
    for name in ("intValue", "doubleValue"):
        if name in record:
            number = number_of(record[name])
            return int(number) if number is not None and name == "intValue" else number
    if "arrayValue" in record:
        return [_value(item, depth + 1) for item in sequence(mapping(record["arrayValue"]).get("values"))]
    if "kvlistValue" in record:
        listed = sequence(mapping(record["kvlistValue"]).get("values"))
        return {string(mapping(item).get("key")): _value(mapping(item).get("value"), depth + 1) for item in listed}
    return value


def nested(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """A list that is spread over attributes, such as ``gen_ai.prompt.0.role``, as objects with flat keys."""
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if key.startswith(prefix):
            number, _, rest = key[len(prefix) :].partition(".")
            if number.isdigit() and len(number) < 6 and rest:
                found.setdefault(int(number), {})[rest] = value
    return [found[number] for number in sorted(found)]
