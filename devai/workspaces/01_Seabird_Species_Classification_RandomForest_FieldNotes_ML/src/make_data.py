"""Invent field notes of three seabird species and write them as a table."""
import numpy as np
import pandas as pd

import config as cfg

# mean and spread of bill, wing, mass, dive depth
PROFILE = {
    "puffin": ((36, 163, 410, 38), (5, 7, 45, 9)),
    "razorbill": ((41, 195, 640, 35), (5, 9, 90, 10)),
    "guillemot": ((45, 202, 720, 47), (5, 9, 110, 12)),
}


def draw(rng, name):
    centre, spread = PROFILE[name]
    block = rng.normal(centre, spread, size=(cfg.BIRDS_PER_SPECIES, len(centre)))
    frame = pd.DataFrame(block.round(1), columns=cfg.FEATURES)
    frame[cfg.TARGET] = name
    return frame


def main():
    rng = np.random.default_rng(cfg.SEED)
    table = pd.concat([draw(rng, s) for s in cfg.SPECIES], ignore_index=True)
    table = table.sample(frac=1, random_state=cfg.SEED).reset_index(drop=True)
    # a wet notebook: some readings could not be read any more
    for column in ("bill_mm", "dive_m"):
        table.loc[rng.choice(len(table), 12, replace=False), column] = np.nan
    cfg.DATA_DIR.mkdir(exist_ok=True)
    table.to_csv(cfg.TABLE, index=False)
    print(table.shape, table[cfg.TARGET].value_counts().to_dict())


if __name__ == "__main__":
    main()
