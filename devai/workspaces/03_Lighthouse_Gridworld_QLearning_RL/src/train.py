"""Train the agent; python src/train.py"""
import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from agent import QLearningAgent
from env import Sea

EPISODES = 1000  # number of training episodes
SETTINGS = json.loads(Path("config.json").read_text())


def choose(agent, state, epsilon, rng):
    return int(rng.integers(agent.q.shape[1])) if rng.random() < epsilon else agent.greedy(state)


def train(episodes=EPISODES):
    rng = np.random.default_rng(3)
    sea = Sea(SETTINGS["wind"], seed=3)
    agent = QLearningAgent(sea.n_states, sea.n_actions, SETTINGS["alpha"], SETTINGS["gamma"])
    schedule = np.linspace(SETTINGS["epsilon_start"], SETTINGS["epsilon_end"], episodes)
    returns = []
    for epsilon in schedule:
        state, done, total = sea.reset(), False, 0.0
        action = choose(agent, state, epsilon, rng)
        while not done:
            following, reward, done = sea.step(action)
            next_action = choose(agent, following, epsilon, rng)
            agent.update(state, action, reward, following, next_action, done)
            state, action, total = following, next_action, total + reward
        returns.append(total)
    return agent, np.array(returns)


def plot_learning_curve(returns, path, window=20):
    plt.figure(figsize=(5, 3))
    smooth = np.convolve(returns, np.ones(window) / window, mode="valid")
    plt.plot(smooth)
    plt.xlabel("episode")
    plt.ylabel("mean return")
    plt.title("Learning curve")
    plt.figure(figsize=(5, 3))
    plt.savefig(path, dpi=80)


def main():
    agent, returns = train(SETTINGS.get("episodes", EPISODES))
    Path("models").mkdir(exist_ok=True)
    Path("results/figures").mkdir(parents=True, exist_ok=True)
    np.save("models/q_table.npy", agent.q)
    np.savetxt("results/returns.csv", returns, fmt="%.2f", header="return", comments="")
    plot_learning_curve(returns, "results/figures/learning_curve.png")
    print(f"trained, mean return of the last 50 episodes {returns[-50:].mean():.3f}")


if __name__ == "__main__":
    main()
