"""``judge evidence``: what a requirement's prompt would hold, without asking a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, InputError
from judge.text import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.cli.inputs import Inputs
    from judge.config import Settings
    from judge.engine import TaskPlan
    from judge.modules.ask import Built
    from judge.schemas import Evidence, Requirement, Trajectory


def evidence(
    tasks: Annotated[list[Path] | None, typer.Argument(help="Task files or folders of them.", metavar="TASKS")] = None,
    workspace: shared.Workspaces = None,
    requirement: Annotated[
        int | None,
        typer.Option("--requirement", "-r", help="Id of the requirement; all of the task by default.", metavar="ID"),
    ] = None,
    read: Annotated[
        str | None, typer.Option("--read", help="Show how one workspace file is read instead.", metavar="FILE")
    ] = None,
    trajectories: shared.Trajectories = None,
    setting: shared.Setting = None,
    modules: shared.Modules = None,
    search: shared.Search = None,
    embeddings: shared.Embeddings = None,
    drop_steps: shared.DropSteps = None,
    cut_steps: shared.CutSteps = None,
    redact: shared.Redact = None,
    only: shared.Only = None,
    ignore: shared.Ignore = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="As in judge run (openai:MODEL, anthropic:MODEL, openai-compatible:SERVER/MODEL, scripted:FILE); it "
            "changes nothing here, no model is asked.",
            metavar="SPEC",
        ),
    ] = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Show what a requirement's prompt would hold, with token counts; no model is asked.

    In gray-box it names the retrieved steps of the trajectory by their numbers, each with the reason. With --search
    embeddings texts are embedded, by the server or folder that --embeddings names. What the module planning would look
    at is a model's choice and stays unknown here.

    With --read and --workspace it shows how one file is read; no task is needed then.

    --json prints a list of: task, requirement_id, criteria, tokens, injection, redacted, evidence (items), messages
    (role, text, tokens, images). With --read it prints: path, format, family, state, facts, problems, images, text.
    """
    given = shared.settings_given(locals())
    from judge.cli.choose import resolve

    settings = resolve(given, config)
    if read is not None:
        if workspace is None:
            raise ConfigError("is needed with --read", where="--workspace", hint="name the workspace")
        _show_file(workspace, read, settings.ignore, as_json)
        return
    if not tasks:
        raise ConfigError("no tasks are given", hint="name a task file, or a file of the workspace with --read")
    from judge.cli.inputs import load_inputs

    inputs = load_inputs(
        tasks, workspace=workspace, trajectories=trajectories, setting=settings.setting, only=only or ()
    )
    _show_requirements(inputs, settings, requirement, as_json)


def _show_requirements(inputs: Inputs, settings: Settings, number: int | None, as_json: bool) -> None:
    import asyncio

    from judge.cli.console import say, show_json

    if len(inputs.plans) > 1:
        names = ", ".join(plan.task.name for plan in inputs.plans[:3])
        raise ConfigError(f"{len(inputs.plans)} tasks ({names}, …)", where="TASKS", hint="choose one with --only")
    plan = inputs.plans[0]
    if plan.workspace is None:
        what, hint = plan.missing or "no workspace", "" if plan.missing else f"looked for it in {inputs.workspaces}"
        raise InputError(what, where=plan.task.name, hint=hint)
    for line in inputs.warnings:
        say(f"judge: warning: {line}")
    ids = [item.requirement_id for item in plan.task.requirements]
    if number is not None and number not in ids:
        raise InputError(f"has no requirement {number}", where=plan.task.name, hint=f"it has {ids[0]} to {ids[-1]}")
    wanted = [item for item in plan.task.requirements if number in {None, item.requirement_id}]
    rows = asyncio.run(_gather(inputs, settings, wanted))
    if as_json:
        show_json([_json(plan.task.name, *row) for row in rows])
        return
    for row in rows:
        _print(plan.task.name, *row)


async def _gather(
    inputs: Inputs, settings: Settings, wanted: Sequence[Requirement]
) -> list[tuple[Requirement, list[Evidence], Built]]:
    from judge.cli.choose import strategies_of, writings_of
    from judge.cli.searching import search_of
    from judge.engine import Pipeline, for_requirement, open_case, open_workspace, parse_modules
    from judge.modules.ask import Ask

    plan = inputs.plans[0]
    if plan.workspace is None:
        return []
    search = search_of(settings)
    trajectory = _steps(plan, settings)
    listed = open_workspace(plan.workspace, settings.ignore)
    template = open_case(
        plan.task,
        listed,
        trajectory=trajectory,
        setting=inputs.setting,
        strategies=strategies_of(settings),
        writings=writings_of(settings),
    )
    names = parse_modules(settings.modules)
    if trajectory is None:  # there is nothing to retrieve, and what would do it takes long to load
        names = tuple(name for name in names if name != "retrieve")
    pipeline = Pipeline(names, search)
    ask = Ask(max_output_tokens=settings.max_output_tokens)
    rows = []
    try:
        for requirement in wanted:
            case = for_requirement(template, requirement)
            found = await pipeline.gather(case)
            rows.append((requirement, found, ask.build(case, found)))
    finally:
        template.documents.close()
    return rows


def _steps(plan: TaskPlan, settings: Settings) -> Trajectory | None:
    if plan.trajectory is None:
        return None
    from judge.trajectories import load_trajectory

    return load_trajectory(plan.trajectory, redact=settings.redact)


def _json(task: str, requirement: Requirement, found: Sequence[Evidence], built: Built) -> dict[str, Any]:
    from judge.tokens import count

    messages = [
        {"role": item.role.value, "text": item.text, "tokens": count(item.text), "images": len(item.images)}
        for item in built.request.messages
    ]
    return {
        "task": task,
        "requirement_id": requirement.requirement_id,
        "criteria": requirement.criteria,
        "tokens": sum(count(item.text) for item in built.request.messages),
        "injection": list(built.injection),
        "redacted": list(built.redacted),
        "evidence": [item.model_dump(mode="json", exclude={"images"}) for item in found],
        "messages": messages,
    }


def _print(task: str, requirement: Requirement, found: Sequence[Evidence], built: Built) -> None:
    from judge.cli.console import show
    from judge.tokens import count

    show(f"== {task}, requirement {requirement.requirement_id}: {requirement.criteria}")
    for item in found:
        place = f" [{item.why}]" if item.why else ""
        images = f", {plural(len(item.images), 'image')}" if item.images else ""
        show(f"{item.tokens:7,} tokens  {item.module:9} {item.kind.value:9} {item.title}{place}{images}")
    total = sum(count(message.text) for message in built.request.messages)
    show(f"{total:7,} tokens  in all, in {plural(len(built.request.messages), 'message')}")
    steps = [item.step for item in found if item.module == "retrieve" and item.step is not None]
    if steps:
        show(f"steps shown: {', '.join(map(str, steps))}")
    for label, places in (("addresses the judge", built.injection), ("secrets masked", built.redacted)):
        if places:
            show(f"{label}: {', '.join(places)}")
    for message in built.request.messages:
        show(f"\n-- {message.role.value} ({count(message.text):,} tokens)\n{message.text}")
    show()


def _show_file(root: Path, path: str, ignore: Sequence[str], as_json: bool) -> None:
    from judge.cli.console import show, show_json
    from judge.engine import open_workspace
    from judge.modules.measured import facts_line
    from judge.modules.syntax import with_syntax
    from judge.readers import Limits, State, read_document

    workspace = open_workspace(root, ignore)
    entry = workspace.find(path)
    if entry is None:
        left_out = [item for item in workspace.skipped if item.path == path.strip("/")]
        hint = f"left out: {left_out[0].reason.value}" if left_out else ""
        raise InputError("no such file in the workspace", where=path, hint=hint)
    document = with_syntax(read_document(workspace, entry.path, Limits(ocr=True)), workspace)
    if as_json:
        show_json(
            {
                "path": document.path,
                "format": document.format,
                "family": str(document.family),
                "state": str(document.state),
                "facts": dict(document.facts),
                "problems": list(document.problems),
                "images": [[image.media_type, image.width, image.height] for image in document.images],
                "text": document.text,
            }
        )
        return
    state = "with problems" if document.state is State.SOUND and document.problems else document.state
    show(f"{document.path}: {document.format}, {document.family}, {state}")
    line = facts_line(document)
    if line:
        show(line)
    show(document.text)
