"""Compare what two versions of the project print, on the examples or on other eval files.

Usage: python scripts/same_outputs.py record RECORDING [PATHS...] [--every N] [--full]
       python scripts/same_outputs.py compare RECORDING [RECORDING] [--allowed FILE]

`record` copies the named files and folders (default: the examples) into the folder RECORDING, and writes `outputs.json`
there: for each file what `rubric check`, `migrate` and `grade` print, the results of grading every case with a judge
that replies by the schema of the question, and the prompts that this judge was sent. What the server answers is
recorded for each word of the files of the first path, with `--full` also for the keys of the others. Nothing asks a
model or opens a connection, and the commands of eval files are looked for only where a judgement is recorded beside
them.

`compare` records the same files once more with the present version, or reads a second recording, and shows what
differs. Each line of the file of `--allowed` is a pattern of `file: output` whose differences are intended. The version
that is recorded is the one that Python imports: set PYTHONPATH to record another checkout.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import hashlib
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_core import CannotLoad, grade, load_all
from rubric_core.cli.main import run
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.result_json import json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path(__file__).parents[1] / "examples"
RECORDED = "judgements.json"
COMMANDS = (("rules",), ("rules", "--format", "json"), ("schema",), ("--help",))
_SUFFIXES = {".yaml", ".yml", ".json", ".jsonl", ".csv"}
_ANSWER = '{"answer": "Paris is the capital of France, 42.", "total": 3}'
_SHOWN_OUTPUTS = 5
_SHOWN_LINES = 12
_SHOWN_COLUMNS = 300
_WORD = re.compile(r"[\w./$-]+")
# A folder that was made for one recording, and what a run writes of itself.
_BOUNDARY = re.compile(r"\b[0-9a-f]{32}\b")
_CHANGING = re.compile(
    r"(?P<name>\"(?:run_id|started_at|finished_at|timestamp|duration_ms|duration|seconds)\": )(?:\"[^\"]*\"|[\d.]+)"
)


class SchemaJudge:
    """A judge whose reply follows from the schema and the prompt alone; it keeps the prompts."""

    identity = JudgeIdentity("by-schema", "script")
    memory_key = None
    can_repair = False
    is_recorded = False

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def judge(self, question: Any, earlier: tuple[Any, ...] = ()) -> Completion:  # noqa: ARG002 - nothing is repaired.
        """Return the reply to a question."""
        prompt = question.prompt
        self.prompts.append("\n".join((prompt.hash, prompt.system, prompt.user, json.dumps(question.schema, indent=1))))
        return Completion(json.dumps(reply(question.schema, prompt.hash)))

    async def close(self) -> None:
        """Do nothing."""


def reply(schema: Any, seed: str) -> Any:
    """Return a value that a schema allows, with choices that follow from the seed."""
    number = int(hashlib.sha256(seed.encode()).hexdigest()[:8], 16)
    if "anyOf" in schema:
        return [reply(option, f"{seed}/{place}") for place, option in enumerate(schema["anyOf"])]
    if schema["type"] == "object":
        return {name: reply(value, f"{seed}/{name}") for name, value in schema["properties"].items()}
    if schema["type"] == "array":
        return _elements(schema["items"], seed)
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    return {"string": "As it should be.", "boolean": number % 3 > 0, "number": number % 11 / 10}[schema["type"]]


def _elements(schema: Any, seed: str) -> list[Any]:
    """Return one element for each id that the schema of a list names, or a single one."""
    options = schema.get("anyOf", [schema])
    named = ((option, name) for option in options for name in _ids(option))
    return [reply(option, f"{seed}/{name}") | {"id": name} for option, name in named] or [reply(options[0], seed)]


def _ids(schema: Any) -> list[str]:
    return schema.get("properties", {}).get("id", {}).get("enum", []) if schema["type"] == "object" else []


def printed(*arguments: str) -> str:
    """Return the status, the standard output and the standard error of a command."""
    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(output), redirect_stderr(errors):
        status = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    texts = [stream.buffer.getvalue().decode() for stream in (output, errors)]
    return f"status {status}\n{texts[0]}\n--- standard error\n{texts[1]}"


def checked(path: Path) -> str:
    """Return what `rubric check` prints of a file, and its dialect."""
    detected = printed("check", "--explain-dialect", str(path))
    return f"{detected}\n{printed('check', '--format', 'json', '--jobs', '1', str(path))}"


def migrated(path: Path) -> str:
    """Return what becomes of a file in every dialect."""
    return "\n".join(
        f"=== {dialect}\n{printed('migrate', '--to', dialect, '--diff', '--unsafe', str(path))}"
        for dialect in _dialects()
    )


def _dialects() -> list[str]:
    choices = re.search(r"--to \[(.+?)\]", printed("migrate", "--help"))
    return choices[1].split("|") if choices else []


def planned(path: Path) -> str:
    """Return the plan of a grading."""
    return printed("grade", "--dry-run", "--format", "json", str(path))


def graded(path: Path) -> str:
    """Return what `rubric grade` prints of a file beside which there is a recorded judgement."""
    recorded = path.with_name(RECORDED)
    if not recorded.exists():
        return ""
    text = printed("grade", "--format", "json", "--no-cache", "--judge", f"replay:{recorded}", str(path))
    shutil.rmtree(".rubric", ignore_errors=True)
    return text


def judged(path: Path) -> str:
    """Return the result of each case with an answer that is always the same, and the prompts of its judge."""
    try:
        suites = load_all(path)
    except CannotLoad as error:
        return str(error)
    cases = [case for suite in suites for case in suite.cases]
    return "\n".join([f"{len(suites)} suites", *(asyncio.run(_judged_case(case)) for case in cases)])


async def _judged_case(case: Any) -> str:
    judge = SchemaJudge()
    result = await grade(case, _ANSWER, judge)
    return "\n".join([json_line(result), *sorted(judge.prompts)])


class Server:
    """A language server in a process of its own."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "rubric_server.main"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own.
        self._count = 0
        formats = {"contentFormat": ["markdown"]}
        abilities = {
            "hover": formats,
            "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}},
            },
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "rename": {"prepareSupport": True},
        }
        capabilities = {"textDocument": abilities, "workspace": {"applyEdit": True}}
        self.answers([("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})])
        self._send({"method": "initialized", "params": {}})

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": item}})

    def answers(self, requests: list[tuple[str, Any]]) -> list[Any]:
        """Return the answers to some requests."""
        numbers = []
        for method, params in requests:
            self._count += 1
            numbers.append(self._count)
            self._send({"id": self._count, "method": method, "params": params})
        replies: dict[int, Any] = {}
        while len(replies) < len(numbers):
            message = self._receive()
            if "method" not in message:
                replies[message["id"]] = message.get("result", message.get("error"))
            elif "id" in message:
                self._send({"id": message["id"], "result": None})
        return [replies[number] for number in numbers]

    def close(self) -> None:
        """End the server."""
        self.answers([("shutdown", None)])
        self._send({"method": "exit", "params": None})
        self._process.communicate()

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was asked for.
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout is not None  # noqa: S101 - the same.
        length = 0
        while (line := self._process.stdout.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        return json.loads(self._process.stdout.read(length))


def assisted(server: Server, path: Path, *, is_short: bool) -> dict[str, str]:
    """Return what the server answers about a file, by the name of the request; shortly, at each key that is new."""
    text = path.read_text("utf-8", errors="replace")
    uri = path.absolute().as_uri()
    server.open(uri, text)
    document = {"textDocument": {"uri": uri}}
    lines = text.splitlines()
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    requests: list[tuple[str, Any]] = [
        ("documentSymbol", document),
        ("foldingRange", document),
        ("documentLink", document),
        ("codeLens", document),
        ("inlayHint", {**document, "range": everything}),
        ("codeAction", {**document, "range": everything, "context": {"diagnostics": []}}),
    ]
    seen: set[str] = set()
    for number, line in enumerate(lines):
        for word in _WORD.finditer(line):
            if is_short and (word[0] in seen or line[word.end() : word.end() + 1] != ":"):
                continue
            seen.add(word[0])
            start, end = ({"line": number, "character": column} for column in word.span())
            requests.append(("hover", {**document, "position": start}))
            requests.append(("completion", {**document, "position": end}))
        if is_short:
            continue
        inside = {"line": number, "character": len(line) - len(line.lstrip())}
        requests.append(("prepareRename", {**document, "position": inside}))
        here = {"start": inside, "end": inside}
        requests.append(("codeAction", {**document, "range": here, "context": {"diagnostics": []}}))
    answers: dict[str, list[str]] = {}
    for start in range(0, len(requests), 50):
        asked = requests[start : start + 50]
        replies = server.answers([(f"textDocument/{name}", params) for name, params in asked])
        for (name, params), value in zip(asked, replies, strict=True):
            place = json.dumps(params.get("position", params.get("range")))
            answers.setdefault(name, []).append(f"{place} {json.dumps(value, indent=1)}")
    return {name: "\n".join(values) for name, values in answers.items()}


PARTS: dict[str, Callable[[Path], str]] = {
    "check": checked,
    "migrate": migrated,
    "plan": planned,
    "grade": graded,
    "judge": judged,
}
"""What is recorded of each file."""


def main() -> int:
    """Record or compare; return 1 if something differs."""
    parser = argparse.ArgumentParser(description="Compare what two versions of the project print.")
    actions = parser.add_subparsers(dest="action", required=True)
    recording = actions.add_parser("record", help="Record the outputs of the present version.")
    recording.add_argument("folder", type=Path)
    recording.add_argument("paths", type=Path, nargs="*")
    recording.add_argument(
        "--every", type=int, default=1, metavar="N", help="Of all folders but the first take every Nth file."
    )
    recording.add_argument("--full", action="store_true", help="Ask the server about the keys of the other files, too.")
    comparing = actions.add_parser("compare", help="Compare a recording with the present version or another one.")
    comparing.add_argument("folder", type=Path)
    comparing.add_argument("other", type=Path, nargs="?")
    comparing.add_argument("--allowed", type=Path, metavar="FILE", help="Patterns of `file: output` that may differ.")
    options = parser.parse_args()
    if options.action == "record":
        copy_inputs(options.folder / "inputs", options.paths, options.every)
        write_recording(options.folder, record(options.folder / "inputs", is_full=options.full), is_full=options.full)
        return 0
    before = read_recording(options.folder)
    if options.other is None:
        after = record(options.folder / "inputs", is_full=before["is_full"])
    else:
        after = read_recording(options.other)["outputs"]
    allowed = options.allowed.read_text("utf-8").splitlines() if options.allowed else []
    return show_differences(before["outputs"], after, [line for line in allowed if line and not line.startswith("#")])


def copy_inputs(inputs: Path, paths: list[Path], every: int) -> None:
    """Copy the files: of the first path all, of each other folder every so many."""
    shutil.rmtree(inputs, ignore_errors=True)
    for place, source in enumerate(paths or [EXAMPLES]):
        copy = inputs / f"{place}-{source.name}"
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            continue
        shutil.copytree(source, copy)
        kept = set(islice(_eval_files(copy), 0, None, every if place else 1))
        for path in set(_eval_files(copy)) - kept:
            path.rename(path.with_name(f"{path.name}.left-out"))


def _eval_files(folder: Path) -> Iterator[Path]:
    """Yield the files that may be eval files, in an order that does not change."""
    yield from (path for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES and path.is_file())


def record(inputs: Path, *, is_full: bool) -> dict[str, str]:
    """Return every output by `file: output`. The files are copied, so that they are nowhere inside of a project."""
    socket.socket.connect = _refuse_connection  # type: ignore[assignment,method-assign]
    with tempfile.TemporaryDirectory(prefix="same-outputs-") as name:
        folder = Path(name).resolve()
        shutil.copytree(inputs, folder, dirs_exist_ok=True)
        before = Path.cwd()
        os.chdir(folder)
        outputs = {f"rubric {' '.join(arguments)}: command": printed(*arguments) for arguments in COMMANDS}
        server = Server()
        for path in _eval_files(Path()):
            outputs |= _outputs_of(path, server, is_full=is_full)
        server.close()
        os.chdir(before)
        return {name: _normalised(text, folder) for name, text in outputs.items()}


def _outputs_of(path: Path, server: Server, *, is_full: bool) -> dict[str, str]:
    is_first = path.parts[0].startswith("0-")
    programs = os.environ["PATH"]
    # No command that a foreign file names is to be found.
    os.environ["PATH"] = programs if path.with_name(RECORDED).exists() else ""
    outputs = {f"{path}: {name}": part(path) for name, part in PARTS.items()}
    os.environ["PATH"] = programs
    if is_first or (is_full and path.suffix in {".yaml", ".yml", ".jsonl"}):
        answers = assisted(server, path, is_short=not is_first)
        outputs |= {f"{path}: {name}": text for name, text in answers.items()}
    return outputs


def _refuse_connection(*_arguments: object) -> None:
    raise ConnectionRefusedError("No connections while outputs are recorded.")


def _normalised(text: str, folder: Path) -> str:
    return _BOUNDARY.sub("BOUNDARY", _CHANGING.sub(r"\g<name>0", text.replace(str(folder), "FOLDER")))


def write_recording(folder: Path, outputs: dict[str, str], *, is_full: bool) -> None:
    """Write the outputs, and whether they are those of `--full`."""
    text = json.dumps({"is_full": is_full, "outputs": outputs}, indent=0)
    (folder / "outputs.json").write_text(text, "utf-8")
    print(f"{len(outputs)} outputs of {_count_files(outputs)} files recorded")


def read_recording(folder: Path) -> Any:
    """Return what was recorded in a folder."""
    return json.loads((folder / "outputs.json").read_text("utf-8"))


def _count_files(outputs: dict[str, str]) -> int:
    return len({name.rpartition(": ")[0] for name in outputs})


def show_differences(before: dict[str, str], after: dict[str, str], allowed: list[str]) -> int:
    """Print the first differences and a count; return 1 if there are any that are not allowed."""
    names = dict.fromkeys((*before, *after))
    different = [name for name in names if before.get(name) != after.get(name)]
    intended = [name for name in different if any(fnmatchcase(name, pattern) for pattern in allowed)]
    unintended = [name for name in different if name not in intended]
    for name in unintended[:_SHOWN_OUTPUTS]:
        print(f"=== {name}")
        sides = [side.get(name, "").splitlines() for side in (before, after)]
        lines = islice(difflib.unified_diff(*sides, "before", "after", n=1, lineterm=""), _SHOWN_LINES)
        print("\n".join(line[:_SHOWN_COLUMNS] for line in lines))
    if unintended:
        kinds = Counter(name.rpartition(": ")[2] for name in unintended)
        print(f"{len(unintended)} outputs differ: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    equal = len(names) - len(different)
    note = f"; {len(intended)} differ as intended" if intended else ""
    print(f"{equal} of {len(names)} outputs of {_count_files(names)} files equal{note}")
    return 1 if unintended else 0


if __name__ == "__main__":
    sys.exit(main())
