"""Invent a year of daily air measurements at four stations."""
from pathlib import Path

import numpy as np
import pandas as pd

rng = np.random.default_rng(64)
days = pd.date_range("2032-01-01", "2032-12-31", freq="D")
season = np.cos(2 * np.pi * (days.day_of_year.to_numpy() - 20) / 366)
parts = []
for name, base in {"Market": 22, "Harbour": 17, "Hill": 9, "Ring road": 29}.items():
    pm = base + 9 * season + rng.gamma(2, 2.2, len(days)) - 4
    parts.append(pd.DataFrame({
        "date": days, "station": name,
        "pm2_5": np.maximum(pm, 0.5).round(1),
        "no2": np.maximum(base * 1.3 + 6 * season + rng.normal(0, 4, len(days)), 1).round(1),
        "ozone": np.maximum(60 - 22 * season - 0.5 * base + rng.normal(0, 7, len(days)), 1).round(1),
    }))
table = pd.concat(parts, ignore_index=True)
# what a real logger does: lines sent twice, and failed readings stored as -99
table.loc[table.sample(15, random_state=1).index, "pm2_5"] = -99
table = pd.concat([table, table.sample(20, random_state=2)]).sort_values(["date", "station"])
Path("data").mkdir(exist_ok=True)
table.to_csv("data/air_quality.csv", index=False)
print(table.shape)
