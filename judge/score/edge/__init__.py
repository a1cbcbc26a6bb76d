"""Edge cases: inputs at the borders of what a function accepts, from its signature, its suite, and chance."""

from judge.score.edge.boundary import values
from judge.score.edge.combine import Choices, combine
from judge.score.edge.domain import parse_domain, parse_strategy
from judge.score.edge.generate import RandomSource, boundary_inputs, no_inputs_because
from judge.score.edge.hints import spec_of
from judge.score.edge.inputs import EdgeInput, domains
from judge.score.edge.membership import contains
from judge.score.edge.metamorphic import Related, check_relations
from judge.score.edge.packs import pack_inputs
from judge.score.edge.random_search import Found, Outcome, RandomResult, Verdict, find_counterexamples
from judge.score.edge.scalars import Tagged
from judge.score.edge.shape import CATEGORIES, kinds_of_call
from judge.score.edge.signature import Kind, Parameter, Signature, parse_signature
from judge.score.edge.strategies import from_hint
from judge.score.edge.typehint import TypeHint

__all__ = [
    "CATEGORIES",
    "Choices",
    "EdgeInput",
    "Found",
    "Kind",
    "Outcome",
    "Parameter",
    "RandomResult",
    "RandomSource",
    "Related",
    "Signature",
    "Tagged",
    "TypeHint",
    "Verdict",
    "boundary_inputs",
    "check_relations",
    "combine",
    "contains",
    "domains",
    "find_counterexamples",
    "from_hint",
    "kinds_of_call",
    "no_inputs_because",
    "pack_inputs",
    "parse_domain",
    "parse_signature",
    "parse_strategy",
    "spec_of",
    "values",
]
