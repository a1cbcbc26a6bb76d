"""An imaginary tide gauge: hourly levels in metres."""
import numpy as np
import pandas as pd

from settings import ROOT, settings


def main():
    s = settings.series
    t = np.arange(s["hours"])
    rng = np.random.default_rng(s["seed"])
    level = 2.4 + 1.1 * np.sin(2 * np.pi * t / 12) + 0.35 * np.sin(2 * np.pi * t / 24 + 0.7)
    level += 0.0004 * t + rng.normal(0, s["noise"], len(t))
    stamps = pd.date_range("2031-03-01", periods=len(t), freq="h")
    folder = ROOT / "data"
    folder.mkdir(exist_ok=True)
    pd.DataFrame({"timestamp": stamps, "level_m": level.round(3)}).to_csv(folder / "tides.csv", index=False)


if __name__ == "__main__":
    main()
