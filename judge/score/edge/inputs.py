"""Inputs of a function, and the set of values of each of its parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judge.errors import InputError
from judge.near import did_you_mean
from judge.score.edge.domain import parse_domain
from judge.score.edge.hints import obstacle, spec_of
from judge.score.edge.signature import Kind
from judge.score.edge.spec import Choice, Many, Records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.score.edge.signature import Parameter, Signature
    from judge.score.edge.spec import Spec
    from judge.score.values import Value

_MOST_REST = 4
_REST_NAMES = ("extra", "other")


class _LeftOut:
    """Stands for an argument that is not passed, so that its default counts."""

    def __repr__(self) -> str:
        return "LEFT_OUT"


LEFT_OUT = _LeftOut()


@dataclass(frozen=True, slots=True)
class EdgeInput:
    """One generated input.

    Attributes:
        args: Positional arguments.
        kwargs: Keyword arguments.
        category: The kind of edge case under which it is counted.
        source: ``boundary``, ``random``, or the name of a pack.
        categories: All kinds that it is.
    """

    args: tuple[Value, ...]
    kwargs: dict[str, Value] = field(default_factory=dict)
    category: str = "ordinary"
    source: str = "boundary"
    categories: tuple[str, ...] = ()


def domains(texts: Mapping[str, str], signature: Signature) -> dict[str, Spec]:
    """The domains of a suite by parameter.

    Raises:
        InputError: One cannot be read, or is for no parameter.
    """
    names = [parameter.name for parameter in signature.parameters]
    found: dict[str, Spec] = {}
    for name, text in texts.items():
        _known(name, names, "inputs.domain")
        try:
            found[name] = parse_domain(text)
        except InputError as error:
            raise InputError(error.what, where=f"inputs.domain.{name}: {error.where}", hint=error.hint) from None
    return found


def _known(name: str, names: list[str], where: str) -> None:
    if name not in names:
        hint = did_you_mean(name, names, f"its parameters: {', '.join(names) or 'none'}")
        raise InputError(f"the function has no parameter {name!r}", where=where, hint=hint)


def further_values(texts: Mapping[str, Sequence[Value]], signature: Signature) -> dict[str, list[Value]]:
    """The suite's own boundary values by parameter.

    Raises:
        InputError: Some are for no parameter.
    """
    names = [parameter.name for parameter in signature.parameters]
    for name in texts:
        _known(name, names, "edge_cases.boundary.values")
    return {name: list(values) for name, values in texts.items()}


def values_of(parameter: Parameter, domain: Spec | None) -> Spec | None:
    """The set of values of a parameter; None when neither hint nor domain tells it.

    A domain of ``*args`` is that of each further argument; one of ``**kwargs`` that of each value.
    """
    spec = domain
    if spec is None and not obstacle(parameter.hint):
        spec = spec_of(parameter.hint)
    if parameter.kind is Kind.REST:
        return Choice(((),)) if spec is None else Many("tuple", spec, 0, _MOST_REST)
    if parameter.kind is Kind.NAMED_REST:
        return Choice(({},)) if spec is None else Records((), tuple((name, spec) for name in _REST_NAMES))
    return spec


def why_none(signature: Signature, found: Mapping[str, object]) -> str:
    """Why no input can be made, one sentence; empty when one can.

    Args:
        signature: Of the function.
        found: Parameters for which there are values.
    """
    for parameter in signature.parameters:
        if parameter.name not in found and not parameter.optional:
            reason = obstacle(parameter.hint) or "its domain holds no value"
            return f"no value for the parameter {parameter.name}: {reason}; give it a domain under inputs.domain"
    return ""


def assemble(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[tuple[Value, ...], dict[str, Value]]:
    """The arguments of one call.

    Behind one that is left out, the next ones go by name; those without a name and ``*args`` cannot be passed.
    """
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    gap = False
    for parameter, value in zip(parameters, values, strict=True):
        if value is LEFT_OUT:
            gap = gap or parameter.kind in (Kind.POSITIONAL, Kind.POSITIONAL_ONLY)
        elif parameter.kind is Kind.NAMED_REST:
            kwargs.update({_free(name, parameters): item for name, item in value.items()})
        elif parameter.kind is Kind.KEYWORD_ONLY or (gap and parameter.kind is Kind.POSITIONAL):
            kwargs[parameter.name] = value
        elif not gap:
            args.extend(value) if parameter.kind is Kind.REST else args.append(value)
    return tuple(args), kwargs


def _free(name: str, parameters: Sequence[Parameter]) -> str:
    taken = {parameter.name for parameter in parameters}
    while name in taken:
        name += "_"
    return name
