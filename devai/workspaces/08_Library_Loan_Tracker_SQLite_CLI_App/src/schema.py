"""The database: one list entry per table."""
import sqlite3
from pathlib import Path

DB = Path(__file__).resolve().parents[1] / "data" / "library.db"

TABLES = [
    ("books", "id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL"),
    ("members", "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE"),
    ("loans", "id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books(id), "
              "member_id INTEGER NOT NULL REFERENCES members(id), "
              "due TEXT NOT NULL, returned TEXT"),
]


def connect(path=DB):
    path = Path(path)
    path.parent.mkdir(exist_ok=True)
    con = sqlite3.connect(path)
    con.execute("PRAGMA foreign_keys = ON")
    for name, columns in TABLES:
        con.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    return con
