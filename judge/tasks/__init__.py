"""Tasks in DevAI's JSON: loading, checking, their prerequisites and their labels."""

from typing import TYPE_CHECKING

from judge.jsontext import Problem, printable, show, show_path
from judge.lazy import offer

if TYPE_CHECKING:
    from judge.tasks.check import check_task, looks_like_task
    from judge.tasks.dag import ancestors, dependency_graph, descendants, find_cycles, order
    from judge.tasks.labels import Drift, Join, Label, Labels, TaskLabels, join_labels, load_labels, normalise_criterion
    from judge.tasks.layout import Layout, find_layout
    from judge.tasks.load import InvalidTask, LoadedTask, LoadedTasks, load_tasks
    from judge.tasks.names import name_problem

__all__ = [
    "Drift",
    "InvalidTask",
    "Join",
    "Label",
    "Labels",
    "Layout",
    "LoadedTask",
    "LoadedTasks",
    "Problem",
    "TaskLabels",
    "ancestors",
    "check_task",
    "dependency_graph",
    "descendants",
    "find_cycles",
    "find_layout",
    "join_labels",
    "load_labels",
    "load_tasks",
    "looks_like_task",
    "name_problem",
    "normalise_criterion",
    "order",
    "printable",
    "show",
    "show_path",
]

__getattr__ = offer(
    __name__,
    {
        "check": "check_task looks_like_task",
        "dag": "ancestors dependency_graph descendants find_cycles order",
        "labels": "Drift Join Label Labels TaskLabels join_labels load_labels normalise_criterion",
        "layout": "Layout find_layout",
        "load": "InvalidTask LoadedTask LoadedTasks load_tasks",
        "names": "name_problem",
    },
)
