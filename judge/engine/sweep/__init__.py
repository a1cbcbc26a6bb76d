"""Sweeps: one file of agents, settings, judges, models and module sets, run cell by cell and measured together."""

from judge.engine.sweep.collect import collect
from judge.engine.sweep.expand import expand
from judge.engine.sweep.inputs import SweepInputs, load_sweep_inputs
from judge.engine.sweep.plan import SweepPlan, plan_sweep
from judge.engine.sweep.run import Ran, SweepRun, run_cells
from judge.engine.sweep.shared import SharedWorkspaces
from judge.engine.sweep.spec import LoadedSweep, SweepProblem, load_sweep, parse_sweep

__all__ = [
    "LoadedSweep",
    "Ran",
    "SharedWorkspaces",
    "SweepInputs",
    "SweepPlan",
    "SweepProblem",
    "SweepRun",
    "collect",
    "expand",
    "load_sweep",
    "load_sweep_inputs",
    "parse_sweep",
    "plan_sweep",
    "run_cells",
]
