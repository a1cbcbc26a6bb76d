"""The 8x8 handwritten digits that come with scikit-learn, as tensors in three parts."""
import torch
from sklearn.datasets import load_digits

PARTS = {"train": 0.6, "valid": 0.2, "test": 0.2}


def load(seed=0):
    bunch = load_digits()
    images = torch.tensor(bunch.images / 16.0, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(bunch.target, dtype=torch.long)
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    parts, start = {}, 0
    for name, share in PARTS.items():
        stop = start + int(share * len(order))
        index = order[start:stop]
        parts[name] = (images[index], labels[index])
        start = stop
    return parts
