from itertools import groupby as G
from unicodedata import normalize as N
k = lambda s: sorted(c for c in N('NFC', N('NFD', s).casefold()) if c.strip())
letter_groups = lambda names: tuple(tuple(g) for _, g in G(sorted(names, key=k), k))
