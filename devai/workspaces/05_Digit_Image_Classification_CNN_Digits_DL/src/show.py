"""A sheet of test digits with the predicted label above each of them."""
from pathlib import Path

import matplotlib.pyplot as plt
import torch

from data import load
from model import build

images, labels = load()["test"]
net = build()
net(images[:2])
net.load_state_dict(torch.load("models/digits_cnn.pt"))
net.eval()
guess = net(images[:12]).argmax(1)

fig, axes = plt.subplots(3, 4, figsize=(5, 4.2))
for ax, image, g, truth in zip(axes.flat, images, guess, labels):
    ax.imshow(image[0], cmap="gray_r")
    ax.set_title(f"{g.item()} (is {truth.item()})", fontsize=8, color="green" if g == truth else "red")
    ax.axis("off")
Path("results/figures").mkdir(parents=True, exist_ok=True)
fig.tight_layout()
fig.savefig(Path("results") / "figures" / "predictions.png", dpi=80)
