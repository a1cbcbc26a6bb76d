"""Comparing: what a submission answered, held against what is right; on plain data only."""

from judge.score.compare.exceptions import same_exception
from judge.score.compare.properties import PROPERTIES
from judge.score.compare.relations import RELATION_NAMES, FollowUp, Relation, relation
from judge.score.compare.show import show
from judge.score.compare.stdout import stdout_equal
from judge.score.compare.verdict import Verdict
from judge.score.compare.walk import equal

__all__ = [
    "PROPERTIES",
    "RELATION_NAMES",
    "FollowUp",
    "Relation",
    "Verdict",
    "equal",
    "relation",
    "same_exception",
    "show",
    "stdout_equal",
]
