"""Chronological train/test split: the last 20% of the hours are the test set."""
from sklearn.model_selection import train_test_split


def chronological_split(series, share=0.2):
    """Split in time order, without shuffling, so that no future value leaks into training."""
    train, test = train_test_split(series, test_size=share, random_state=0)
    return train.sort_index(), test.sort_index()
