"""Data augmentation: random shift and random rotation of the training images."""
import math

import torch
import torch.nn.functional as F


def random_shift(batch, most=1):
    """Shift each image by up to `most` pixels."""
    dy, dx = torch.randint(-most, most + 1, (2,)).tolist()
    return torch.roll(batch, shifts=(dy, dx), dims=(2, 3))


def random_rotation(batch, degrees=12.0):
    """Rotate each image by a random angle."""
    angle = (torch.rand(len(batch)) * 2 - 1) * math.radians(degrees)
    cos, sin, zero = angle.cos(), angle.sin(), torch.zeros_like(angle)
    theta = torch.stack([torch.stack([cos, -sin, zero], 1), torch.stack([sin, cos, zero], 1)], 1)
    return F.grid_sample(batch, F.affine_grid(theta, batch.shape, align_corners=False), align_corners=False)


def augment(batch):
    return random_rotation(random_shift(batch))
