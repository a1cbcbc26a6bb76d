"""Asking a model, and checking what it says."""

from typing import TYPE_CHECKING

from judge.lazy import offer

if TYPE_CHECKING:
    from judge.modules.ask.citations import all_found, verify_citations
    from judge.modules.ask.module import Ask, Builder, prompt_hashes
    from judge.modules.ask.question import Answer, answer_question
    from judge.modules.ask.request import Built, Wording, build_request
    from judge.modules.ask.shared import Shared, share
    from judge.modules.ask.whole import WholePrompt, whole_templates

__all__ = [
    "Answer",
    "Ask",
    "Builder",
    "Built",
    "Shared",
    "WholePrompt",
    "Wording",
    "all_found",
    "answer_question",
    "build_request",
    "prompt_hashes",
    "share",
    "verify_citations",
    "whole_templates",
]

__getattr__ = offer(
    __name__,
    {
        "citations": "all_found verify_citations",
        "module": "Ask Builder prompt_hashes",
        "question": "Answer answer_question",
        "request": "Built Wording build_request",
        "shared": "Shared share",
        "whole": "WholePrompt whole_templates",
    },
)
