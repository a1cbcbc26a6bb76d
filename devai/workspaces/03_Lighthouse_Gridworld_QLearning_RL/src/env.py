"""A 6x6 sea chart: sail from the harbour to the lighthouse, avoid the rocks."""
import random

CHART = (
    ". . . . . L",
    ". # . # . .",
    ". . . . # .",
    ". # . . . .",
    ". . . # . .",
    "H . . . . .",
)
COURSES = {0: (-1, 0), 1: (0, 1), 2: (1, 0), 3: (0, -1)}  # north, east, south, west


class Sea:
    def __init__(self, wind=0.2, seed=0, limit=60):
        self.cells = [row.split() for row in CHART]
        self.side = len(self.cells)
        self.wind, self.limit = wind, limit
        self.rng = random.Random(seed)
        self.n_states, self.n_actions = self.side ** 2, len(COURSES)

    def _find(self, mark):
        return next((r, c) for r, row in enumerate(self.cells) for c, m in enumerate(row) if m == mark)

    def _index(self):
        return self.at[0] * self.side + self.at[1]

    def reset(self):
        self.at, self.clock = self._find("H"), 0
        return self._index()

    def _move(self, course):
        r, c = self.at[0] + COURSES[course][0], self.at[1] + COURSES[course][1]
        if 0 <= r < self.side and 0 <= c < self.side:
            self.at = (r, c)

    def step(self, action):
        """Return state, reward, done. With probability `wind` a gust blows the ship off course."""
        self.clock += 1
        self._move(self.rng.randrange(4) if self.rng.random() < self.wind else action)
        mark = self.cells[self.at[0]][self.at[1]]
        if mark == "L":
            return self._index(), 1.0, True
        if mark == "#":
            return self._index(), -1.0, True
        return self._index(), -0.01, self.clock >= self.limit
