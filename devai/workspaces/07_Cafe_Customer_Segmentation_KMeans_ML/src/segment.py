"""Segment the customers: elbow plot, clusters, profiles."""
import csv
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from data_loader import COLUMNS, load
from kmeans import KMeans

K = 4
RESULTS = Path("results")
FIGURES = RESULTS / "figures"


def elbow_plot(scaled, raw, path):
    """Elbow method: inertia for k = 2..8."""
    ks = list(range(2, 9))
    inertia = [KMeans(k).fit(scaled).inertia for k in ks]
    elbow, ax = plt.subplots(figsize=(4.5, 3.2))
    ax.plot(ks, inertia, "o-")
    ax.set_xlabel("k")
    ax.set_ylabel("inertia")
    # how often do the customers come?
    visits, ax = plt.subplots(figsize=(4.5, 3.2))
    ax.hist(raw[:, 0], bins=20, color="peru")
    ax.set_xlabel("visits per month")
    ax.set_ylabel("customers")
    plt.tight_layout()
    plt.savefig(path, dpi=80)


def plane(points):
    """Coordinates on the two directions with the largest variance."""
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return points @ axes[:2].T


def main():
    FIGURES.mkdir(parents=True, exist_ok=True)
    raw, scaled = load()
    elbow_plot(scaled, raw, FIGURES / "elbow.png")
    model = KMeans(K).fit(scaled)
    np.save(RESULTS / "segments.npy", model.labels)

    flat = plane(scaled)
    fig, ax = plt.subplots(figsize=(4.5, 3.6))
    for s in range(K):
        here = model.labels == s
        ax.scatter(*flat[here].T, s=12, label=f"segment {s}")
    ax.set_xlabel("first component")
    ax.set_ylabel("second component")
    ax.legend(fontsize=7)
    fig.tight_layout()
    fig.savefig(FIGURES / "clusters_pca.png", dpi=80)

    with open(RESULTS / "segment_profiles.csv", "w", newline="") as fh:
        out = csv.writer(fh)
        out.writerow(["segment", "customers", *COLUMNS])
        for s in range(K):
            here = model.labels == s
            out.writerow([s, int(here.sum()), *raw[here].mean(axis=0).round(2)])
    print("segments:", np.bincount(model.labels).tolist())


if __name__ == "__main__":
    main()
