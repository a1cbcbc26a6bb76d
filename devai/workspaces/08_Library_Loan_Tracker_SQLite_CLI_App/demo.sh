#!/bin/sh
# fills the database with a few entries
set -e
run() { python src/cli.py "$@"; }
run add-book "The Salt Road" "Mira Voss"
run add-book "Small Engines" "Tom Ardent"
run add-book "A Winter Herbal" "Mira Voss"
run add-member "Ines"
run add-member "Jonas"
run lend 1 1 2031-02-01
run lend 2 2 2031-02-20
run lend 3 1 2031-03-30
run search Voss
run export-overdue 2031-03-01
