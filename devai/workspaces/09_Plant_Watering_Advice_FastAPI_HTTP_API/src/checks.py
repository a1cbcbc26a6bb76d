"""Look for mistakes in the body of a request."""
from rules import PLANTS

RANGES = {"moisture": (0, 100), "temperature": (-30, 60)}


def mistakes(body):
    if not isinstance(body, dict):
        return ["the body must be a JSON object"]
    found = []
    if body.get("plant") not in PLANTS:
        found.append("unknown plant")
    for field, (low, high) in RANGES.items():
        value = body.get(field)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            found.append(f"{field} must be a number")
        elif not low <= value <= high:
            found.append(f"{field} must lie between {low} and {high}")
    return found
