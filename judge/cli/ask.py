"""``judge ask``: a question about a workspace, answered by a model from gathered evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import model_options as models
from judge.cli import options as shared

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.models import Model
    from judge.modules.ask import Answer


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know, as one quoted text.", metavar="QUESTION")],
    workspace: Annotated[Path, typer.Option("--workspace", "-w", help="The workspace.", metavar="FOLDER")],
    model: models.ModelSpec = None,
    base_url: models.BaseUrl = None,
    modules: shared.Modules = None,
    ignore: shared.Ignore = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Ask a model a question about a workspace.

    It needs a model: --model, JUDGE_MODEL, or a judge.toml.

    --json prints: answer, model, evidence (path, why), usage.
    """
    import asyncio

    from judge.cli.choose import model_line, open_configured, resolve
    from judge.cli.console import say, show, show_json
    from judge.cli.progress import spent

    flags = {"model": model, "base_url": base_url, "modules": modules, "ignore": tuple(ignore) if ignore else None}
    settings = resolve(flags, config)
    settings.check_trusted(workspace)
    opened = open_configured(settings)
    for line in settings.warnings:
        say(f"judge: warning: {line}")
    say(f"judge: {model_line(settings)}")
    answer = asyncio.run(_ask(question, workspace, settings, opened))
    if as_json:
        looked_at = [{"path": item.path, "why": item.why} for item in answer.evidence if item.module == "locate"]
        usage = answer.usage.model_dump(mode="json")
        show_json({"answer": answer.text, "model": answer.model, "evidence": looked_at, "usage": usage})
        return
    show(answer.text)
    say(f"judge: {spent(answer.usage)}")


async def _ask(question: str, root: Path, settings: Settings, model: Model) -> Answer:
    from judge.engine import Pipeline, open_workspace, parse_modules, question_case
    from judge.modules.ask import answer_question

    try:
        case = question_case(question, open_workspace(root, settings.ignore), model)
        try:
            found = await Pipeline(parse_modules(settings.modules)).gather(case)
        finally:
            case.documents.close()
        return await answer_question(case, found, model, max_output_tokens=settings.max_output_tokens)
    finally:
        await model.close()
