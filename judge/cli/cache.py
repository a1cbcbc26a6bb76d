"""``judge cache``: the answers that are kept so that the same question is paid for once."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared
from judge.cli.installed import kept_line
from judge.errors import InputError
from judge.text import plural

if TYPE_CHECKING:
    from judge.models.cache import CacheStats, ModelStats, ReplyStore

app = typer.Typer(
    name="cache",
    help="Show, shrink or empty the cache of answers.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


cache = app
"""The name under which the table of commands knows it."""

Folder = Annotated[
    Path | None,
    typer.Option("--cache-dir", help="Where the answers are kept, when not in the usual folder.", metavar="FOLDER"),
]
_UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


@app.callback()
def _group() -> None:
    """Show, shrink or empty the cache of answers."""


@app.command("stats")
def stats(
    cache_dir: Folder = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Show what is kept: answers by model, their size, age, and what they did cost.

    --json prints: path, size, limit, entries, models (model, server, entries, size, tokens, cost, oldest, newest).
    """
    from judge.cli.console import show, show_json
    from judge.models.cache import DEFAULT_BYTES

    with _store(cache_dir, config) as store:
        found = store.stats()
    entries = sum(item.entries for item in found.models)
    if as_json:
        models = [item._asdict() for item in found.models]
        head = {"path": str(found.path), "size": found.size, "limit": DEFAULT_BYTES, "entries": entries}
        show_json(head | {"models": models})
        return
    for line in _lines(found):
        show(line)


@app.command("prune")
def prune(
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", help="Drop answers that were not used for so long: 30d, 12h, 2w.", metavar="AGE"),
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option("--max-size", help="Drop what was not used for longest until the file is below it: 100M, 2G."),
    ] = None,
    cache_dir: Folder = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Drop old answers and give their space back.

    --json prints: path, dropped, size.
    """
    from judge.cli.console import show, show_json
    from judge.modules.overview import size

    if older_than is None and max_size is None:
        hint = "give --older-than, --max-size or both; judge cache clear drops everything"
        raise InputError("nothing says what to drop", where="judge cache prune", hint=hint)
    age = None if older_than is None else parse_age(older_than)
    most = None if max_size is None else parse_size(max_size)
    with _store(cache_dir, config) as store:
        dropped = store.prune(older_than=age, max_bytes=most)
        left = store.stats()
    if as_json:
        show_json({"path": str(left.path), "dropped": dropped, "size": left.size})
    else:
        show(f"dropped {plural(dropped, 'answer')}; {left.path} has {size(left.size)}")


@app.command("clear")
def clear(
    cache_dir: Folder = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Drop all answers; also mends a file that cannot be read any more.

    --json prints: path.
    """
    from judge.cli.console import show, show_json

    with _store(cache_dir, config) as store:
        store.clear()
    if as_json:
        show_json({"path": str(store.path)})
    else:
        show(f"no answers are kept any more in {store.path}")


def parse_age(text: str) -> float:
    """Seconds that an age means, such as ``30d``.

    Raises:
        InputError: It is none.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhdw])\s*", text)
    if found is None:
        raise InputError(f"{text!r} is no age", where="--older-than", hint="a number and s, m, h, d or w, such as 30d")
    return float(found[1]) * _SECONDS[found[2]]


def parse_size(text: str) -> int:
    """Bytes that a size means, such as ``100M``.

    Raises:
        InputError: It is none.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?)B?\s*", text.upper())
    if found is None:
        raise InputError(f"{text!r} is no size", where="--max-size", hint="a number and K, M or G, such as 100M")
    return int(float(found[1]) * _UNITS[found[2]])


@contextmanager
def _store(folder: Path | None, config: Path | None) -> Iterator[ReplyStore]:
    from judge.config import load_settings
    from judge.models.cache import ReplyStore, StoreError

    place = load_settings({"cache_dir": folder}, config=config).responses
    assert place is not None  # settings that were loaded always have a place
    store = ReplyStore(place)
    try:
        yield store
    except StoreError as error:
        hint = "judge cache clear makes a new file"
        raise InputError(str(error), where=str(store.path), hint=hint) from error
    finally:
        store.close()


def _lines(found: CacheStats) -> Iterator[str]:
    yield f"{kept_line(found)} in {found.path}"
    rows = [_row(item) for item in found.models]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))] if rows else []
    for row in rows:
        name, *numbers = row
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        yield "  ".join([f"  {name:{widths[0]}}", *cells])


def _row(item: ModelStats) -> tuple[str, ...]:
    from judge.modules.overview import size

    name = f"{item.model} at {item.server}" if item.server else item.model
    cost = "unknown cost" if item.cost is None else f"${item.cost:,.4f}"
    age = f"{_age(item.newest)} to {_age(item.oldest)} old"
    return (name, f"{item.entries:,}", size(item.size), f"{item.tokens:,} tokens", cost, age)


def _age(moment: float) -> str:
    seconds = max(0.0, time.time() - moment)
    for unit, factor in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * factor:
            return f"{seconds / factor:.0f} {unit}"
    return f"{seconds:.0f} seconds"
