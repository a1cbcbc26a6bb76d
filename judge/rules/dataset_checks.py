"""Whether a named data set is really loaded, or replaced by made-up data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.modules.graph.facts import Access, Call
from judge.readers import Family, State
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.invented import invented_data, makes_up
from judge.rules.live import LiveFile
from judge.rules.match import find_hits
from judge.rules.vocabulary import Concept, Kind
from judge.rules.words import split_words, squash

_LOADER = re.compile(
    r"load|read|fetch|download|open$|get|dataset|make$|retrieve|from_|connect|folder|glob|import|corpus|scan|iterdir|listdir|"
    r"genfromtxt|query|ticker|history|DataLoader|reader|parse|planetoid|builtin|urlopen",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"path[_/ ]to|your[_-]|/path/|placeholder|<.*>|example\.(?:csv|com)|dummy|\bTODO\b", re.IGNORECASE
)
_FILLER = frozenset(
    [
        "dataset",
        "data",
        "set",
        "kaggle",
        "uci",
        "the",
        "of",
        "and",
        "for",
        "available",
        "from",
        "hugging",
        "face",
        "huggingface",
        "news",
        "sales",
        "database",
        "collection",
        "corpus",
        "environment",
        "simulator",
        "version",
        "subset",
        "movie",
        "review",
        "reviews",
        "benchmark",
        "public",
        "open",
        "official",
        "survival",
        "prediction",
    ]
)
_GENERIC_COLUMN = re.compile(r"^(?:feature|feat|f|x|col|column|var|attr|drug|gene)[_ ]?\d+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Source:
    """A place in live code that takes in data."""

    strength: float
    how: str
    file: LiveFile
    line: int
    pattern: str = ""
    named: bool = True


def dataset_concept(name: str) -> Concept:
    """A concept for a data set that is in no vocabulary."""
    return Concept(id=f"dataset:{squash(name)}", kind=Kind.DATASET, names=(name.lower(),))


def check_dataset(evidence: Evidence, concept: Concept, paths: Sequence[str]) -> Finding:
    """Whether live code loads the named data set in the named files, or in what they use."""
    closure = evidence.live.closure(paths) if paths else tuple(evidence.live.files)
    files = evidence.live.select(closure)
    sources = sorted(_sources(evidence, concept, files), key=lambda source: -source.strength)
    invented = invented_data(files)
    if not sources:
        if invented is not None:
            file, call = invented
            because = (
                f"{file.path}:{call.line} makes the data up with {call.name}; {evidence.quoted(concept)} is not loaded"
            )
            return unmet(because, 0.88, file.cite(call.line))
        return unmet(
            f"no reachable code in {', '.join(paths) or 'the workspace'} loads {evidence.quoted(concept)}", 0.78
        )
    for source in sources:
        finding = _judge_source(evidence, source, concept)
        if finding.state == "met" and finding.confidence < 0.6 and invented is not None:
            file, call = invented
            because = f"{finding.because}, and {file.path}:{call.line} makes data up with {call.name}"
            return unmet(because, 0.72, *finding.citations, file.cite(call.line))
        if finding.state == "met":
            return finding if invented is None or source.strength > 0.85 else _less_sure(finding)
    return _judge_source(evidence, sources[0], concept)


_DATA_SUFFIXES = frozenset(
    ".csv .tsv .json .jsonl .ndjson .parquet .feather .arrow .orc .xlsx .xls .ods .txt .db .sqlite .sqlite3 .h5 .hdf5 "
    ".npz .npy .mat .gz .bz2 .xz .zst".split()
)


def check_real_data(evidence: Evidence, paths: Sequence[str]) -> Finding:
    """Whether live code takes data from a file or a service rather than making them up."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else None)
    invented = invented_data(files)
    for file in files:
        for access in file.accesses:
            entry = evidence.case.workspace.find(access.pattern) if access.access is Access.READ else None
            if entry is not None and entry.suffix in _DATA_SUFFIXES:
                problem = _not_real(evidence, entry.path)
                if not problem:
                    return met(f"{file.path}:{access.line} reads {entry.path}", 0.7, file.cite(access.line))
        for call in file.calls:
            if (
                re.search(
                    r"^(?:yfinance|datasets|kagglehub|requests|pandas_datareader|torchvision\.datasets|ccxt)\.|fetch_|load_dataset|urlretrieve|read_csv",
                    call.target,
                )
                and not call.resolved
            ):
                return met(
                    f"{file.path}:{call.line} calls {call.name}", 0.6 if invented else 0.72, file.cite(call.line)
                )
    if invented is not None:
        file, call = invented
        return unmet(f"{file.path}:{call.line} makes the data up with {call.name}", 0.8, file.cite(call.line))
    return unmet("no reachable code loads data", 0.66)


def _less_sure(finding: Finding) -> Finding:
    return met(finding.because, finding.confidence * 0.8, *finding.citations)


def _sources(evidence: Evidence, concept: Concept, files: Sequence[LiveFile]) -> list[_Source]:
    found = [
        _Source(
            hit.strength,
            hit.how or f"is hand-written code for {evidence.quoted(concept)}",
            evidence.live.files[hit.path],
            hit.line,
            _pattern_at(evidence.live.files[hit.path], hit.line),
        )
        for hit in find_hits(concept, files)
    ]
    wanted = [_significant(name) for name in concept.names]
    for file in files:
        for call in file.calls:
            source = _named_in_call(file, call, wanted)
            if source is not None:
                found.append(source)
        for access in file.accesses:
            if access.access is Access.READ and any(_names_it(access.pattern, tokens) for tokens in wanted):
                found.append(_Source(0.8, f"reads {access.pattern}", file, access.line, access.pattern))
    if not found:
        found = _by_number(evidence, files)
    if not found:
        found = _indirect(concept, files, wanted) or _provided(evidence, files, wanted)
    return found


def _named_in_call(file: LiveFile, call: Call, wanted: list[list[str]]) -> _Source | None:
    """A loading call whose target or argument names the data set; of own functions only a path counts."""
    if not (_LOADER.search(call.name) or re.search(r"dataset|load", call.target.rpartition(".")[0], re.IGNORECASE)):
        return None
    constants = [str(v.constant) for v in (*call.args, *call.keywords.values()) if v.constant is not None]
    named = [text for text in constants if any(_names_it(text, tokens) for tokens in wanted)]
    if call.resolved:
        paths = [text for text in named if re.search(r"\.\w{2,5}$|/", text)]
        return _Source(0.7, f"passes {paths[0]} to {call.name}", file, call.line, paths[0]) if paths else None
    if named or any(_names_it(call.target, tokens) for tokens in wanted):
        return _Source(0.8, f"calls {call.name}", file, call.line, _pattern_at(file, call.line))
    return None


def _by_number(evidence: Evidence, files: Sequence[LiveFile]) -> list[_Source]:
    """A data set fetched by its number in a repository that the criterion names."""
    criterion = evidence.case.requirement.criteria
    found = []
    for file in files:
        for call in file.calls:
            numbered = any(isinstance(value.constant, int) for value in (*call.args, *call.keywords.values()))
            for name, repository in (("fetch_ucirepo", "UCI"), ("fetch_openml", "OpenML"), ("get_dataset", "OpenML")):
                if call.name == name and numbered and repository.lower() in criterion.lower():
                    found.append(_Source(0.62, f"fetches a numbered data set from {repository}", file, call.line))
    return found


def _indirect(concept: Concept, files: Sequence[LiveFile], wanted: list[list[str]]) -> list[_Source]:
    """The name stands in a constant, and some loader gets a value that is not known statically."""
    named = [
        (file, literal.line)
        for file in files
        for literal in file.file.strings
        if literal.reachable
        and len(literal.value) < 200
        and any(_names_it(literal.value, tokens) for tokens in wanted)
        and not re.search(r"\s\w+\s\w+\s\w+\s", literal.value)
    ]
    loads = [
        (file, call)
        for file in files
        for call in file.calls
        if _LOADER.search(call.name)
        and not call.resolved
        and any(not value.known for value in call.args)
        and re.search(r"load|read|fetch|download|open|retrieve|get|Dataset|connect", call.name)
    ]
    if named and loads:
        file, line = named[0]
        return [_Source(0.68, f"loads what {file.path}:{line} names", file, line)]
    return []


def _provided(evidence: Evidence, files: Sequence[LiveFile], wanted: list[list[str]]) -> list[_Source]:
    """A file of the workspace whose name shares a telling word with the data set's name is read."""
    found = []
    for file in files:
        for access in file.accesses:
            if access.access is not Access.READ or not access.pattern:
                continue
            entry = evidence.case.workspace.find(access.pattern)
            words = set(split_words(access.pattern.rsplit("/", 1)[-1]))
            if entry is not None and any(
                len(set(tokens) & words) >= 1 or _prefixed(tokens, words) for tokens in wanted
            ):
                found.append(_Source(0.66, f"reads {access.pattern}", file, access.line, access.pattern))
    return found


def _prefixed(tokens: list[str], words: set[str]) -> bool:
    return any(len(token) > 4 and any(word.startswith(token[:5]) for word in words) for token in tokens)


def _pattern_at(file: LiveFile, line: int) -> str:
    for access in file.accesses:
        if access.line == line and access.access is Access.READ:
            return access.pattern
    return ""


def _significant(name: str) -> list[str]:
    words = [word for word in split_words(name) if word not in _FILLER]
    return words or split_words(name)


def _names_it(text: str, tokens: list[str]) -> bool:
    """Whether a string names the data set: all telling words, in any spelling."""
    if not tokens or not text:
        return False
    flat = squash(text)
    return "".join(tokens) in flat or (all(token in flat for token in tokens) and max(map(len, tokens)) > 2)


def _judge_source(evidence: Evidence, source: _Source, concept: Concept) -> Finding:
    cite = source.file.cite(source.line)
    where = f"{source.file.path}:{source.line}"
    pattern = source.pattern
    if pattern and "{}" not in pattern and "://" not in pattern:
        if _PLACEHOLDER.search(pattern):
            return unmet(f"{where} reads the placeholder path {pattern}", 0.82, cite)
        entry = evidence.case.workspace.find(pattern)
        if entry is None:
            return met(f"{where} {source.how}, though {pattern} is not in the workspace", 0.55, cite)
        problem = _not_real(evidence, entry.path)
        if problem:
            return unmet(f"{where} reads {entry.path}, {problem}", 0.8, cite)
    return met(f"{where} {source.how}", source.strength, cite)


def _not_real(evidence: Evidence, path: str) -> str:
    """Why a data file is not the real data set, or an empty string."""
    document = evidence.document(path)
    if document.state in (State.EMPTY, State.BROKEN, State.MISMATCH):
        return f"which is {'damaged' if document.state is State.BROKEN else document.state.value}"
    columns = [str(name) for name in document.facts.get("columns", ())]
    generic = [name for name in columns if _GENERIC_COLUMN.match(name.strip())]
    if document.family is Family.TABLE and len(columns) > 2 and len(generic) >= 0.6 * len(columns):
        return f"whose columns are placeholders ({', '.join(generic[:3])}, …)"
    for code, access in evidence.writers(path):
        file = evidence.live.files[code]
        made = [call for call in file.calls if makes_up(call)]
        if made:
            return f"which {code}:{access.line} fills with random values"
    return ""
