"""The safe walk over a workspace, and the only door to its files."""

from judge.workspace.entry import Content, Entry, Skip, Skipped, Text
from judge.workspace.ignore import DEFAULT_PATTERNS
from judge.workspace.walk import WalkOptions
from judge.workspace.workspace import Workspace

__all__ = ["DEFAULT_PATTERNS", "Content", "Entry", "Skip", "Skipped", "Text", "WalkOptions", "Workspace"]
