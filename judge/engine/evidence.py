"""The evidence pipeline: which modules look for what, in which order, for one requirement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.overview import workspace_map
from judge.modules.search import Search, SearchModule, open_search
from judge.schemas import Evidence, Setting

if TYPE_CHECKING:
    from judge.modules.base import Module


class Pipeline:
    """Gathers evidence for the requirements of one workspace; what is the same for all of them is made once."""

    def __init__(self, modules: Sequence[str], search: Search | None = None) -> None:
        """Chooses the modules.

        Args:
            modules: Names. Without ``locate`` nothing is read, without ``graph`` no code relations are followed;
                the list of files is always there.
            search: Ranks texts for every module that does; opened from the strategies of the first case when None,
                which cannot ask a server.
        """
        self._names = tuple(modules)
        self._search = search
        self._modules: tuple[Module, ...] | None = None
        self._map: Evidence | None = None

    async def gather(self, case: Case) -> list[Evidence]:
        """Evidence for one requirement, the workspace map first.

        Args:
            case: The requirement.

        Returns:
            What every module found, in the order of the modules.

        Raises:
            ConfigError: The strategies of the case cannot be opened.
            ProviderError: A model or a server was asked and did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        if self._modules is None:
            self._modules = self._open(self._search or open_search(case.strategies), case)
        if self._map is None:
            graph = case.graph if "graph" in self._names else None
            self._map = workspace_map(case.workspace, graph, case.bounds.map_tokens)
        found = [self._map]
        for module in self._modules:
            found += await module.gather(case, found)
        return found

    def _open(self, search: Search, case: Case) -> tuple[Module, ...]:
        """The chosen modules in the order they work: each may use what those before it found.

        The cases of a workspace share their trajectory; without one there is nothing to retrieve, and what does it is
        not loaded.
        """
        makers: dict[str, Callable[[], Module]] = {
            "locate": lambda: _locate(search, "graph" in self._names),
            "graph": _relations,
            "read": _read,
            "search": lambda: SearchModule(search),
            "retrieve": lambda: _retrieve(search),
            "memory": _memory,
            "planning": lambda: _planning(search),
        }
        if case.trajectory is None or case.setting is Setting.BLACK_BOX:
            del makers["retrieve"]
        return tuple(make() for name, make in makers.items() if name in self._names)


# Each module is imported when it is chosen: most runs use few of them, and a command should start at once.


def _locate(search: Search, use_graph: bool) -> Module:
    from judge.modules.locate import Locate

    return Locate(use_graph=use_graph, search=search)


def _relations() -> Module:
    from judge.modules.relations import Relations

    return Relations()


def _read() -> Module:
    from judge.modules.read import Read

    return Read()


def _retrieve(search: Search) -> Module:
    from judge.modules.retrieve import Retrieve

    return Retrieve(search)


def _memory() -> Module:
    from judge.modules.memory import Memory

    return Memory()


def _planning(search: Search) -> Module:
    from judge.modules.planning import Planning
    from judge.modules.retrieve import Retrieve

    return Planning(SearchModule(search), Retrieve(search))
