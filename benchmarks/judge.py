"""Times a suite that waits for its judge: many cases, a judge by script with a fixed latency, so many calls at once.

Usage: python benchmarks/judge.py [--cases 500] [--latency 0.05 0.5] [--concurrency 50] [--repeat 5] [--install]

No client can be faster than the bound, cases x latency / concurrency; the ratio to it is what counts. Each row is
measured in a process of its own, all rows in turn, for each latency. A bare session of aiohttp, through which we ask,
shows what is left to gain. httpx is measured where it is installed; `--install` puts it into the folder for temporary
files.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from measure import Noise, milliseconds, print_machine, print_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

_HERE = Path(__file__).resolve().parent
_PEERS = Path(tempfile.gettempdir()) / "rubric-benchmarks-http-clients"
_PEER_PACKAGES = ("httpx==0.28.1",)


class Work(NamedTuple):
    """What is to be done: so many calls at a server, so many at once."""

    url: str
    cases: int
    concurrency: int

    async def share(self, call: Callable[[int, int], Awaitable[Any]]) -> None:
        """Let so many workers call until all is done. A call is told which it is, and by whom it is made."""
        waiting = iter(range(self.cases))

        async def worker(place: int) -> None:
            for number in waiting:
                await call(number, place)

        await asyncio.gather(*(worker(place) for place in range(self.concurrency)))


class Spent(NamedTuple):
    """Seconds on the clock, and those of them in which the process worked."""

    wall: float
    processor: float


class Timer:
    """Runs from its making on."""

    def __init__(self) -> None:
        self._wall, self._processor = time.perf_counter(), time.process_time()

    def spent(self) -> Spent:
        """Return what was spent until now."""
        return Spent(time.perf_counter() - self._wall, time.process_time() - self._processor)


def _prompt(number: int) -> str:
    return f"Case {number}. " + "The answer under test says what it says, and goes on for a while. " * 60


def _schema() -> dict[str, Any]:
    check = {"type": "object", "properties": {"reasoning": {"type": "string"}, "satisfied": {"type": "boolean"}}}
    return {"type": "object", "properties": {f"criterion-{number}": check for number in range(5)}}


# What is timed. Imports are a part of it, as far as only grading needs them.


def provider_alone(work: Work) -> Spent:
    """Time our provider: from before its import to the last reply, read and parsed."""
    timer = Timer()
    from rubric_core.grading.providers.provider import Call, Turn  # noqa: PLC0415 - the import is a part of the work.
    from rubric_core.grading.providers.registry import make_provider  # noqa: PLC0415 - the same.

    async def run() -> None:
        provider = make_provider("bench", "openai", {"model": "scripted", "base_url": work.url}, {})
        schema = _schema()

        async def call(number: int, _place: int) -> None:
            turns = (Turn("system", "You judge."), Turn("user", _prompt(number)))
            completion = await provider.complete(Call(turns, schema))
            json.loads(completion.text)

        await work.share(call)
        await provider.close()

    asyncio.run(run())
    return timer.spent()


def graded_and_stored(work: Work) -> Spent:
    """Time grading: from the first request that the judge sees to the last result in the store."""
    from rubric_core.config.config import DEFAULT  # noqa: PLC0415 - the other rows do without.
    from rubric_core.grading.judges.model import ModelJudge  # noqa: PLC0415 - the same.
    from rubric_core.grading.providers.registry import make_provider  # noqa: PLC0415 - the same.
    from rubric_core.grading.run import grade_all  # noqa: PLC0415 - the same.
    from rubric_core.grading.sources import Sources  # noqa: PLC0415 - the same.
    from rubric_core.grading.store.store import Store  # noqa: PLC0415 - the same.
    from rubric_core.model.load import load_text  # noqa: PLC0415 - the same.

    cases = load_text(_suite(work.cases), "bench.eval.yaml")[0].cases
    judge = ModelJudge("bench", make_provider("bench", "openai", {"model": "scripted", "base_url": work.url}, {}))
    results = []

    given = {case.id: "Port 443. " * 100 for case in cases}
    sources = Sources({"bench.eval.yaml": DEFAULT}, judge="bench", given=given, judges={"bench": judge})

    async def run(store: Store) -> None:
        number = store.begin_run("benchmark", judge.identity, len(cases))

        def watch(place: int, result: Any) -> None:
            store.keep_result(number, place, result)
            results.append(result)

        await grade_all(cases, sources, watch, concurrency=work.concurrency, memory=store)
        await judge.close()

    # What other rows have asked is forgotten.
    _first_request(work.url)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / ".rubric") as store:
        timer = Timer()
        asyncio.run(run(store))
        last, worked = time.monotonic(), timer.spent().processor
    wrong = [result for result in results if result.verdict != "pass"]
    if wrong or len(results) != work.cases:
        raise SystemExit(f"{len(results)} results, {len(wrong)} of them no pass: {wrong[0].error if wrong else ''}")
    return Spent(last - _first_request(work.url), worked)


def one_httpx_client(work: Work) -> Spent:
    """Time httpx with one client for all, as its documents advise."""
    return _httpx(work, 1)


def httpx_client_each(work: Work) -> Spent:
    """Time httpx with a client for each worker, which avoids the search for a free connection."""
    return _httpx(work, work.concurrency)


def _httpx(work: Work, count: int) -> Spent:
    timer = Timer()
    import httpx  # noqa: PLC0415 - the import is a part of the work.

    async def run() -> None:
        security = httpx.create_ssl_context()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        clients = [httpx.AsyncClient(limits=limits, timeout=120, verify=security) for _ in range(count)]

        async def call(number: int, place: int) -> None:
            reply = await clients[place % count].post(f"{work.url}/chat/completions", content=_body(number))
            _read(reply.status_code, reply.content)

        await work.share(call)
        for client in clients:
            await client.aclose()

    asyncio.run(run())
    return timer.spent()


def aiohttp_session(work: Work) -> Spent:
    """Time aiohttp with one session, without the variables for proxies, which it would look at for each call."""
    timer = Timer()
    import aiohttp  # noqa: PLC0415 - the import is a part of the work.

    async def run() -> None:
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=120)) as session:

            async def call(number: int, _place: int) -> None:
                async with session.post(f"{work.url}/chat/completions", data=_body(number)) as reply:
                    _read(reply.status, await reply.read())

            await work.share(call)

    asyncio.run(run())
    return timer.spent()


def _body(number: int) -> bytes:
    messages = [{"role": "system", "content": "You judge."}, {"role": "user", "content": _prompt(number)}]
    named = {"name": "judgement", "strict": True, "schema": _schema()}
    body = {"model": "scripted", "messages": messages, "response_format": {"type": "json_schema", "json_schema": named}}
    return json.dumps(body).encode()


def _read(status: int, content: bytes) -> None:
    if status >= 400:  # noqa: PLR2004 - where errors begin.
        raise SystemExit(f"The server answered with status {status}.")
    json.loads(json.loads(content)["choices"][0]["message"]["content"])


def _suite(cases: int) -> str:
    case = """\
  - id: case-{number}
    expected_outcome: Names the port
    input: Which port does service {number} use?
    rubrics:
      - {{id: names-port, expected_outcome: Names port 443}}
      - {{id: no-guess, expected_outcome: Says nothing that is not known, required: false}}
      - {{id: clarity, weight: 2, score_ranges: {{0: Unclear, 4: Clear, 8: Clear at once}}}}
"""
    return "evalcases:\n" + "".join(case.format(number=number) for number in range(cases))


def _first_request(url: str) -> float:
    with urllib.request.urlopen(f"{url}/first", timeout=10) as reply:  # noqa: S310 - our own server.
        return float(reply.read())


class Row(NamedTuple):
    """One line of the table. `needs` is the package without which it is skipped."""

    label: str
    work: Callable[[Work], Spent]
    needs: str | None = None


ROWS = (
    Row("our provider, with its import", provider_alone),
    Row("graded and stored, from the first request", graded_and_stored),
    Row("bare aiohttp, one session, with its import", aiohttp_session),
    Row("httpx, one client, with its import", one_httpx_client, "httpx"),
    Row("httpx, a client for each worker", httpx_client_each, "httpx"),
)


@contextmanager
def judge_server(latency: float) -> Iterator[str]:
    """Start the judge, give its address, and end it."""
    command = [sys.executable, str(_HERE / "judge_server.py"), "--latency", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101 - for the type.
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        finally:
            server.terminate()


def measured(row: Row, work: Work) -> Spent:
    """Measure a row in a process of its own."""
    command = [sys.executable, str(_HERE / "judge.py"), "--row", row.work.__name__, *map(str, work)]
    paths = [str(_HERE.parent), str(_PEERS), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return Spent(*map(float, done.stdout.split()))


def main() -> None:
    """Measure every row with every latency."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=500, help="calls in all")
    parser.add_argument(
        "--latency", type=float, nargs="+", default=[0.05, 0.5], help="seconds that the judge takes for a call"
    )
    parser.add_argument("--concurrency", type=int, default=50, help="calls at once")
    parser.add_argument("--repeat", type=int, default=5, help="how often each row is measured")
    parser.add_argument("--install", action="store_true", help="install the clients to compare with")
    parser.add_argument("--row", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.row is not None:
        name, url, cases, concurrency = arguments.row
        print(*next(row for row in ROWS if row.work.__name__ == name).work(Work(url, int(cases), int(concurrency))))
        return
    if arguments.install and not _PEERS.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(_PEERS), *_PEER_PACKAGES]
        subprocess.run(command, check=True)
    sys.path.append(str(_PEERS))
    rows = [row for row in ROWS if row.needs is None or importlib.util.find_spec(row.needs) is not None]
    for row in ROWS:
        if row not in rows:
            print(f"Skipped: {row.label}, because {row.needs} is not installed; --install does that.")
    print_machine()
    for latency in arguments.latency:
        _print_latency(rows, latency, arguments)


def _print_latency(rows: list[Row], latency: float, arguments: argparse.Namespace) -> None:
    """Measure every row with one latency, and print the table."""
    noise = Noise()
    spent: dict[str, list[Spent]] = {row.label: [] for row in rows}
    with judge_server(latency) as url:
        work = Work(url, arguments.cases, arguments.concurrency)
        for _ in range(arguments.repeat):
            for row in rows:
                spent[row.label].append(measured(row, work))
            noise.sample()
    bound = arguments.cases * latency / arguments.concurrency
    title = f"{arguments.cases} calls of {milliseconds(latency)} ms, {arguments.concurrency} at once"
    table = [("the bound", milliseconds(bound), milliseconds(bound), "1.00x", "0")]
    for label, each in spent.items():
        walls = [one.wall for one in each]
        worked = milliseconds(min(one.processor for one in each))
        ratio = f"{median(walls) / bound:.2f}x"
        table.append((label, milliseconds(min(walls)), milliseconds(median(walls)), ratio, worked))
    print_table(title, ("", "best, ms", "median, ms", "of the bound", "on a processor, ms"), table)
    print(f"\n{noise}")


if __name__ == "__main__":
    main()
