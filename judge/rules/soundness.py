"""What is wrong with an artefact as such: blank, empty, never executed, never fitted, unfilled."""

from __future__ import annotations

import re
from collections.abc import Callable

from judge.readers import Document, Family, State
from judge.readers.markup import page_text
from judge.rules.criterion import Criterion

_SAID = {
    State.EMPTY: "is empty",
    State.BLANK: "is blank",
    State.BROKEN: "is damaged",
    State.MISMATCH: "is not what its extension says",
}
_MOTION = re.compile(
    r"\b(?:animat\w*|motion|during|process|changes?|paths?|before and after|over time|evolution|frames?|gif)\b",
    re.IGNORECASE,
)
_TODO = re.compile(
    r"\b(?:(?-i:TODO|TBD|FIXME)(?![- ](?:list|app|item|task|api|manager|tracker|note|comment)s?\b)|"
    r"lorem ipsum|placeholder|coming soon|xxx+|"
    r"to be (?:added|done|written|completed|filled|determined|updated|continued)|"
    r"not (?:yet )?(?:implemented|available|computed|run)|(?:insert|add|fill in|describe|write) (?:\w+ ){0,4}here)\b|"
    r"\[(?:insert|your)[^\]]*\]",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"\b(?:accuracy|score|precision|recall|f1|rmse|mse|mae|auc|profit|loss|time|rate|error|coefficient|value|position|"
    r"count|number|mean|average|total|sum|metric|centers?|centroids?|importances?|returns?|reward|percentage|latency)\b",
    re.IGNORECASE,
)
_BELOW_TRACEBACK = 4
_ODD_VALUES = ("values that are not numbers", "all values that were looked at are zero")
_EMPTY_BY_NATURE = re.compile(r"(?:^|/)(?:__init__\.pyi?|py\.typed|\.(?:git)?keep|\.nojekyll|\.npmignore)$")
_PLAIN_PICTURE = re.compile(
    r"\b(?:masks?|label maps?|annotations?|ground truth|swatch\w*|textures?|"
    r"(?:solid|single|one|plain|uniform)[- ]colou?r\w*)\b",
    re.IGNORECASE,
)
_CONSTANT = re.compile(
    r"\b(?:constant|ones|zeros?|zeroed|masks?|bias(?:es)?|batch ?norm\w*|initial\w*|identity|"
    r"uniform|baseline|dummy|padd\w+)\b",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"prompt|template|format|message|string|locale|i18n", re.IGNORECASE)
_CODE_SPAN = re.compile(r"`[^`\n]*`|<code>.*?</code>|\$[^$\n]*\$|\S*/\S*\{\S*")
_FIELD = re.compile(r"(?<![\\{$%\w])\{[a-z_][a-z0-9_.]*(?:\[[^\]]*\])?(?::[^{}\n]{0,12})?\}(?!\})")


def artefact_trouble(document: Document, criterion: Criterion | None = None) -> str:
    """What is wrong with an artefact as such, or an empty string."""
    detail = f" ({document.problems[0]})" if document.problems else ""
    if document.state is State.EMPTY and _EMPTY_BY_NATURE.search(document.path):
        return ""
    if document.state is State.BLANK and criterion is not None and _may_be_plain(document, criterion):
        return ""
    if document.state in _SAID:
        return f"{_SAID[document.state]}{detail}"
    if document.state is State.UNREADABLE and detail and "install judge[" not in detail:
        return f"cannot be read{detail}"
    unsafe = [problem for problem in document.problems if problem.startswith("loading it would call")]
    if unsafe:
        return f"is no plain data: {unsafe[0]}"
    trouble = _TROUBLES.get(document.family)
    found = trouble(document, criterion) if trouble is not None else ""
    return found or _text_trouble(document) or _valueless(document, criterion)


def _may_be_plain(document: Document, criterion: Criterion) -> bool:
    """Whether a picture of one colour is what was asked for: a mask on which nothing was found, a swatch."""
    return document.family is Family.IMAGE and criterion.says(_PLAIN_PICTURE.pattern)


def has_placeholder(line: str) -> bool:
    """Whether a line of a text only promises content."""
    return _TODO.search(line) is not None


def hollow_model(document: Document) -> bool:
    """Whether a model file holds no parameter: an empty dictionary, a bare string."""
    if document.family is not Family.MODEL:
        return False
    facts = document.facts
    if "storage_bytes" in facts:
        return not facts["storage_bytes"] and not facts.get("classes")
    if "opcodes" in facts:
        return facts["opcodes"] <= 6 and not facts.get("classes")
    return facts.get("parameters") == 0


def _notebook_trouble(document: Document, criterion: Criterion | None) -> str:
    facts = document.facts
    if facts.get("code_cells", 0) and not facts.get("executed_cells", 0):
        return "was never executed: no cell has run"
    asks = criterion is None or criterion.says(r"\b(?:execut|run|ran|without errors?|errors?|works)")
    if facts.get("errors") and asks:
        return f"stopped with an error ({str(facts['errors'][0])[:60]})"
    return "has no cells" if not facts.get("cells", 1) else ""


def _table_trouble(document: Document, criterion: Criterion | None) -> str:
    if document.facts.get("rows") == 0:
        return "has no rows"
    empty = document.facts.get("empty_columns") or ()
    if document.facts.get("sampled_rows") and len(empty) == document.facts.get("column_count"):
        return "has rows without any value"
    quotes = [problem for problem in document.problems if "quote" in problem]
    return f"is damaged ({quotes[0]})" if quotes else ""


def _model_trouble(document: Document, criterion: Criterion | None) -> str:
    if hollow_model(document):
        return "holds nothing"
    odd = [problem for problem in document.problems if problem.startswith(_ODD_VALUES)]
    if odd:
        return f"holds {odd[0]}"
    return "holds a model that was never fitted" if document.facts.get("fitted") is False else ""


def _array_trouble(document: Document, criterion: Criterion | None) -> str:
    arrays = document.facts.get("arrays")
    measured = list(arrays.values()) if isinstance(arrays, dict) else [document.facts]
    sized = [array for array in measured if (array.get("values") or 0) > 3]
    if sized and all(array.get("finite_share") == 0 for array in sized):
        return "holds no finite value"
    if not sized or not all(array.get("all_constant") is True for array in sized):
        return ""
    # Ones here and zeros there are how layers that scale and shift begin; a criterion may ask for such values, too.
    values = {array.get("min") for array in sized}
    meant = criterion is not None and criterion.says(_CONSTANT.pattern)
    return "" if len(values) > 1 or meant else "holds nothing but one repeated value"


def _image_trouble(document: Document, criterion: Criterion | None) -> str:
    facts = document.facts
    if facts.get("empty_axes"):
        return "shows empty axes, nothing is drawn in them"
    moving = criterion is not None and criterion.says(_MOTION.pattern)
    if document.path.lower().endswith(".gif") and moving:
        if facts.get("frames", 2) < 2:
            return "has a single frame, so it shows no change"
        if facts.get("identical_frames"):
            return "has only identical frames, so it shows no change"
    return ""


def _video_trouble(document: Document, criterion: Criterion | None) -> str:
    facts = document.facts
    if facts.get("frames_looked_at", 2) < 2 and facts.get("decoded_to_end"):
        return "has a single frame"
    return "shows one and the same picture from its beginning to its end" if facts.get("frozen") else ""


def _text_trouble(document: Document) -> str:
    if document.family not in (Family.TEXT, Family.MARKUP, Family.DOCUMENT):
        return ""
    if document.facts.get("empty_axes"):
        return "shows empty axes, nothing is drawn in them"
    text = page_text(document.text) if document.format in {"html", "htm"} else document.text
    if document.path.lower().endswith((".txt", ".md", ".html", ".pdf", ".csv")) and _ends_in_traceback(text):
        return "holds the traceback of a program that failed"
    body = [line for line in text.split("\n") if line.strip() and not re.match(r"\s*(?:#|=+$|-+$|\*+$|<h\d)", line)]
    words = sum(len(re.findall(r"\w+", line)) for line in body)
    todo = [line for line in body if _TODO.search(line)]
    if todo and (len(todo) >= 0.4 * len(body) or words < 40):
        return f"holds placeholders instead of content ({todo[0].strip()[:60]!r})"
    return "holds hardly any text" if _hollow_text(document, body, words) else ""


def _hollow_text(document: Document, body: list[str], words: int) -> bool:
    """Whether there is next to nothing in a text: neither words nor figures, and no number either."""
    if any(character.isdigit() for line in body for character in line):
        return False
    if document.family is Family.DOCUMENT:
        shows = any(document.facts.get(name) for name in ("images", "charts", "figure_pages", "tables", "attachments"))
        return words < 8 and not shows
    shows = re.search(r"!\[|<img|<svg|<script|<canvas|<video|<iframe", document.text) is not None
    return document.path.lower().endswith((".md", ".html", ".htm")) and words < 8 and not shows


def _ends_in_traceback(text: str) -> bool:
    """Whether a traceback is the last of a text: what tells of one and goes on is a report, or a program that did."""
    _, found, after = text.rpartition("Traceback (most recent call last)")
    below = [line for line in after.split("\n")[1:] if line.strip() and not line[:1].isspace()]
    return bool(found) and len(below) <= _BELOW_TRACEBACK


def _valueless(document: Document, criterion: Criterion | None) -> str:
    """A short text without the number it announces, or with template fields that were never filled in."""
    if document.family not in (Family.TEXT, Family.MARKUP, Family.DOCUMENT) or criterion is None:
        return ""
    text = document.text
    if document.path.lower().endswith((".txt", ".md", ".log", ".pdf")):
        field = _FIELD.search(_CODE_SPAN.sub(" ", text))
        meant = _TEMPLATE.search(document.path) or criterion.says(_TEMPLATE.pattern)
        if field and "```" not in text and not meant:
            return f"holds the unfilled field {field.group(0)}"
    if len(text) < 200 and not re.search(r"\d", text) and criterion.says(_QUANTITY.pattern):
        return "holds no number"
    return ""


_TROUBLES: dict[Family, Callable[[Document, Criterion | None], str]] = {
    Family.IMAGE: _image_trouble,
    Family.VIDEO: _video_trouble,
    Family.NOTEBOOK: _notebook_trouble,
    Family.TABLE: _table_trouble,
    Family.MODEL: _model_trouble,
    Family.ARRAY: _array_trouble,
}
