import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from app import create_app  # noqa: E402


class ApiTest(unittest.TestCase):
    def setUp(self):
        self.http = create_app().test_client()

    def ask(self, **body):
        return self.http.post("/advice", json=body)

    def test_health(self):
        self.assertEqual(self.http.get("/health").get_json(), {"status": "ok"})

    def test_plants(self):
        self.assertIn("fern", self.http.get("/plants").get_json())

    def test_dry_fern(self):
        answer = self.ask(plant="fern", moisture=20, temperature=22)
        self.assertEqual(answer.get_json()["litres"], 0.67)

    def test_cactus_needs_less_than_tomato(self):
        amounts = [self.ask(plant=p, moisture=40, temperature=30).get_json()["litres"] for p in ("cactus", "tomato")]
        self.assertLess(*amounts)

    def test_moisture_out_of_range(self):
        self.assertEqual(self.ask(plant="fern", moisture=140, temperature=22).status_code, 422)

    def test_unknown_plant(self):
        self.assertEqual(self.ask(plant="oak", moisture=40, temperature=22).status_code, 422)


if __name__ == "__main__":
    unittest.main()
