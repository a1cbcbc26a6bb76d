"""Paths and constants shared by all scripts."""
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SEED = 11

DATA_DIR = ROOT / "data"
RESULTS_DIR = ROOT / "results"
STEM = "seabirds"
TABLE = DATA_DIR / f"{STEM}.csv"
BIRDS_PER_SPECIES = 80
SPECIES = ("puffin", "razorbill", "guillemot")
FEATURES = ["bill_mm", "wing_mm", "mass_g", "dive_m"]
TARGET = "species"
