"""The forest: bootstrap samples, a random feature subset at each split, majority vote."""
import numpy as np
from sklearn.tree import DecisionTreeClassifier


class BirdForest:
    def __init__(self, n_trees=25, max_depth=6, seed=0):
        self.n_trees, self.max_depth, self.seed = n_trees, max_depth, seed

    def fit(self, X, y):
        rng = np.random.default_rng(self.seed)
        self.labels_ = np.unique(y)
        self.trees_ = []
        for _ in range(self.n_trees):
            rows = rng.integers(0, len(X), len(X))
            tree = DecisionTreeClassifier(
                max_depth=self.max_depth, max_features="sqrt",
                random_state=int(rng.integers(1 << 31)),
            )
            self.trees_.append(tree.fit(X[rows], y[rows]))
        return self

    def predict(self, X):
        ballots = np.stack([t.predict(X) for t in self.trees_])
        counts = np.stack([(ballots == lab).sum(axis=0) for lab in self.labels_])
        return self.labels_[counts.argmax(axis=0)]
