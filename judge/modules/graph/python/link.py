"""Brings the modules of a workspace together: imports, call sites, entry points, reachability."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.python import entries
from judge.modules.graph.python.files import FileEvaluator, locate
from judge.modules.graph.python.ir import Ir, RawCall, RawModule
from judge.modules.graph.python.program import Context, Program, Site
from judge.modules.graph.python.reach import Key, Reach


@dataclass(slots=True)
class Linked:
    """A workspace's Python after linking.

    Attributes:
        evaluator: Answers what expressions are.
        entries: Why a module, by its number, runs by itself.
        reach: What can be reached.
        library: Whether there is no entry point, so that everything public counts as reachable.
    """

    evaluator: FileEvaluator
    entries: dict[int, EntryKind]
    reach: Reach
    library: bool = False
    modules: list[RawModule] = field(default_factory=list)


def link(
    modules: Sequence[RawModule],
    load_data: Callable[[str], Ir | None],
    runners: Mapping[str, str],
    commands: Sequence[str] = (),
) -> Linked:
    """Link modules.

    Args:
        modules: The parsed modules.
        load_data: Gives the content of a workspace data file by path.
        runners: Text of build files and shell scripts by path.
        commands: Command lines that notebooks run.
    """
    program = Program(modules, load_data)
    evaluator = FileEvaluator(program)
    for module in program.modules:
        program.extra_roots[module.index] = _extra_roots(module, evaluator)
        _arguments(module)
    evaluator.forget(everything=True)
    _sites(program, evaluator)
    evaluator.forget()
    found, functions = _entries(program, evaluator, {**runners, **{"": "\n".join(commands)}})
    reach = Reach(evaluator)
    library = not any(kind is not EntryKind.TEST for kind in found.values())
    if library:
        reach.public(range(len(program.modules)))
    for number, kind in found.items():
        if kind is EntryKind.TEST:
            reach.tests(number)
        else:
            reach.module(number)
    for number, name in functions:
        for form, _ in evaluator.module_attribute(number, name.split(".")[0]):
            if form[0] == "D":
                reach.definition((form[1], form[2]))
    reach.run()
    if _keep_live_sites(program, reach.reached):
        evaluator.forget()
    return Linked(evaluator, found, reach, library, program.modules)


def _extra_roots(module: RawModule, evaluator: FileEvaluator) -> tuple[str, ...]:
    """Folders that a module adds to ``sys.path``."""
    found: list[str] = []
    for call in module.calls:
        if call.label not in {"append", "insert", "extend"} or call.func[0] != "a" or call.func[1][0] != "a":
            continue
        ctx = evaluator.program.context(module.index, call.scope)
        if evaluator.call_target(call, ctx).startswith("sys.path.") and call.args:
            for text in evaluator.texts(call.args[-1], ctx):
                folder, anchored = locate(text)
                found.append("" if folder == "." else folder.strip("/"))
                if not anchored and "/" in module.path:
                    found.append(posixpath.normpath(posixpath.join(posixpath.dirname(module.path), folder)))
    return tuple(dict.fromkeys("" if folder == "." else folder for folder in found if not folder.startswith("..")))


def _arguments(module: RawModule) -> None:
    """Defaults of command line arguments, by destination."""
    for call in module.calls:
        if call.label not in {"add_argument", "option", "argument", "add_option"}:
            continue
        keywords = dict(call.keywords)
        flags = [arg[1] for arg in call.args if arg[0] == "k" and isinstance(arg[1], str)]
        named = keywords.get("dest")
        if named is not None and named[0] == "k":
            name = str(named[1])
        else:
            longest = max(flags, key=lambda flag: (flag.startswith("--"), len(flag)), default="")
            name = longest.lstrip("-").replace("-", "_")
        default = keywords.get("default")
        if name and default is not None:
            module.arguments.setdefault(name, default)


def _sites(program: Program, evaluator: FileEvaluator) -> None:
    """Find which calls reach which workspace functions."""
    for module in program.modules:
        ctx = program.context(module.index, 0)
        for call in module.calls:
            if not call.live:
                continue
            if call.scope != ctx.scope.index:
                ctx = program.context(module.index, call.scope)
            if _is_external(call, ctx, evaluator):
                continue
            for form, shift in evaluator.callees(call, ctx):
                key = (form[1], form[2])
                program.add_site(key, call, ctx, shift)
                if program.scope(*key).kind == "class":
                    method = evaluator.method(*key, "__init__")
                    if method is not None:
                        program.add_site(method, call, ctx, 1)


def _is_external(call: RawCall, ctx: Context, evaluator: FileEvaluator) -> bool:
    """Whether a call reaches nothing of the workspace; noted on it when call sites have no say in that."""
    ticks, func = evaluator.ticks, call.func
    heads = evaluator.expand(func, ctx)
    if len(heads) != 1 or heads[0][0][0] != "X":
        return False
    if evaluator.ticks == ticks:
        call.external = heads[0][0][1]
        base = evaluator.expand(func[1], ctx) if func[0] == "a" else heads
        call.apart = len(base) == 1 and base[0][0][0] == "X"
    return True


def _entries(
    program: Program, evaluator: FileEvaluator, runners: Mapping[str, str]
) -> tuple[dict[int, EntryKind], list[tuple[int, str]]]:
    found, functions = entries.mentioned(runners, evaluator)
    for module in program.modules:
        kind = entries.own_entry(module, evaluator)
        if kind is not None:
            found[module.index] = kind
    return dict(sorted(found.items())), functions


def _keep_live_sites(program: Program, reached: set[Key]) -> bool:
    """Forget call sites that nothing reaches, unless a function has no other; whether any was forgotten."""
    changed = False
    for key, sites in program.sites.items():
        live = [site for site in sites if _is_reached(site, reached)]
        if live and len(live) < len(sites):
            program.sites[key] = live
            changed = True
    return changed


def _is_reached(site: Site, reached: set[Key]) -> bool:
    return site.call.live and (site.context.module.index, site.context.scope.index) in reached
