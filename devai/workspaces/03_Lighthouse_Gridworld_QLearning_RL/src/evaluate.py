"""Success rate of the greedy policy; python src/evaluate.py"""
import argparse
from pathlib import Path

import numpy as np

from env import Sea


def sail(sea, q):
    """One greedy episode; the visited cells and whether the lighthouse was reached."""
    state, done, reward, track = sea.reset(), False, 0.0, []
    track.append(sea.at)
    while not done:
        state, reward, done = sea.step(int(q[state].argmax()))
        track.append(sea.at)
    return track, reward == 1.0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--wind", type=float, default=0.2)
    ap.add_argument("--episodes", type=int, default=100)
    args = ap.parse_args()
    q = np.load("models/q_table.npy")
    sea = Sea(args.wind, seed=99)
    wins = sum(sail(sea, q)[1] for _ in range(args.episodes))
    text = f"episodes: {args.episodes}\nsuccess rate: {wins / args.episodes:.2f}\n"
    Path("results/evaluation.txt").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
