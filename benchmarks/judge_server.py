"""A judge by script, in a process of its own: each reply comes 50 ms after its request and obeys the schema in it.

Usage: python benchmarks/judge_server.py [--latency 0.05]

Prints its port. `GET /first` tells when the first request came since it was last asked, on the clock that all processes
of a machine share (`time.monotonic`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from functools import lru_cache
from typing import Any


def example(schema: dict[str, Any]) -> Any:
    """Return a value that obeys a schema."""
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "object":
        return {name: example(each) for name, each in schema["properties"].items()}
    return {"boolean": True, "string": "The second sentence says so.", "array": [], "number": 1}[schema["type"]]


@lru_cache(maxsize=8)
def _reply(schema: str) -> bytes:
    text = json.dumps(example(json.loads(schema))) if schema else "pong"
    message = {"role": "assistant", "content": text}
    body = {
        "model": "scripted-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 200, "total_tokens": 1_100},
    }
    return _http(json.dumps(body).encode())


def _http(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


class _Server:
    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.first = 0.0

    def take(self, request: bytes, body: bytes, transport: asyncio.Transport) -> None:
        """Answer one request."""
        if request.startswith(b"GET"):
            transport.write(_http(json.dumps(self.first).encode()))
            self.first = 0.0
            return
        self.first = self.first or time.monotonic()
        due = asyncio.get_running_loop().time() + self.latency
        wanted = json.loads(body).get("response_format")
        reply = _reply(json.dumps(wanted["json_schema"]["schema"]) if wanted else "")
        asyncio.get_running_loop().call_at(due, transport.write, reply)


class _Connection(asyncio.Protocol):
    def __init__(self, server: _Server) -> None:
        self._server = server
        self._received = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head = self._received[:end].lower()
            _, _, told = head.partition(b"content-length:")
            whole = end + 4 + int(told.split(b"\r\n")[0] or b"0")
            if len(self._received) < whole:
                return
            request, body = self._received[:end], self._received[end + 4 : whole]
            self._received = self._received[whole:]
            self._server.take(request, body, self._transport)


async def serve(latency: float) -> None:
    """Answer until the process is ended."""
    judge = _Server(latency)
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(judge), "127.0.0.1", 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds from a request to its reply")
    asyncio.run(serve(parser.parse_args().latency))
