"""The server of llama.cpp in tests, with a very small model: it keeps to a schema, and writes nonsense without one."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hosts import LLAMA, host_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

# One thread: with more, the model waits for all of them each time that another test takes a processor away.
_SERVER = """
import sys, xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.model_alias = {"smollm2-135m"}
parameters.n_ctx = 4096
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.warmup = False
parameters.port = 0
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def running_llama() -> Iterator[str]:
    """Start the server, give its address, and end it."""
    folder = host_folder(LLAMA)
    model = next(folder.glob(LLAMA.sign))
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", _SERVER, str(model)]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address, "The server of llama.cpp does not start."
            yield address
        finally:
            # It would first finish what it is writing.
            server.kill()
