"""Which steps of a trajectory matter for one requirement, and what of them need be shown."""

from judge.modules.retrieve.module import Retrieve

__all__ = ["Retrieve"]
