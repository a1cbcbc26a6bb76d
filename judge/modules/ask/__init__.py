"""Asking a model, and checking what it says."""

from judge.modules.ask.citations import all_found, verify_citations
from judge.modules.ask.module import Ask, prompt_hashes
from judge.modules.ask.question import Answer, answer_question
from judge.modules.ask.request import Built, build_request

__all__ = [
    "Answer",
    "Ask",
    "Built",
    "all_found",
    "answer_question",
    "build_request",
    "prompt_hashes",
    "verify_citations",
]
