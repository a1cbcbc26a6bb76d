"""The classifier."""
from sklearn import naive_bayes as nb


def build(smoothing=0.5):
    return nb.MultinomialNB(alpha=smoothing)
