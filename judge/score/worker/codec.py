"""Plain data to bytes and back: tagged, bounded, without recursion and without running anybody's code.

Each value is a tag byte and its content; numbers are big-endian::

    N T F               None, True, False
    q <8 bytes>         int that fits        I <u32 n> <n bytes>   any other int, two's complement
    f <8>  c <16>       float, complex       s b <u32 n> <n bytes> str (UTF-8, lone surrogates allowed), bytes
    l t S Z <u32 n> ... list, tuple, set, frozenset of n values
    d <u32 n> ...       dict of n keys, each followed by its value
    O <str> <str>       Opaque               U <str> <value>       Subclassed
"""

from __future__ import annotations

from .decoding import DecodeError, decode
from .encoding import EncodeError, encode

__all__ = ["DecodeError", "EncodeError", "decode", "encode"]
