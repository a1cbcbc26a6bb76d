#!/bin/sh
# Kills runs with SIGKILL at 50 random moments and checks that no finished verdict is lost, doubled or paid for twice.
# Usage: scripts/bench/kill.sh [NUMBER]
set -eu
cd "$(dirname "$0")/../.."
JUDGE_TEST_KILLS="${1:-50}" exec .venv/bin/python -m pytest -q -p no:xdist tests/e2e/test_kill.py
