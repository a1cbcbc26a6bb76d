"""The module ``planning``: a model chooses what is looked at next."""

from judge.modules.planning.calls import TOOLS, Call, parse_call
from judge.modules.planning.module import Limits, Planning

__all__ = ["TOOLS", "Call", "Limits", "Planning", "parse_call"]
