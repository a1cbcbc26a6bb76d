"""Whether an artefact that the criterion names is there, sound, of the right kind, and made by code that runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.readers import Document, Family
from judge.rules.criterion import Criterion, Place
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.provenance_checks import check_provenance
from judge.rules.soundness import artefact_trouble, hollow_model
from judge.rules.words import number
from judge.schemas import Citation

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
    note = f"; {near[0]} is not what was asked for" if near else ""
    writers = evidence.writers(path)
    if not near and writers:
        note = f"; {writers[0][0]}:{writers[0][1].line} would write it but has not been run to the end"
    citations = tuple(evidence.live.files[code].cite(access.line) for code, access in writers[:1])
    return unmet(f"{path} does not exist{note}", 0.94, *citations)


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
    sound = [d for d in kind if not artefact_trouble(d) and not (Family.MODEL in families and hollow_model(d))]
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


def _count(criterion: Criterion) -> float:
    match = re.search(
        r"\b(?:at least|minimum of|exactly|no fewer than)?\s*"
        r"(\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s+"
        r"(?:\w+[\s-]+){0,3}?"
        r"(?:images|figures|plots|charts|files|samples|pictures|examples|models|screenshots|frames|graphs)\b",
        criterion.masked,
        re.IGNORECASE,
    )
    if match is None and criterion.says(r"\bboth\b[^.;]{0,40}\b(?:saved|stored|kept|exported|written)\b"):
        return 2
    return (number(match.group(1)) or 0) if match else 0
