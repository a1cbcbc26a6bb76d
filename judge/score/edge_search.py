"""The random share of the edge dimension for one submission: inputs by chance, and relations between answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from judge.results.score import CategoryResult, Counterexample
from judge.score.edge import EdgeInput, Outcome, RandomSource, Verdict, check_relations, find_counterexamples
from judge.score.examiner import show_input
from judge.score.prepare import edge_question, fits, generated_oracle
from judge.score.questions import Properties
from judge.score.reply import Reply, Status

if TYPE_CHECKING:
    from judge.score.edge import Signature
    from judge.score.examiner import Examiner
    from judge.score.prepare import Prepared
    from judge.score.questions import Question
    from judge.score.suite_side import SuiteSide
    from judge.score.values import Value

_RELATED_INPUTS = 30
_NO_TIME = "not asked: too much time was used before"


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search brought.

    Attributes:
        categories: How many inputs of each kind were asked and passed.
        counterexamples: The smallest input of each kind that fails.
        notes: What kept it from being complete, one sentence each.
    """

    categories: tuple[CategoryResult, ...]
    counterexamples: tuple[Counterexample, ...]
    notes: tuple[str, ...]


class EdgeSearch:
    """Searches for inputs that submissions get wrong; one per thread, since it draws its inputs once.

    Args:
        prepared: The suite.
        side: Its own code.

    Raises:
        InputError: A domain of the suite cannot be read.
    """

    def __init__(self, prepared: Prepared, side: SuiteSide) -> None:
        """Draws nothing yet."""
        self._prepared, self._side = prepared, side
        self._source: RandomSource | None = None

    def search(self, examiner: Examiner) -> Searched | None:
        """Asks one submission; None where a suite has nothing to draw or nothing to judge by.

        Raises:
            EngineFault: The machinery failed.
        """
        suite, signature = self._prepared.suite, self._prepared.signature
        rules = suite.edge_cases
        if signature is None or suite.target.kind != "function" or not rules.auto:
            return None
        if not rules.random.examples and not rules.metamorphic:
            return None
        if self._source is None:
            self._source = RandomSource(self._prepared.loaded, signature, self._prepared.seed)
        if self._source.why_none:
            return Searched((), (), (f"no inputs were drawn: {self._source.why_none}",))
        searched = self._random(examiner, signature)
        related = self._related(examiner, signature)
        return Searched(
            searched.categories + related.categories,
            searched.counterexamples + related.counterexamples,
            searched.notes + related.notes,
        )

    def _random(self, examiner: Examiner, signature: Signature) -> Searched:
        oracle = generated_oracle(self._prepared.suite)
        if oracle is None or not self._prepared.suite.edge_cases.random.examples:
            return Searched((), (), ())
        template = edge_question(EdgeInput((), {}, "", "random"), 0, oracle, self._prepared.suite)

        def check(args: tuple[Value, ...], kwargs: dict[str, Value]) -> Outcome:
            question = replace(template, args=tuple(args), kwargs=kwargs)
            if not fits(question, signature, self._side):
                return Outcome(Verdict.DROP)
            if examiner.too_slow or examiner.out_of_time:
                return Outcome(Verdict.UNASKED, _NO_TIME)
            _, finding = examiner.try_one(question)
            if finding.unfit:
                return Outcome(Verdict.DROP)
            verdict = Verdict.PASS if finding.passed else Verdict.FAIL
            return Outcome(verdict, finding.reason, finding.expected, finding.actual)

        found = find_counterexamples(
            check,
            self._prepared.loaded,
            signature,
            self._prepared.seed,
            wall_s=examiner.seconds_left,
            source=self._source,
        )
        categories = tuple(
            CategoryResult(source="random", category=name, asked=count, passed=found.passed.get(name, 0))
            for name, count in found.asked.items()
        )
        examples = tuple(
            Counterexample(
                source="random",
                category=item.category,
                input=show_input(replace(template, args=item.args, kwargs=item.kwargs)),
                expected=item.outcome.expected,
                actual=item.outcome.actual,
                reason=item.outcome.reason,
            )
            for item in found.counterexamples
        )
        slow = (f"random inputs count as failed that were not asked: {examiner.timeouts} time-outs before",)
        return Searched(categories, examples, found.notes + (slow if examiner.too_slow else ()))

    def _related(self, examiner: Examiner, signature: Signature) -> Searched:
        rules = self._prepared.suite.edge_cases.metamorphic
        if not rules or self._source is None:
            return Searched((), (), ())
        template = edge_question(EdgeInput((), {}, "", "random"), 0, Properties(()), self._prepared.suite)
        drawn = (item.input for item in self._source.inputs())
        inputs = [item for item in islice(drawn, _RELATED_INPUTS) if self._defined(template, item, signature)]

        def ask(args: tuple[Value, ...], kwargs: dict[str, Value]) -> Reply:
            if examiner.too_slow or examiner.out_of_time:
                return Reply(Status.TIMEOUT, detail=_NO_TIME)
            reply = examiner.put(replace(template, args=args, kwargs=kwargs))
            assert isinstance(reply, Reply)  # only functions have relations
            return reply

        asked: Counter[str] = Counter()
        passed: Counter[str] = Counter()
        worst: dict[str, Counterexample] = {}
        for item in check_relations(rules, inputs, self._side.call, ask):
            if item.outcome.verdict is Verdict.DROP:
                continue
            asked[item.name] += 1
            passed[item.name] += item.outcome.verdict is Verdict.PASS
            if item.outcome.verdict is Verdict.FAIL:
                example = _related_example(item.name, template, item.input, item.outcome)
                if item.name not in worst or len(example.input) < len(worst[item.name].input):
                    worst[item.name] = example
        categories = tuple(
            CategoryResult(source="random", category=f"relation {name}", asked=count, passed=passed[name])
            for name, count in asked.items()
        )
        return Searched(categories, tuple(worst.values()), ())

    def _defined(self, template: Question, item: EdgeInput, signature: Signature) -> bool:
        return fits(replace(template, args=item.args, kwargs=item.kwargs), signature, self._side)


def _related_example(name: str, template: Question, found: EdgeInput, outcome: Outcome) -> Counterexample:
    return Counterexample(
        source="random",
        category=f"relation {name}",
        input=show_input(replace(template, args=found.args, kwargs=found.kwargs)),
        expected=outcome.expected,
        actual=outcome.actual,
        reason=outcome.reason,
    )
