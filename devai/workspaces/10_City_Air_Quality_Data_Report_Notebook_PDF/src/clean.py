"""Tidy the raw table: every (date, station) once, failed readings removed."""
import pandas as pd

KEYS = ["date", "station"]


def tidy(path="data/air_quality.csv"):
    raw = pd.read_csv(path, parse_dates=["date"])
    single = raw.groupby(KEYS, as_index=False).first()
    good = single.select_dtypes("number").ge(0).all(axis=1)
    return single[good]
