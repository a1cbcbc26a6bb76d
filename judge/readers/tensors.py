"""What the tensors of a model are like together: how many values they have, which are all zero or not finite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from judge.readers.numbers import SAMPLE, measure, values_of
from judge.readers.parts import Clock

_SHOWN = 200
_MEASURED = 64
_SAMPLE = SAMPLE // 20


class Tensors:
    """Takes in tensors one by one and measures some values of the first ones."""

    def __init__(self, clock: Clock) -> None:
        self.count = 0
        self.parameters = 0
        self.names: list[str] = []
        self.lines: list[str] = []
        self.zero: list[str] = []
        self.nan: list[str] = []
        self.infinite: list[str] = []
        self.measured = 0
        self._clock = clock

    def add(self, name: str, shape: Sequence[int], dtype: str, data: bytes = b"", kind: str = "") -> None:
        """Takes a tensor in.

        Args:
            name: Its name.
            shape: Its sides.
            dtype: The type as the file calls it.
            data: Its first bytes, if they are at hand.
            kind: Their kind as ``values_of`` takes it; of others nothing is measured.
        """
        self.count += 1
        self.parameters += math.prod(shape)
        if len(self.names) < _SHOWN:
            self.names.append(name[:200])
        facts = self._measure(data, kind)
        if facts:
            self.measured += 1
            if facts.get("all_zero") and facts["sampled"] > 1:
                self.zero.append(name[:200])
            if facts.get("nan"):
                self.nan.append(name[:200])
            elif facts.get("inf"):
                self.infinite.append(name[:200])
        if len(self.lines) < _SHOWN:
            spread = f", {facts['min']:.4g} to {facts['max']:.4g}, std {facts['std']:.4g}" if "std" in facts else ""
            self.lines.append(f"{name[:200]} {dtype} {'x'.join(str(side) for side in shape) or 'scalar'}{spread}")

    def _measure(self, data: bytes, kind: str) -> dict[str, Any]:
        if not data or not kind or self.measured >= _MEASURED or self._clock.over:
            return {}
        return measure(values_of(data[: _SAMPLE * 2], kind) or ())

    def facts(self) -> dict[str, Any]:
        """Facts on all of them."""
        return {
            "tensors": self.count,
            "parameters": self.parameters,
            "tensor_names": self.names,
            "zero_tensors": self.zero[:50],
            "nan_tensors": self.nan[:50],
            "infinite_tensors": self.infinite[:50],
            "measured_tensors": self.measured,
        }

    def problems(self) -> list[str]:
        """What is odd about them, one clause each."""
        said = []
        if self.measured and len(self.zero) == self.measured:
            said.append("all values that were looked at are zero")
        if self.nan:
            said.append(f"values that are not numbers (NaN) in {', '.join(self.nan[:5])}")
        if self.infinite:
            said.append(f"infinite values in {', '.join(self.infinite[:5])}")
        return said
