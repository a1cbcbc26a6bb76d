"""Split, tune, fit and evaluate the forest."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import config as cfg
from model import BirdForest
from preprocess import impute_missing, standardize

# hyperparameter search space
PARAM_GRID = {"n_trees": [25], "max_depth": [6]}


def hold_out(n, share, rng):
    order = rng.permutation(n)
    cut = int(round(n * share))
    return order[cut:], order[:cut]


def grid_search(X, y, grid, folds=4):
    """Cross-validated hyperparameter tuning over every combination in the grid."""
    best, best_score = None, -1.0
    parts = np.array_split(np.arange(len(X)), folds)
    for n in grid["n_trees"]:
        for depth in grid["max_depth"]:
            scores = []
            for part in parts:
                keep = np.setdiff1d(np.arange(len(X)), part)
                model = BirdForest(n, depth, cfg.SEED).fit(X[keep], y[keep])
                scores.append(np.mean(model.predict(X[part]) == y[part]))
            print(f"n_trees={n} max_depth={depth} cv accuracy {np.mean(scores):.4f}")
            if np.mean(scores) > best_score:
                best, best_score = {"n_trees": n, "max_depth": depth}, np.mean(scores)
    return best


def confusion(y_true, y_pred, labels):
    table = np.zeros((len(labels), len(labels)), dtype=int)
    index = {lab: i for i, lab in enumerate(labels)}
    np.add.at(table, ([index[v] for v in y_true], [index[v] for v in y_pred]), 1)
    return table


def draw_confusion(table, labels, path):
    fig, ax = plt.subplots(figsize=(4, 3.6))
    ax.imshow(table, cmap="Blues")
    for (r, c), value in np.ndenumerate(table):
        ax.text(c, r, value, ha="center", va="center")
    ax.set_xticks(range(len(labels)), labels, rotation=20)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_xlabel("predicted")
    ax.set_ylabel("observed")
    fig.tight_layout()
    fig.savefig(path, dpi=80)


def main():
    frame = impute_missing(pd.read_csv(cfg.TABLE))
    X, y = frame[cfg.FEATURES].to_numpy(), frame[cfg.TARGET].to_numpy(dtype=object)
    train, test = hold_out(len(X), 0.25, np.random.default_rng(cfg.SEED))
    X_train, X_test = standardize(X[train], X[test])
    best = grid_search(X_train, y[train], PARAM_GRID)
    model = BirdForest(seed=cfg.SEED, **best).fit(X_train, y[train])
    predicted = model.predict(X_test)
    accuracy = np.mean(predicted == y[test])
    print(f"{len(train)} training birds, {len(test)} test birds")
    print(f"Test accuracy: {accuracy:.4f}")

    (cfg.RESULTS_DIR / "metrics").mkdir(parents=True, exist_ok=True)
    (cfg.RESULTS_DIR / "figures").mkdir(parents=True, exist_ok=True)
    (cfg.RESULTS_DIR / "metrics" / "accuracy.txt").write_text(f"Test accuracy: {accuracy:.4f}\n")
    labels = list(cfg.SPECIES)
    draw_confusion(confusion(y[test], predicted, labels), labels,
                   cfg.RESULTS_DIR / "figures" / "confusion_matrix.png")


if __name__ == "__main__":
    main()
