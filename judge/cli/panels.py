"""Help in panels: options under headings, as plain text."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

_REST = "Other options"


class PanelCommand(TyperCommand):
    """A command whose help shows its options under the panels that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then the options panel by panel, in the order in which panels first appear."""
        arguments: list[tuple[str, str]] = []
        panels: dict[str, list[tuple[str, str]]] = {}
        for item in self.get_params(ctx):
            record = item.get_help_record(ctx)
            if record is None:
                continue
            if item.param_type_name == "argument":
                arguments.append(record)
            else:
                panels.setdefault(getattr(item, "rich_help_panel", None) or _REST, []).append(record)
        rest = panels.pop(_REST, [])
        named = {**panels, (_REST if panels else "Options"): rest}
        for title, rows in {"Arguments": arguments, **named}.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
