"""Write data/recipes.csv: short invented cooking notes of three cuisines."""
import csv
import os
import random

rng = random.Random(77)
WORDS = {
    "coastal": ["mussels", "dill", "smoked herring", "seaweed", "lemon", "potatoes", "cream", "capers"],
    "alpine": ["hard cheese", "rye bread", "chestnuts", "speck", "buckwheat", "butter", "cabbage", "potatoes"],
    "desert": ["dates", "chickpeas", "cumin", "flatbread", "lamb", "lemon", "almonds", "butter"],
}
COMMON = ["onion", "salt", "garlic", "pepper", "oil", "water", "flour", "eggs"]
FRAMES = [
    "Simmer the {a} with {b}, then add {c}.",
    "Serve {a} on {b}; top with {c}!",
    "First, roast the {a}. Stir in {b} and {c}.",
    "A bowl of {a}, some {b}, and a little {c}.",
]

rows = []
for cuisine, own in WORDS.items():
    for _ in range(70):
        pool = own if rng.random() > 0.28 else sum(WORDS.values(), [])
        pick = [rng.choice(pool), rng.choice(COMMON), rng.choice(pool if rng.random() > 0.5 else COMMON)]
        rng.shuffle(pick)
        rows.append([rng.choice(FRAMES).format(a=pick[0], b=pick[1], c=pick[2]), cuisine])
rng.shuffle(rows)
os.makedirs("data", exist_ok=True)
with open("data/recipes.csv", "w", newline="") as fh:
    out = csv.writer(fh)
    out.writerow(["note", "cuisine"])
    out.writerows(rows)
