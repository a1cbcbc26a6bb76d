"""The workspace graph: what the code defines, calls, imports, reads and writes, and what of it can run."""

from judge.modules.graph.build import build_graph
from judge.modules.graph.cache import GraphCache
from judge.modules.graph.graph import AccessMatch, WorkspaceGraph
from judge.modules.graph.kinds import EdgeKind, EntryKind, Exactness, NodeKind
from judge.modules.graph.outline import Snippet, outline, snippet
from judge.modules.graph.workspace_map import workspace_map

__all__ = [
    "AccessMatch",
    "EdgeKind",
    "EntryKind",
    "Exactness",
    "GraphCache",
    "NodeKind",
    "Snippet",
    "WorkspaceGraph",
    "build_graph",
    "outline",
    "snippet",
    "workspace_map",
]
