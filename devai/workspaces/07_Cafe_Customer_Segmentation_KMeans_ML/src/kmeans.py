"""K-Means from scratch, without using scikit-learn."""
import numpy as np

from engine import partition


class KMeans:
    """Lloyd's algorithm: assign every point to the nearest centroid, move the centroids, repeat."""

    def __init__(self, k, seed=0):
        self.k, self.seed = k, seed

    def fit(self, points):
        self.centroids, self.labels, self.inertia = partition(points, self.k, self.seed)
        return self

    def assign(self, points):
        distance = np.linalg.norm(points[:, None] - self.centroids[None], axis=2)
        return distance.argmin(axis=1)
