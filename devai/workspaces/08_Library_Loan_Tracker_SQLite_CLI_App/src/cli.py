"""Library on the command line. Each function below with @command is a sub-command."""
import argparse
import csv
import inspect
from pathlib import Path

import service
from schema import DB, connect

COMMANDS = {}


def command(function):
    COMMANDS[function.__name__.replace("_", "-")] = function
    return function


@command
def add_book(con, title, author):
    print("book", service.add_book(con, title, author))


@command
def add_member(con, name):
    print("member", service.add_member(con, name))


@command
def lend(con, book_id, member_id, due):
    print("loan", service.lend(con, int(book_id), int(member_id), due))


@command
def give_back(con, loan_id, day):
    service.return_book(con, int(loan_id), day)
    print("returned")


@command
def search(con, text):
    for row in service.search(con, text):
        print(*row, sep=" | ")


@command
def export_overdue(con, today):
    folder = Path(DB).parents[1] / "reports"
    folder.mkdir(exist_ok=True)
    with open(folder / "overdue.csv", "w", newline="") as fh:
        out = csv.writer(fh)
        out.writerow(["title", "member", "days_overdue"])
        out.writerows(service.overdue(con, today))


def main(argv=None):
    parser = argparse.ArgumentParser(prog="library")
    subs = parser.add_subparsers(dest="command", required=True)
    for name, function in COMMANDS.items():
        sub = subs.add_parser(name)
        for parameter in list(inspect.signature(function).parameters)[1:]:
            sub.add_argument(parameter)
    options = vars(parser.parse_args(argv))
    function = COMMANDS[options.pop("command")]
    with connect() as con:
        function(con, **options)


if __name__ == "__main__":
    main()
