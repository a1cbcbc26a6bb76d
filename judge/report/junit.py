"""A report as JUnit XML: a test suite a task, a test case a requirement."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from judge.report.exhibits import place
from judge.report.markup import shorten
from judge.report.model import Report, RequirementReport, RunReport, State, TaskReport
from judge.report.words import label, numbers, outcome
from judge.text import printable, valid_unicode

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report) -> str:
    """The report as XML.

    UNSATISFIED is a failure (of type ``blocked`` when ``--gate`` kept it from being judged, else ``unsatisfied``),
    ERROR is an error, and what the run did not reach is skipped; so the numbers are those of the verdicts.
    """
    root = Element("testsuites", {"name": clean(report.title)})
    for run in report.runs:
        for task in run.tasks:
            _suite(root, run, task, named=len(report.runs) > 1)
    totals = [run.counts for run in report.runs]
    root.set("tests", str(sum(item.requirements for item in totals)))
    root.set("failures", str(sum(item.unsatisfied for item in totals)))
    root.set("errors", str(sum(item.errors for item in totals)))
    root.set("skipped", str(sum(item.pending for item in totals)))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def clean(text: str, limit: int = 10_000) -> str:
    """Text that XML can hold: what it cannot is written as an escape, as are characters that turn text around."""
    return _NO_XML.sub("\ufffd", printable(valid_unicode(shorten(text, limit))))


def _suite(root: Element, run: RunReport, task: TaskReport, *, named: bool) -> None:
    name = f"{run.name}/{task.name}" if named else task.name
    counts = task.counts
    seconds = sum(item.seconds or 0.0 for item in task.requirements)
    suite = SubElement(
        root,
        "testsuite",
        {
            "name": clean(name),
            "tests": str(counts.requirements),
            "failures": str(counts.unsatisfied),
            "errors": str(counts.errors),
            "skipped": str(counts.pending),
            "time": f"{seconds:.3f}",
        },
    )
    if run.created:
        suite.set("timestamp", clean(run.created))
    for item in task.requirements:
        _case(suite, clean(name), item)


def _case(suite: Element, name: str, item: RequirementReport) -> None:
    title = f"R{item.requirement_id}: {' '.join(item.criteria.split())}"
    attributes = {"classname": name, "name": clean(title, 300), "time": f"{item.seconds or 0.0:.3f}"}
    case = SubElement(suite, "testcase", attributes)
    text = clean(outcome(item))
    if item.state == State.UNSATISFIED:
        _outcome(case, "failure", "blocked" if item.gated else "unsatisfied", text)
    elif item.state == State.ERROR:
        _outcome(case, "error", "error", text)
    elif item.state == State.PENDING:
        SubElement(case, "skipped", {"message": text})
    lines = list(_details(item, text))
    if lines:
        SubElement(case, "system-out").text = clean("\n".join(lines))


def _outcome(case: Element, tag: str, kind: str, text: str) -> None:
    SubElement(case, tag, {"type": kind, "message": shorten(" ".join(text.split()), 300)}).text = text


def _details(item: RequirementReport, text: str) -> list[str]:
    lines = [text] if item.state == State.SATISFIED and text else []
    if item.category:
        lines.append(f"category: {item.category}")
    if item.confidence is not None and item.state in {State.SATISFIED, State.UNSATISFIED}:
        lines.append(f"confidence: {item.confidence:.2f}")
    if item.label is not None:
        lines.append(f"label: {label(item.label)}{', differs' if item.agrees is False else ''}")
    if item.unmet:
        lines.append(f"blocked by: {numbers(item.unmet)}")
    lines += [
        f"cited: {place(cited)}{' (quote not found)' if cited.verified is False else ''}" for cited in item.citations
    ]
    return lines
