"""Scores as JUnit XML: a test suite a submission, a test case a case."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element, SubElement, tostring

from judge.report.junit import clean
from judge.report.markup import shorten
from judge.report.score.words import failed, headline, points
from judge.results.score import CaseResult, ScoreReport, SubmissionReport

_TEXT = 1_000


def score_junit(report: ScoreReport) -> str:
    """The report as XML.

    A case that failed is a failure whose type is how the call ended; a submission that could not be scored is an
    error. Flags, counterexamples and dimensions stand in the output of the suite.
    """
    root = Element("testsuites", {"name": clean(report.title or report.suite, 300)})
    counts = Counter[str]()
    for item in report.submissions:
        counts.update(_suite(root, item))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(counts[name]))
    text = clean(headline(report), 300)
    SubElement(SubElement(root, "properties"), "property", {"name": "score", "value": text})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, item: SubmissionReport) -> dict[str, int]:
    name = clean(item.submission, 500)
    wrong = len(failed(item))
    counts = {"tests": len(item.cases) + bool(item.error), "failures": wrong, "errors": int(bool(item.error))}
    numbers = {key: str(value) for key, value in counts.items()}
    suite = SubElement(root, "testsuite", {"name": name, **numbers, "skipped": "0", "time": f"{item.seconds:.3f}"})
    properties = SubElement(suite, "properties")
    if not item.error:
        SubElement(properties, "property", {"name": "total", "value": f"{item.total:.2f}"})
    for part in item.dimensions:
        value = clean(points(part) if part.value is not None else f"not measured: {part.reason}", 300)
        SubElement(properties, "property", {"name": clean(part.name, 100), "value": value})
    seen = Counter[str]()
    for case in item.cases:
        _case(suite, name, case, seen)
    if item.error:
        broken = SubElement(suite, "testcase", {"classname": name, "name": "scoring", "time": "0"})
        text = clean(item.error, _TEXT)
        SubElement(broken, "error", {"type": "engine", "message": _message(text)}).text = text
    lines = [f"{'flag' if flag.certain else 'sign'} {flag.kind}: {flag.evidence}" for flag in item.flags]
    lines += [
        f"counterexample {one.source} {one.category}: ({one.input}) gave {one.actual}, expected {one.expected}"
        for one in item.counterexamples
    ]
    lines += [f"note: {note}" for note in item.notes]
    if lines:
        SubElement(suite, "system-out").text = clean("\n".join(shorten(line, _TEXT) for line in lines), 50_000)
    return counts


def _case(suite: Element, name: str, case: CaseResult, seen: Counter[str]) -> None:
    """One case; a second of the same name gets a number, since tools join equal names."""
    title = " ".join(clean(f"{case.source}/{case.id}", 300).split())
    seen[title] += 1
    if seen[title] > 1:
        title = f"{title} ({seen[title]})"
    found = SubElement(suite, "testcase", {"classname": name, "name": title, "time": "0"})
    if case.passed:
        return
    reason = clean(case.reason or f"ended with {case.status}", _TEXT)
    rows = (("input", case.input), ("expected", case.expected), ("actual", case.actual), ("status", case.status))
    text = "\n".join([reason, *(f"{label}: {shorten(value, _TEXT)}" for label, value in rows if value)])
    failure = SubElement(found, "failure", {"type": clean(case.status, 60), "message": _message(reason)})
    failure.text = clean(text, 5 * _TEXT)


def _message(text: str) -> str:
    return shorten(" ".join(text.split()), 300)
