"""Results as one HTML file: it needs no network and no script, and nothing that an answer holds can act in it."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files

from rubric_core.grading.results import NO_HISTORY, CaseKey, CaseResult, ResultHistory
from rubric_core.report.results import wording
from rubric_core.report.results.page.case import render_case
from rubric_core.report.results.page.charts import counts_bar, histogram
from rubric_core.report.results.page.history import render_histories
from rubric_core.report.results.page.markup import Html, bdi, element, joined, slug, state_badge
from rubric_core.text.writing import plural, some_of

TITLE = "Rubric report"
STYLE = f"\n{files('rubric_core.report.results.page').joinpath('style.css').read_text('utf-8')}"
# With more cases to look into than these, a reader wants to see the list first.
_MOST_OPEN = 8
_MOST_NAMES = 3
# With fewer scores, the spread is not shown.
_FEWEST_SPREAD = 3


def render(
    results: Sequence[CaseResult],
    *,
    history: ResultHistory = NO_HISTORY,
    minimums: Mapping[str, str] = wording.NO_MINIMUMS,
) -> str:
    """Return the page. `history` is what the charts show besides, `minimums` the lowest grade allowed in a file."""
    lows = [wording.low_grade(result, minimums) for result in results]
    wanting = [wording.needs_attention(result, minimums) for result in results]
    opens_wanting = sum(wanting) <= _MOST_OPEN
    summary = wording.summarize(results, minimums)
    cases = [
        render_case(
            result,
            number,
            history.cases.get(CaseKey(result.file, result.eval_id), ()),
            low,
            is_open=len(results) == 1 or (is_wanting and opens_wanting),
        )
        for number, (result, low, is_wanting) in enumerate(zip(results, lows, wanting, strict=True), 1)
    ]
    body = element(
        "body",
        _header(results),
        element(
            "main",
            _overview(results, summary),
            element(
                "section",
                element("h2", "Cases", id="cases"),
                _filters(summary),
                element("div", *cases, class_="cases"),
                aria_labelledby="cases",
            ),
            render_histories(results, history.skills),
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(), body, lang='en')}\n"


def _head() -> Html:
    fingerprint = b64encode(sha256(STYLE.encode()).digest()).decode()
    # Only this style sheet may act: no script, no picture, no font, no address of a link, no form.
    policy = f"default-src 'none'; style-src 'sha256-{fingerprint}'; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", TITLE),
        Html(f"<style>{STYLE}</style>"),
    )


def _header(results: Sequence[CaseResult]) -> Html:
    texts = [
        _named([result.file for result in results]),
        _named([wording.judge_words(result.judge) for result in results], "judge "),
        _named([result.target or "" for result in results], "target "),
        _period([result.timestamp for result in results]),
    ]
    separator = element("span", " · ", aria_hidden="true")
    separated = [part for words in texts if words for part in (bdi(words), separator)]
    return element("header", element("h1", TITLE), element("p", *separated[:-1], class_="soft"))


def _named(names: Sequence[str], word: str = "") -> str:
    """Return the different names, in their order; a few of many."""
    different = [name for name in dict.fromkeys(names) if name]
    return f"{word}{some_of(different, _MOST_NAMES)}" if different else ""


def _period(timestamps: Sequence[str]) -> str:
    days = sorted({timestamp[:10] for timestamp in timestamps if timestamp})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _overview(results: Sequence[CaseResult], summary: wording.Summary) -> Html:
    passed = summary.counts["pass"]
    with_verdict = summary.cases - summary.counts["no verdict"] - summary.counts["partial"]
    counted = [(state, number) for state, number in summary.counts.items() if number]
    legend = [element("li", state_badge(state), element("b", f"{number:,}")) for state, number in counted]
    tiles = [
        element("div", element("dt", name), element("dd", value), class_="tile") for name, value in _tiles(summary)
    ]
    scores = [
        (result.score, wording.state_of(result))
        for result in results
        if result.score is not None and not result.partial
    ]
    spread = None
    if len(scores) >= _FEWEST_SPREAD:
        spread = element("figure", element("figcaption", "Scores"), histogram(scores), class_="card spread-of-scores")
    words = f" of {plural(with_verdict, 'case')} passed" if with_verdict else " verdicts"
    return element(
        "section",
        element("h2", "Overview", id="overview", class_="unseen"),
        element(
            "div",
            element("p", element("b", f"{passed:,}"), words, class_="headline"),
            counts_bar(summary.counts),
            element("ul", *legend, class_="legend"),
            element("dl", *tiles, class_="tiles"),
            class_="card",
        ),
        spread,
        class_="overview",
        aria_labelledby="overview",
    )


def _tiles(summary: wording.Summary) -> Iterator[tuple[str, str]]:
    usage = summary.usage
    if summary.mean_score is not None:
        yield wording.mean_name(summary), wording.score_words(summary.mean_score)
    if summary.scorecard_errors:
        yield "scorecards in error", f"{summary.scorecard_errors:,}"
    if summary.low_grades:
        yield "scorecards below the minimum grade", f"{summary.low_grades:,}"
    if usage.calls or usage.remembered:
        yield "calls", f"{usage.calls:,}" + (f" and {usage.remembered:,} cached" if usage.remembered else "")
    if usage.input_tokens or usage.output_tokens:
        yield "tokens in", f"{usage.input_tokens:,}"
        yield "tokens out", f"{usage.output_tokens:,}"


def _filters(summary: wording.Summary) -> Html:
    counted = [(state, number) for state, number in summary.counts.items() if number]
    if len(counted) < 2:  # noqa: PLR2004 - one kind leaves no choice.
        return Html("")
    choices = [("all", "all", summary.cases), *((slug(state), state, number) for state, number in counted)]
    return element(
        "fieldset",
        element("legend", "Show", class_="unseen"),
        joined(
            element(
                "label",
                element("input", type="radio", name="show", id=f"show-{name}", checked="" if name == "all" else None),
                element("span", f"{word} {number:,}"),
            )
            for name, word, number in choices
        ),
        class_="filters",
    )
