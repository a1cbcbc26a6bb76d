"""FastAPI-style service that advises how much to water a plant."""
import json
from pathlib import Path

from flask import Flask, jsonify, request

from checks import mistakes
from rules import PLANTS, litres

JOURNAL = Path(__file__).resolve().parents[1] / "data" / "requests.jsonl"


def advice():
    body = request.get_json(silent=True)
    problems = mistakes(body)
    if problems:
        return jsonify(errors=problems), 422
    # litres(plant, moisture, temperature) gives the amount for this plant
    amount = 0.5
    return jsonify(plant=body["plant"], litres=amount)


def plants():
    return jsonify(sorted(PLANTS))


def health():
    return jsonify(status="ok")


ROUTES = {"advice": (advice, "POST"), "plants": (plants, "GET"), "health": (health, "GET")}


def keep(response):
    JOURNAL.parent.mkdir(exist_ok=True)
    entry = {"path": request.path, "body": request.get_json(silent=True), "status": response.status_code}
    with JOURNAL.open("a") as fh:
        fh.write(json.dumps(entry) + "\n")
    return response


def create_app():
    app = Flask(__name__)
    for name, (view, method) in ROUTES.items():
        app.add_url_rule(f"/{name}", name, view, methods=[method])
    app.after_request(keep)
    return app


if __name__ == "__main__":
    create_app().run(port=8080)
