"""Results of following an expression, and small helpers for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from judge.modules.graph.python.ir import UNKNOWN, Binding, Ir
from judge.modules.graph.python.program import Context

Head = tuple[Ir, Context | None]
Heads = tuple[Head, ...]

MAX_HEADS = 6
MAX_LOOK_BACK = 64
"""Assignments of one name that are looked at from a use backwards."""
NOTHING: Heads = ((UNKNOWN, None),)


def reaching(bindings: list[Binding], seq: int, arms: tuple[int, ...]) -> list[Binding]:
    """The assignments that can hold at a position: the last one before it, and those in branches since."""
    if len(bindings) == 1 and not bindings[0].arms and not bindings[0].local:
        return bindings
    chosen: list[Binding] = []
    position = len(bindings)
    if position and bindings[-1].seq > seq:
        position = bisect_right(bindings, seq, key=_seq)
    for number in range(position - 1, max(position - MAX_LOOK_BACK, 0) - 1, -1):
        item = bindings[number]
        if not _compatible(item, arms):
            continue
        chosen.append(item)
        if item.arms == arms[: len(item.arms)] or len(chosen) >= MAX_HEADS:
            break
    if not chosen:
        chosen = [item for item in bindings[-MAX_HEADS:] if _compatible(item, arms)]
    chosen.reverse()
    useful = [item for item in chosen if item.ir != ("k", None)]
    return useful or chosen


def _seq(item: Binding) -> int:
    return item.seq


def _compatible(item: Binding, arms: tuple[int, ...]) -> bool:
    for mine, theirs in zip(item.arms, arms, strict=False):
        if mine != theirs:
            return not item.local and mine // 8 != theirs // 8
    return not item.local or len(item.arms) <= len(arms)


def distinct(heads: Iterable[Head]) -> Heads:
    """At most six different results; unknown ones only when there is nothing else."""
    if type(heads) is tuple and len(heads) == 1:
        return heads if heads[0][0][0] != "u" else ()
    kept: list[Head] = []
    for head in heads:
        form = head[0]
        if form[0] == "u":
            continue
        for old in kept:
            if form is old[0] or head == old:
                break
        else:
            kept.append(head)
            if len(kept) >= MAX_HEADS:
                break
    return tuple(kept)


def extend(target: str, attr: str) -> str:
    """``target().attr``; a long chain is shortened to its root and the last step."""
    if target.count("()") >= 4:
        target = target.split("()", 1)[0]
    return f"{target}().{attr}"
