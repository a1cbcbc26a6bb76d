"""The cases of a submission: what was asked, expected and given."""

from __future__ import annotations

from collections.abc import Sequence

from judge.report.markup import Child, Html, Value, element, escape, join
from judge.report.score.budget import Budget
from judge.report.score.words import failed
from judge.results.score import CaseResult, CategoryResult, Counterexample, SubmissionReport
from judge.text import plural

_OPEN = 12


def grid(heads: Sequence[str], rows: Sequence[Sequence[Child]], label: str, style: str = "") -> Html:
    """A table that scrolls on its own."""
    head = element("thead", None, element("tr", None, *(element("th", {"scope": "col"}, one) for one in heads)))
    body = element("tbody", None, *(element("tr", None, *(element("td", None, cell) for cell in row)) for row in rows))
    box: dict[str, Value] = {"class": f"scroll {style}".strip(), "tabindex": 0, "role": "region", "aria-label": label}
    return element("div", box, element("table", None, head, body))


def cases(item: SubmissionReport, budget: Budget) -> Html:
    """Counterexamples, failed cases, counts by category, and the passed cases, closed."""
    wrong = failed(item)
    right = [case for case in item.cases if case.passed]
    found = [_examples(item.counterexamples, budget)]
    if wrong:
        found.append(_list("Failed cases", wrong, budget.failed, budget, opened=len(wrong) <= _OPEN))
    found.append(_categories(item.categories))
    if right:
        found.append(_list("Passed cases", right, budget.passed, budget, opened=False))
    return join(*found)


def code(value: str, limit: int) -> Html:
    """Text as code; nothing for nothing."""
    return element("code", None, escape(value, limit)) if value else Html("")


def _list(title: str, found: Sequence[CaseResult], most: int, budget: Budget, *, opened: bool) -> Html:
    bad = not found[0].passed
    shown = found[:most]
    rows = [_row(case, budget.text, bad=bad) for case in shown]
    heads = ("Case", "Input", "Expected", "Actual", "Why") if bad else ("Case", "Input", "Result")
    left = len(found) - len(shown)
    more = element("p", {"class": "dim"}, f"{plural(left, 'more case')} in score.json.") if left else None
    inside = grid(heads, rows, title, "cases") if rows else None
    summary = element("summary", None, element("b", None, title), f" {len(found):,}")
    return element("details", {"class": "bad" if bad else None, "open": opened}, summary, inside, more)


def _row(case: CaseResult, limit: int, *, bad: bool) -> list[Child]:
    about = " · ".join(part for part in (case.source, case.category) if part)
    name = join(code(case.id, min(limit, 120)), element("small", None, escape(about, 120)))
    if not bad:
        return [name, code(case.input, limit), code(case.actual or case.status, limit)]
    why = [escape(case.reason, max(limit, 200))]
    if case.status not in {"returned", "raised"}:
        why.append(element("small", None, case.status))
    if case.mutated:
        why.append(element("small", None, "changed its arguments"))
    return [name, code(case.input, limit), code(case.expected, limit), code(case.actual, limit), why]


def _examples(found: Sequence[Counterexample], budget: Budget) -> Html:
    if not found:
        return Html("")
    limit = max(budget.text, 300)
    rows: list[list[Child]] = [
        [
            join(escape(one.category or one.source, 120), element("small", None, escape(one.source, 120))),
            code(one.input, limit),
            code(one.expected, limit),
            code(one.actual, limit),
            escape(one.reason, limit),
        ]
        for one in found[:50]
    ]
    summary = element("summary", None, element("b", None, "Smallest counterexamples"), f" {len(found):,}")
    table = grid(("Category", "Input", "Expected", "Actual", "Why"), rows, "Smallest counterexamples", "cases")
    return element("details", {"class": "bad", "open": True}, summary, table)


def _categories(found: Sequence[CategoryResult]) -> Html:
    if not found:
        return Html("")
    rows: list[list[Child]] = [
        [escape(one.category or NO_CATEGORY, 120), escape(one.source, 60), f"{one.passed:,} of {one.asked:,}"]
        for one in found[:200]
    ]
    bad = sum(one.passed < one.asked for one in found)
    text = f" {len(found):,}" + (f", {bad:,} with failures" if bad else "")
    summary = element("summary", None, element("b", None, "Categories"), text)
    return element("details", None, summary, grid(("Category", "Source", "Passed"), rows, "Categories", "cases"))


NO_CATEGORY = "no category"
