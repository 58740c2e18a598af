"""Results as one HTML file: it needs no network and no script, and nothing that an answer holds can act in it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from rubric_core.grading.results import NO_HISTORY, CaseKey
from rubric_core.report.results.page.case import render_case
from rubric_core.report.results.page.history import render_histories
from rubric_core.report.results.page.markup import Markup, element, joined
from rubric_core.report.results.page.overview import render_filters, render_header, render_overview
from rubric_core.report.results.page.style import STYLE
from rubric_core.report.results.summary import NO_MINIMUMS, low_grade, scorecard_error, state_of, summarize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.grading.results import CaseResult, ResultHistory

TITLE = "Rubric report"
# With more cases to look into than these, a reader wants to see the list first.
_MOST_OPEN = 8


def render(
    results: Sequence[CaseResult],
    *,
    past: ResultHistory = NO_HISTORY,
    minimums: Mapping[str, str] = NO_MINIMUMS,
    title: str = TITLE,
) -> str:
    """Return the page. `past` is what the charts show besides, `minimums` the lowest grade allowed in a file."""
    lows = [low_grade(result, minimums) for result in results]
    wanting = [
        result
        for result, low in zip(results, lows, strict=True)
        if state_of(result) != "pass" or scorecard_error(result) or low
    ]
    opened = results if len(results) == 1 else wanting if len(wanting) <= _MOST_OPEN else []
    open_ids = {id(result) for result in opened}
    summary = summarize(results, minimums)
    pasts = [past.cases.get(CaseKey(result.file, result.eval_id), ()) for result in results]
    cases = [
        render_case(result, number, earlier, low, is_open=id(result) in open_ids)
        for number, (result, earlier, low) in enumerate(zip(results, pasts, lows, strict=True), 1)
    ]
    body = element(
        "body",
        render_header(results, title),
        element(
            "main",
            render_overview(results, summary),
            element(
                "section",
                element("h2", "Cases", id="cases"),
                render_filters(summary),
                element("div", *cases, class_="cases"),
                aria_labelledby="cases",
            ),
            render_histories(results, past.skills),
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(title), body, lang='en')}\n"


def _head(title: str) -> Markup:
    fingerprint = b64encode(sha256(STYLE.encode()).digest()).decode()
    # Only this style sheet may act: no script, no picture, no font, no address of a link, no form.
    policy = f"default-src 'none'; style-src 'sha256-{fingerprint}'; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        joined([Markup(f"<style>{STYLE}</style>")]),
    )
