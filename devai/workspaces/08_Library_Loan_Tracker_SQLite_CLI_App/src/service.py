"""What the library can do."""
import logging

MAX_LOANS = 3
log = logging.getLogger("library")


def add_book(con, title, author):
    return con.execute("INSERT INTO books(title, author) VALUES (?, ?)", (title, author)).lastrowid


def add_member(con, name):
    return con.execute("INSERT INTO members(name) VALUES (?)", (name,)).lastrowid


def open_loans(con, member_id):
    return con.execute("SELECT COUNT(*) FROM loans WHERE member_id = ? AND returned IS NULL",
                       (member_id,)).fetchone()[0]


def lend(con, book_id, member_id, due):
    """Lend a book. A member may have at most MAX_LOANS = 3 books at the same time."""
    if open_loans(con, member_id) >= MAX_LOANS:
        log.warning("member %s already has %s books", member_id, MAX_LOANS)
    return con.execute("INSERT INTO loans(book_id, member_id, due) VALUES (?, ?, ?)",
                       (book_id, member_id, due)).lastrowid


def return_book(con, loan_id, day):
    """Mark a loan as returned and store the date of return."""
    raise NotImplementedError("return_book")


def search(con, text):
    """Find books by a part of their title or author; all values are passed as parameters."""
    query = f"SELECT id, title, author FROM books WHERE title LIKE '%{text}%' OR author LIKE '%{text}%'"
    return con.execute(query).fetchall()


def overdue(con, today):
    return con.execute(
        "SELECT b.title, m.name, CAST(julianday(?) - julianday(l.due) AS INTEGER) AS late "
        "FROM loans l JOIN books b ON b.id = l.book_id JOIN members m ON m.id = l.member_id "
        "WHERE l.returned IS NULL AND l.due < ? ORDER BY late DESC", (today, today)).fetchall()
