"""What can be heard: loudest swing and share of silence, block by block."""

from __future__ import annotations

import array
import sys
from typing import Any

_SILENCE = 0.001
"""Half the swing of a block, of 1, below which nothing can be heard: 60 dB under the loudest."""
_BLOCK = 4096
"""Samples of a block, of all channels together: a tenth of a second or less."""
_FULL = 32768.0
_EXACT_BLOCKS = 1_000
_STRIDE = 7
"""After the first blocks, one sample of so many is looked at: enough to hear that something is there."""


class Ear:
    """Takes samples in and measures them."""

    def __init__(self) -> None:
        self.blocks = self.silent_blocks = 0
        self.peak = 0.0

    def take(self, samples: array.array[int] | array.array[float], full: float, middle: int = 0) -> None:
        """Measures samples, the channels mixed in any way.

        Args:
            samples: Numbers of one kind.
            full: The largest number of that kind.
            middle: The number that means no pressure.
        """
        for start in range(0, len(samples), _BLOCK):
            stride = 1 if self.blocks < _EXACT_BLOCKS else _STRIDE
            block = samples[start : start + _BLOCK : stride]
            high, low = max(block), min(block)
            swing = (high - low) / 2 / full
            self.peak = max(self.peak, abs(high - middle) / full, abs(low - middle) / full)
            self.blocks += 1
            self.silent_blocks += not swing >= _SILENCE

    def take_frame(self, frame: Any, resampler: Any) -> None:
        """Measures a decoded frame of sound."""
        for part in resampler.resample(frame):
            samples = array.array("h")
            used = part.samples * len(part.layout.channels) * 2
            samples.frombytes(bytes(part.planes[0])[:used])
            self.take(samples, _FULL)

    @property
    def silence_share(self) -> float:
        """Share of blocks in which nothing can be heard; 1 when there is nothing at all."""
        return self.silent_blocks / self.blocks if self.blocks else 1.0

    def facts(self) -> dict[str, Any]:
        """The measures as facts."""
        return {
            "peak": round(self.peak, 5),
            "silence_share": round(self.silence_share, 4),
            "silent": self.silent_blocks == self.blocks,
        }


def samples_of(data: bytes, code: str) -> array.array[Any]:
    """Little-endian numbers as an array; what is no whole number at the end is left out."""
    samples: array.array[Any] = array.array(code)
    samples.frombytes(data[: len(data) // samples.itemsize * samples.itemsize])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples
