"""Checks a suite by asking its own reference all that it asks: what the reference fails, nobody can pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.compare import equal
from judge.score.edge_search import EdgeSearch
from judge.score.examiner import EngineFault, Examiner
from judge.score.prepare import Prepared, prepare
from judge.score.questions import written_questions
from judge.score.reply import Status
from judge.score.suite.findings import Findings, LintReport, open_findings
from judge.score.suite.weak import accepts_anything
from judge.score.suite_side import Answers, SuiteSide, key_of

if TYPE_CHECKING:
    from judge.score.questions import Question
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite

_OTHER_SEED = 1
"""Hash seed of the reference under examination; its answers as oracle come from another, so that they must agree."""
_SLOW = 0.5
"""Share of a limit above which the reference leaves others too little room."""


def lint_suite(loaded: LoadedSuite, sandbox: Sandbox) -> LintReport:
    """Everything doubtful about a suite that loads.

    The reference must pass all cases, generated inputs and relations; oracles must be able to fail an answer; inputs
    should differ; domains must give inputs that meet the conditions; the timed inputs must depend on their seed.

    Args:
        loaded: The suite.
        sandbox: Where its own code runs.
    """
    findings = open_findings(loaded.path.read_text(encoding="utf-8-sig", errors="replace"))
    for note in loaded.notes:
        findings.warn((), note.message, note.hint)
        findings.found[-1] = findings.found[-1]._replace(line=note.line, path=note.path)
    asked = 0
    with SuiteSide(loaded, sandbox, Answers()) as side:
        problem = side.reference_problem() if side.has_reference else ""
        if problem:
            findings.add(("reference",), f"cannot be used: {problem}")
        elif not side.has_reference:
            findings.warn((), "there is no reference, so only the written cases were read", "add reference: {file: …}")
        questions = _made(loaded, side, findings)
        _repeated(questions, findings)
        _weak(questions, loaded, side, findings)
        if side.has_reference and not problem:
            asked = _examine(loaded, sandbox, side, questions, findings)
            _timed_inputs(loaded, side, findings)
    found = sorted(set(findings.found), key=lambda finding: (finding.line, finding.path, finding.message))
    return LintReport(tuple(found), asked)


def _made(loaded: LoadedSuite, side: SuiteSide, findings: Findings) -> dict[int, Question]:
    """The written questions by the place of their case, with their arguments made."""
    suite = loaded.suite
    by_id = {case.id: index for index, case in enumerate(suite.cases)}
    made = {}
    for question in (*written_questions(suite, "standard"), *written_questions(suite, "edge")):
        index = by_id[question.id]
        try:
            made[index] = replace(question, args=side.make(question)) if question.generate else question
        except InputError as error:
            findings.add(("cases", index, "generate"), error.what)
    return dict(sorted(made.items()))


def _repeated(questions: dict[int, Question], findings: Findings) -> None:
    seen: dict[bytes, int] = {}
    for index, question in questions.items():
        key = key_of(question)
        if key in seen:
            message = f"asks the same as cases[{seen[key]}]: {len(questions)} cases are fewer questions than they seem"
            findings.warn(("cases", index), message)
        seen.setdefault(key, index)


def _weak(questions: dict[int, Question], loaded: LoadedSuite, side: SuiteSide, findings: Findings) -> None:
    for index, question in questions.items():
        if accepts_anything(question, loaded.suite, side):
            message = "any answer passes: tried with None, text, a number, a list and a mapping"
            findings.warn(("cases", index), message, "add expected, or a property that can fail")


def _examine(
    loaded: LoadedSuite, sandbox: Sandbox, side: SuiteSide, questions: dict[int, Question], findings: Findings
) -> int:
    """Puts everything to the reference as if it were a submission; how many questions that were."""
    with Examiner(side.reference_program(), loaded.suite, side, sandbox, _OTHER_SEED) as examiner:
        try:
            for index, question in questions.items():
                _one(("cases", index), question, examiner, loaded, findings)
            _generated(loaded, sandbox, side, examiner, findings)
        except EngineFault as error:
            findings.add((), f"the reference could not be asked: {error}")
        return len(examiner.replies)


def _one(
    path: tuple[str | int, ...], question: Question, examiner: Examiner, loaded: LoadedSuite, findings: Findings
) -> None:
    status, finding = examiner.try_one(question)
    what = f"input {question.id!r}: " if question.source != "written" else ""
    if finding.unfit or not finding.passed:
        verb = "cannot be judged" if finding.unfit else "the reference fails"
        expected = f"; expected {finding.expected}" if finding.expected else ""
        findings.add(path, f"{what}{verb}: {finding.reason}{expected}; it gave {finding.actual or status.value}")
        return
    limits, reply = loaded.suite.limits, examiner.replies[-1]
    if status in (Status.RETURNED, Status.RAISED) and reply.cpu_s > limits.cpu_s * _SLOW:
        hint = "raise limits.cpu_s or make the input smaller"
        findings.warn(path, f"{what}the reference takes {reply.cpu_s:.1f} of {limits.cpu_s:g} CPU seconds", hint)


def _generated(loaded: LoadedSuite, sandbox: Sandbox, side: SuiteSide, examiner: Examiner, findings: Findings) -> None:
    """Boundary values, packs, random inputs and relations."""
    path = ("edge_cases",)
    try:
        prepared = prepare(loaded, sandbox)
        for question in prepared.boundary:
            _one(path, question, examiner, loaded, findings)
        _dropped(prepared, findings)
        searched = EdgeSearch(prepared, side).search(examiner)
    except InputError as error:
        findings.add(path, error.what, error.hint)
        return
    for note in (*prepared.notes, *(searched.notes if searched else ())):
        findings.warn(path, note)
    for example in searched.counterexamples if searched else ():
        found = f"{example.source} input {example.input}: {example.reason}; expected {example.expected}"
        findings.add(path, f"the reference fails a {found}, got {example.actual}")
    wanted = loaded.suite.edge_cases.random.examples
    if searched is not None and wanted and not sum(item.asked for item in searched.categories):
        hint = "make inputs.domain narrower or inputs.requires wider"
        findings.add(("inputs",), "no random input meets the conditions and is answered by the reference", hint)


def _dropped(prepared: Prepared, findings: Findings) -> None:
    kept = len(prepared.boundary)
    if prepared.dropped and prepared.dropped >= 4 * max(kept, 1):
        message = f"{prepared.dropped} of {prepared.dropped + kept} boundary inputs are outside what the suite defines"
        findings.warn(("inputs",), message, "give inputs.domain for each parameter")


def _timed_inputs(loaded: LoadedSuite, side: SuiteSide, findings: Findings) -> None:
    inputs = loaded.suite.performance.inputs
    if inputs is None:
        return
    path = ("performance", "inputs")
    name = f"{inputs.file}:{inputs.func}"
    made = []
    for seed in (1, 2):
        reply = side.call(name, (inputs.size, seed))
        if reply.status is not Status.RETURNED or not isinstance(reply.value, list | tuple):
            why = reply.raised.message if reply.raised else reply.detail or "it gave no list of arguments"
            findings.add(path, f"{inputs.func}({inputs.size}, {seed}) does not work: {why}")
            return
        made.append(reply.value)
    if equal(made[0], made[1], loaded.suite.compare.model_copy(update={"unordered": False})).ok:
        findings.warn(path, f"{inputs.func} gives the same input for every seed: remembered answers would look fast")
