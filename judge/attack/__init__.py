"""Attacks on judges: small workspaces that try to move a verdict, and how often they do."""

from judge.attack.build import Made, make_attack, make_base
from judge.attack.model import Attack, Base, Technique, bases
from judge.attack.table import TECHNIQUES, Corpus, attacks, corpus

__all__ = [
    "TECHNIQUES",
    "Attack",
    "Base",
    "Corpus",
    "Made",
    "Technique",
    "attacks",
    "bases",
    "corpus",
    "make_attack",
    "make_base",
]
