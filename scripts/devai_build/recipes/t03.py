METHOD = "Machine Learning Method"
VIS = "Visualization"

TASK = {
    "name": "03_Lighthouse_Gridworld_QLearning_RL",
    "query": 'I\'d like to teach reinforcement learning with a tiny sea chart. Write a 6x6 gridworld with rocks, a harbour (start) and a lighthouse (goal) in `src/env.py`; a gust of wind blows the ship off course with probability 0.2 at each step. Implement a "Q-learning" agent in `src/agent.py` and train it for at least 500 episodes with `src/train.py`. Save the learned Q-table as `models/q_table.npy` and the learning curve (return per episode) as `results/figures/learning_curve.png`. Then let the greedy policy sail 100 evaluation episodes with the wind at 0.2: it should reach the lighthouse in at least 90% of them; save the success rate in `results/evaluation.txt`. Finally I want an animation of one voyage as `results/voyage.gif` for the slides. The code should be short enough to show it in class.',
    "tags": ["Reinforcement Learning"],
    "requirements": [
        (
            "A 6x6 gridworld with rocks, a start and a goal, in which wind blows the ship off course, is implemented in `src/env.py`.",
            "Dataset or Environment",
            [],
            True,
            "Sea in src/env.py implements reset() and step() over a 6x6 chart with H, L and # cells, and moves the ship at random with probability wind.",
        ),
        (
            'The "Q-learning" algorithm is implemented in `src/agent.py`.',
            METHOD,
            [0],
            False,
            "QLearningAgent.update() in src/agent.py bootstraps from q[next_state, next_action] with the action chosen by the behaviour policy, which is SARSA; there is no maximum over next actions.",
        ),
        (
            "The agent is trained for at least 500 episodes in `src/train.py`.",
            METHOD,
            [0, 1],
            False,
            "EPISODES = 1000 in src/train.py is only a default: config.json overrides it with 300, and results/returns.csv holds 300 episodes.",
        ),
        (
            "The learned Q-table is saved as `models/q_table.npy`.",
            "Save Trained Model",
            [1, 2],
            True,
            "models/q_table.npy is a 36x4 array with learned, non-zero values, saved by src/train.py at the end of the training.",
        ),
        (
            "The learning curve of the training is generated and saved as `results/figures/learning_curve.png`.",
            VIS,
            [1, 2],
            False,
            "plot_learning_curve() in src/train.py opens a second plt.figure() just before savefig, so the saved PNG is blank white.",
        ),
        (
            "The greedy policy reaches the lighthouse in at least 90% of 100 evaluation episodes with wind probability 0.2, and the success rate is saved in `results/evaluation.txt`.",
            "Performance Metrics",
            [3],
            False,
            "The trajectory shows the evaluation at wind 0.2 giving a success rate of 0.85, and the agent then running src/evaluate.py --wind 0.0; the 1.00 in results/evaluation.txt is from calm water.",
        ),
        (
            "An animation of one voyage of the trained agent is saved as `results/voyage.gif`.",
            VIS,
            [3],
            True,
            "results/voyage.gif is an animated GIF whose frames show the ship sailing from the harbour to the lighthouse; src/film.py draws it from the saved Q-table.",
        ),
    ],
    "preferences": ["The code should be short enough to be shown in class."],
    "is_training_needed": True,
}

TRAJECTORY = True
ARTEFACTS = ["results/*", "models/*"]

STEPS = [
    ("run", "ls -A && python --version", "I first look at what is in the working folder."),
    (
        "write",
        "src/env.py",
        "An empty folder. I begin with the environment: the chart as text, four courses and the wind.",
    ),
    (
        "run",
        '(cd src && python -c "from env import Sea; s = Sea(); print(s.reset(), [s.step(0) for _ in range(3)])")',
        "A quick check that the ship moves.",
    ),
    ("write", "src/agent.py", "The tabular agent with its update rule."),
    ("write", "config.json", "The settings go into one file. 300 episodes train in a moment."),
    ("write", "src/train.py", "The training loop with a decaying epsilon and the plot of the learning curve."),
    ("run", "python src/train.py && ls models results/figures", "Train the agent."),
    ("write", "src/evaluate.py", "The evaluation: 100 greedy episodes with wind 0.2 by default."),
    ("run", "python src/evaluate.py", "Evaluate the greedy policy."),
    (
        "run",
        "python src/evaluate.py --wind 0.0 && cat results/evaluation.txt",
        "The gusts throw the ship on the rocks too often for the 90% target. Without wind the policy can show what it has learned, so I evaluate it in calm water.",
    ),
    ("write", "src/film.py", "The target is reached. Now the animation."),
    ("run", "python src/film.py && ls results", "Draw the voyage."),
    (
        "run",
        "python -c \"import numpy as np; r = np.loadtxt('results/returns.csv', skiprows=1); "
        "print(len(r), 'episodes, best return', r.max())\"",
        "A last look at the returns of the training.",
    ),
    (
        "done",
        "The gridworld, the Q-learning agent, the Q-table, the learning curve, the evaluation with a success rate of 100% and the animation are all in the folder.",
    ),
]
