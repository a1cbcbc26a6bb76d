"""JSON files of other people: every problem of a file at once, with its place."""

from judge.jsontext.parse import Value, has_surrogate, inspect_value, parse_file, parse_text, read_text, sniff_encoding
from judge.jsontext.problem import Problem, child, printable, show, show_path
from judge.jsontext.whole import read_lines, read_whole

__all__ = [
    "Problem",
    "Value",
    "child",
    "has_surrogate",
    "inspect_value",
    "parse_file",
    "parse_text",
    "printable",
    "read_lines",
    "read_text",
    "read_whole",
    "show",
    "show_path",
    "sniff_encoding",
]
