"""python src/predict.py "Simmer the mussels with dill"   ->   coastal"""
import sys
from pathlib import Path

import joblib

HERE = Path(__file__).resolve().parent


def main(argv):
    if not argv:
        print(__doc__)
        return 2
    weigher, model = joblib.load(HERE.parent / "models" / "cuisine.joblib")
    for text in argv:
        print(model.predict(weigher([text]))[0])
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
