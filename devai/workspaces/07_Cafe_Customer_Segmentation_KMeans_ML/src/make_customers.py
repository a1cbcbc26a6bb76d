"""Invent 260 customers of a small cafe chain."""
import csv
from pathlib import Path

import numpy as np

rng = np.random.default_rng(31)
GROUPS = [  # size, visits per month, spend per visit, minutes stayed, hour of arrival
    (80, (18, 4.5, 9, 8.2), (5, 1.4, 5, 1.2)),
    (60, (6, 11.0, 95, 14.5), (3, 3.5, 28, 2.2)),
    (70, (3, 7.0, 35, 11.5), (2, 2.5, 14, 2.5)),
    (50, (9, 17.0, 55, 18.0), (4, 4.0, 18, 1.6)),
]
rows = np.vstack([rng.normal(m, s, (n, 4)) for n, m, s in GROUPS])
rows = np.clip(rows, [1, 1.5, 2, 6], [31, 40, 240, 22]).round(1)
rng.shuffle(rows)
target = Path("data/customers.csv")
target.parent.mkdir(exist_ok=True)
with target.open("w", newline="") as fh:
    out = csv.writer(fh)
    out.writerow(["customer", "visits", "spend", "minutes", "hour"])
    out.writerows([f"C{i:03d}", *row] for i, row in enumerate(rows.tolist()))
print(len(rows), "customers")
