"""The quoted lines of citations and the evidence behind a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.report.markup import LONGEST, Html, element, escape, join
from judge.report.model import Cited, Line, Picture, Report, RequirementReport, Shown, TaskReport
from judge.text import plural

_FILE_BUDGET = 7_500_000
"""Characters of the whole file, pictures left out; bytes are a little more."""
_PICTURE_BUDGET = 1_500_000
_CARD, _ROW, _MARKED_LINE = 2_200, 260, 45
"""About how much markup stands around the texts of a requirement, an item of evidence and a quoted line."""
_LIMITS = (40_000, 20_000, 10_000, 5_000, 2_500, 1_200, 600, 300)
_LINE_LIMIT = 400


@dataclass(slots=True)
class Budget:
    """What still fits into the file.

    Attributes:
        text: Longest text of one item of evidence, in characters.
        pictures: Characters of pictures that may still be put in.
    """

    text: int
    pictures: int = _PICTURE_BUDGET

    @classmethod
    def of(cls, report: Report) -> Budget:
        """The longest limit with which all evidence stays within bounds."""
        tasks = [task for run in report.runs for task in run.tasks]
        room = _FILE_BUDGET - sum(_size(item) for task in tasks for item in task.requirements)
        sizes = [(len(item.text), _growth(item.text)) for task in tasks for item in _distinct(task)]
        fitting = (limit for limit in _LIMITS if sum(min(size, limit) * grown + 300 for size, grown in sizes) <= room)
        return cls(next(fitting, 0))


@dataclass(slots=True)
class Exhibits:
    """The evidence of one task: what several requirements rest on is shown once.

    Attributes:
        anchor: What ids begin with.
        budget: Shared by the whole file.
        shared: Key -> id of the items that stand at the end of the task.
    """

    anchor: str
    budget: Budget
    shared: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, task: TaskReport, anchor: str, budget: Budget) -> Exhibits:
        """Finds out what is used more than once."""
        uses = Counter(key for one in task.requirements for key in {item.key for item in one.evidence})
        order = dict.fromkeys(item.key for one in task.requirements for item in one.evidence)
        several = [key for key in order if uses[key] > 1]
        return cls(anchor, budget, {key: f"{anchor}-e{number}" for number, key in enumerate(several, start=1)})

    def beside(self, item: RequirementReport) -> Html:
        """The evidence of one requirement, closed."""
        if not item.evidence:
            return Html("")
        total = sum(piece.tokens for piece in item.evidence)
        head = f"{plural(len(item.evidence), 'item')} of evidence, as the judge saw it"
        rows = [self._row(piece) for piece in item.evidence]
        size = element("span", {"class": "dim"}, f" · {plural(total, 'token')}") if total else None
        return element(
            "details", {"class": "evidence"}, element("summary", None, head, size), element("ul", None, *rows)
        )

    def common(self, task: TaskReport) -> Html:
        """What several requirements of a task were judged on, closed."""
        if not self.shared:
            return Html("")
        items = {piece.key: piece for one in task.requirements for piece in one.evidence}
        rows = [element("li", None, self._open(items[key], anchor)) for key, anchor in self.shared.items()]
        head = f"{plural(len(rows), 'item')} of evidence that several requirements were judged on"
        return element(
            "details", {"class": "evidence common"}, element("summary", None, head), element("ul", None, *rows)
        )

    def _row(self, piece: Shown) -> Html:
        target = self.shared.get(piece.key)
        if target is None:
            return element("li", None, self._open(piece))
        return element("li", {"class": "link"}, element("a", {"href": f"#{target}"}, _title(piece)), _about(piece))

    def _open(self, piece: Shown, anchor: str = "") -> Html:
        body = element("pre", None, escape(piece.text, self.budget.text)) if piece.text else None
        problems = [element("p", {"class": "warn"}, problem) for problem in piece.problems]
        inside = element(
            "div", {"id": anchor} if anchor else None, body, *problems, *map(self._picture, piece.pictures)
        )
        return element("details", None, element("summary", None, _title(piece), _about(piece)), inside)

    def _picture(self, picture: Picture) -> Html:
        self.budget.pictures -= len(picture.data_base64)
        if self.budget.pictures < 0:
            return element("p", {"class": "dim"}, "A picture is left out to keep this file small; see the run folder.")
        size = {"width": picture.width or None, "height": picture.height or None}
        source = f"data:{picture.media_type};base64,{picture.data_base64}"
        return element("img", {"src": source, "alt": "Picture that the judge saw", "loading": "lazy", **size})


def citations(items: Sequence[Cited], verified: bool | None, *, opened: bool) -> Html:
    """All citations of a verdict."""
    if not items:
        return Html("")
    missing = sum(1 for item in items if item.verified is False)
    word = {True: "every quote found", False: f"{plural(missing, 'quote')} not found"}.get(bool(verified), "")
    tail = element("span", {"class": "warn" if missing else "dim"}, f" · {word}") if verified is not None else None
    return element(
        "details",
        {"class": "citations", "open": opened},
        element("summary", None, plural(len(items), "citation"), tail),
        *(_citation(item) for item in items),
    )


def _citation(item: Cited) -> Html:
    status = None
    if item.verified is False:
        status = element("span", {"class": "warn"}, "This quote was not found there")
    caption = element("figcaption", None, element("code", None, place(item)), status)
    rows = [_line(line) for line in item.lines]
    return element("figure", {"class": "quote"}, caption, element("pre", {"tabindex": 0}, *rows) if rows else None)


def place(item: Cited) -> str:
    """Where a citation stands, in words."""
    if item.step is not None:
        return f"step {item.step} of the trajectory"
    text = item.path or "no place given"
    if item.line is None:
        return text
    many = item.end_line is not None and item.end_line != item.line
    return f"{text}:{item.line}-{item.end_line}" if many else f"{text}:{item.line}"


def _line(line: Line) -> Html:
    """One line; by far the commonest part of a report, so it is put together by hand."""
    if line.gap:
        return element("span", {"class": "gap"}, "⋯\n")
    number = f"<i>{int(line.number)}</i>" if line.number is not None else ""
    tag = "mark" if line.quoted else "span"
    return Html(f"<{tag}>{number}{escape(line.text, _LINE_LIMIT)}\n</{tag}>")


def _title(piece: Shown) -> Html:
    where = f"step {piece.step}" if piece.step is not None else piece.path or piece.title
    return join(element("b", None, piece.kind or "item"), " ", element("code", None, escape(where, 300)))


def _about(piece: Shown) -> Html:
    words = [piece.module, plural(piece.tokens, "token") if piece.tokens else "", piece.why]
    return element("span", {"class": "dim"}, " ", escape(" · ".join(word for word in words if word), 300))


def _growth(text: str) -> float:
    """How much longer a text becomes when it is escaped."""
    return 1 + 5 * sum(text.count(char) for char in "&<>\"'") / max(1, len(text))


def _size(item: RequirementReport) -> int:
    """About how large a requirement is in the file, without the texts of its evidence."""
    lines = sum(min(len(line.text), _LINE_LIMIT) + _MARKED_LINE for cited in item.citations for line in cited.lines)
    texts = min(len(item.criteria), LONGEST) + min(len(item.reason) + len(item.error), LONGEST)
    return _CARD + texts + lines + 300 * len(item.citations) + _ROW * len(item.evidence)


def _distinct(task: TaskReport) -> Iterable[Shown]:
    return {piece.key: piece for one in task.requirements for piece in one.evidence}.values()
