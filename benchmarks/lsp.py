"""Times our language server beside yaml-language-server, which is given our JSON Schema, on the same files.

Usage: python benchmarks/lsp.py [--cases 10,100] [--quick] [--markdown]
       [--install | --yaml-language-server PATH | --before CHECKOUT]

Both servers run in turn, one measurement waits for the other. The 200 ms that the peer waits on purpose before it looks
at a change are taken off its times. Where the peer is not there only ours is measured, and the reason is printed.
With `--before`, the peer is our own server in another checkout, such as one of the commit before.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from lsp_servers import Server, bare_pygls, find_peer, ours, server_of, write_schema
from lsp_session import PULL, Session, start_seconds
from measure import Noise, milliseconds, p95, print_machine, print_table
from suites import SIZES, make_suite

from rubric_core.analysis.check import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROUNDS = 10
_LEAST = 2
# A file of so many cases takes longer to read than a person takes to ask for something.
_LARGE = 1_000


class Effort(NamedTuple):
    """How often things are measured."""

    starts: int
    opens: int
    edits: int
    # The peer is given so many seconds for each row and size, and two measurements at least.
    peer_seconds: float


FULL = Effort(starts=10, opens=5, edits=200, peer_seconds=30.0)
QUICK = Effort(starts=3, opens=2, edits=40, peer_seconds=3.0)


class Edit(NamedTuple):
    """A kind of work in an open file."""

    label: str
    work: Callable[[Session, int], float]
    # The server can do it only if it says so under this name.
    capability: str = "textDocumentSync"


EDITS = (
    Edit("a letter: all diagnostics", Session.type_letter),
    Edit("a new line: all diagnostics", Session.insert_line),
    Edit("completion right after an edit", Session.complete, "completionProvider"),
    Edit("hover right after an edit", Session.hover, "hoverProvider"),
)
OPENING = ("open: first diagnostics", "open: all diagnostics", "memory after opening")
WHILE_OPENING = (
    "while a file is read: diagnostics after a letter",
    "while a file is read: hover",
    "while a file is read: a request is cancelled",
)
PULLED = Edit("a letter: all diagnostics, asked for", Session.type_letter_pulled, "diagnosticProvider")


class Row(NamedTuple):
    """What was measured of one kind of work: seconds, or megabytes where the label says so."""

    label: str
    cases: int | None
    ours: list[float]
    theirs: list[float]
    in_megabytes: bool = False

    def cells(self) -> list[str]:
        """Return the row as it stands in the table."""
        ratio = f"{median(self.theirs) / median(self.ours):,.1f}x" if self.ours and self.theirs else "-"
        cases = "" if self.cases is None else f"{self.cases:,}"
        spread = self._value(p95(self.ours)) if self.ours else "-"
        return [self.label, cases, self._median(self.ours), spread, self._median(self.theirs), ratio, self._counts()]

    def _median(self, values: list[float]) -> str:
        return self._value(median(values)) if values else "-"

    def _value(self, value: float) -> str:
        return f"{value:,.0f} MB" if self.in_megabytes else milliseconds(value)

    def _counts(self) -> str:
        return f"{len(self.ours)} / {len(self.theirs)}"


class Bench:
    """The servers, and where their files are."""

    def __init__(self, folder: Path, peer: Server | None, effort: Effort) -> None:
        self.folder = folder
        self.ours = ours()
        self.peer = peer
        self.effort = effort
        self.notes: list[str] = []

    # Starting

    def start_rows(self) -> list[Row]:
        """Measure from the start of a process to its answer to `initialize`."""
        bare = bare_pygls(self.folder)
        servers = [server for server in (self.ours, self.peer, bare) if server is not None]
        seconds: dict[str, list[float]] = {server.name: [] for server in servers}
        # The first start writes byte code and fills the disk's cache.
        for turn in range(self.effort.starts + 1):
            for server in servers:
                seconds[server.name] += [start_seconds(server, self.folder)][: turn and None]
        theirs = seconds[self.peer.name] if self.peer else []
        rows = [Row("process start to initialized", None, seconds[self.ours.name], theirs)]
        if bare is not None:
            rows.append(Row("the same, a bare pygls server", None, seconds[bare.name], theirs))
        return rows

    # One size

    def size_rows(self, cases: int) -> list[Row]:
        """Measure everything in a file of a size."""
        path = self.folder / f"suite-{cases}.eval.yaml"
        text = make_suite(cases, cases // 10)
        path.write_text(text, encoding="utf-8")
        expected = len(check_text(text, path=str(path)).problems)
        rows, session, other = self._open_rows(path, cases, expected)
        rows += [self._edit_row(edit, cases, session, other) for edit in EDITS]
        for done in (session, other):
            if done is not None:
                self._note_refusals(done, cases)
                done.close()
        return [*rows, self._pulled_row(path, cases), *self._busy_rows(path, cases)]

    def _open_rows(self, path: Path, cases: int, expected: int) -> tuple[list[Row], Session, Session | None]:
        """Measure opening, each time in a new process, and keep the last processes."""
        rows = [Row(label, cases, [], [], in_megabytes=label.startswith("memory")) for label in OPENING]
        kept: dict[bool, Session] = {}
        spent = 0.0
        for _ in range(self.effort.opens):
            for server in (self.ours, self.peer):
                is_peer = server is self.peer
                if server is None or (is_peer and spent > self.effort.peer_seconds and len(rows[0].theirs) >= _LEAST):
                    continue
                if is_peer in kept:
                    kept[is_peer].close()
                session = kept[is_peer] = Session(server, path)
                opening = session.open(None if is_peer and server.delay else expected)
                spent += opening.complete if is_peer else 0.0
                values = (opening.first, opening.complete, session.megabytes())
                for row, value in zip(rows, values, strict=True):
                    (row.theirs if is_peer else row.ours).append(value)
        if self.peer is not None:
            self.notes.append(f"{cases:,} cases: {expected} problems found by us, {kept[True].problems} by the peer.")
        return rows, kept[False], kept.get(True)

    def _edit_row(self, edit: Edit, cases: int, session: Session, other: Session | None) -> Row:
        """Measure a kind of edit, some of ours and then one or two of theirs, until both have had enough."""
        row = Row(edit.label, cases, [], [])
        for turn in range(self.effort.edits):
            if edit.capability in session.provides:
                row.ours.append(edit.work(session, turn))
            has_turn = turn % (self.effort.edits // _ROUNDS) == 0
            has_time = sum(row.theirs) < self.effort.peer_seconds or len(row.theirs) < _LEAST
            if other is not None and has_turn and has_time:
                row.theirs.append(edit.work(other, turn))
        return row

    def _note_refusals(self, session: Session, cases: int) -> None:
        """Tell of answers that were an error or empty; the time in the table is the time until them."""
        for said, times in session.refusals.items():
            self.notes.append(f"{cases:,} cases: {session.server.name} failed {times} times: {said}.")

    def _pulled_row(self, path: Path, cases: int) -> Row:
        """Measure a keystroke of a client that asks for diagnostics; the peer cannot be asked."""
        with closing(Session(self.ours, path, PULL)) as session:
            if PULLED.capability not in session.provides:
                return Row(PULLED.label, cases, [], [])
            session.open_pulled()
            return Row(PULLED.label, cases, [PULLED.work(session, turn) for turn in range(self.effort.edits)], [])

    def _busy_rows(self, path: Path, cases: int) -> list[Row]:
        """Measure what is answered while a large file is read; the peer reads it in one piece."""
        if cases < _LARGE:
            return []
        rows = [Row(label, cases, [], []) for label in WHILE_OPENING]
        servers = [self.ours, *([self.peer] if self.peer is not None and not self.peer.delay else [])]
        for _ in range(self.effort.opens):
            for server in servers:
                with closing(Session(server, path)) as session:
                    for row, seconds in zip(rows, session.use_while_opening(_ROUNDS), strict=True):
                        (row.ours if server is self.ours else row.theirs).extend(seconds)
        return rows


def print_plain(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their headings for a terminal."""
    widths = [max(len(cell) for cell in column) for column in zip(columns, *rows, strict=True)]
    print(f"\n{title}\n")
    for cells in (columns, *rows):
        first, *rest = zip(cells, widths, strict=True)
        print("  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]))


def main() -> None:
    """Measure and print."""
    arguments = _parser().parse_args()
    effort = QUICK if arguments.quick else FULL
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = _find_peer(arguments, folder)
        peer = found if isinstance(found, Server) else None
        print(f"Skipped: yaml-language-server, because {found}." if isinstance(found, str) else f"Peer: {found.name}.")
        noise = Noise()
        bench = Bench(folder, peer, effort)
        rows = bench.start_rows()
        for cases in arguments.cases:
            print(f"Measuring with {cases:,} cases.", file=sys.stderr)
            rows += bench.size_rows(cases)
            noise.sample()
    columns = ["work", "cases", "ours", "p95", "peer", "ratio", "measured"]
    title = (
        "Median in ms, the peer's without the 200 ms that it waits on purpose. Measured: how often, ours / the peer's."
    )
    show = print_table if arguments.markdown else print_plain
    show(title, columns, [row.cells() for row in rows])
    print("\n" + "\n".join([*bench.notes, str(noise)]))


def _find_peer(arguments: argparse.Namespace, folder: Path) -> Server | str:
    if arguments.before is not None:
        return server_of(arguments.before, folder)
    return find_peer(arguments.yaml_language_server, write_schema(folder), install=arguments.install)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Time our language server beside yaml-language-server.")
    parser.add_argument("--cases", type=_sizes, default=SIZES, help="sizes of files, as 10,100 (default: all four)")
    parser.add_argument("--quick", action="store_true", help="measure less often")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--install", action="store_true", help="install yaml-language-server with npm if need be")
    parser.add_argument("--yaml-language-server", type=Path, metavar="PATH", help="the script that starts the peer")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="compare with our own server in this checkout")
    return parser


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split(","))


if __name__ == "__main__":
    main()
