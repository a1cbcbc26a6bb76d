"""Runs the cells of a sweep one after the other; each is a normal run folder, and finished verdicts stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge.config import Settings
from judge.engine.alignment.names import Spec
from judge.engine.folder import RunFolder
from judge.engine.judges import Judge, RulesJudge, model_names
from judge.engine.judges_agent import AgentJudge
from judge.engine.judges_llm import LlmJudge
from judge.engine.judges_majority import label_judgments, majority_judgments, panel_header, record
from judge.engine.options import RunOptions
from judge.engine.panel import Panel, read_panel
from judge.engine.plan import build_header
from judge.engine.progress import Progress
from judge.engine.run import RunResult, run
from judge.engine.sweep.inputs import SweepInputs
from judge.engine.sweep.plan import ASKED, CELLS, SweepPlan, members_of, options_of
from judge.engine.sweep.shared import Memo, MemoModel, SharedWorkspaces
from judge.engine.votes import Tie
from judge.errors import ExitCode, InputError
from judge.fence import Fence
from judge.models import Ledger, open_model
from judge.results import Cell, CellPlan, CellResult, CellState, SweepJudge, SweepSpec
from judge.schemas import RunHeader, Setting, VerdictValue
from judge.text import plural

if TYPE_CHECKING:
    from judge.modules.search import Search

_LEAST = 2
_WORST = (ExitCode.INTERRUPTED, ExitCode.BUDGET, ExitCode.PROVIDER, ExitCode.INCOMPLETE, ExitCode.OK)


@dataclass(frozen=True, slots=True)
class SweepRun:
    """What a sweep runs with.

    Attributes:
        spec: The sweep.
        inputs: What it works on.
        out: Its folder.
        settings: Models, limits and concurrency.
        fresh: Whether earlier runs of cells are moved aside.
        progress: Makes the progress of one cell.
        say: Shows one line to the user.
    """

    spec: SweepSpec
    inputs: SweepInputs
    out: Path
    settings: Settings
    fresh: bool
    progress: Callable[[], AbstractContextManager[Progress]]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ran:
    """How the cells ended.

    Attributes:
        cells: One result a cell.
        code: The exit code; the first that applies of interrupted, budget, provider, incomplete.
    """

    cells: tuple[CellResult, ...]
    code: ExitCode


def run_cells(work: SweepRun, plan: SweepPlan, library: SharedWorkspaces) -> Ran:
    """Runs what is missing.

    Args:
        work: What to run with.
        plan: The cells.
        library: Shared workspaces.

    Raises:
        ConfigError: A model cannot be opened.
        InputError: The folder cannot be used.
    """
    _check(work)
    ledger = Ledger(work.settings.max_cost, work.settings.max_tokens, plan.spent, work.settings.run_deadline)
    runner = _Runner(work, library, ledger, [item.cell for item in plan.cells])
    for item in plan.cells:
        runner.run(item)
        library.trim()
    return Ran(tuple(runner.results.values()), min(runner.codes, key=_WORST.index, default=ExitCode.OK))


def _check(work: SweepRun) -> None:
    """Everything that would end the sweep in its middle: the folder, and models that cannot be opened."""
    import asyncio

    target = work.out.resolve()
    for agent in work.inputs.agents.values():
        for task in agent.plans:
            root = task.workspace.resolve() if task.workspace is not None else None
            if root is not None and (target == root or root in target.parents):
                raise InputError(f"lies inside the judged workspace {root}", where=str(work.out), hint="another --out")
            if root is not None:
                work.settings.check_trusted(root)
    if work.out.is_dir() and any(work.out.iterdir()) and not (work.out / CELLS).is_dir():
        raise InputError("is not empty and no folder of a sweep", where=str(work.out), hint="choose another --out")
    try:
        (work.out / CELLS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", where=str(work.out)) from error
    if ASKED & set(work.spec.judges):
        for spec in work.spec.models:
            asyncio.run(open_model(spec, work.settings.models).close())


class _Runner:
    """Runs cells; knows what came of the earlier ones."""

    def __init__(self, work: SweepRun, library: SharedWorkspaces, ledger: Ledger, cells: Sequence[Cell]) -> None:
        self._work = work
        self._library = library
        self._ledger = ledger
        self._cells = cells
        self._memo = Memo()
        self._fence = Fence.new()  # one for all cells: equal prompts are then equal byte for byte
        self._stopped = ""
        self._no_money = ""
        self.results: dict[str, CellResult] = {}
        self.codes: list[ExitCode] = []

    def run(self, item: CellPlan) -> None:
        """Runs one cell and keeps its result."""
        cell = item.cell
        try:
            result = self._blocked(item) or self._one(item)
        except InputError as error:
            result = CellResult(cell=cell, state=CellState.FAILED, why=str(error))
        except KeyboardInterrupt:
            self._stopped = "interrupted"
            self.codes.append(ExitCode.INTERRUPTED)
            result = CellResult(cell=cell, state=CellState.NOT_REACHED, why="interrupted")
        if result.state is not CellState.FINISHED:
            self.codes.append(ExitCode.INCOMPLETE)
        self.results[cell.name] = result
        self._work.say(f"{cell.name}: {_line(result)}")

    def _blocked(self, item: CellPlan) -> CellResult | None:
        cell = item.cell
        if self._stopped:
            return CellResult(cell=cell, state=CellState.NOT_REACHED, why=self._stopped)
        if item.absent:
            return CellResult(cell=cell, state=CellState.ABSENT, why=item.absent)
        if self._no_money and cell.judge in ASKED:
            return CellResult(cell=cell, state=CellState.NOT_REACHED, why=self._no_money)
        return None

    def _one(self, item: CellPlan) -> CellResult:
        cell = item.cell
        if cell.judge is SweepJudge.HUMAN:
            return self._human(item)
        if cell.judge is SweepJudge.MAJORITY:
            return self._majority(item)
        options = options_of(cell, self._work.spec, self._work.settings)
        judge = self._judge(cell, options)
        prepared = self._work.inputs.agents[cell.agent].tasks_for(options)
        model = model_names(judge)
        header = build_header(prepared, options, model=model, prompts=judge.prompts())
        with self._folder(cell, header) as folder, self._work.progress() as progress:
            result = run(prepared, judge, options, folder, progress, self._library)
        if result.stop.interrupted:
            self._stopped = "interrupted"
        if result.stop.budget is not None:
            self._no_money = str(result.stop.budget)
        if result.stop.deadline:
            self._stopped = "the time for the sweep is over"
        self.codes.append(result.exit_code())
        return _result(item, result)

    def _judge(self, cell: Cell, options: RunOptions) -> Judge:
        if cell.judge is SweepJudge.RULES:
            return RulesJudge()
        model = MemoModel(open_model(cell.model, self._work.settings.models, ledger=self._ledger), self._memo)
        if cell.judge is SweepJudge.LLM:
            return LlmJudge(model, options, fence=self._fence)
        return AgentJudge(model, options, fence=self._fence, search=self._search(options))

    def _search(self, options: RunOptions) -> Search | None:
        """What ranks texts, when a server does; else each task opens its own."""
        if options.strategies.search != "embeddings":
            return None
        from judge.modules.search import open_search

        settings = self._work.settings
        kept = settings.cache_home / "embeddings" if settings.cache_home is not None else None
        return open_search(options.strategies, settings.models, kept=kept, ledger=self._ledger)

    def _folder(self, cell: Cell, header: RunHeader) -> RunFolder:
        folder = RunFolder(self._path(cell), header, fresh=self._work.fresh)
        for note in folder.notes:
            self._work.say(note)
        return folder

    def _path(self, cell: Cell) -> Path:
        return self._work.out / CELLS / cell.name

    def _human(self, item: CellPlan) -> CellResult:
        cell = item.cell
        agent = self._work.inputs.agents[cell.agent]
        place = agent.raters.get(cell.rater) or agent.labels
        assert place is not None  # the plan calls such a cell absent
        panel = self._chosen(read_panel([Spec(place, judge=cell.rater or "labels")]), cell)
        with self._made(cell, panel_header(panel, "human")) as folder:
            result = record(panel, label_judgments(panel), folder)
        found = _result(item, result)
        why = f"no label for {plural(found.pending, 'requirement')}" if found.pending else ""
        return found.model_copy(update={"state": CellState.FINISHED, "why": why})

    def _majority(self, item: CellPlan) -> CellResult:
        cell = item.cell
        members = [self.results[other.name] for other in members_of(cell, self._cells) if other.name in self.results]
        open_ones = [it.cell.title for it in members if it.pending or it.state in _OPEN]
        if open_ones:
            why = f"waits for {', '.join(open_ones)}"
            return CellResult(cell=cell, state=CellState.NOT_REACHED, why=why)
        if len(members) < _LEAST:
            why = "a majority needs two other judges or more in the same setting"
            return CellResult(cell=cell, state=CellState.ABSENT, why=why)
        tie = Tie(self._work.spec.tie)
        specs = [Spec(self._path(it.cell), agent=cell.agent, judge=it.cell.title) for it in members]
        panel = self._chosen(read_panel(specs), cell)
        with self._made(cell, panel_header(panel, "majority", tie)) as folder:
            result = record(panel, majority_judgments(panel, tie), folder)
        self.codes.append(result.exit_code())
        return _result(item, result)

    def _chosen(self, panel: Panel, cell: Cell) -> Panel:
        """The panel with only the tasks of the sweep that the agent has a workspace for."""
        names = {plan.task.name for plan in self._work.inputs.agents[cell.agent].plans}
        names = names or {task.name for task in self._work.inputs.tasks}
        tasks = tuple(task for task in panel.tasks if task.name in names)
        inputs = {key: value for key, value in panel.inputs.items() if key.partition(":")[2] in names}
        if not tasks:
            raise InputError("holds none of the tasks of the sweep", where=cell.title)
        return replace(panel, tasks=tasks, inputs=inputs, setting=cell.setting or Setting.GRAY_BOX)

    def _made(self, cell: Cell, header: RunHeader) -> RunFolder:
        """The folder of a cell that asks nobody; made anew when what it is made of has changed."""
        try:
            return self._folder(cell, header)
        except InputError:
            return RunFolder(self._path(cell), header, fresh=True)


_OPEN = frozenset({CellState.NOT_REACHED, CellState.FAILED, CellState.ABSENT})


def _result(item: CellPlan, result: RunResult) -> CellResult:
    counts = result.totals
    verdicts = [verdict for task in result.tasks for verdict in task.verdicts.values()]
    shared = [
        verdict
        for verdict in verdicts
        if verdict.judge in {"agent", "llm"}
        and not verdict.usage.calls
        and not verdict.blocked_by
        and verdict.verdict is not VerdictValue.ERROR
    ]
    whole = not (counts.errors or counts.pending)
    errors = sorted({verdict.error for verdict in verdicts if verdict.error})
    return CellResult(
        cell=item.cell,
        state=CellState.FINISHED if whole else CellState.INCOMPLETE,
        why=errors[0] if errors else "",
        run=f"{CELLS}/{item.cell.name}",
        tasks=counts.tasks,
        requirements=counts.requirements,
        satisfied=counts.satisfied,
        unsatisfied=counts.unsatisfied,
        errors=counts.errors,
        pending=counts.pending,
        usage=result.usage_total,
        shared=len(shared),
        seconds=round(sum(verdict.seconds for verdict in verdicts), 3),
    )


def _line(result: CellResult) -> str:
    parts = [result.state.value]
    if result.requirements:
        parts.append(f"{result.satisfied} satisfied, {result.unsatisfied} unsatisfied, {result.errors} error")
    if result.pending:
        parts.append(f"{result.pending} not reached")
    return "; ".join([*parts, *([result.why] if result.why else [])])
