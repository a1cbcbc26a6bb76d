"""Evidence modules: one narrow interface, one file or folder each."""

from judge.modules.base import Bounds, Case, Module

__all__ = ["Bounds", "Case", "Module"]
