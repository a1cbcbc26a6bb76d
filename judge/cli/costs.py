"""The ledger of a run as a table: what was used, by purpose and model, and by task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge.cli.console import console, show
from judge.schemas import Usage
from judge.text import printable

if TYPE_CHECKING:
    from judge.engine.costs import Costs


def print_costs(costs: Costs) -> None:
    """Prints the ledger on stdout; nothing when no model was asked.

    Args:
        costs: What the run used.
    """
    if not costs.purposes:
        return
    rows = [(f"{purpose}, {model}", usage) for (purpose, model), usage in costs.purposes.items()]
    if len(costs.models) > 1:
        rows += [(f"all, {model}", usage) for model, usage in costs.models.items()]
    _table("Used for", rows)
    if len(costs.tasks) > 1:
        _table("Used on task", costs.tasks.items())


def _table(title: str, rows: Iterable[tuple[str, Usage]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console()
    table = Table(box=box.SIMPLE if screen.is_terminal else box.ASCII2, pad_edge=False)
    table.add_column(title, overflow="fold")
    for name in ("calls", "from disk", "new tokens", "cached tokens", "answers", "cost"):
        table.add_column(name, justify="right", no_wrap=True)
    listed = list(rows)
    for name, usage in listed:
        table.add_row(Text(printable(name)), *_cells(usage))
    screen.print(table)
    show()


def _cells(usage: Usage) -> tuple[str, ...]:
    cost = "unknown" if usage.cost is None else f"${usage.cost:.4f}"
    fresh = usage.input_tokens + usage.cache_write_tokens
    counts = (usage.calls, usage.cached_calls, fresh, usage.cache_read_tokens, usage.output_tokens)
    return (*(f"{number:,}" for number in counts), cost)
