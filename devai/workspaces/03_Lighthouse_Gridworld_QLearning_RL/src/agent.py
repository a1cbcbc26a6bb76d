"""Q-learning agent."""
import numpy as np


class QLearningAgent:
    """Tabular Q-learning: off-policy temporal-difference control."""

    def __init__(self, n_states, n_actions, alpha, gamma):
        self.q = np.zeros((n_states, n_actions))
        self.alpha, self.gamma = alpha, gamma

    def greedy(self, state):
        return int(self.q[state].argmax())

    def update(self, state, action, reward, next_state, next_action, done):
        """Q-learning update of one state-action value."""
        target = reward
        if not done:
            target += self.gamma * self.q[next_state, next_action]
        self.q[state, action] += self.alpha * (target - self.q[state, action])
