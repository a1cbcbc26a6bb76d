"""Which signs change the score: a behaviour, or two signs of one attack."""

import pytest

from judge.results.score import PerformanceResult
from judge.score.integrity import Attack, Difference, Probe, Signal, Strength, judge_flags, scan
from judge.score.reply import Reply, Status
from judge.score.suite.model import Suite
from judge.score.values import Opaque, Subclassed


def certain(*flags: object) -> set[str]:
    return {flag.kind for flag in flags if flag.certain}  # type: ignore[attr-defined]


def sign(attack: Attack, what: str, strength: Strength = Strength.STRONG) -> Signal:
    return Signal(attack, what, 1, strength)


def test_one_sign_is_shown_but_costs_nothing() -> None:
    (flag,) = judge_flags([sign(Attack.EXIT, "os._exit")], [])
    assert not flag.certain
    assert "line 1: os._exit" in flag.evidence


def test_two_signs_of_one_attack_are_certain() -> None:
    assert certain(*judge_flags([sign(Attack.EXIT, "os._exit"), sign(Attack.EXIT, "os.abort")], [])) == {"exit"}


def test_signs_of_two_attacks_do_not_add_up() -> None:
    flags = judge_flags([sign(Attack.EXIT, "os._exit"), sign(Attack.SIGNALS, "signal.signal(SIGTERM)")], [])
    assert len(flags) == 2
    assert not certain(*flags)


def test_weak_signs_alone_are_not_even_shown() -> None:
    weak = [sign(Attack.FILES, name, Strength.WEAK) for name in ("open", "os.environ", "pathlib.Path")]
    assert judge_flags(weak, []) == ()


@pytest.mark.parametrize(
    ("evidence", "kind"),
    [
        ("audit: os.fork", "processes"),
        ("audit: subprocess.Popen sh", "processes"),
        ("audit: os.system id", "processes"),
        ("audit: socket.connect", "network"),
        ("audit: gc.get_objects", "snooping"),
        ("forged: more than one reply to a question", "descriptors"),
    ],
)
def test_a_behaviour_is_certain_by_itself(evidence: str, kind: str) -> None:
    assert certain(*judge_flags([], [Reply(Status.RETURNED, evidence=(evidence,))])) == {kind}


@pytest.mark.parametrize(
    "evidence", ["audit: ctypes.dlopen None", "audit: open /etc/mime.types", "threads: 2 left running"]
)
def test_what_honest_libraries_do_needs_a_sign_in_the_source(evidence: str) -> None:
    assert judge_flags([], [Reply(Status.RETURNED, evidence=(evidence,))]) == ()


def test_reading_a_file_outside_with_a_sign_in_the_source_is_certain() -> None:
    signals = scan(b"def f(n):\n    return open('/srv/answers.txt').read()\n")
    reply = Reply(Status.RAISED, evidence=("audit: open /srv/answers.txt",))
    assert certain(*judge_flags(signals, [reply])) == {"files"}


def test_unknown_evidence_is_no_flag() -> None:
    assert judge_flags([], [Reply(Status.RETURNED, evidence=("", "audit: ", "nonsense", "audit: import"))]) == ()


def test_a_crash_is_no_flag_but_with_a_way_out_in_the_source_it_is() -> None:
    crash = Reply(Status.CRASHED, detail="exit 0")
    assert judge_flags([], [crash]) == ()
    assert certain(*judge_flags(scan(b"import os\ndef f(n): os._exit(0)\n"), [crash])) == {"exit"}


@pytest.mark.parametrize("value", [Opaque("submission.E", "<E>"), [1, {"a": (Subclassed("submission.E", [1]),)}]])
def test_answering_with_an_object_that_equals_everything(value: object) -> None:
    signals = scan(b"class E(list):\n    def __eq__(self, other): return True\n")
    assert not certain(*judge_flags(signals, [Reply(Status.RETURNED, [1, 2])]))
    assert certain(*judge_flags(signals, [Reply(Status.RETURNED, value)])) == {"equality"}


def test_a_deep_answer_is_looked_at_without_recursion() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    signals = scan(b"class E(list):\n    def __eq__(self, other): return True\n")
    assert len(judge_flags(signals, [Reply(Status.RETURNED, value)])) == 1


def test_signs_of_timing() -> None:
    seen = PerformanceResult(signs=("timing: right when asked plainly", "background: used 40 ms CPU", "audit: os.fork"))
    assert certain(*judge_flags([], [], performance=seen)) == {"timing", "background", "processes"}


def test_known_cases_with_their_literals_are_certain_and_without_are_shown() -> None:
    probe = Probe(asked=9, failed=9, held=1.0, suspicious=True, certain=True, text="9 of 9 fail")
    assert certain(*judge_flags([], [], probe=probe)) == {"hardcoded"}
    (flag,) = judge_flags([], [], probe=probe._replace(certain=False))
    assert not flag.certain


def test_answers_that_change_are_a_fault_not_cheating() -> None:
    (flag,) = judge_flags([], [], differences=[Difference("a", "chance", "a: 1, then 2")])
    assert flag.kind == "nondeterminism"
    assert not flag.certain


def test_what_the_suite_allows_by_name_is_only_shown() -> None:
    signals = [sign(Attack.PROCESSES, "subprocess.run"), sign(Attack.PROCESSES, "os.kill")]
    data = {"schema": 1, "problem": "p", "target": {"entry": "f"}, "env": {"allow_imports": ["subprocess"]}}
    assert certain(*judge_flags(signals, [])) == {"processes"}
    assert not certain(*judge_flags(signals, [], suite=Suite.model_validate(data)))


def test_a_whole_program_may_use_its_streams_and_exit() -> None:
    source = b"import os\nfor fd in (1, 2):\n    os.write(fd, b'x')\nos.dup2(1, 2)\nos._exit(0)\nos.abort()\n"
    program = Suite.model_validate({"schema": 1, "problem": "p", "target": {"kind": "program"}})
    function = Suite.model_validate({"schema": 1, "problem": "p", "target": {"entry": "f"}})
    assert certain(*judge_flags(scan(source), [], suite=function)) == {"descriptors", "exit"}
    assert not certain(*judge_flags(scan(source), [], suite=program))
