"""A process that fills a store, for the tests that kill it or run several: it reports each place once that is kept.

It waits for a line on standard input, so that several can start at the same moment.
"""

from __future__ import annotations

import sys
from pathlib import Path

from graded import MODEL, a_judgement, a_result, a_scorecard

from rubric_core.grading.store.store import Store


def main(folder: Path, name: str, count: int) -> None:
    """Keep `count` judgements, results and evaluations, and settle their history."""
    print("ready", flush=True)  # noqa: T201 - the report is what this is for.
    sys.stdin.readline()
    with Store.open(folder) as store:
        run = store.begin_run(name, MODEL, count)
        for place in range(count):
            store.put(a_judgement(place, id=f"{name}-{place}", key=f"{name}-{place}"))
            store.keep_result(run, place, a_result(place, dataset=name, scorecard=a_scorecard(f"{name}-{place}")))
            print(run, place, flush=True)  # noqa: T201 - the same.
        store.settle_history(run)
        store.end_run(run, finished=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
