"""Bag of words, weighted by how rare a word is among the documents."""
import math
import re
from collections import Counter

import numpy as np

TOKEN = re.compile(r"[a-z]+")


def words(text):
    return TOKEN.findall(text.lower())


class Weigher:
    def learn(self, documents):
        n = len(documents)
        seen_in = Counter(w for d in documents for w in set(words(d)))
        self.column = {w: i for i, w in enumerate(sorted(seen_in))}
        self.rarity = np.array([math.log((1 + n) / (1 + seen_in[w])) + 1 for w in self.column])
        return self

    def __call__(self, documents):
        counts = np.zeros((len(documents), len(self.column)))
        for row, d in enumerate(documents):
            for w, times in Counter(words(d)).items():
                if w in self.column:
                    counts[row, self.column[w]] = times
        table = counts * self.rarity
        norm = np.linalg.norm(table, axis=1, keepdims=True)
        return table / np.where(norm == 0, 1, norm)
