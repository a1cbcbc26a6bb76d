"""Shows a finished run: the result on stdout, what else there is to say on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from judge.errors import ExitCode

if TYPE_CHECKING:
    from judge.cli.inputs import Inputs
    from judge.engine import RunResult


class Shown(NamedTuple):
    """How the result is shown, and the gate it is held against.

    Attributes:
        fail_under: The gate, when there is one.
        details: Whether every verdict is printed.
        costs: Whether the ledger is printed.
        as_json: Whether one JSON document is printed instead.
    """

    fail_under: float | None = None
    details: bool = False
    costs: bool = False
    as_json: bool = False


def show_result(result: RunResult, inputs: Inputs, path: Path, code: ExitCode, shown: Shown) -> None:
    """Shows a run.

    Args:
        result: The run.
        inputs: What was judged.
        path: The run folder.
        code: The exit code.
        shown: How.
    """
    from judge.cli.console import say, show_json
    from judge.cli.costs import print_costs
    from judge.cli.streams import silence
    from judge.cli.table import final_lines, print_table, to_json

    try:
        if shown.as_json:
            show_json(to_json(result, inputs, path, code))
        else:
            print_table(result, inputs, shown.details)
            if shown.costs or shown.details:
                print_costs(result.costs)
    except BrokenPipeError:  # nobody reads on; the exit code still says how the run went
        silence(sys.stdout)
    hint = not (shown.as_json or shown.details)
    for line in final_lines(result, inputs, path, code, shown.fail_under, hint):
        say(f"judge: {line}")
