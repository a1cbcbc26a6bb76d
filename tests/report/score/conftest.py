"""Score reports made by hand: a plain one, a hostile one, a big one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.results.score import (
    CaseResult,
    CategoryResult,
    Counterexample,
    Dimension,
    Flag,
    GrowthResult,
    Interval,
    ModelSummary,
    PassAtK,
    PerformanceResult,
    QualityItem,
    QualityResult,
    ScoreReport,
    SubmissionReport,
)

HOSTILE = "\n".join(
    (
        "::error file=a.py::owned",
        "::set-output name=score::100",
        "</script><script>window.pwned=1</script>",
        '"><img src=x onerror="window.pwned=2">',
        "</code></details></article><h1>owned</h1><!-- ",
        "[click](javascript:window.pwned=4) <a href=javascript:window.pwned=5>x</a> ![x](http://evil.example/a.png)",
        "@octocat closes #1 GH-12 octo/repo#3 https://evil.example www.evil.example a|b ``` ~~~ | deadbeefcafe1234",
        "bidi \u202etxt.exe\u202c zero\u200bwidth \u2066iso\u2069 nul\x00 esc\x1b[31m bell\x07",
        "]]> <![CDATA[ \ufffe \uffff &lt;b&gt; $x^2$ `code`",
    )
)


def _submission(
    name: str = "model_a/1.py", total: float = 78.4, *, text: str = "", wrong: int = 2, right: int = 3, model: str = ""
) -> SubmissionReport:
    """One submission; with ``text`` every text of the submission is that."""
    failed = [
        CaseResult(
            id=text or f"bad-{number}",
            source=text or "written",
            category=text or "empty",
            passed=False,
            status="returned" if number % 2 else "timeout",
            input=text or f"[1, {number}], 3",
            expected=text or "[0, 1]",
            actual=text or "None",
            reason=text or "None is not a list",
            mutated=number == 0,
        )
        for number in range(wrong)
    ]
    passed = [
        CaseResult(id=text or f"good-{number}", source="boundary", category="single", passed=True, status="returned",
                   input=text or f"[{number}]", actual=text or "[]")
        for number in range(right)
    ]  # fmt: skip
    quality = QualityResult(
        value=0.71,
        items=(
            QualityItem(name="docstring", weight=0.5, value=0.5, reasons=(text or "line 3: 'f' has no docstring",)),
            QualityItem(name="naming", weight=0.5, value=1.0, reasons=(text or "line 4: 'l' is a name of one letter",),
                        overridden_from=0.25, author=text or "Ada", override_reason=text or "names of the paper"),
        ),
        functions=2,
        lines=41,
        findings=(text or "3: D103 Missing docstring in public function",),
    )  # fmt: skip
    speed = PerformanceResult(
        cpu=Interval(median=1.94, low=1.81, high=2.07, confidence=0.979),
        wall=Interval(median=1.9, low=1.2, high=2.6, confidence=0.979),
        iterations=10,
        loops=12,
        ratios=(1.8, 1.9, 1.95, 2.0, 2.02, 1.88, 1.91, 1.99, 1.7, 2.4),
        wall_ratios=(1.2, 1.5, 1.9, 2.6),
        penalised=True,
        by="cpu",
        growth=GrowthResult(sizes=(250, 500, 1000, 2000, 4000, 8000),
                            reference_s=(1e-4, 2e-4, 4e-4, 8e-4, 1.6e-3, 3e-3),
                            candidate_s=(1e-4, 4e-4, 1.6e-3, 6.4e-3, 2.5e-2, 0.1), excess=1.0, low=0.9, high=1.1,
                            faster=True),
        baseline="reference",
        notes=(text,) if text else (),
    )  # fmt: skip
    return SubmissionReport(
        submission=text or name,
        model=text or model,
        total=total,
        uncapped=total + 5,
        dimensions=(
            Dimension(name="correctness", weight=40, value=0.9, points=36),
            Dimension(name="edge_cases", weight=25, value=0.5, points=12.5, reason=text or "empty inputs fail"),
            Dimension(name="performance", weight=20, value=0.73, points=14.6, reason=text),
            Dimension(name="quality", weight=0, value=None, points=0, reason=text or "not asked for"),
        ),
        cases=(*failed, *passed),
        categories=(
            CategoryResult(source="written", category=text or "empty", asked=wrong, passed=0),
            CategoryResult(source="boundary", category="single", asked=right, passed=right),
        ),
        counterexamples=(
            Counterexample(source="random", category=text or "order", input=text or "[0, 0]", expected=text or "[0, 1]",
                           actual=text or "None", reason=text or "None is not a list"),
        ),
        performance=speed,
        quality=quality,
        flags=(
            Flag(kind=text or "hard-coded", evidence=text or "changed inputs fail, visible ones pass", certain=True),
            Flag(kind=text or "reads frames", evidence=text or "line 3: sys._getframe", certain=False),
        ),
        notes=(text or "determinism was checked twice",),
        seconds=3.2,
        source_hash="ab" * 32,
    )  # fmt: skip


def _report(*submissions: SubmissionReport, text: str = "") -> ScoreReport:
    return ScoreReport(
        version="1.2.3",
        suite=text or "two_sum",
        title=text or "Two numbers that add up",
        suite_hash="cd" * 32,
        sandbox="bubblewrap",
        barriers={"filesystem": True, "network": True},
        python="3.11.2",
        machine="x86_64",
        submissions=submissions,
        pass_at_k=(PassAtK(model=text or "model_a", samples=4, passed=1, values={"1": 0.25}),),
        models=(ModelSummary(model=text or "model_a", samples=4, mean=70.0, median=71.5, low=50.0, high=90.0),),
        notes=(text,) if text else (),
    )


@pytest.fixture(scope="session")
def submission() -> Callable[..., SubmissionReport]:
    """Makes a submission."""
    return _submission


@pytest.fixture(scope="session")
def report() -> Callable[..., ScoreReport]:
    """Makes a report of submissions."""
    return _report


@pytest.fixture(scope="session")
def plain() -> ScoreReport:
    """Three submissions, one of which could not be scored."""
    broken = SubmissionReport(submission="model_b/1.py", total=0, uncapped=0, dimensions=(), error="the disk is full")
    clean = _submission("model_a/2.py", 96.0, wrong=0).model_copy(update={"flags": (), "uncapped": 96.0})
    return _report(_submission(model="model_a"), clean.model_copy(update={"model": "model_a"}), broken)


@pytest.fixture(scope="session")
def hostile() -> ScoreReport:
    """Every text is hostile."""
    return _report(_submission(text=HOSTILE), _submission(text=HOSTILE, total=3.0), text=HOSTILE)


@pytest.fixture(scope="session")
def big() -> ScoreReport:
    """100 submissions of 500 cases with long texts."""
    return _report(
        *(
            _submission(f"m{number % 5}/{number}.py", number, wrong=number, right=500 - number, model=f"m{number % 5}")
            for number in range(100)
        )
    )
