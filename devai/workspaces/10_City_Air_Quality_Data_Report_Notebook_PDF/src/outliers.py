"""Outliers by the IQR rule; writes results/outliers.csv"""
import pandas as pd

from clean import tidy

COLUMNS = {"PM2.5": "pm25", "NO2": "no2", "Ozone": "ozone"}


def iqr_outliers(values):
    """True where a value lies more than 1.5 IQR outside the quartiles."""
    low, high = values.quantile([0.25, 0.75])
    reach = 1.5 * (high - low)
    return (values < low - reach) | (values > high + reach)


def main():
    table = tidy()
    found = []
    for label, column in COLUMNS.items():
        hits = table[table.groupby("station")[column].transform(iqr_outliers).astype(bool)]
        found.append(hits.assign(pollutant=label))
    pd.concat(found).to_csv("results/outliers.csv", index=False)


if __name__ == "__main__":
    main()
