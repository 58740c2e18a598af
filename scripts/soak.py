"""Puts the whole product under load for some minutes: random editing, kills, hostile judges and hostile files.

Usage: python scripts/soak.py [--minutes 10] [--seed 1]

Prints one line of figures, and each failure with the seed that repeats it. Ends with 1 if anything was wrong, lost or
crashed, or if the memory of the server has grown.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = map(str, (ROOT, ROOT / "server", *sorted((ROOT / "tests" / "support").iterdir())))

from editing import Window, initialized, megabytes
from editor import COMMAND, ENVIRONMENT
from model_calls import ADDRESS_PATH, chat_reply
from model_server import ModelServer
from projects import Project, case_in, ended, met, numbered_answers, numbered_cases
from random_typist import CASES, Typist
from raw_client import RawClient, Silence
from scripted_server import answer, raw

from rubric_core.analysis.check import analyse, check_text
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Callable

    from model_server import Asked
    from scripted_server import Step

EDITS = 60
MOST_GROWTH = 1.2
SETTLED = 10
"""The number of documents after which the memory of a server is looked at."""
KILLED_CASES = 20
PROPOSED = [
    {"id": name, "expected_outcome": f"Is {name}", "weight": 1, "required": True} for name in ("right", "short", "kind")
]
ASKED, SAID_VALIDLY, SAID_BADLY = 0.3, 0.2, 0.6
"""How often a request follows an edit; the shares of replies of a hostile judge that are valid, and that are text."""


class Broken(Exception):  # noqa: N818 - names what is counted.
    """Something that must never happen; `kind` is what is counted."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class Soak:
    """The figures, and where the files are."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.figures: Counter[str] = Counter()
        self.failures: list[str] = []
        self.growth: float | None = None
        # A folder of its own, so that the workspace of the servers does not grow with what the other parts write.
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self.servers: list[EditedServer] = []
        self._folders = 0

    def new_folder(self) -> Path:
        """Return a folder that is not there yet."""
        self._folders += 1
        return self.folder / str(self._folders) / "work"

    def line(self) -> str:
        """Return the figures on one line."""
        counted = ", ".join(f"{self.figures[name]:,} {name}" for name in ("edits", "kills", "replies", "files"))
        failed = ", ".join(f"{self.figures[name]} {name}" for name in ("wrong", "lost", "crashes"))
        memory = "not measured in this time" if self.growth is None else f"x{self.growth:.2f}"
        return f"soak: seed {self.seed}; {counted}; {failed}; memory {memory}"


# Editing


class EditedServer(NamedTuple):
    """A server that lives as long as the soak, and what is known of its memory."""

    client: RawClient
    provided: dict[str, Any]
    pull: bool
    sizes: list[float]


def edit(soak: Soak, choice: random.Random) -> None:
    """Edit a document at random, with requests and cancellations, compare it with a check, and close it."""
    server, seed = choice.choice(soak.servers), str(choice.getrandbits(40))
    window = Window(server.client, server.provided, soak.workspace / f"{seed}.eval.yaml", seed, pull=server.pull)
    try:
        for number in range(1, EDITS + 1):
            window.edit()
            soak.figures["edits"] += 1
            if window.typist.random.random() < ASKED:
                window.ask()
            if number % 20 == 0:
                window.check(number)
        window.close()
        server.client.ask("textDocument/foldingRange", {"textDocument": {"uri": window.path.as_uri()}})
    except AssertionError as error:
        raise Broken("wrong", str(error)) from error
    except (Silence, OSError) as error:
        raise Broken("crashes", repr(error)) from error
    server.sizes.append(megabytes(server.client))
    if len(server.sizes) > SETTLED and server.sizes[SETTLED - 1]:
        soak.growth = max(soak.growth or 1.0, server.sizes[-1] / server.sizes[SETTLED - 1])


# Kills


def kill_fix(soak: Soak, choice: random.Random) -> None:
    """Kill `rubric fix`: the file is as it was, or fixed as a whole."""
    cases = numbered_cases(
        KILLED_CASES, "rubrics: [{id: a, score_ranges: [{score_range: [5, 0], expected_outcome: No}]}]"
    )
    project = Project(soak.new_folder())
    path = project.write("a.eval.yaml", cases)
    fixed = project.write("expected/a.eval.yaml", cases)
    project.run("fix", fixed)
    if fixed.read_text("utf-8") == cases:
        raise Broken("wrong", "`rubric fix` fixes nothing here")
    _kill(soak, project, choice, "fix", path)
    if path.read_text("utf-8") not in {cases, fixed.read_text("utf-8")}:
        raise Broken("lost", f"after a kill of `rubric fix` the file is {path.read_text('utf-8')[:200]!r}")


def kill_generate(soak: Soak, choice: random.Random) -> None:
    """Kill `rubric generate`: the file is as it was, or has its criteria."""
    case = "  - id: case-{:02}\n    expected_outcome: It is right\n    input: Do it\n"
    cases = "evalcases:\n" + "".join(map(case.format, range(KILLED_CASES)))
    project = Project(soak.new_folder())
    project.write("proposals.json", {f"case-{number:02}": {"criteria": PROPOSED} for number in range(KILLED_CASES)})
    path = project.write("a.eval.yaml", cases)
    written = project.write("expected/a.eval.yaml", cases)
    project.run("generate", "--judge", "replay:proposals.json", written)
    if written.read_text("utf-8") == cases:
        raise Broken("wrong", "`rubric generate` writes nothing here")
    _kill(soak, project, choice, "generate", "--judge", "replay:proposals.json", path)
    if path.read_text("utf-8") not in {cases, written.read_text("utf-8")}:
        raise Broken("lost", f"after a kill of `rubric generate` the file is {path.read_text('utf-8')[:200]!r}")


def kill_grade(soak: Soak, choice: random.Random) -> None:
    """Kill `rubric grade`: the store is sound, and going on asks only for what has no judgement yet."""
    with ModelServer(lambda _asked: met()) as server:
        project = Project(soak.new_folder())
        project.write("all.eval.yaml", numbered_cases(KILLED_CASES))
        project.write("all.answers.json", numbered_answers(KILLED_CASES))
        project.judged_by(server.base_url)
        _kill(soak, project, choice, "grade", "--concurrency", "2")
        kept = _judgements(project)
        before = len(server.asked)
        ran = project.grade("--resume", "--format", "jsonl")
        if kept < before - 2 or len(server.asked) - before > KILLED_CASES - kept:
            raise Broken("lost", f"{before} were judged, {kept} kept, {len(server.asked) - before} asked again")
        if ran.status or len(ran.results) != KILLED_CASES:
            raise Broken("lost", f"going on ended with {ran.status}: {ran.stderr}")


def _judgements(project: Project) -> int:
    database = project.folder / ".rubric" / "rubric.db"
    if not database.exists():
        return 0
    with closing(sqlite3.connect(database)) as store:
        if store.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise Broken("lost", "the store is not sound")
        tables = {name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return int(store.execute("SELECT count(*) FROM judgements").fetchone()[0]) if "judgements" in tables else 0


def _kill(soak: Soak, project: Project, choice: random.Random, *arguments: str | Path) -> None:
    process = project.start(*arguments)
    time.sleep(choice.uniform(0.05, 1.2))
    process.kill()
    ended(process)
    soak.figures["kills"] += 1


# Hostile judges

VALID = met()
UNFIT = (
    "",
    "{",
    "I cannot judge this.",
    met("another"),
    '{"checks": []}',
    '{"checks": [{"id": "rubric-1"}]}',
    '{"checks": [{"id": "rubric-1", "satisfied": "maybe"}]}',
    '{"checks": [{"id": "rubric-1", "score": 11}]}',
    "[" * 5_000,
    VALID[:-3],
)


def _reply(kind: str, text: str) -> dict[str, Any]:
    if kind == "anthropic":
        content = [{"type": "text", "text": text}]
        return {"type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": "end_turn"}
    if kind == "gemini":
        return {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]}
    return chat_reply(text)


def ask_hostile_judge(soak: Soak, choice: random.Random) -> None:
    """Grade with a judge that mostly answers nonsense: nothing that it did not validly say becomes a score."""
    kind = choice.choice(sorted(ADDRESS_PATH))
    answered: set[str] = set()

    def respond(asked: Asked) -> Step:
        soak.figures["replies"] += 1
        way = choice.random()
        if way < SAID_VALIDLY:
            answered.add(case_in(asked.request.body.decode()))
            return answer(_reply(kind, VALID))
        if way < SAID_BADLY:
            return answer(_reply(kind, choice.choice(UNFIT)))
        body = json.dumps(_reply(kind, VALID)).encode()
        return choice.choice(
            (
                raw(body),
                raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n" + body),
                raw(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n" + body),
                raw(b""),
                answer({"error": {"message": "no"}}, status=choice.choice((400, 401, 404, 429, 500, 503))),
                answer([]),
                answer({}),
            )
        )

    with ModelServer(respond) as server:
        project = Project(soak.new_folder())
        project.write("all.eval.yaml", numbered_cases(4))
        project.write("all.answers.json", numbered_answers(4))
        address = server.base_url.removesuffix("/v1") + ADDRESS_PATH[kind]
        project.judged_by(address, provider=kind, api_key="k", timeout=20, max_retries=1)
        ran = project.grade("--format", "jsonl")
        if not ran.output and b"Traceback" in ran.errors:
            raise Broken("crashes", ran.stderr)
        for case, result in ran.results.items():
            if result.get("score") is not None and not result.get("error") and case not in answered:
                raise Broken("wrong", f"{kind}: {case} got {result['score']} and no valid reply")


# Hostile files


def check_hostile_file(soak: Soak, choice: random.Random) -> None:
    """Check a text that was edited at random, step by step and at once: both agree, and nothing is raised."""
    typist = Typist(str(choice.random()), "utf-8")
    analysis = analyse(CASES, path="a.eval.yaml")
    text = CASES
    try:
        for _ in range(15):
            typist.next_changes()
            start = next((at for at, (a, b) in enumerate(zip(text, typist.text, strict=False)) if a != b), 0)
            analysis.edit([Edit(start, len(text), typist.text[start:])])
            text = typist.text
            analysis.refresh()
        whole = check_text(text, path="a.eval.yaml").problems
    except Exception as error:
        raise Broken("crashes", f"{error!r} on {text!r}") from error
    soak.figures["files"] += 1
    if [(each.code, each.span, each.message) for each in analysis.problems()] != [
        (each.code, each.span, each.message) for each in whole
    ]:
        raise Broken("wrong", f"an edited text has other problems than a fresh one: {text!r}")


PARTS: dict[str, Callable[[Soak, random.Random], None]] = {
    "edit": edit,
    "fix": kill_fix,
    "generate": kill_generate,
    "grade": kill_grade,
    "judge": ask_hostile_judge,
    "file": check_hostile_file,
}


def run(minutes: float, seed: int) -> Soak:
    """Do rounds of everything until the time is over."""
    end = time.monotonic() + minutes * 60
    with ExitStack() as stack:
        soak = Soak(Path(stack.enter_context(tempfile.TemporaryDirectory())), seed)
        for encoding, pull in (("utf-16", False), ("utf-8", True)):
            client = stack.enter_context(closing(RawClient.start(COMMAND, ENVIRONMENT)))
            provided = initialized(client, soak.workspace, encoding, pull=pull)
            soak.servers.append(EditedServer(client, provided, pull, []))
        rounds = ((number, name) for number in itertools.count(1) for name in PARTS)
        while time.monotonic() < end:
            number, name = next(rounds)
            try:
                PARTS[name](soak, random.Random(f"{seed}-{number}-{name}"))  # noqa: S311 - repeatable, not safe.
            except Broken as broken:
                soak.figures[broken.kind] += 1
                soak.failures.append(f"{broken.kind}, seed {seed}, round {number}, {name}: {broken}")
    return soak


def main() -> None:
    """Run for some minutes, print the figures, and tell by the status whether all was well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("MINUTES", "10")))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    soak = run(options.minutes, options.seed)
    print("\n".join([*soak.failures, soak.line()]))
    sys.exit(1 if soak.failures or (soak.growth or 1.0) > MOST_GROWTH else 0)


if __name__ == "__main__":
    main()
