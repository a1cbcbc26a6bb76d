"""The worker's own code, compiled once and sent to each worker, so that it is no file inside."""

from __future__ import annotations

import functools
import marshal
from importlib import resources

PACKAGE = "judge_inside"

# In the order of their imports.
_MODULES = (
    *("limits", "encoding", "decoding", "codec", "linux", "landlock", "seccomp", "confine", "outcome", "audit", "load"),
    *("asking", "serve", "program", "supervise", "probe", "root", "main"),
)

BOOT = f"""
import builtins,marshal,os,sys
from types import ModuleType as M
def r(n):
    b=b""
    while len(b)<n:
        p=os.read(fd,n-len(b))
        if not p:os._exit(0)
        b+=p
    return b
fd=int(sys.argv[1])
mods,config=marshal.loads(r(int.from_bytes(r(8),"big")))
for name,code in marshal.loads(mods):
    m=M(name);m.__package__=name if not code else name.rpartition(".")[0]
    m.__builtins__=dict(vars(builtins))
    if not code:m.__path__=[]
    sys.modules[name]=m
    parent,_,child=name.rpartition(".")
    if parent:setattr(sys.modules[parent],child,m)
    if code:exec(code,m.__dict__)
del sys.argv[1:]
sys.modules["{PACKAGE}.worker.main"].main(config)
"""
"""What the interpreter is started with: it reads the worker's code and settings from the descriptor named."""


@functools.cache
def worker_code() -> bytes:
    """The marshalled list of (module name, code object), packages without code."""
    folder = resources.files("judge.score.worker")
    found: list[tuple[str, object]] = [(PACKAGE, None), (f"{PACKAGE}.worker", None)]
    for name in ("stand_ins", *_MODULES):
        full = f"{PACKAGE}.values" if name == "stand_ins" else f"{PACKAGE}.worker.{name}"
        source = folder.joinpath(f"{name}.py").read_text(encoding="utf-8")
        found.append((full, compile(source, f"<{full}>", "exec", dont_inherit=True, optimize=2)))
    return marshal.dumps(found)


def first_frame(config: dict[str, object]) -> bytes:
    """What is sent to a worker before anything else."""
    raw = marshal.dumps((worker_code(), config))
    return len(raw).to_bytes(8, "big") + raw
