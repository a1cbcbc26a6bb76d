"""The only place where untrusted text is wrapped into a prompt, and where text that addresses the judge is found."""

from judge.fence.injections import Injection, find_injections
from judge.fence.wrap import BREAK, Fence, neutralise, number_lines, unfence

__all__ = ["BREAK", "Fence", "Injection", "find_injections", "neutralise", "number_lines", "unfence"]
