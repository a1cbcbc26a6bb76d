"""Decides which signs are flags: one that changes the score needs a behaviour or two signs of the same attack."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from judge.results.score import Flag
from judge.score.integrity.signal import Attack, Signal, Strength
from judge.score.integrity.tables import EVENTS
from judge.score.reply import Reply, Status
from judge.score.values import Opaque, Subclassed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from judge.results.score import PerformanceResult
    from judge.score.execute import ProgramReply
    from judge.score.integrity.determinism import Difference
    from judge.score.integrity.hardcode import Probe
    from judge.score.suite.model import Suite

_SHOWN = 4
_EVIDENCE = 300
_MAX_NODES = 20_000
_KINDS = {attack.value: attack for attack in Attack}


class Behaviour(NamedTuple):
    """Something that was seen to happen.

    Attributes:
        attack: What it is a sign of.
        text: What was seen.
        certain: Whether it is enough by itself.
    """

    attack: Attack
    text: str
    certain: bool = True


def judge_flags(
    signals: Sequence[Signal],
    replies: Iterable[Reply | ProgramReply],
    *,
    suite: Suite | None = None,
    performance: PerformanceResult | None = None,
    probe: Probe | None = None,
    differences: Sequence[Difference] = (),
) -> tuple[Flag, ...]:
    """The flags of one submission, one per attack, those that change the score first.

    Args:
        signals: Of its source.
        replies: Everything that its workers said.
        suite: What it may rely on: signs of a module that the suite allows by name, of files where it may write some,
            or of streams and exits of a whole program, are only shown.
        performance: Signs seen while it was timed.
        probe: What changed standard inputs brought.
        differences: Where it did not answer the same twice.
    """
    excused = _excused(suite)
    signs: defaultdict[Attack, list[Signal]] = defaultdict(list)
    for signal in signals:
        signs[signal.attack].append(signal)
    seen: defaultdict[Attack, list[Behaviour]] = defaultdict(list)
    for behaviour in _behaviours(signals, replies, performance, probe, differences):
        seen[behaviour.attack].append(behaviour)
    flags = []
    for attack in Attack:
        flag = _flag(attack, signs[attack], seen[attack])
        if flag is not None:
            flags.append(flag.model_copy(update={"certain": False}) if attack in excused else flag)
    return tuple(sorted(flags, key=lambda flag: not flag.certain))


NEED_BEHAVIOUR = frozenset(
    {Attack.SNOOPING, Attack.EQUALITY, Attack.FILES, Attack.HIDDEN, Attack.BACKGROUND, Attack.SIGNALS}
)
"""Registries of subclasses, wildcards, listings, lambdas made of text, pools: honest code has them, so that the source
alone, however much of it, is only shown."""


def _flag(attack: Attack, signs: Sequence[Signal], seen: Sequence[Behaviour]) -> Flag | None:
    """A flag where there is a strong sign or a behaviour; behaviours of honest libraries need a sign beside them."""
    strong = [sign for sign in signs if sign.strength >= Strength.STRONG]
    known = attack in (Attack.HARDCODED, Attack.NONDETERMINISM)
    seen = [behaviour for behaviour in seen if behaviour.certain or signs or known]
    if not strong and not seen:
        return None
    telling = [behaviour for behaviour in seen if not behaviour.text.startswith("threads:")]
    certain = (
        any(behaviour.certain for behaviour in seen)
        or any(sign.strength is Strength.BEHAVIOUR for sign in signs)
        or bool(strong and len(signs) > 1 and attack not in NEED_BEHAVIOUR)
        or bool(signs and telling)  # a pool of idle threads is left by honest code too
    )
    parts = list(dict.fromkeys(behaviour.text for behaviour in seen))
    parts += [f"line {sign.line}: {sign.what}" for sign in sorted(signs, key=lambda sign: -sign.strength)]
    more = f" and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return Flag(kind=attack.value, evidence=("; ".join(parts[:_SHOWN]))[:_EVIDENCE] + more, certain=certain)


def _excused(suite: Suite | None) -> frozenset[Attack]:
    if suite is None:
        return frozenset()
    excused = {Attack.FILES, Attack.DESCRIPTORS} if suite.limits.file_kb else set()
    if suite.target.kind == "program":  # it owns its process and its standard streams, and nothing else is in there
        excused |= {Attack.EXIT, Attack.DESCRIPTORS}
    roots = {name.partition(".")[0] for name in suite.env.allow_imports}
    for modules, attack in (
        ({"threading", "multiprocessing", "concurrent"}, Attack.BACKGROUND),
        ({"subprocess", "ctypes", "mmap"}, Attack.PROCESSES),
        ({"signal"}, Attack.SIGNALS),
        ({"inspect", "gc"}, Attack.SNOOPING),
        ({"socket", "http", "urllib"}, Attack.NETWORK),
        ({"pathlib", "glob", "shutil", "tempfile"}, Attack.FILES),
    ):
        if modules & roots:
            excused.add(attack)
    return frozenset(excused)


def _behaviours(
    signals: Sequence[Signal],
    replies: Iterable[Reply | ProgramReply],
    performance: PerformanceResult | None,
    probe: Probe | None,
    differences: Sequence[Difference],
) -> Iterator[Behaviour]:
    exits = any(signal.attack is Attack.EXIT and signal.strength >= Strength.STRONG for signal in signals)
    equals = {
        signal.what.partition(".")[0] for signal in signals if signal.attack is Attack.EQUALITY and signal.strength > 1
    }
    for reply in replies:
        for evidence in getattr(reply, "evidence", ()):
            yield from _event(evidence)
        if reply.status is Status.CRASHED and exits:
            yield Behaviour(Attack.EXIT, "the process ended in the middle of a call")
        if isinstance(reply, Reply) and equals and _foreign_type(reply.value) & equals:
            yield Behaviour(Attack.EQUALITY, "it answered with an object of such a class")
    for sign in performance.signs if performance is not None else ():
        kind, _, text = sign.partition(": ")
        if kind in _KINDS:
            yield Behaviour(_KINDS[kind], text)
        else:
            yield from _event(sign)
    if probe is not None and probe.suspicious:
        yield Behaviour(Attack.HARDCODED, probe.text, probe.certain)
    for difference in differences[:_SHOWN]:
        yield Behaviour(Attack.NONDETERMINISM, difference.text, False)


def _event(evidence: str) -> Iterator[Behaviour]:
    """What a worker noted, such as ``audit: os.fork`` or ``denied: open /etc/passwd``."""
    source, _, text = evidence.partition(": ")
    event = text if source in ("audit", "denied") else evidence
    fitting = [entry for entry in EVENTS if event.startswith(entry[0])]
    if fitting:
        _, attack, certain = max(fitting, key=lambda entry: len(entry[0]))
        yield Behaviour(attack, evidence[:_EVIDENCE], certain)


def _foreign_type(value: object) -> set[str]:
    """Names of the classes in an answer that are no plain data."""
    found: set[str] = set()
    stack, visited = [value], 0
    while stack and visited < _MAX_NODES:
        part = stack.pop()
        visited += 1
        if isinstance(part, (Opaque, Subclassed)):
            found.add(part.type_name.rpartition(".")[2])
        elif isinstance(part, dict):
            stack += [*part.keys(), *part.values()]
        elif isinstance(part, (list, tuple, set, frozenset)):
            stack += part
    return found
