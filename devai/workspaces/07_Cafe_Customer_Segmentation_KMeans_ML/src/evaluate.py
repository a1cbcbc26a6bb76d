"""Silhouette score of the segments; python src/evaluate.py"""
from pathlib import Path

import numpy as np
from sklearn.metrics import silhouette_score

from data_loader import load

if __name__ == "__main__":
    _, scaled = load()
    labels = np.load("results/segments.npy")
    score = silhouette_score(scaled, labels, metric="euclid")
    Path("results/silhouette.txt").write_text(f"silhouette score: {score:.4f} (k={labels.max() + 1})\n")
    print(score)
