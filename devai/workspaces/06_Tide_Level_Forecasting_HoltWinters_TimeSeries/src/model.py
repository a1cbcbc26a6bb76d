"""Triple exponential smoothing: level, slope and a repeating pattern that is added on top."""
import numpy as np


class Smoother:
    def __init__(self, season, alpha, beta, gamma):
        self.m, self.alpha, self.beta, self.gamma = season, alpha, beta, gamma

    def fit(self, values):
        m = self.m
        first, second = values[:m], values[m:2 * m]
        level, slope = first.mean(), (second.mean() - first.mean()) / m
        pattern = list(first - level)
        self.fitted = np.zeros(len(values))
        for t, x in enumerate(values):
            s = pattern[t % m]
            self.fitted[t] = level + slope + s
            before = level
            level = self.alpha * (x - s) + (1 - self.alpha) * (level + slope)
            slope = self.beta * (level - before) + (1 - self.beta) * slope
            pattern[t % m] = self.gamma * (x - level) + (1 - self.gamma) * s
        self.level, self.slope, self.pattern, self.n = level, slope, np.array(pattern), len(values)
        self.phase = lambda h: (self.n + h - 1) % self.m
        return self

    def forecast(self, horizon):
        return np.array([self.level + h * self.slope + self.pattern[self.phase(h)]
                         for h in range(1, horizon + 1)])
