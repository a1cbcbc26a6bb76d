"""What the reading process may not do, whatever the library in it is talked into."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

_CONFINED = "import sys; sys.path[:0] = sys.argv[1:]; from judge.readers.worker import _confine; _confine()\n"


def confined(code: str) -> str:
    """What a piece of code prints in a confined process."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _CONFINED + code, *filter(None, sys.path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip()


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
        "import socket; socket.socket().connect(('127.0.0.1', {port}))",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:{port}/', timeout=2)",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.fork()",
        "open({folder!r} + '/new', 'w')",
        "import os; os.open({folder!r} + '/new', os.O_CREAT)",
        "import os; os.remove({folder!r} + '/there')",
        "import pathlib; pathlib.Path({folder!r} + '/new').mkdir()",
    ],
)
def test_it_speaks_to_nobody_and_changes_nothing(code: str, tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        line = code.format(port=server.getsockname()[1], folder=str(tmp_path))
        told = confined(f"try:\n    {line}\n    print('done')\nexcept OSError as error:\n    print('refused', error)")
        assert told.startswith("refused"), told
        with pytest.raises(TimeoutError):
            server.accept()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no networks of a process")
def test_libraries_in_c_reach_nobody_either() -> None:
    """Where the system lets a process leave the network; a container may forbid it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        told = confined(
            "import ctypes, socket, struct\n"
            "c = ctypes.CDLL(None, use_errno=True)\n"
            "left = c.unshare(0x40000000) == 0 or len(socket.if_nameindex()) <= 1\n"
            f"address = struct.pack('=H', 2) + struct.pack('>H', {port}) + bytes([127, 0, 0, 1]) + bytes(8)\n"
            "print(left, c.connect(c.socket(2, 1, 0), address, 16))"
        )
    if told.startswith("False"):
        pytest.skip("this system does not let a process leave the network")
    assert told == "True -1"


def test_memory_is_bounded() -> None:
    assert confined("try:\n    bytearray(5 << 30)\nexcept MemoryError:\n    print('refused')") == "refused"
