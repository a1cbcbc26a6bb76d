"""Build notebooks/air_quality.ipynb and run it."""
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CELLS = [
    ("md", "# Air quality\n\nHow do the four stations differ over the year?"),
    ("py", "import sys\nsys.path.insert(0, '../src')\nfrom clean import tidy\n"
           "table = tidy('../data/air_quality.csv')\nprint(len(table), 'rows after cleaning')\n"
           "table.groupby('station')[['pm2_5', 'no2', 'ozone']].mean().round(1)"),
    ("py", "%matplotlib inline\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(4, 2.6))\n"
           "ax.boxplot([g['pm2_5'] for _, g in table.groupby('station')], tick_labels=sorted(table['station'].unique()))\n"
           "ax.set_ylabel('PM2.5')\nplt.show()"),
    ("md", "The ring road has the highest values, the hill the lowest."),
]

book = nbformat.v4.new_notebook()
for kind, text in CELLS:
    make = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
    book.cells.append(make(text))
folder = Path("notebooks")
folder.mkdir(exist_ok=True)
NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
nbformat.write(book, folder / "air_quality.ipynb")
