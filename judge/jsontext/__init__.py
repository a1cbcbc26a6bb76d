"""JSON files of other people: every problem of a file at once, with its place."""

from judge.jsontext.parse import Value, has_surrogate, inspect_value, parse_file, parse_text, read_text, sniff_encoding
from judge.jsontext.problem import Problem, child, plain_message, printable, show, show_path

__all__ = [
    "Problem",
    "Value",
    "child",
    "has_surrogate",
    "inspect_value",
    "parse_file",
    "parse_text",
    "plain_message",
    "printable",
    "read_text",
    "show",
    "show_path",
    "sniff_encoding",
]
