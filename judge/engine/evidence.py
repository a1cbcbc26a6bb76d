"""The evidence pipeline: which modules look for what, in which order, for one requirement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.locate import Locate
from judge.modules.overview import workspace_map
from judge.modules.read import Read
from judge.modules.relations import Relations
from judge.modules.retrieve import Retrieve
from judge.schemas import Evidence

if TYPE_CHECKING:
    from judge.modules.base import Module


class Pipeline:
    """Gathers evidence for the requirements of one workspace; what is the same for all of them is made once."""

    def __init__(self, modules: Sequence[str]) -> None:
        """Chooses the modules.

        Args:
            modules: Names. Without ``locate`` nothing is read, without ``graph`` no code relations are followed;
                the list of files is always there.
        """
        self._use_graph = "graph" in modules
        available: dict[str, Module] = {
            "locate": Locate(use_graph=self._use_graph),
            "graph": Relations(),
            "read": Read(),
            "retrieve": Retrieve(),
        }
        self._modules = tuple(module for name, module in available.items() if name in modules)
        self._map: Evidence | None = None

    async def gather(self, case: Case) -> list[Evidence]:
        """Evidence for one requirement, the workspace map first.

        Args:
            case: The requirement.

        Returns:
            What every module found, in the order of the modules.
        """
        if self._map is None:
            graph = case.graph if self._use_graph else None
            self._map = workspace_map(case.workspace, graph, case.bounds.map_tokens)
        found = [self._map]
        for module in self._modules:
            found += await module.gather(case, found)
        return found
