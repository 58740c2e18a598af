"""Results as one HTML page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_strategies import case_results
from sample_results import (
    ALL,
    BORDERLINE,
    CODE_JUDGED,
    ERROR,
    GATE_FAILED,
    HISTORY,
    PASSED,
    SCORECARD_ALONE,
    SCORECARD_IN_ERROR,
    scorecard_of,
)

from rubric_core.grading.results import CaseKey, PastScore, ResultHistory
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.html import STYLE
from rubric_core.report.results.page.markup import Html, content_of

if TYPE_CHECKING:
    from rubric_core.grading.results import CaseResult

VOID = {"meta", "input"}
OURS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "h1", "h2", "h3", "h4", "h5"),
    *("p", "b", "bdi", "span", "div", "ul", "li", "dl", "dt", "dd", "figure", "figcaption", "fieldset", "legend"),
    *("label", "input", "details", "summary", "pre"),
    *("svg", "rect", "line", "text", "path", "polyline", "circle"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "dir", "role", "type", "checked", "open"),
    *("aria-hidden", "aria-labelledby", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "d", "points"),
    *("width", "height", "overflow", "viewbox"),
}


class Page(HTMLParser):
    """A page as a browser takes it apart; an element that is closed wrongly is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.text: list[str] = []
        self.named: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.charts_with_title = 0
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag == "title" and self._open[-1:] == ["svg"]:
            self.charts_with_title += 1
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that what is closed was open."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep text with the element that it is in."""
        if self._open and self._open[-1] != "style":
            self.text.append(data)
            self.named.append((self._open[-1], data))

    def handle_comment(self, data: str) -> None:
        """Keep a comment."""
        self.comments.append(data)

    @property
    def words(self) -> str:
        """Return all text."""
        return "".join(self.text)


def page(*results: CaseResult, **options: object) -> Page:
    """Return the page of results."""
    return Page(RESULT_FORMATS["html"].render(results, **options))  # type: ignore[arg-type]


def test_only_the_style_sheet_may_act() -> None:
    """The policy of the page names the hash of the style sheet and allows nothing else: no script, no address."""
    html = RESULT_FORMATS["html"].render(ALL, history=ResultHistory(HISTORY))
    fingerprint = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{fingerprint}'; base-uri 'none'; form-action 'none'"
    assert policy in html.replace("&#x27;", "'")
    assert html.count("<style>") == 1
    assert f"<style>{STYLE}</style>" in html
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_the_page_needs_nothing_but_itself() -> None:
    """No script, no link, no picture, no frame, no attribute that acts or loads."""
    shown = page(*ALL, history=ResultHistory(HISTORY))
    assert set(shown.elements) <= OURS
    assert shown.attributes <= ATTRIBUTES


@given(st.lists(case_results(), max_size=3))
def test_no_result_brings_an_element_of_its_own(results: list[CaseResult]) -> None:
    """Whatever answers, judges and files of results hold: the same elements, properly nested, and no comment."""
    shown = page(*results)
    assert set(shown.elements) <= OURS
    assert shown.attributes <= ATTRIBUTES
    assert not shown.comments


def test_markup_in_a_criterion_shows_as_text() -> None:
    """An `<img src=x onerror=...>` is read, not run."""
    hostile = "<img src=x onerror=alert(1)>"
    first, *others = PASSED.evaluators[0].criteria
    evaluator = replace(PASSED.evaluators[0], criteria=(replace(first, id=hostile, outcome=hostile), *others))
    shown = page(replace(PASSED, evaluators=(evaluator,)))
    assert ("p", hostile) in shown.named
    assert ("bdi", hostile) in shown.named


def test_characters_that_hide_text_become_visible_and_scripts_stay() -> None:
    """A reader must not be fooled; a language that needs joiners must not be hurt."""
    shown = page(replace(PASSED, candidate_answer="a\x1b[31m \u202e \ud800 | \u0646\u200c\u0647 | 👩\u200d💻"))
    assert ("pre", "a␛[31m <U+202E> <U+D800> | \u0646\u200c\u0647 | 👩\u200d💻") in shown.named


def test_the_head_counts_the_verdicts() -> None:
    """Counts, mean, calls and tokens, and who judged."""
    shown = page(*ALL)
    assert "2 of 6 cases passed" in shown.words
    assert "0.6647… (349/525)" in shown.words
    assert (
        "evals/support.eval.yaml, evals/code.eval.yaml · judge strict (openai, gpt-4o-mini) · 2025-11-16" in shown.words
    )


def test_scorecards_alone_have_no_verdicts_to_count() -> None:
    """Nothing passed, and nothing failed."""
    assert "0 verdicts" in page(SCORECARD_ALONE).words


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (PASSED, ["pass", "port", "names-port", "met", "weight 2 (66.7 %)", "gate passed", "earned 66.7 % of 66.7 %"]),
        (GATE_FAILED, ["fail", "gate failed: names-port", "It says 3306, which is the port of MySQL.", "It is 3306."]),
        (
            BORDERLINE,
            [
                "7 of 10",
                "gate passed, needs 7",
                "2 of 3 samples agree",
                "0-2: Contains critical bugs or errors",
                "The gate needs at least 7.",
                "prompt 9f2c41d7a0b3",
                "not run",
                "Evaluators of type `latency` are not run.",
            ],
        ),
        (ERROR, ["error", "rubric: The judge gave no valid judgement in 3 attempts: `names-port` is missing."]),
        (
            SCORECARD_ALONE,
            [
                "C+",
                "6.80",
                "Adequate",
                "invented-flag",
                "-0.50",
                "The answer shows invented-flag.",
                "cites-manual",
                "+0.25",
                "review",
                "safety: 3 of 10; mean 9.00, standard deviation 0.00 before",
                "Sound advice with one gap.",
            ],
        ),
        (SCORECARD_IN_ERROR, ["scorecard in error", "The judge left out the dimension `safety`."]),
        (CODE_JUDGED, ["It is Python.", "It does not compile.", "SyntaxError on line 1."]),
        (replace(PASSED, partial=True), ["partial", "Some criteria were left out on request"]),
        (
            replace(PASSED, target="gpt", conversation_id="talk", usage=replace(PASSED.usage, remembered=2)),
            ["target gpt", "conversation talk", "2 cached", "1 and 2 cached"],
        ),
    ],
)
def test_a_case_shows_all_that_was_judged(result: CaseResult, words: list[str]) -> None:
    """Verdict, score, criteria with bands and gates, agreement, judge, scorecard, flags, errors."""
    shown = page(result).words
    assert [word for word in words if word not in shown] == []


def test_a_limit_of_a_scorecard_is_drawn() -> None:
    """Three flags of more than two points together."""
    card = scorecard_of((8,) * 7, ["invented-flag", "data-loss", "rude"])
    assert "all red flags together take 2.00 at most" in page(replace(SCORECARD_ALONE, scorecard=card)).words


def test_a_criterion_whose_weight_counts_nothing_has_no_bar() -> None:
    """There is no share of nothing."""
    weightless = tuple(replace(each, weight=Decimal(0)) for each in PASSED.criteria)
    shown = page(replace(PASSED, evaluators=(replace(PASSED.evaluators[0], criteria=weightless),)))
    assert "earned" not in shown.words


def _open_cases(html: str) -> list[str]:
    return re.findall(r'<details class="case card [^"]*" id="(case-\d+)" open="">', html)


def test_what_did_not_pass_is_unfolded() -> None:
    """With many of those, the list comes first, and nothing is unfolded."""
    assert _open_cases(RESULT_FORMATS["html"].render([PASSED, GATE_FAILED, PASSED])) == ["case-2"]
    assert _open_cases(RESULT_FORMATS["html"].render([PASSED])) == ["case-1"]
    assert _open_cases(RESULT_FORMATS["html"].render([GATE_FAILED] * 9)) == []


def test_a_short_answer_is_unfolded_and_a_long_one_is_not() -> None:
    """Nobody scrolls through an answer to get to the verdict."""
    assert '<details class="answer" open="">' in RESULT_FORMATS["html"].render([PASSED])
    assert '<details class="answer">' in RESULT_FORMATS["html"].render([replace(PASSED, candidate_answer="x" * 601)])
    assert '<details class="answer"' not in RESULT_FORMATS["html"].render([replace(PASSED, candidate_answer="")])


def test_cases_can_be_chosen_by_their_state() -> None:
    """Without a script; one kind alone leaves no choice."""
    assert page(*ALL).ids.count("show-all") == 1
    assert {"show-pass", "show-fail", "show-no-verdict"} <= set(page(*ALL).ids)
    assert "show-all" not in page(PASSED, PASSED).ids
    assert all(f"#show-{state}:checked" in STYLE for state in ("pass", "borderline", "fail", "error", "no-verdict"))


def test_the_spread_of_scores_is_drawn_for_several() -> None:
    """Two scores have no spread."""
    assert "The spread of 5 scores" in page(*ALL).words
    assert "The spread" not in page(PASSED, GATE_FAILED).words


def test_a_skill_with_a_past_has_charts() -> None:
    """A panel for the final score and one for each dimension; the evaluations of this page are marked."""
    html = RESULT_FORMATS["html"].render([SCORECARD_ALONE], history=ResultHistory(HISTORY))
    assert "correctness: 8, 7, 8, 8" in Page(html).words
    assert html.count('class="chart panel"') == 8
    *earlier, last = HISTORY["database-advice"]
    marked = {"database-advice": [*earlier, replace(last, id="evaluation-5")]}
    assert (
        RESULT_FORMATS["html"].render([SCORECARD_ALONE], history=ResultHistory(marked)).count('class="dot shown"') == 8
    )


def test_a_case_with_a_past_has_a_chart() -> None:
    """Its scores from 0 to 1, the oldest first; the one of this page is marked. One grading is no past."""
    now = replace(PASSED, timestamp="2026-11-16T09:25:00+00:00")
    scores = [PastScore("2026-11-15T09:25:00+00:00", Fraction(1, 3)), PastScore(now.timestamp, Fraction(1))]
    key = CaseKey(now.file, now.eval_id)
    html = RESULT_FORMATS["html"].render([now], history=ResultHistory(cases={key: scores}))
    assert "score: 0.3333…, 1" in Page(html).words
    assert "2026-11-15 09:25: 0.3333…" in Page(html).words
    assert html.count('class="dot shown"') == 1
    assert "The score of the last 2 gradings" in Page(html).words
    for past in ({}, {key: scores[1:]}, {CaseKey("other.yaml", now.eval_id): scores}):
        assert "gradings" not in page(now, history=ResultHistory(cases=past)).words


@pytest.mark.parametrize("history", [{}, {"database-advice": HISTORY["database-advice"][:1]}])
def test_a_skill_without_a_past_has_none(history: dict[str, object]) -> None:
    """One evaluation is a point, not a line."""
    assert "History of skills" not in page(SCORECARD_ALONE, history=ResultHistory(history)).words


def test_a_dimension_that_is_not_in_the_past_has_an_empty_panel() -> None:
    """What another version kept must not break the page."""
    bare = {"database-advice": tuple(replace(each, dimensions={}) for each in HISTORY["database-advice"])}
    assert "correctness-" in page(SCORECARD_ALONE, history=ResultHistory(bare)).words


def test_every_chart_has_a_name_that_can_be_read_aloud() -> None:
    """A picture without words says nothing to some readers. Pins inside of a chart are part of it."""
    html = RESULT_FORMATS["html"].render(ALL, history=ResultHistory(HISTORY))
    assert (
        html.count("<svg class=") == html.count('role="img"') == len(re.findall(r'role="img"[^>]*><title>[^<]', html))
    )


def test_headings_go_down_one_level_at_a_time() -> None:
    """A reader that jumps from heading to heading misses nothing, and each id is there once."""
    html = RESULT_FORMATS["html"].render(ALL, history=ResultHistory(HISTORY))
    levels = [int(level) for level in re.findall(r"<h([1-6])", html)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = Page(html).ids
    assert len(ids) == len(set(ids))


def test_nothing_graded_is_a_page_too() -> None:
    """It says so."""
    assert "0 verdicts" in page().words


def test_many_files_and_days_are_reported_in_short() -> None:
    """Three names and a number, the first and the last day."""
    results = [
        replace(PASSED, file=f"{number}.yaml", timestamp=f"2025-11-{number:02}T00:00:00Z") for number in range(1, 6)
    ]
    assert "1.yaml, 2.yaml, 3.yaml and 2 more" in page(*results).words
    assert "2025-11-01 to 2025-11-05" in page(*results).words


def test_text_is_escaped_unless_it_is_html() -> None:
    """A plain string is text, wherever it is."""
    assert content_of("<b>") == "&lt;b&gt;"
    assert content_of('"&') == "&quot;&amp;"
    assert content_of(Html("<br>")) == "<br>"
    assert content_of(None) == ""


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        *[("ink", paper) for paper in ("page", "card", "none-soft", "error-soft", "borderline-soft", "accent-soft")],
        *[("soft", paper) for paper in ("page", "card", "accent-soft")],
        *[
            (tone, paper)
            for tone in ("pass", "borderline", "fail", "error", "none")
            for paper in ("card", f"{tone}-soft")
        ],
        *[("on-fill", tone) for tone in ("pass", "borderline", "fail", "error", "accent")],
        ("page", "ink"),
    ],
)
def test_text_can_be_read_on_its_ground(palette: dict[str, str], ink: str, paper: str) -> None:
    """Every pair of colours that text uses has the contrast that guidelines ask for, light and dark."""
    assert _contrast(palette[ink], palette[paper]) >= 4.5
