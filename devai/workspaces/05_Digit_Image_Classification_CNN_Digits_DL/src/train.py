"""Train the digit network; python src/train.py"""
import json
from pathlib import Path

import torch
from torch import nn

from augment import augment
from data import load
from model import build

EPOCHS, BATCH, PATIENCE = 30, 64, 3


class EarlyStopping:
    """Early stopping: stop training when the validation loss has not improved for `patience` epochs."""

    def __init__(self, patience):
        self.patience, self.best, self.bad_epochs = patience, float("inf"), 0
        self.stopped = False

    def update(self, loss):
        if loss < self.best:
            self.best, self.bad_epochs = loss, 0
        else:
            self.bad_epochs += 1
        self.stopped = self.bad_epochs >= self.patience


def run_epoch(model, optimiser, images, labels):
    model.train()
    for index in torch.randperm(len(images)).split(BATCH):
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(images[index]), labels[index]).backward()
        optimiser.step()


@torch.no_grad()
def evaluate(model, images, labels):
    model.eval()
    total, loss, batches = 0, 0.0, 0
    for x, y in zip(images.split(BATCH), labels.split(BATCH)):
        scores = model(x)
        loss += nn.functional.cross_entropy(scores, y).item()
        total += (scores.argmax(1) == y).sum().item()
        batches += 1
    return loss / batches, total / batches


def main():
    torch.manual_seed(0)
    parts = load()
    model = build()
    model(parts["train"][0][:2])  # fixes the lazy shapes
    optimiser = torch.optim.Adam(model.parameters(), lr=1.5e-2)
    stopper = EarlyStopping(PATIENCE)
    for epoch in range(EPOCHS):
        run_epoch(model, optimiser, *parts["train"])
        loss, _ = evaluate(model, *parts["valid"])
        stopper.update(loss)
        print(f"epoch {epoch + 1:2d} validation loss {loss:.4f} patience {stopper.bad_epochs}/{PATIENCE}")
    _, accuracy = evaluate(model, *parts["test"])

    Path("results").mkdir(exist_ok=True)
    Path("models").mkdir(exist_ok=True)
    torch.save(model.state_dict(), "models/digits_cnn.pt")
    Path("results/metrics.json").write_text(json.dumps({"test_accuracy": round(accuracy, 4)}, indent=2) + "\n")
    print("saved model and metrics")


if __name__ == "__main__":
    main()
