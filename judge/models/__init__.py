"""Language models: one async protocol, providers behind it, and what keeps calls cheap and honest around it."""

from typing import TYPE_CHECKING

from judge.lazy import offer

if TYPE_CHECKING:
    from judge.models.answers import ParsedVerdict, Unparsable, parse_verdict
    from judge.models.base import Finish, Message, Model, Reply, Request, Role
    from judge.models.endpoint import endpoint_of
    from judge.models.faults import ContextOverflow, Fault, Unreachable
    from judge.models.ledger import Ledger, LedgerModel
    from judge.models.limits import Limiter
    from judge.models.open import PROVIDERS, open_model, open_panel
    from judge.models.opened import OpenModel
    from judge.models.retries import RetryingModel, RetryPolicy
    from judge.models.verdict import VERDICT_SCHEMA, UnansweredRepair, UnusableAnswer, ask_verdict

__all__ = [
    "PROVIDERS",
    "VERDICT_SCHEMA",
    "ContextOverflow",
    "Fault",
    "Finish",
    "Ledger",
    "LedgerModel",
    "Limiter",
    "Message",
    "Model",
    "OpenModel",
    "ParsedVerdict",
    "Reply",
    "Request",
    "RetryPolicy",
    "RetryingModel",
    "Role",
    "UnansweredRepair",
    "Unparsable",
    "Unreachable",
    "UnusableAnswer",
    "ask_verdict",
    "endpoint_of",
    "open_model",
    "open_panel",
    "parse_verdict",
]

__getattr__ = offer(
    __name__,
    {
        "answers": "ParsedVerdict Unparsable parse_verdict",
        "base": "Finish Message Model Reply Request Role",
        "endpoint": "endpoint_of",
        "faults": "ContextOverflow Fault Unreachable",
        "ledger": "Ledger LedgerModel",
        "limits": "Limiter",
        "open": "PROVIDERS open_model open_panel",
        "opened": "OpenModel",
        "retries": "RetryingModel RetryPolicy",
        "verdict": "VERDICT_SCHEMA UnansweredRepair UnusableAnswer ask_verdict",
    },
)
