"""``judge ask``: a question about a workspace, answered by a model from gathered evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import model_options as models
from judge.cli import options as shared

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.models import OpenModel
    from judge.modules.ask import Answer


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know, as one quoted text.", metavar="QUESTION")],
    workspace: Annotated[Path, typer.Option("--workspace", "-w", help="The workspace.", metavar="FOLDER")],
    model: models.ModelSpec = None,
    base_url: models.BaseUrl = None,
    modules: shared.Modules = None,
    search: shared.Search = None,
    embeddings: shared.Embeddings = None,
    redact: shared.Redact = None,
    cache: models.Cache = None,
    cache_dir: models.CacheDir = None,
    ignore: shared.Ignore = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Ask a model a question about a workspace.

    It needs a model: --model, JUDGE_MODEL, or a judge.toml.

    --json prints: answer, model, evidence (path, why), usage.
    """
    given = shared.settings_given(locals())
    import asyncio

    from judge.cli.choose import model_line, open_configured, resolve
    from judge.cli.console import say, show, show_json
    from judge.cli.progress import spent

    settings = resolve(given, config)
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


async def _ask(question: str, root: Path, settings: Settings, model: OpenModel) -> Answer:
    from judge.cli.choose import strategies_of, writings_of
    from judge.cli.searching import search_of
    from judge.engine import Pipeline, open_workspace, parse_modules, question_case
    from judge.engine.meter import Meter, Metered
    from judge.models.listening import listening
    from judge.modules.ask import answer_question

    meter = Meter()
    metered = Metered(model, meter)
    try:
        pipeline = Pipeline(parse_modules(settings.modules), search_of(settings, model.ledger))
        listed = open_workspace(root, settings.ignore)
        case = question_case(question, listed, metered, strategies_of(settings), writings_of(settings))
        with listening(meter.add):
            try:
                found = await pipeline.gather(case)
            finally:
                case.documents.close()
            answer = await answer_question(case, found, metered, max_output_tokens=settings.max_output_tokens)
        return replace(answer, usage=meter.usage)
    finally:
        await model.close()
