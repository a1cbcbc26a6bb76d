"""Simple forecasts to compare with."""
import numpy as np

from registry import baseline


@baseline("seasonal naive")
def seasonal_naive(values, horizon, season):
    """Repeat the last season."""
    return np.resize(values[-season:], horizon)


@baseline("mean")
def mean(values, horizon, season):
    return np.full(horizon, values.mean())
