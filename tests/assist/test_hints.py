"""Inlay hints: the text with its hints between angle marks, as an editor would show them."""

from __future__ import annotations

import pytest
from hovers import TEXTS
from hypothesis import given
from hypothesis import strategies as st
from shown_hints import hints_in, with_hints
from yaml_texts import edits, mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.hints import HintKind, hints
from rubric_core.text.spans import Edit, Span


def _case(criteria: str) -> str:
    return f"evalcases:\n  - id: a\n    rubrics:\n{criteria}"


BLOCK = _case("""\
      - Names the port
      - id: short
        weight: 0.5 # half
      - expected_outcome: Has neither id nor weight
      - id:
        score_ranges:
          0: Low
          "4": Middle
          9:
            High
          10: Perfect
      - |
        A long
        text
""")
SHOWN = _case("""\
      - «rubric-1» Names the port «22.2 %»
      - id: short
        weight: 0.5 «11.1 %» # half
      - «rubric-3» «22.2 %» expected_outcome: Has neither id nor weight
      - «22.2 %» id: «rubric-4»
        score_ranges:
          0: «0-3» Low
          "4": «4-8» Middle
          9:
            High
          10: Perfect
      - «rubric-5» «22.2 %» |
        A long
        text
""")


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("prefix", ["", "\ufeff", "description: x # 🎉\n"])
def test_hints_are_beside_what_they_belong_to(prefix: str, line_break: str) -> None:
    """Shares behind weights, ids and strings; ids where an id would be; extents behind the colon of their key."""
    text, shown = ((prefix + each).replace("\n", line_break) for each in (BLOCK, SHOWN))
    assert with_hints(text) == shown


FORMS = (
    (
        "evalcases: [{id: a, rubrics: [b, {weight: 3, id: c}, {score_ranges: {0: x, 5: y}}]}]",
        (
            "evalcases: [{id: a, rubrics: [«rubric-1» b «20 %», {weight: 3 «60 %», id: c}, "
            "«rubric-3» «20 %» {score_ranges: {0: «0-4» x, 5: «5-10» y}}]}]"
        ),
    ),
    # In the suite's own evaluators.
    (
        "execution: {evaluators: [{name: a, type: rubric, rubrics: [b]}]}\nevalcases: []",
        "execution: {evaluators: [{name: a, type: rubric, rubrics: [«rubric-1» b]}]}\nevalcases: []",
    ),
    # An alias for one criterion is a place like any other; one for the whole list is not.
    (
        "x: &x {weight: 3}\ny: &y [a]\nevalcases:\n  - id: a\n    rubrics: [*x, b]\n  - id: b\n    rubrics: *y\n",
        (
            "x: &x {weight: 3}\ny: &y [a]\nevalcases:\n  - id: a\n"
            "    rubrics: [«rubric-1» *x «75 %», «rubric-2» b «25 %»]\n  - id: b\n    rubrics: *y\n"
        ),
    ),
    # A whole case behind an alias has no place for anything.
    (
        "x: &x {id: a, rubrics: [b]}\nevalcases:\n  - *x\n  - {id: c, rubrics: [d]}\n",
        "x: &x {id: a, rubrics: [b]}\nevalcases:\n  - *x\n  - {id: c, rubrics: [«rubric-1» d]}\n",
    ),
    # A weight that was merged is written elsewhere.
    (
        "x: &x {weight: 3}\nevalcases:\n  - id: a\n    rubrics:\n      - <<: *x\n        id: c\n      - b\n",
        (
            "x: &x {weight: 3}\nevalcases:\n  - id: a\n    rubrics:\n      - <<: *x\n        id: c «75 %»\n"
            "      - «rubric-2» b «25 %»\n"
        ),
    ),
    # Ranges behind an alias, too.
    (
        "x: &x {0: a, 5: b}\nevalcases:\n  - id: a\n    rubrics:\n      - {id: c, score_ranges: *x}\n",
        "x: &x {0: a, 5: b}\nevalcases:\n  - id: a\n    rubrics:\n      - {id: c, score_ranges: *x}\n",
    ),
    # A complex key has its colon on another line.
    (
        "evalcases:\n  - id: a\n    rubrics:\n    - id: b\n      score_ranges:\n        ? 0\n        : x\n",
        "evalcases:\n  - id: a\n    rubrics:\n    - id: b\n      score_ranges:\n        ? 0 «0-10»\n        : x\n",
    ),
)


@pytest.mark.parametrize(("text", "shown"), FORMS)
def test_hints_in_flow_style_behind_aliases_and_in_the_suite(text: str, shown: str) -> None:
    """Nothing is shown where its place could not be reported."""
    assert with_hints(text) == shown


QUIET = (
    # Without any weight all count the same, as everybody expects.
    "{id: b}, {id: c}",
    # A criterion that is alone counts for everything.
    "{id: b, weight: 3}",
    "{id: b, weight: 3}, {id: c, weight: 0}",
    # What cannot be read has no share and no extent.
    "{id: b, weight: 3}, {id: c, weight: much}",
    "{id: b, weight: 3}, 7",
    "{id: b, score_ranges: {0: x, five: y}}",
    "{id: b, score_ranges: [{score_range: [0, 10], expected_outcome: x}]}",
    "{id: b, score_ranges: {-2: x, 12: y}}",
    "{id: b, score_ranges: []}",
    # One score is what its key says already.
    "{id: b, score_ranges: {10: x}}",
)


@pytest.mark.parametrize("criteria", QUIET)
def test_hints_say_nothing_that_is_obvious_or_unknown(criteria: str) -> None:
    """Each of these lists is left as it is."""
    text = f"evalcases: [{{id: a, rubrics: [{criteria}]}}]"
    assert with_hints(text) == text


@pytest.mark.parametrize("kind", [kind for kind in HintKind if kind not in {HintKind.GATE, HintKind.GRADE}])
def test_each_kind_has_its_switch(kind: HintKind) -> None:
    """A kind that is switched off is not there, and nothing else is missing."""
    analysis = analyse(BLOCK, path="a.eval.yaml")
    everything = hints_in(analysis, Span(0, len(BLOCK)))
    only = hints_in(analysis, Span(0, len(BLOCK)), {kind})
    assert only == [hint for hint in everything if hint.kind is kind]
    assert only
    assert hints_in(analysis, Span(0, len(BLOCK)), ()) == []


def test_tooltips_say_more() -> None:
    """A whole sentence, with the numbers."""
    found = {hint.label: hint.tooltip for hint in hints_in(analyse(BLOCK, path="a.eval.yaml"), Span(0, len(BLOCK)))}
    assert found["11.1 %"] == "This criterion has weight 0.5 of 4.5, 1/9 or 11.1 % of the score."
    assert found["4-8"] == "This band covers 4-8: up to the next key minus 1, the last band up to 10."
    assert found["rubric-3"] == ("Results call this criterion `rubric-3`, after its position; add an `id` to name it.")


def test_only_the_stretch_is_looked_at() -> None:
    """The hints of the cases on the screen are those that the whole file has there."""
    text = "evalcases:\n" + "".join(BLOCK.partition("\n")[2].replace("id: a", f"id: a{n}") for n in range(30))
    analysis = analyse(text, path="a.eval.yaml")
    start = text.index("id: a10")
    span = Span(start, text.index("id: a12"))
    work = hints(analysis, span)
    steps = sum(1 for _ in work)
    assert steps == 3
    everything = hints_in(analysis, Span(0, len(text)))
    assert hints_in(analysis, span) == [hint for hint in everything if span.start <= hint.offset <= span.end]


def test_hints_follow_edits() -> None:
    """What was worked out for a case before an edit is not shown after it."""
    text = BLOCK
    analysis = analyse(text, path="a.eval.yaml")
    hints_in(analysis, Span(0, len(text)))
    at = text.index("0.5")
    analysis.edit([Edit(at, at + 3, "2")])
    after = analysis.document.text
    assert "«33.3 %»" in with_hints(after)
    assert hints_in(analysis, Span(0, len(after))) == hints_in(analyse(after, path="a.eval.yaml"), Span(0, len(after)))


@given(st.sampled_from((BLOCK, *TEXTS)), st.data())
def test_hints_after_edits_are_those_of_a_fresh_look(text: str, data: st.DataObject) -> None:
    """Whatever is typed, pasted or deleted, and also behind anchors that come and go."""
    analysis = analyse(text, path="a.eval.yaml")
    for _ in range(data.draw(st.integers(1, 4))):
        hints_in(analysis, Span(0, len(text)))
        edit = data.draw(edits(len(text)))
        analysis.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
    span = Span(0, len(text))
    assert hints_in(analysis, span) == hints_in(analyse(text, path="a.eval.yaml"), span)


def test_json_lines_have_hints_too() -> None:
    """One case a line."""
    line = '{"id": "a", "rubrics": ["b", {"id": "c", "weight": 3}]}\n'
    shown = '{"id": "a", "rubrics": [«rubric-1» "b" «25 %», {"id": "c", "weight": 3 «75 %»}]}\n'
    assert with_hints(line * 2, path="a.jsonl") == shown * 2


def test_other_yaml_has_no_hints() -> None:
    """Not even in a YAML document beside one of ours."""
    foreign = "execution: {evaluators: [{name: a, type: rubric, rubrics: [b]}]}\n"
    ours = "evalcases: [{id: a, rubrics: [b]}]\n"
    assert with_hints(foreign, path="other.yaml") == foreign
    assert with_hints(f"{ours}---\n{foreign}", path="other.yaml").endswith(foreign)


@given(mangled(), st.integers(-5, 300), st.integers(-5, 300), st.sampled_from(["a.eval.yaml", "a.jsonl"]))
def test_no_text_and_no_span_raises(text: str, start: int, end: int, path: str) -> None:
    """Hints are inside of the span and in the order of the text."""
    found = hints_in(analyse(text, path=path), Span(start, end))
    assert all(max(start, 0) <= hint.offset <= min(end, len(text)) and hint.label and hint.tooltip for hint in found)
    assert [hint.offset for hint in found] == sorted(hint.offset for hint in found)


# The later dialects
