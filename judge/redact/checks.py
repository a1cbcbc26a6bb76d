"""What a matched text must be to count as a secret: no placeholder, no role, no product."""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(
    r"""\A(?:[x*.\-_#0]+|\[redacted:.*|<.*>|\{.*\}|\$.*|%.*%?|.*\{\w*\}.*|(?:your|my|the|some|insert|enter|add|replace|put)
    [-_ ]?.*|none|null|true|false|undefined|changeme|example.*|placeholder.*|dummy.*|os\.environ.*|os\.getenv.*|
    getenv.*|process\.env.*|.*_here)\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_NOBODY = frozenset(
    ("user", "users", "ubuntu", "runner", "app", "node", "jovyan", "vscode", "codespace", "shared", "public", "default")
    # What names a role and no person stays, so that paths in the evidence remain readable.
)

_GENERIC = frozenset(
    "com org net edu gov mil int info biz name pro io ai dev app tech cloud online site xyz me co tv science".split()
)
_TOPS = _GENERIC | frozenset(
    # Country codes without those that are better known as endings of files or as methods (py, pl, rs, md, sh, mean).
    "ac ae af ag al am ar at au az ba bd be bg bh bo br bt bw by bz ca ch ci cl cn cr cu cy cz de dk do dz ec ee eg es"
    " et eu fi fj fr gb ge gh gr gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li lk lt lu lv"
    " ly ma mc mg mk ml mm mn mo mt mu mx my mz na ng ni nl no np nz om pa pe ph pk pt qa ro ru rw sa se sg si sk sn su"
    " sv sy th tn tr tw tz ua ug uk us uy uz va ve vn ye za zm zw".split()
)


def passes(check: str, value: str) -> bool:
    """Whether a matched text passes the test that its pattern names; without a name everything does."""
    if not check:
        return True
    if check == "person":
        return value.lower() not in _NOBODY
    if check == "address":
        return _is_address(value)
    if _PLACEHOLDER.match(value):
        return False
    if check == "mixed":
        return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return check == "value" or _is_random(value)


def _is_address(value: str) -> bool:
    """Whether a text is a person's e-mail address: no remote of git, no package with a version, no product."""
    name, _, host = value.lower().rpartition("@")
    domain, _, top = host.rpartition(".")
    if name in {"git", "hg", "noreply", "no-reply", "user", "root"} or top not in _TOPS:
        return False
    if len(domain) < 2 or domain == "self":
        # A product of matrices, such as q@k.me.
        return False
    # Domains that are kept free for examples and tests name nobody.
    return domain.rpartition(".")[2] not in {"example", "test", "localhost", "domain", "email"} or top not in _GENERIC


def _is_random(value: str) -> bool:
    """Whether a value mixes letters and digits as a key does, unlike words, identifiers, versions and paths."""
    if " " in value.strip() or not any(char.isdigit() for char in value) or not any(char.isalpha() for char in value):
        return False
    runs = [run for run in re.split(r"[^A-Za-z0-9]", value) if run]
    return any(
        len(run) >= 8 and len(re.findall(r"[0-9](?![0-9])|(?<=[0-9])[A-Za-z]", run)) >= 3 for run in runs
    ) or any(len(run) >= 12 and re.search("[0-9]", run) and re.search("[A-Za-z]", run) for run in runs)
