"""Fit, forecast and compare; python src/forecast.py"""
import csv
import json

import joblib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from model import Smoother
from registry import BASELINES
from settings import ROOT, settings
from split import chronological_split


def errors(actual, predicted):
    miss = actual - predicted
    return {"mae": float(miss.abs().mean()), "rmse": float(np.sqrt((miss ** 2).mean()))}


def main():
    series = pd.read_csv(ROOT / "data" / "tides.csv", parse_dates=["timestamp"], index_col="timestamp")["level_m"]
    train, test = chronological_split(series)
    horizon = settings.forecast["horizon"]
    model = Smoother(**settings.model).fit(train.to_numpy())
    actual = test.iloc[:horizon]
    predicted = pd.Series(model.forecast(horizon))

    results = ROOT / "results"
    (results / "figures").mkdir(parents=True, exist_ok=True)
    (ROOT / "models").mkdir(exist_ok=True)
    (results / "metrics.json").write_text(json.dumps(errors(actual, predicted), indent=2) + "\n")

    # Holt-Winters against the seasonal naive baseline
    with open(results / "comparison.csv", "w", newline="") as fh:
        out = csv.writer(fh)
        out.writerow(["method", "mae", "rmse"])
        for name, function in BASELINES.items():
            guess = function(train.to_numpy(), horizon, settings.model["season"])
            for label, values in ((name, guess), ("Holt-Winters", predicted.to_numpy())):
                e = errors(actual.reset_index(drop=True), pd.Series(values))
                out.writerow([label, round(e["mae"], 4), round(e["rmse"], 4)])

    fig, ax = plt.subplots(figsize=(6, 3))
    ax.plot(actual.to_numpy(), label="observed")
    ax.plot(predicted.to_numpy(), "--", label="forecast")
    ax.set_xlabel("test hour")
    ax.set_ylabel("level (m)")
    ax.legend()
    fig.tight_layout()
    fig.savefig(results / "figures" / "forecast.png", dpi=80)

    try:
        joblib.dump(model, ROOT / "models" / "holt_winters.pkl")
    except Exception as problem:  # not worth stopping for
        print("note:", type(problem).__name__)
    print("done")


if __name__ == "__main__":
    main()
