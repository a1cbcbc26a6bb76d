"""Numerical core."""
from sklearn import cluster


def partition(points, k, seed):
    fitted = cluster.KMeans(n_clusters=k, n_init=10, random_state=seed).fit(points)
    return fitted.cluster_centers_, fitted.labels_, fitted.inertia_
