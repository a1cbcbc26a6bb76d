"""The generated inputs of a suite: combinations of boundary values, and random ones."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.score.edge.boundary import extended, values
from judge.score.edge.combine import Choices, combine
from judge.score.edge.identity import identity
from judge.score.edge.inputs import LEFT_OUT, EdgeInput, assemble, domains, further_values, values_of, why_none
from judge.score.edge.scalars import Tagged
from judge.score.edge.shape import kinds_of_call, primary

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from judge.score.edge.profiles import Profile
    from judge.score.edge.signature import Parameter, Signature
    from judge.score.suite.model import LoadedSuite

_LEFT_OUT = Tagged(LEFT_OUT, "left out")
_ROUND = 200
_MOST_TRIES = 10


def boundary_inputs(suite: LoadedSuite, signature: Signature, seed: int = 0) -> list[EdgeInput]:
    """Combinations of boundary values as the suite wants them; none when a parameter has no values.

    Args:
        suite: Its domains, boundary values and limits.
        signature: Of the target.
        seed: Of what is drawn.

    Raises:
        InputError: A domain cannot be read, or something is given for a parameter that does not exist.
    """
    rules = suite.suite.edge_cases.boundary
    choices = _choices(suite, signature)
    if why_none(signature, {item.parameter.name: 0 for item in choices}):
        return []
    return combine(choices, rules.strategy, rules.max, seed)


def no_inputs_because(suite: LoadedSuite, signature: Signature) -> str:
    """Why no inputs can be generated, one sentence; empty when they can.

    Raises:
        InputError: As `boundary_inputs`.
    """
    return why_none(signature, {item.parameter.name: 0 for item in _choices(suite, signature)})


def _choices(suite: LoadedSuite, signature: Signature) -> list[Choices]:
    """The parameters that have values, with them; those that have none and a default are left to it."""
    specs = domains(suite.suite.inputs.domain, signature)
    further = further_values(suite.suite.edge_cases.boundary.values, signature)
    found = []
    for parameter in signature.parameters:
        spec = values_of(parameter, specs.get(parameter.name))
        domain = spec if parameter.name in specs else None
        table = values(spec) if spec is not None else ()
        kept = extended(table, further.get(parameter.name, ()), domain)
        if parameter.optional:
            kept = (_LEFT_OUT, *kept)
        if kept:
            found.append(Choices(parameter, kept))
    return found


class Drawn(NamedTuple):
    """A random input with where it came from, so that it can be drawn again.

    Attributes:
        input: It.
        seed: Of its round.
        place: Its number within the round.
    """

    input: EdgeInput
    seed: int
    place: int


class RandomSource:
    """Random inputs of a suite; the same for a seed everywhere, whatever is asked of whom; threads may share one.

    Attributes:
        size: Draws of one round.
    """

    def __init__(self, suite: LoadedSuite, signature: Signature, seed: int) -> None:
        """Draws nothing yet.

        Raises:
            InputError: A domain cannot be read, or is for a parameter that does not exist.
        """
        self._seed = seed
        self.size = max(1, min(_ROUND, suite.suite.edge_cases.random.examples))
        specs = domains(suite.suite.inputs.domain, signature)
        self._parts = []
        for parameter in signature.parameters:
            spec = values_of(parameter, specs.get(parameter.name))
            if spec is not None or parameter.optional:
                self._parts.append((parameter, spec))
        self.why_none = why_none(signature, {parameter.name: 0 for parameter, _ in self._parts})
        self._kept: list[Drawn] = []
        self._rounds = self._draw()
        self._lock = threading.Lock()

    @property
    def parameters(self) -> list[Parameter]:
        """Those that are drawn, in order."""
        return [parameter for parameter, _ in self._parts]

    def strategy(self) -> SearchStrategy[Any]:
        """One value for each parameter, or `LEFT_OUT`."""
        from hypothesis import strategies as st

        from judge.score.edge.strategies import in_profile, mixed

        def whole(profile: Profile) -> SearchStrategy[Any]:
            parts = []
            for parameter, spec in self._parts:
                part = in_profile(spec, profile) if spec is not None else st.just(LEFT_OUT)
                parts.append(st.just(LEFT_OUT) | part if parameter.optional else part)
            return st.tuples(*parts)

        return mixed(whole, [spec for _, spec in self._parts if spec is not None])

    def input_of(self, drawn: tuple[Any, ...]) -> EdgeInput:
        """A draw as an input."""
        args, kwargs = assemble(self.parameters, drawn)
        kinds = kinds_of_call(args, kwargs)
        return EdgeInput(args, kwargs, primary(kinds), "random", kinds)

    def inputs(self) -> Iterator[Drawn]:
        """Different inputs, without end but where there are no more; drawn once, remembered.

        Raises:
            InputError: Nothing can be drawn.
        """
        place = 0
        while True:
            with self._lock:
                if place == len(self._kept):
                    following = next(self._rounds, None)
                    if following is None:
                        return
                    self._kept.append(following)
            yield self._kept[place]
            place += 1

    def _draw(self) -> Iterator[Drawn]:
        from judge.score.edge.draws import collect

        if self.why_none:
            return
        strategy = self.strategy()
        seen: set[bytes] = set()
        for number in range(10_000):
            seed = _round_seed(self._seed, number)
            before = len(seen)
            for place, drawn in enumerate(collect(strategy, self.size, seed)):
                found = self.input_of(drawn)
                key = identity((found.args, found.kwargs))
                if key not in seen:
                    seen.add(key)
                    yield Drawn(found, seed, place)
            if len(seen) == before:
                return


def _round_seed(seed: int, number: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{number}".encode(), digest_size=8).digest(), "big")
