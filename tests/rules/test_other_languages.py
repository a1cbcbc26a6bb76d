"""Criteria about code that is not Python, and algorithms written by hand under other names."""

# ruff: noqa: E501  (programs stand here line by line)

from __future__ import annotations

import pytest

from judge.schemas import VerdictValue
from tests.rules.conftest import JudgeIt, picture

MET, UNMET = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED

GO = {
    "go.mod": "module example.org/x\n",
    "main.go": 'package main\n\nimport (\n\t"flag"\n\t"fmt"\n\t"os"\n)\n\nfunc total(v []float64) float64 {\n\ts := 0.0\n'
    '\tfor _, x := range v {\n\t\ts += x\n\t}\n\treturn s\n}\n\nfunc main() {\n\ttop := flag.Int("top", 3, "rows")\n'
    '\tflag.Parse()\n\tf, _ := os.Create("results/x.txt")\n\tfmt.Fprintf(f, "total: %.2f %d\\n", total([]float64{1, 2}), *top)\n}\n',
    "results/x.txt": "total: 3.00 3\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n',
    "src/main.rs": "use std::collections::{HashMap, VecDeque};\n\nfn way(edges: &HashMap<u32, Vec<u32>>, a: u32, b: u32) -> bool {\n"
    "    let mut queue = VecDeque::from([a]);\n    let mut came = HashMap::new();\n    came.insert(a, a);\n"
    "    while let Some(at) = queue.pop_front() {\n        if at == b {\n            return true;\n        }\n"
    "        for next in &edges[&at] {\n            if !came.contains_key(next) {\n                came.insert(*next, at);\n"
    "                queue.push_back(*next);\n            }\n        }\n    }\n    false\n}\n\n"
    "fn main() {\n    println!(\"{}\", way(&HashMap::new(), 1, 2));\n}\n",
}  # fmt: skip
JAVA = {
    "src/Price.java": "import java.math.BigDecimal;\n\npublic class Price {\n    double value = 1.5;\n\n"
    "    public static void main(String[] args) {\n        System.out.println(new Price().value);\n    }\n}\n",
}
R = {
    "plot.R": 'loans <- read.csv("loans.csv")\npng("loans.png")\nbarplot(table(loans$month))\ndev.off()\n',
    "loans.csv": "id,month\n1,a\n2,b\n",
    "loans.png": picture(),
}
KMEANS = {
    "groups.py": "def far(p, q):\n    return sum((a - b) ** 2 for a, b in zip(p, q))\n\n\n"
    "def split(points, centres):\n    for _ in range(20):\n"
    "        labels = [min(range(len(centres)), key=lambda i: far(p, centres[i])) for p in points]\n        moved = []\n"
    "        for i in range(len(centres)):\n            mine = [p for p, label in zip(points, labels) if label == i]\n"
    "            moved.append(tuple(sum(v) / len(mine) for v in zip(*mine)))\n        centres = moved\n    return labels\n\n\n"
    "print(split([(1, 2), (3, 4)], [(1, 2), (3, 4)]))\n",
}  # fmt: skip
LINE = {
    "line.py": "def fit(xs, ys, rate=0.01):\n    w = b = 0.0\n    for _ in range(500):\n"
    "        errors = [w * x + b - y for x, y in zip(xs, ys)]\n"
    "        w -= rate * 2 / len(xs) * sum(e * x for e, x in zip(errors, xs))\n"
    "        b -= rate * 2 / len(xs) * sum(errors)\n    return w, b\n\n\nprint(fit([1, 2], [2, 4]))\n",
}
BAYES = {
    "guess.py": "import math\nfrom collections import Counter\n\n\ndef learn(texts, labels):\n    counts = {}\n"
    "    for text, label in zip(texts, labels):\n        counts.setdefault(label, Counter()).update(text.split())\n"
    "    return counts\n\n\ndef guess(counts, text):\n    best, found = -1e9, None\n    for label, words in counts.items():\n"
    "        total = sum(words.values())\n        score = 0.0\n        for word in text.split():\n"
    "            score += math.log((words[word] + 1) / (total + 100))\n        if score > best:\n"
    "            best, found = score, label\n    return found\n\n\nprint(guess(learn(['a b'], ['x']), 'a'))\n",
}
SQL = {
    "bound.py": "import sqlite3\n\n\ndef find(con, name):\n    return con.execute('SELECT id FROM t WHERE name = ?', (name,))\n"
    "\n\nfind(sqlite3.connect('a'), 'x')\n",
}
BUILT = {
    "shop.js": "const db = require('./db');\nfunction find(name) {\n  return db.all(`SELECT id FROM t WHERE name = '${name}'`);\n}\n"
    "find(process.argv[2]);\n",
}


@pytest.mark.parametrize(
    ("criterion", "files", "verdict"),
    [
        ("The total is computed in `main.go`.", GO, MET),
        ("The total is saved as `results/x.txt`.", GO, MET),
        ("The tool has a `--top` flag.", GO, MET),
        ("The number of rows can be given on the command line.", GO, MET),
        ("The command line entry point is implemented in `main.go`.", GO, MET),
        ("The median is computed in `stats.go`.", GO, UNMET),
        ('A "breadth-first search" is implemented in `src/main.rs`.', RUST, MET),
        ('"Dijkstra\'s algorithm" is implemented in `src/main.rs`.', RUST, UNMET),
        ("Prices are kept as `BigDecimal`.", JAVA, UNMET),
        ("A bar chart is saved as `loans.png`.", R, MET),
        ('"K-Means" is implemented in `groups.py` without scikit-learn.', KMEANS, MET),
        ('"DBSCAN" is implemented in `groups.py`.', KMEANS, UNMET),
        ('A "linear regression" is fitted by gradient descent in `line.py`.', LINE, MET),
        ('A "logistic regression" is fitted in `line.py`.', LINE, UNMET),
        ('A "Naive Bayes" classifier is implemented in `guess.py`.', BAYES, MET),
        ("SQL statements use bound parameters.", SQL, MET),
        ("SQL statements use bound parameters.", BUILT, UNMET),
    ],
)
def test_verdicts(judge_it: JudgeIt, criterion: str, files: dict[str, str | bytes], verdict: VerdictValue) -> None:
    judgment = judge_it(criterion, files)
    assert judgment.verdict is verdict, judgment.reason


def test_hand_written_forms_are_less_sure_than_calls_of_a_library(judge_it: JudgeIt) -> None:
    own = judge_it('"K-Means" is used in `groups.py`.', KMEANS)
    library = {"a.py": "from sklearn.cluster import KMeans\n\nprint(KMeans(2).fit([[1], [2]]).labels_)\n"}
    assert own.confidence < judge_it('"K-Means" is used in `a.py`.', library).confidence
