"""The module ``retrieve``: the steps of the trajectory that matter for one requirement."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.retrieve.elide import Shown, shown_files
from judge.modules.retrieve.needed import needed_steps, only_wrote, paths_in_question
from judge.modules.retrieve.notes import left_out, state_note
from judge.modules.retrieve.rank import Ranked, names_in, rank
from judge.modules.retrieve.show import Frame, show_step
from judge.modules.retrieve.states import states
from judge.modules.retrieve.tables import Tables, make_tables
from judge.modules.search.base import Fit, Search
from judge.modules.search.bm25 import Bm25
from judge.modules.search.once import Once
from judge.schemas import Evidence, EvidenceKind, Setting
from judge.tokens import count
from judge.trajectories.truncate import Part

if TYPE_CHECKING:
    from judge.schemas import Trajectory

_LEAST = 60
_CONSIDERED = 80


class Retrieve:
    """Chooses steps of one trajectory; its tables are built once."""

    name = "retrieve"

    def __init__(self, search: Search | None = None) -> None:
        """Makes a module for one trajectory.

        Args:
            search: Ranks steps by what they say; BM25 when None.
        """
        self._search = search or Bm25()
        self._once: Once[Tables] = Once()

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """Steps in the order they happened, and notes on those that were left out and on doubtful files.

        Steps that last made a file in question, ran what makes it, tested it or printed its numbers are always there
        as far as the budget goes; the others are chosen by relevance, late ones first unless the strategies of the
        case say otherwise.

        Args:
            case: The requirement; without a trajectory, or black-box, there is nothing to find.
            found: What other modules found; what is shown of files is not repeated.

        Returns:
            Evidence of kind ``step``, within the budget, and up to two of kind ``note``.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        trajectory = _trajectory(case)
        if trajectory is None:
            return ()
        tables = await self._tables(trajectory)
        fits = await tables.index.rank(case.requirement.criteria)
        return await asyncio.to_thread(_retrieve, case, tables, fits, found)

    async def find(self, case: Case, query: str, number: int) -> list[Evidence]:
        """The steps that fit a query best, best first, as evidence.

        Args:
            case: Any requirement of the task.
            query: Words, names, or the number of a step.
            number: How many at most.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        trajectory = _trajectory(case)
        if trajectory is None:
            return []
        tables = await self._tables(trajectory)
        asked = [place for place, step in enumerate(trajectory.steps) if str(step.step) == query.strip()]
        places = asked or [fit.position for fit in await tables.index.rank(query)]
        frame = _frame(case, tables, ())
        rows = [Ranked(0.0, place, "asked for", needed=True) for place in places[:number]]
        return [_evidence(tables, row, case.bounds.step_tokens, Shown(), frame) for row in rows]

    async def _tables(self, trajectory: Trajectory) -> Tables:
        return await self._once.get(trajectory, lambda: make_tables(trajectory, self._search))


def _trajectory(case: Case) -> Trajectory | None:
    if case.trajectory is None or case.setting == Setting.BLACK_BOX or not case.trajectory.steps:
        return None
    return case.trajectory


def _retrieve(case: Case, tables: Tables, fits: Sequence[Fit], found: Sequence[Evidence]) -> list[Evidence]:
    ranked = rank(case, found, tables, fits, needed_steps(case, tables, found))
    frame = _frame(case, tables, found)
    shown = _files(found)
    chosen, wrote = _fitting(case, tables, ranked, shown, frame)
    items = []
    for item in sorted(chosen, key=lambda item: item.position):
        evidence = _evidence(tables, item, _budget(case, item), shown, frame)
        shown.add_step(evidence.step or 0, evidence.text)
        items.append(evidence)
    named, located = paths_in_question(found)
    doubts = state_note(states(case, tables.history, [*named, *located]))
    out = left_out(tables, {item.position for item in chosen}, wrote, [*named, *located])
    return [*items, *(note for note in (out, doubts) if note is not None)]


def _frame(case: Case, tables: Tables, found: Sequence[Evidence]) -> Frame:
    named, located = paths_in_question(found)
    names = (path.rsplit("/", 1)[-1] for path in (*named, *located))
    wanted = dict.fromkeys((*names_in(case.requirement.criteria), *names))
    return Frame(tables.noise, tables.events, tuple(wanted), Part(case.strategies.cut))


def _files(found: Sequence[Evidence]) -> Shown:
    return shown_files((item.path, item.text) for item in found if item.module == "read" and item.path)


def _budget(case: Case, item: Ranked) -> int:
    """Tokens of one step: less for what is only perhaps telling."""
    return case.bounds.step_tokens if item.needed else case.bounds.step_tokens // 3


def _fitting(
    case: Case, tables: Tables, ranked: Sequence[Ranked], shown: Shown, frame: Frame
) -> tuple[list[Ranked], Mapping[int, str]]:
    """As many of the best steps as the budget holds, and steps that a note tells in full: number -> file written."""
    left = case.bounds.retrieve_tokens
    chosen = []
    wrote = {}
    for item in ranked[:_CONSIDERED]:
        if left < _LEAST:
            break
        number = tables.trajectory.steps[item.position].step
        path = only_wrote(tables.history, number, tables.events.get(number, ()), shown.whole) if item.aside else ""
        evidence = _evidence(tables, item, _budget(case, item), shown, frame)
        if path and not evidence.facts:
            wrote[number] = path
        elif evidence.tokens <= left:
            chosen.append(item)
            left -= evidence.tokens
    return chosen, wrote


def _evidence(tables: Tables, item: Ranked, tokens: int, shown: Shown, frame: Frame) -> Evidence:
    step = tables.trajectory.steps[item.position]
    told = show_step(step, tokens, shown, frame)
    return Evidence(
        module="retrieve",
        kind=EvidenceKind.STEP,
        title=f"Step {step.step}",
        text=told.text,
        step=step.step,
        why=item.why,
        facts={"failed": True} if told.failed else {},
        tokens=count(told.text),
    )
