"""Path patterns: what is known of the files that code reads and writes."""

# ruff: noqa: E501 - one case a line reads best

from __future__ import annotations

import pytest

from judge.modules.graph.facts import Access
from tests.modules.graph.conftest import Make

_PD = "import pandas as pd\ndf = pd.DataFrame()\n"
_PLT = "import matplotlib.pyplot as plt\n"


def _writes(graph, path: str = "src/run.py") -> set[str]:  # type: ignore[no-untyped-def]
    return {item.pattern for item in graph.files[path].accesses if item.access is Access.WRITE}


@pytest.mark.parametrize(
    ("source", "patterns"),
    [
        ("open('a/b.txt', 'w')", {"a/b.txt"}),
        ("open('a/b.txt')", set()),
        ("open('a/b.txt', mode='a')", {"a/b.txt"}),
        ("import os\nopen(os.path.join('r', 'm', 'x.txt'), 'w')", {"r/m/x.txt"}),
        ("from pathlib import Path\n(Path('r') / 'm' / 'x.txt').write_text('1')", {"r/m/x.txt"}),
        ("from pathlib import Path\nwith Path('r').joinpath('x.txt').open('w') as f:\n    f.write('1')", {"r/x.txt"}),
        (
            "from pathlib import Path\nROOT = Path(__file__).resolve().parent.parent\n(ROOT / 'r' / 'x.txt').write_text('1')",
            {"r/x.txt"},
        ),
        (
            "import os\nB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))\nopen(os.path.join(B, 'x.txt'), 'w')",
            {"x.txt"},
        ),
        ("from pathlib import Path\nopen(Path(__file__).parents[1] / 'x.txt', 'w')", {"x.txt"}),
        ("D = 'r'\nopen(D + '/x.txt', 'w')", {"r/x.txt"}),
        ("D = 'r'\nopen(f'{D}/x.txt', 'w')", {"r/x.txt"}),
        ("D = 'r'\nopen('{}/x.txt'.format(D), 'w')", {"r/x.txt"}),
        ("D = 'r'\nopen('{d}/x.txt'.format(d=D), 'w')", {"r/x.txt"}),
        ("D = 'r'\nopen('%s/x.txt' % D, 'w')", {"r/x.txt"}),
        ("C = {'out': {'dir': 'r'}}\nopen(C['out']['dir'] + '/x.txt', 'w')", {"r/x.txt"}),
        ("class C:\n    OUT = 'r'\nopen(C.OUT + '/x.txt', 'w')", {"r/x.txt"}),
        ("def save(p):\n    open(p, 'w')\nsave('r/x.txt')", {"r/x.txt"}),
        ("def save(n, d='r'):\n    open(f'{d}/{n}', 'w')\nsave('x.txt')\nsave('y.txt')", {"r/x.txt", "r/y.txt"}),
        ("def path(n):\n    return 'r/' + n\ndef save(p):\n    open(p, 'w')\nsave(path('x.txt'))", {"r/x.txt"}),
        ("for n in ['a', 'b']:\n    open(f'r/{n}.txt', 'w')", {"r/a.txt", "r/b.txt"}),
        ("for i in range(3):\n    open(f'r/{i}.txt', 'w')", {"r/{}.txt"}),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--out-file', default='r/x.txt')\na = p.parse_args()\nopen(a.out_file, 'w')",
            {"r/x.txt"},
        ),
        ("import os\nopen(os.environ.get('OUT', 'r/x.txt'), 'w')", {"r/x.txt"}),
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    out: str = 'r/x.txt'\nc = C()\nopen(c.out, 'w')",
            {"r/x.txt"},
        ),
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    out: str\nc = C('r/x.txt')\nopen(c.out, 'w')",
            {"r/x.txt"},
        ),
        (
            "class W:\n    def __init__(self, d):\n        self.d = d\n    def go(self):\n        open(self.d + '/x.txt', 'w')\nW('r').go()",
            {"r/x.txt"},
        ),
        ("import json\njson.dump({}, open('x.json', 'w'))", {"x.json"}),
        ("import pickle\nwith open('m.pkl', 'wb') as f:\n    pickle.dump(1, f)", {"m.pkl"}),
        ("import joblib\njoblib.dump(1, 'm.joblib')", {"m.joblib"}),
        (
            "import numpy as np\nnp.save('x', [1])\nnp.savez('y.npz', a=1)\nnp.savetxt('z.csv', [1])",
            {"x.npy", "y.npz", "z.csv"},
        ),
        (_PD + "df.to_csv('x.csv')\ndf.to_excel(excel_writer='y.xlsx')", {"x.csv", "y.xlsx"}),
        (_PLT + "plt.savefig('x.png')\nfig, ax = plt.subplots()\nfig.savefig(fname='y.png')", {"x.png", "y.png"}),
        (_PLT + _PD + "df.plot().get_figure().savefig('z.png')", {"z.png"}),
        ("import torch\ntorch.save({}, 'm.pt')", {"m.pt"}),
        ("from tensorflow import keras\nm = keras.Sequential()\nm.save('m.keras')", {"m.keras"}),
        ("from PIL import Image\nImage.new('L', (1, 1)).save('x.png')", {"x.png"}),
        ("import cv2\ncv2.imwrite('x.png', 1)\nv = cv2.VideoWriter('v.mp4', 1, 2, (3, 4))", {"x.png", "v.mp4"}),
        ("import imageio\nimageio.mimsave('x.gif', [])", {"x.gif"}),
        ("import plotly.express as px\npx.line().write_html('x.html')", {"x.html"}),
        ("from fpdf import FPDF\np = FPDF()\np.output('x.pdf')", {"x.pdf"}),
        ("from reportlab.pdfgen import canvas\nc = canvas.Canvas('x.pdf')\nc.save()", {"x.pdf"}),
        ("from reportlab.platypus import SimpleDocTemplate\nSimpleDocTemplate('x.pdf')", {"x.pdf"}),
        ("from docx import Document\nd = Document()\nd.save('x.docx')", {"x.docx"}),
        ("import shutil\nshutil.copy('a.txt', 'b.txt')", {"b.txt"}),
        ("import csv\nwith open('x.csv', 'w') as f:\n    w = csv.writer(f)\n    w.writerow([1])", {"x.csv"}),
        ("import logging\nlogging.FileHandler('x.log')\nlogging.basicConfig(filename='y.log')", {"x.log", "y.log"}),
        ("from keras.callbacks import ModelCheckpoint\nModelCheckpoint(filepath='m/{epoch}.h5')", {"m/{epoch}.h5"}),
        ("from torch.utils.tensorboard import SummaryWriter\nSummaryWriter('runs/a')", {"runs/a"}),
        ("from wordcloud import WordCloud\nWordCloud().generate('x').to_file('x.png')", {"x.png"}),
        ("import urllib.request\nurllib.request.urlretrieve('http://x/y', 'y.zip')", {"y.zip"}),
        ("import matplotlib.animation as an\na = an.FuncAnimation(1, 2)\na.save('x.gif')", {"x.gif"}),
        ("from sklearn.tree import export_graphviz\nexport_graphviz(1, out_file='t.dot')", {"t.dot"}),
        ("import soundfile as sf\nsf.write('x.wav', [1], 8000)", {"x.wav"}),
        (
            "from transformers import AutoModel\nm = AutoModel.from_pretrained('bert')\nm.save_pretrained('models/b')",
            {"models/b"},
        ),
        ("print('x', file=open('x.txt', 'w'))", {"x.txt"}),
        ("import sys\nprint('x', file=sys.stderr)", set()),
        ("import io, pandas as pd\npd.DataFrame().to_csv(io.StringIO())", set()),
        (_PD + "def go(dst):\n    df.to_csv(dst.replace('a.csv', 'b.csv'))\ngo('r/a.csv')", {"r/b.csv"}),
        (_PD + "import sys\ndf.to_csv(sys.argv[1])", {""}),
        ("from stable_baselines3 import PPO\nm = PPO('x', 1)\nm.save('models/ppo')", {"models/ppo.zip"}),
        ("from networkx import write_gml\nwrite_gml(1, 'g.gml')", {"g.gml"}),
    ],
)
def test_written_paths(make: Make, source: str, patterns: set[str]) -> None:
    assert _writes(make({"src/run.py": source})) == patterns


def test_constants_of_other_modules_and_config_files(make: Make) -> None:
    graph = make(
        {
            "config.py": "import os\nBASE = 'results'\nFIG = os.path.join(BASE, 'figures')\n",
            "params.yaml": "output:\n  metrics: results/metrics/m.json\n",
            "conf.json": '{"model": {"path": "models/m.pt"}}',
            "settings.toml": "[report]\nfile = 'results/r.md'\n",
            "main.py": """
                import json, yaml, tomllib, torch
                import matplotlib.pyplot as plt
                import config
                from config import FIG as F
                with open("params.yaml") as f:
                    cfg = yaml.safe_load(f)
                with open("conf.json") as f:
                    conf = json.load(f)
                def report(settings):
                    open(settings["report"]["file"], "w").write("x")
                plt.savefig(f"{F}/a.png")
                plt.savefig(config.FIG + "/b.png")
                json.dump({}, open(cfg["output"]["metrics"], "w"))
                torch.save(1, conf.get("model")["path"])
                report(tomllib.load(open("settings.toml", "rb")))
            """,
        }
    )
    assert _writes(graph, "main.py") == {
        "results/figures/a.png",
        "results/figures/b.png",
        "results/metrics/m.json",
        "models/m.pt",
        "results/r.md",
    }


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("results/x.txt", "results/x.txt", True),
        ("./results//x.txt", "results/x.txt", True),
        ("../results/x.txt", "results/x.txt", True),
        ("/workspace/results/x.txt", "results/x.txt", True),
        ("results/x.txt", "src/results/x.txt", True),
        ("x.txt", "src/x.txt", True),
        ("results/{}.txt", "results/x.txt", True),
        ("{}/x.txt", "results/metrics/x.txt", True),
        ("results/metrics/x.txt", "results/x.txt", False),
        ("x.txt", "results/x.txt", False),
        ("results/x.txt", "results/x.txt.bak", False),
        ("results/{}.txt", "results/deep/x.txt", False),
        ("{}", "results/x.txt", False),
        ("results/x.TXT", "results/x.txt", False),
    ],
)
def test_writers_of_a_path(make: Make, pattern: str, path: str, found: bool) -> None:
    opened = (
        f"open({pattern!r}, 'w')" if "{}" not in pattern else f"import sys\nopen({pattern!r}.format(sys.argv[1]), 'w')"
    )
    graph = make({"src/run.py": opened, path: "1"})
    assert bool(graph.writers(path)) is found


def test_exact_writers_come_first_and_say_so(make: Make) -> None:
    graph = make(
        {
            "a.py": "import sys\nopen('results/%s.txt' % sys.argv[1], 'w').close()\n",
            "b.py": "open('results/x.txt', 'w').close()\n",
        }
    )
    assert [item.exactness.value for item in graph.matches("./results/x.txt", Access.WRITE)] == ["exact", "pattern"]
    assert graph.writers("results/x.txt")[0][0] == "b.py"
    assert graph.nx.has_edge("b.py", "results/x.txt")
