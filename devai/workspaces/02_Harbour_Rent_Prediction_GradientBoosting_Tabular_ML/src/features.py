"""Turn the table into a numeric matrix."""
import numpy as np

NUMERIC = ["area_m2", "rooms", "age", "to_water_m"]


def design_matrix(table):
    levels, codes = np.unique(table["district"].to_numpy(dtype=str), return_inverse=True)
    indicator = np.eye(len(levels))[codes]
    names = NUMERIC + [f"district={level}" for level in levels]
    return np.hstack([table[NUMERIC].to_numpy(float), indicator]), names
