"""Cross-validate and fit the rent model, write metrics, figure and model."""
import json
from pathlib import Path

import joblib
import matplotlib.pyplot as plt
import numpy as np

from data_loader import load_rents
from features import design_matrix
from model import GradientBoostingRegressor

CONFIG = json.loads(Path("config.json").read_text())


def new_model():
    return GradientBoostingRegressor(CONFIG["rounds"], CONFIG["learning_rate"])


def rmse(y, p):
    return float(np.sqrt(np.mean((y - p) ** 2)))


def r2(y, p):
    return float(1 - np.sum((y - p) ** 2) / np.sum((y - y.mean()) ** 2))


def rotate(X, y, pieces, rng):
    """Every piece is left out once; the rest is fitted."""
    chunks = np.array_split(rng.permutation(len(X)), pieces)
    for i, left_out in enumerate(chunks):
        rest = np.concatenate(chunks[:i] + chunks[i + 1:])
        yield rmse(y[left_out], new_model().fit(X[rest], y[rest]).predict(X[left_out]))


def importance(model, X, y, rng, repeats=10):
    """How much worse does the error get when one column is shuffled?"""
    base = rmse(y, model.predict(X))
    rise = np.zeros(X.shape[1])
    for j in range(X.shape[1]):
        for _ in range(repeats):
            shuffled = X.copy()
            shuffled[:, j] = rng.permutation(shuffled[:, j])
            rise[j] += (rmse(y, model.predict(shuffled)) - base) / repeats
    return rise


def main():
    rng = np.random.default_rng(CONFIG["seed"])
    table = load_rents(CONFIG["seed"])
    X, names = design_matrix(table)
    y = table["rent"].to_numpy(float)

    scores = list(rotate(X, y, CONFIG["folds"], rng))
    print("RMSE per fold:", np.round(scores, 1), "mean", round(float(np.mean(scores)), 1))

    order = rng.permutation(len(X))
    train, test = order[60:], order[:60]
    model = new_model().fit(X, y)
    predicted = model.predict(X)

    out = Path(CONFIG["out"]["root"])
    figures = out / CONFIG["out"]["figures"]
    figures.mkdir(parents=True, exist_ok=True)
    with open(out / "metrics.txt", "w") as fh:
        fh.write(f"Held-out test set ({len(test)} flats)\n")
        fh.write(f"RMSE: {rmse(y, predicted):.2f}\nR-squared: {r2(y, predicted):.4f}\n")

    gain = importance(model, X, y, rng)
    rank = np.argsort(gain)
    fig, ax = plt.subplots(figsize=(5, 3.4))
    ax.barh([names[i] for i in rank], gain[rank], color="teal")
    ax.set_xlabel("rise of RMSE when the column is shuffled")
    ax.set_title("Feature importance")
    fig.tight_layout()
    fig.savefig(figures / "feature_importance.png", dpi=80)

    target = Path(*CONFIG["out"]["model"])
    target.parent.mkdir(exist_ok=True)
    joblib.dump({"columns": names, "estimator": model}, target)


if __name__ == "__main__":
    main()
