"""Inputs of the table problem."""

from random import Random


def log(size, seed):
    """Rows of four fields, some of them quoted."""
    random = Random(seed)
    fields = ["plain", "'with ; inside'", "'two\nlines'", "'it''s'", "", "x" * 30]
    rows = [";".join(random.choice(fields) for _ in range(4)) for _ in range(size)]
    return ["a;b;c;d\n" + "\n".join(rows) + "\n"]
