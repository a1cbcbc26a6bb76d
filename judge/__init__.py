"""Agent-as-a-Judge: decides, requirement by requirement, whether an agent did what it was asked."""

__version__ = "0.1.0"
