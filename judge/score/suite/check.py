"""What must hold across the parts of a suite; each check looks at the raw document, so that all run whatever fails."""

from __future__ import annotations

from typing import Any

from judge.near import did_you_mean
from judge.score.suite import names
from judge.score.suite.cases import Asked, check_cases
from judge.score.suite.construct import Constructed
from judge.score.suite.files import Missing, SuiteFiles
from judge.score.suite.parameters import NoSignature, from_text, from_tree, methods_of

_Path = tuple[str | int, ...]


def get(document: Any, *path: str | int) -> Any:
    """The part at ``path``, or None."""
    for step in path:
        if isinstance(document, dict):
            document = document.get(step)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def check(document: Constructed, files: SuiteFiles) -> None:
    """Adds all that is wrong with how the parts of the suite fit together."""
    value = document.value
    if not isinstance(value, dict):
        return
    if value.get("schema") is True:
        document.problem(("schema",), "expects 1, not true")
    asked = _asked(document, value, files)
    _target(document, value, asked)
    check_cases(document, value.get("cases"), asked)
    _case_names(document, value.get("cases"), files)
    _compare(document, ("compare",), value.get("compare"), files)
    _parameters(document, value, asked)
    _edge_cases(document, value, files)
    _performance(document, value, files)
    _numbers(document, value)
    names.version(document, ("env", "python"), get(value, "env", "python"))
    if get(value, "env", "packages"):
        document.problem(("env", "packages"), "cannot be given: submissions see the standard library alone")
    _whole(document, value, asked)


def _asked(document: Constructed, value: dict[Any, Any], files: SuiteFiles) -> Asked:
    kind = get(value, "target", "kind")
    asked = Asked(
        kind if kind in ("function", "class", "program") else "function",
        bool(get(value, "compare", "checker")),
        isinstance(value.get("reference"), dict),
    )
    entry = get(value, "reference", "entry") or get(value, "target", "entry")
    file = get(value, "reference", "file")
    at: _Path = ("reference", "entry") if get(value, "reference", "entry") else ("reference", "file")
    names.file_name(document, ("reference", "file"), files, file, entry if asked.kind != "program" else "", at)
    try:
        tree = files.tree(file) if isinstance(file, str) else None
    except Missing:
        tree = None
    if tree is not None and isinstance(entry, str):
        asked.signature = from_tree(tree, entry)
        asked.methods = methods_of(tree, entry) if asked.kind == "class" else None
    text = get(value, "target", "signature")
    if isinstance(text, str) and text:
        try:
            asked.signature = from_text(text)
        except NoSignature as error:
            document.problem(("target", "signature"), str(error))
    return asked


def _target(document: Constructed, value: dict[Any, Any], asked: Asked) -> None:
    target = value.get("target")
    if not isinstance(target, dict):
        return
    entry = target.get("entry", "")
    if asked.kind != "program" and isinstance(entry, str):
        if not entry:
            document.problem(("target",), f"has no entry: expects the name of the {asked.kind}")
        elif not entry.isidentifier():
            document.problem(("target", "entry"), f"expects the name of a {asked.kind}, not {entry[:60]!r}")
    if asked.kind == "program":
        for key in ("entry", "async", "signature"):
            if target.get(key) not in (None, "", "forbid"):
                document.problem(("target", key), "means nothing for a program: the file itself is run", key=True)
    if asked.kind != "class" and target.get("init"):
        document.problem(("target", "init"), f"belongs to a class; the target is a {asked.kind}", key=True)


def _case_names(document: Constructed, cases: Any, files: SuiteFiles) -> None:
    for index, case in enumerate(cases if isinstance(cases, list) else []):
        if not isinstance(case, dict):
            continue
        at: _Path = ("cases", index)
        names.pattern(document, (*at, "match"), case.get("match"))
        names.exception(document, (*at, "raises"), case.get("raises"))
        names.property_texts(document, (*at, "property"), files, case.get("property"))
        made = case.get("generate")
        if isinstance(made, dict):
            path = (*at, "generate")
            names.file_name(document, (*path, "file"), files, made.get("file"), made.get("func"), (*path, "func"))
        _compare(document, (*at, "compare"), case.get("compare"), files)


def _compare(document: Constructed, path: _Path, rules: Any, files: SuiteFiles) -> None:
    if isinstance(rules, dict) and rules.get("checker"):
        names.reference_text(document, (*path, "checker"), files, rules["checker"])


def _parameters(document: Constructed, value: dict[Any, Any], asked: Asked) -> None:
    known = list(asked.signature.parameters) if asked.signature else None
    for path in (("inputs", "domain"), ("edge_cases", "boundary", "values")):
        named = get(value, *path)
        for key in named if isinstance(named, dict) else {}:
            if known is not None and isinstance(key, str) and key not in known:
                hint = did_you_mean(key, known, f"parameters are {', '.join(known) or 'none'}")
                document.problem((*path, key), f"{key!r} is no parameter", hint, key=True)
            if path[0] == "inputs":
                names.strategy(document, (*path, str(key)), named[key])
    conditions = get(value, "inputs", "requires")
    for index, text in enumerate(conditions if isinstance(conditions, list) else []):
        names.condition(document, ("inputs", "requires", index), text, known)


def _edge_cases(document: Constructed, value: dict[Any, Any], files: SuiteFiles) -> None:
    names.property_texts(document, ("edge_cases", "property"), files, get(value, "edge_cases", "property"))
    plugins = get(value, "edge_cases", "plugins")
    for index, text in enumerate(plugins if isinstance(plugins, list) else []):
        if isinstance(text, str) and ".py" in text:
            names.reference_text(document, ("edge_cases", "plugins", index), files, text)
    relations = get(value, "edge_cases", "metamorphic")
    seen = set()
    for index, item in enumerate(relations if isinstance(relations, list) else []):
        at: _Path = ("edge_cases", "metamorphic", index)
        for key in ("transform", "relation"):
            names.reference_text(document, (*at, key), files, get(item, key))
        name = get(item, "name")
        if isinstance(name, str) and name in seen:
            document.problem((*at, "name"), f"the name {name[:60]!r} stands twice")
        if isinstance(name, str):
            seen.add(name)


def _performance(document: Constructed, value: dict[Any, Any], files: SuiteFiles) -> None:
    path: _Path = ("performance", "inputs")
    made = get(value, *path)
    if isinstance(made, dict):
        names.file_name(document, (*path, "file"), files, made.get("file"), made.get("func"), (*path, "func"))
    sizes = get(value, "performance", "growth", "sizes")
    whole = isinstance(sizes, list) and len(sizes) == 2 and all(type(size) is int for size in sizes)
    if whole and not 1 <= sizes[0] < sizes[1]:
        document.problem(("performance", "growth", "sizes"), "expects a smallest of 1 or more and a larger largest")
    if get(value, "performance", "growth") and not made:
        document.problem(("performance", "growth"), "needs inputs: {file: gen.py, func: NAME, size: N}", key=True)
    baseline = get(value, "performance", "baseline")
    if isinstance(baseline, str) and baseline:
        try:
            files.confined(baseline)
        except Missing as error:
            document.problem(("performance", "baseline"), str(error))
    iterations, discard = get(value, "performance", "iterations"), get(value, "performance", "discard")
    if type(discard) is int and discard * 2 >= (iterations if type(iterations) is int else 10):
        document.problem(("performance", "discard"), "drops all iterations: it counts at each end")


def _numbers(document: Constructed, value: dict[Any, Any]) -> None:
    """Weights that are all zero say nothing."""
    defaults = {"weights": 4, "edge_cases": 3, "quality": 7}
    for path in (("weights",), ("edge_cases", "shares"), ("quality", "weights")):
        group = get(value, *path)
        if not isinstance(group, dict) or len(group) < defaults[path[0]]:
            continue
        if all(type(share) in (int, float) and not share for share in group.values()):
            document.problem(path, "are all 0: at least one must be more", key=True)


def _whole(document: Constructed, value: dict[Any, Any], asked: Asked) -> None:
    cases = value.get("cases")
    if cases is None or cases == []:
        document.problem(("cases",), "has no cases: expects at least one")
    elif isinstance(cases, list) and not any(get(case, "tier") in (None, "standard") for case in cases):
        document.note(("cases",), "no case has the tier standard, so correctness cannot be measured")
    problem = value.get("problem")
    if isinstance(problem, str) and not problem.strip():
        document.problem(("problem",), "is empty: expects the problem's id")
    if value.get("reference") is None and get(value, "performance", "inputs"):
        document.note(("performance",), "there is no reference, so speed is held against calibration only (weak)")
