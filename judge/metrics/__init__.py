"""How well judges agree with people: pure functions, without input or output.

The modules that need numpy are imported by their own names, so that commands that only count stay quick.
"""

from judge.metrics.statements import conjunction, transitive

__all__ = ["conjunction", "transitive"]
