"""Whether an artefact that the criterion names is there, sound, of the right kind, and made by code that runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.readers import Document, Family, State
from judge.rules.criterion import Criterion, Place
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.provenance_checks import check_provenance
from judge.rules.words import number
from judge.schemas import Citation

_BAD_STATES = (State.EMPTY, State.BLANK, State.BROKEN, State.MISMATCH)
_MODEL = re.compile(
    r"\b(?:models?|weights?|parameters?|classifier|regressor|network|embeddings?|estimator|"
    r"checkpoint|pipeline|scaler|agent|policy)\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\b(?:visuali[sz]\w*|images?|figures?|plots?|plotted|charts?|curves?|spectrograms?|heatmaps?|"
    r"pictures?|screenshots?|photos?|drawn|diagrams?)\b",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"\b(?:metrics?|loss|accuracy|scores?|logged|log|recorded|coefficient|results?|report|values?|returns?|history)\b",
    re.IGNORECASE,
)
_DATA = re.compile(r"\b(?:data|dataset|csv|table|records?|predictions?)\b", re.IGNORECASE)
_AUDIO = re.compile(r"\b(?:audio|sounds?|speech|recordings?)\b", re.IGNORECASE)
_VIDEO = re.compile(r"\b(?:videos?|clips?)\b", re.IGNORECASE)
_IDLE_NAMES = re.compile(r"^(?:\.|readme|license|__init__\.py$|placeholder|keep$)", re.IGNORECASE)
_MOTION = re.compile(
    r"\b(?:animat\w*|motion|during|process|changes?|paths?|before and after|over time|evolution|frames?|gif)\b",
    re.IGNORECASE,
)
_TODO = re.compile(
    r"\b(?:TODO|TBD|FIXME|lorem ipsum|placeholder|coming soon|xxx+|"
    r"to be (?:added|done|written|completed|filled|determined|updated|continued)|"
    r"not (?:yet )?(?:implemented|available|computed|run)|(?:insert|add|fill in|describe|write) (?:\w+ ){0,4}here)\b|"
    r"\[(?:insert|your)[^\]]*\]",
    re.IGNORECASE,
)

FAMILY_OF_SUFFIX: dict[str, tuple[Family, ...]] = {
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tiff", ".svg"), (Family.IMAGE,)),
    **dict.fromkeys((".pdf", ".docx", ".pptx"), (Family.DOCUMENT,)),
    ".ipynb": (Family.NOTEBOOK,),
}


def check_file(evidence: Evidence, place: Place, criterion: Criterion) -> Finding:
    """Whether a named artefact exists, is sound, and is not typed in by hand where it must be computed."""
    path = place.path
    entry = evidence.case.workspace.find(path)
    if entry is None:
        return _missing(evidence, path)
    path = entry.path
    document = evidence.document(path)
    trouble = artefact_trouble(document, criterion)
    if trouble:
        return unmet(f"{path} {trouble}", 0.9, evidence.file_citation(path))
    return check_provenance(evidence, path, document, criterion)


def _missing(evidence: Evidence, path: str) -> Finding:
    near = evidence.similar(path)
    note = f"; {near[0]} is not what was asked" if near else ""
    writers = evidence.writers(path)
    if not near and writers:
        note = f"; {writers[0][0]}:{writers[0][1].line} would write it but has not been run to the end"
    citations = tuple(evidence.live.files[code].cite(access.line) for code, access in writers[:1])
    return unmet(f"{path} does not exist{note}", 0.94, *citations)


def artefact_trouble(document: Document, criterion: Criterion | None = None) -> str:
    """What is wrong with an artefact as such, or an empty string."""
    if document.state in _BAD_STATES:
        detail = f" ({document.problems[0]})" if document.problems else ""
        return f"is {document.state.value}{detail}"
    if document.state is State.UNREADABLE and document.problems:
        return f"cannot be read ({document.problems[0]})"
    facts = document.facts
    if document.family is Family.IMAGE:
        return _image_trouble(document, criterion)
    if document.family is Family.NOTEBOOK:
        if facts.get("code_cells", 0) and not facts.get("executed_cells", 0):
            return "was never executed: no cell has run"
        if not facts.get("cells", 1):
            return "has no cells"
    if document.family is Family.TABLE and facts.get("rows") == 0:
        return "has no rows"
    if document.family is Family.MODEL and facts.get("fitted") is False:
        return "holds a model that was never fitted"
    if document.family is Family.ARRAY and _constant_arrays(document):
        return "holds nothing but one repeated value"
    return _text_trouble(document) or _valueless(document, criterion)


_QUANTITY = re.compile(
    r"\b(?:accuracy|score|precision|recall|f1|rmse|mse|mae|auc|profit|loss|time|rate|error|coefficient|value|position|"
    r"count|number|mean|average|total|sum|metric|centers?|centroids?|importances?|returns?|reward|percentage|latency)\b",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?<![\\{$%\w])\{[a-z_][a-z0-9_.]*(?:\[[^\]]*\])?(?::[^{}\n]{0,12})?\}(?!\})")


def _valueless(document: Document, criterion: Criterion | None) -> str:
    """A short text without the number it announces, or with template fields that were never filled in."""
    if document.family not in (Family.TEXT, Family.MARKUP, Family.DOCUMENT) or criterion is None:
        return ""
    text = document.text
    if document.path.lower().endswith((".txt", ".md", ".log", ".pdf")):
        field = _FIELD.search(text)
        if field and "```" not in text:
            return f"holds the unfilled field {field.group(0)}"
    if len(text) < 200 and not re.search(r"\d", text) and criterion.says(_QUANTITY.pattern):
        return "holds no number"
    return ""


def _constant_arrays(document: Document) -> bool:
    arrays = document.facts.get("arrays")
    measured = list(arrays.values()) if isinstance(arrays, dict) else [document.facts]
    sized = [array for array in measured if (array.get("values") or 0) > 3]
    return bool(sized) and all(array.get("all_constant") is True for array in sized)


def _image_trouble(document: Document, criterion: Criterion | None) -> str:
    facts = document.facts
    if facts.get("empty_axes"):
        return "shows empty axes, nothing is drawn in them"
    moving = criterion is not None and criterion.says(_MOTION.pattern)
    if document.path.lower().endswith(".gif") and (moving or criterion is None):
        if facts.get("frames", 2) < 2:
            return "has a single frame, so it shows no change"
        if facts.get("identical_frames"):
            return "has only identical frames, so it shows no change"
    return ""


def _text_trouble(document: Document) -> str:
    if document.family not in (Family.TEXT, Family.MARKUP, Family.DOCUMENT):
        return ""
    text = document.text
    body = [line for line in text.split("\n") if line.strip() and not re.match(r"\s*(?:#|=+$|-+$|\*+$|<h\d)", line)]
    words = sum(len(re.findall(r"\w+", line)) for line in body)
    todo = [line for line in body if _TODO.search(line)]
    if todo and (len(todo) >= 0.4 * len(body) or words < 40):
        return f"holds placeholders instead of content ({todo[0].strip()[:60]!r})"
    if document.family is Family.DOCUMENT and words < 15 and not document.facts.get("images"):
        return "holds hardly any text"
    if (
        document.path.lower().endswith((".md", ".html", ".htm"))
        and words < 8
        and not re.search(r"!\[|<img|<svg|<script|<canvas", text)
    ):
        return "holds hardly any text"
    return ""


def check_folder(evidence: Evidence, place: Place, criterion: Criterion) -> Finding:
    """Whether a folder holds sound files of the kind that the criterion asks for, and as many."""
    folder = place.path
    names = [p for p in evidence.files_below(folder) if not _IDLE_NAMES.match(p.rsplit("/", 1)[-1])]
    if not names:
        there = evidence.case.workspace.is_folder(folder)
        return unmet(f"{folder}/ {'holds no files' if there else 'does not exist'}", 0.93)
    families, what = _expected(criterion, place)
    documents = [evidence.document(path) for path in names[:200]]
    kind = [d for d in documents if not families or d.family in families or _model_like(d, families)]
    if not kind:
        return unmet(f"{folder}/ holds no {what} (only {', '.join(names[:3])})", 0.85)
    sound = [d for d in kind if not artefact_trouble(d) and not _hollow_model(d, families)]
    if not sound:
        trouble = artefact_trouble(kind[0]) or "holds no parameters"
        return unmet(f"{kind[0].path} {trouble}", 0.86, Citation(path=kind[0].path))
    wanted = _count(criterion)
    if wanted and len(sound) < wanted:
        return unmet(
            f"{folder}/ holds {len(sound)} sound {what or 'files'}, {wanted:g} are asked for",
            0.8,
            Citation(path=sound[0].path),
        )
    return met(
        f"{folder}/ holds {sound[0].path.rsplit('/', 1)[-1]}, which is sound",
        0.8,
        *(Citation(path=d.path) for d in sound[:3]),
    )


_RECORDS = (
    Family.TEXT, Family.DATA, Family.TABLE, Family.MARKUP, Family.ARRAY, Family.DOCUMENT, Family.DATABASE, Family.IMAGE,
)  # fmt: skip


def _expected(criterion: Criterion, place: Place) -> tuple[tuple[Family, ...], str]:
    """Families that fit the folder's name and the nouns of the criterion, and their name."""
    folder = place.path.rsplit("/", 1)[-1].lower()
    if re.search(r"metric|log|record", folder):
        return _RECORDS, "record"
    if re.search(r"figure|image|plot|chart|picture|screenshot|visual", folder):
        return (Family.IMAGE, Family.MARKUP, Family.VIDEO), "picture"
    if criterion.says(_VIDEO.pattern):
        return (Family.VIDEO, Family.IMAGE), "video"
    if criterion.says(r"\bnotebook") or criterion.says("ipynb"):
        return (Family.NOTEBOOK,), "notebook"
    if criterion.says(
        r"\b(?:model|weights?|classifier|regressor|network|embeddings?|checkpoint)\b[^.;]{0,80}"
        r"\b(?:saved|stored|exported|downloaded|cached|kept)\b"
    ) or (
        criterion.says(_MODEL.pattern)
        and any("model" in place.path.lower() for place in criterion.places if place.folder)
    ):
        return (Family.MODEL, Family.ARRAY), "model file"
    if criterion.says(_PICTURE.pattern):
        return (Family.IMAGE, Family.MARKUP, Family.VIDEO), "picture"
    if criterion.says(_AUDIO.pattern):
        return (Family.AUDIO,), "audio file"
    if criterion.says(_RECORD.pattern) or criterion.says(_DATA.pattern):
        return _RECORDS, "record"
    return (), ""


def _model_like(document: Document, families: Sequence[Family]) -> bool:
    if Family.MODEL not in families:
        return False
    suffix = document.path.lower().rsplit(".", 1)[-1]
    known = {
        "pt",
        "pth",
        "pkl",
        "pickle",
        "joblib",
        "h5",
        "keras",
        "onnx",
        "safetensors",
        "bin",
        "ckpt",
        "model",
        "npy",
        "npz",
        "sav",
        "zip",
        "ubj",
        "cbm",
        "tflite",
        "gguf",
        "vec",
        "kv",
    }
    telling = re.search(
        r"model|weights?|booster|params?|embed|vocab|q_table|policy", document.path.rsplit("/", 1)[-1], re.IGNORECASE
    )
    return suffix in known or (
        suffix in ("json", "txt")
        and telling is not None
        and "config" not in document.path
        and "tokenizer" not in document.path
    )


def _hollow_model(document: Document, families: Sequence[Family]) -> bool:
    """A model file without any parameter: an empty dictionary, a bare string."""
    if Family.MODEL not in families or document.family is not Family.MODEL:
        return False
    facts = document.facts
    if "storage_bytes" in facts:
        return not facts["storage_bytes"] and not facts.get("classes")
    if "opcodes" in facts:
        return facts["opcodes"] <= 6 and not facts.get("classes")
    return facts.get("parameters") == 0


def _count(criterion: Criterion) -> float:
    match = re.search(
        r"\b(?:at least|minimum of|exactly|no fewer than)?\s*"
        r"(\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s+"
        r"(?:\w+[\s-]+){0,3}?"
        r"(?:images|figures|plots|charts|files|samples|pictures|examples|models|screenshots|frames|graphs)\b",
        criterion.masked,
        re.IGNORECASE,
    )
    return (number(match.group(1)) or 0) if match else 0
