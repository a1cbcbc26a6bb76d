"""Bounds of what crosses a pipe; the same on both sides."""

from __future__ import annotations

MAX_BYTES = 32 * 1024 * 1024
"""Of one encoded value."""

MAX_NODES = 2_000_000
"""Values in one value, counting every element, key and member."""

MAX_DEPTH = 5_000
"""Containers inside one another."""

MAX_INT_BYTES = 128 * 1024
"""Of one integer: some 315,000 decimal digits."""

MAX_COLLISIONS = 256
"""Members of one set or keys of one dict with the same hash; more is an attack on the reader."""

MAX_TEXT = 2_000
"""Characters of the text of an object that is no plain data."""
