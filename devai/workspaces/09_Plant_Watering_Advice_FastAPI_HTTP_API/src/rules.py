"""How much water does a plant need?"""
import json
from pathlib import Path

PLANTS = json.loads((Path(__file__).resolve().parents[1] / "config" / "plants.json").read_text())


def litres(plant, moisture, temperature):
    """Litres for one watering from plant type, soil moisture (%) and temperature (deg C)."""
    p = PLANTS[plant]
    dryness = (100 - moisture) / 100
    heat = 1 + 0.04 * max(0, temperature - p["hot_above"])
    return round(p["base"] * p["thirst"] * dryness * heat, 2)
