"""Draw a greedy voyage in calm water as an animated picture."""
import numpy as np
from PIL import Image, ImageDraw

from env import CHART, Sea
from evaluate import sail

CELL = 24
COLOURS = {".": "#cfe8ff", "#": "#555555", "L": "#ffd54a", "H": "#b5e0b0"}


def frame(ship):
    side = len(CHART) * CELL
    image = Image.new("RGB", (side, side))
    pen = ImageDraw.Draw(image)
    for r, row in enumerate(CHART):
        for c, mark in enumerate(row.split()):
            box = (c * CELL, r * CELL, (c + 1) * CELL - 1, (r + 1) * CELL - 1)
            pen.rectangle(box, fill=COLOURS[mark], outline="white")
    r, c = ship
    pen.ellipse((c * CELL + 6, r * CELL + 6, c * CELL + 17, r * CELL + 17), fill="#b3261e")
    return image


if __name__ == "__main__":
    track, arrived = sail(Sea(0.0), np.load("models/q_table.npy"))
    first, *others = [frame(cell) for cell in track]
    first.save("results/voyage.gif", save_all=True, append_images=others, duration=250, loop=0)
    print(len(track), "frames, arrived:", arrived)
