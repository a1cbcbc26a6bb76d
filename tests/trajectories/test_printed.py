"""Tallies of test runners and answers of servers, read from what they print."""

from __future__ import annotations

import pytest

from judge.trajectories.printed import read_answers, read_tally, starts_tests


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("===== 3 failed, 5 passed, 1 skipped in 2.31s =====", (5, 3, 1)),
        ("6 passed in 0.04s", (6, 0, 0)),
        ("\x1b[31m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m in 0.10s", (2, 1, 0)),
        ("===== 2 errors in 0.52s =====", (0, 2, 0)),
        ("Ran 5 tests in 0.001s\n\nOK (skipped=5)", (0, 0, 5)),
        ("Ran 6 tests in 0.04s\n\nFAILED (failures=2)", (4, 2, 0)),
        ("Ran 2 tests in 0.04s\n\nOK", (2, 0, 0)),
        ("Tests:       1 failed, 2 skipped, 7 passed, 10 total\nTime: 1 s", (7, 1, 2)),
        ("      Tests  2 failed | 3 passed (5)", (3, 2, 0)),
        ("  12 passing (40ms)\n  1 failing\n", (12, 1, 0)),
        ("# tests 3\n# pass 2\n# fail 1\n", (2, 1, 0)),
        ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.org/x\t0.01s\n", (1, 1, 0)),
        ("ok  \texample.org/x\t0.01s\n", (None, 0, 0)),
        ("test result: ok. 4 passed; 0 failed; 1 ignored; 0 measured", (4, 0, 1)),
        ("[ERROR] Tests run: 8, Failures: 1, Errors: 1, Skipped: 2", (4, 2, 2)),
        ("7 examples, 1 failure, 2 pending", (4, 1, 2)),
        ("5 runs, 9 assertions, 0 failures, 0 errors, 0 skips", (5, 0, 0)),
        ("OK (3 tests, 6 assertions)", (3, 0, 0)),
        ("Tests: 4, Assertions: 6, Failures: 1.", (3, 1, 0)),
        ("Passed!  - Failed:     0, Passed:    11, Skipped:     1, Total: 12", (11, 0, 1)),
        ("80% tests passed, 1 tests failed out of 5", (4, 1, 0)),
        ("Executed 6 tests, with 2 failures (0 unexpected)", (4, 2, 0)),
        ("[ FAIL 1 | WARN 0 | SKIP 2 | PASS 12 ]", (12, 1, 2)),
        ("Tests: succeeded 3, failed 1, canceled 0, ignored 0, pending 0", (3, 1, 0)),
        ("1..2\nok 1 - a\nnot ok 2 - b\n", (1, 1, 0)),
    ],
)
def test_tallies(text: str, expected: tuple[int | None, int, int]) -> None:
    tally = read_tally(f"some output\n{text}\n")
    assert tally is not None
    assert (tally.passed, tally.failed, tally.skipped) == expected


@pytest.mark.parametrize("text", ["", "Tests: what they are", "all tests passed", "3 apples in 2 s", "accuracy 0.9"])
def test_prose_is_no_tally(text: str) -> None:
    assert read_tally(text) is None


def test_the_last_tally_counts() -> None:
    tally = read_tally("2 failed in 0.1s\n...\n5 passed in 0.1s\n")
    assert tally is not None and tally.passed == 5 and tally.holds


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("python -m pytest -q", True),
        ("cd app && npm test", True),
        ("npm run test:unit -- --watch=false", True),
        ("go test ./...", True),
        ("cargo test --release", True),
        ("./mvnw -q verify", True),
        ("python tests/test_api.py", True),
        ("cat results/test_report.txt", False),
        ("tail -4 pytest_log.txt", False),
        ("cat > run.sh << 'EOF'\npytest -q\nEOF", False),
    ],
)
def test_what_starts_a_test_suite(action: str, expected: bool) -> None:
    assert starts_tests(action) is expected


def test_lines_of_a_server_log_are_answers() -> None:
    log = '127.0.0.1 - - [01/Jan/2031] "GET /plants HTTP/1.1" 200 -\nINFO: 127.0.0.1:5 - "POST /x?y=1 HTTP/1.1" 500\n'
    assert [(a.method, a.path, a.status) for a in read_answers([], log)] == [
        ("GET", "/plants", 200),
        ("POST", "/x", 500),
    ]


@pytest.mark.parametrize(
    ("text", "answered", "status"),
    [
        ("<Response 81 bytes [200 OK]>", True, 200),
        ("<Response [404]>", False, 404),
        ('{"a": 1}', True, None),
        ('{"a": 1}\n201', True, 201),
        ("Cannot GET /x", False, None),
        ("", None, None),
    ],
)
def test_answers_of_one_request(text: str, answered: bool | None, status: int | None) -> None:
    (answer,) = read_answers([("GET", "/x")], text)
    assert (answer.answered, answer.status) == (answered, status)


def test_several_requests_are_paired_in_order() -> None:
    found = read_answers([("GET", "/a"), ("GET", "/b")], "[]\nHTTP 200\nno\nHTTP 404\n")
    assert [(a.path, a.answered) for a in found] == [("/a", True), ("/b", False)]
