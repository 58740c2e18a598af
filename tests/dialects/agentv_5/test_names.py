"""Names in AgentV 5: variables, labels of providers, metrics; and the files behind paths."""

from __future__ import annotations

import pytest
from assistance import cut_cursor, finished
from dialect_suites import SUITES
from names_at_cursor import PATH, line_of_definition, rename_to

from rubric_core.analysis.check import analyse
from rubric_core.assist.links import links
from rubric_core.assist.names.rename import RenameError

FIVE = SUITES["agentv-5"]


@pytest.mark.parametrize("marked", ["{{ $0protocol }}, {{", "      $0protocol: https"])
def test_a_variable_is_renamed_in_templates_and_where_it_is_defined(marked: str) -> None:
    """In every test and scenario, since prompts are shared between them."""
    plain, _ = cut_cursor(marked)
    renamed = rename_to(FIVE.replace(plain, marked, 1), "scheme")
    assert "protocol" not in renamed.replace("Both protocols", "")
    assert renamed.count("scheme") == FIVE.count("protocol") - 1


def test_the_definition_of_a_variable_is_the_nearest_one() -> None:
    """That of the test, else that of `default_test`."""
    assert line_of_definition(FIVE.replace("{{ protocol }}, ", "{{ pro$0tocol }}, ")) == "protocol: https"
    assert line_of_definition(FIVE.replace("{{ tone }}", "{{ $0tone }}")) == "vars: {tone: kind}"


@pytest.mark.parametrize(
    ("new", "reason"),
    [("tone", "is used for a variable"), ("a-b", "may have only letters"), ("1a", "starts with no digit")],
)
def test_a_variable_needs_a_name_of_its_own(new: str, reason: str) -> None:
    """Templates read letters, digits and underscores, and two variables must not become one."""
    with pytest.raises(RenameError, match=reason):
        rename_to(FIVE.replace("{{ protocol }}, ", "{{ $0protocol }}, "), new)


def test_what_is_filled_in_later_is_not_renamed() -> None:
    """Nothing in the file defines it."""
    with pytest.raises(RenameError, match="is not defined in this file"):
        rename_to(FIVE.replace("Gives a reason", "Gives {{ $0output }}"), "x")


def test_a_label_is_renamed_with_its_uses() -> None:
    """A provider that the file describes itself."""
    for marked in (FIVE.replace("label: fast", "label: $0fast"), FIVE.replace("provider: fast", "provider: $0fast")):
        renamed = rename_to(marked, "slow")
        assert "label: slow}" in renamed
        assert "provider: slow\n" in renamed
        assert line_of_definition(marked).endswith("label: fast}")


def test_paths_are_links() -> None:
    """Behind `file://` anywhere, in lists of tests, and what an assertion includes."""
    text = FIVE.replace("- Is polite", "- include: house\n    - include: ./more.yaml").replace(
        "  - id: mail\n", "  - file://cases/a.yaml\n  - cases/b.jsonl\n  - cases/*.yaml\n  - id: mail\n"
    )
    found = finished(links(analyse(text, path=PATH)))
    assert [(text[slice(*each.span)], each.path, each.kind) for each in found] == [
        ("file://prompts/ask.md", "prompts/ask.md", "file"),
        ("house", ".agentv/templates/house.yaml", "file"),
        ("./more.yaml", "./more.yaml", "file"),
        ("file://cases/a.yaml", "cases/a.yaml", "file"),
        ("cases/b.jsonl", "cases/b.jsonl", "file"),
        ("file://prompts/judge.md", "prompts/judge.md", "prompt"),
    ]


METRICS = """\
prompts: ["{{ q }}"]
derived_metrics:
  - {name: total, value: "tone * 2 + depth / max(tone, 1)"}
tests:
  - id: a
    vars: {q: x}
    assert:
      - {metric: tone, type: contains, value: tone}
      - {metric: depth, type: is-json}
  - id: b
    vars: {q: x}
    assert:
      - metric: $0tone
        type: is-json
"""


def test_a_metric_is_renamed_in_all_tests_and_where_numbers_are_computed_from_it() -> None:
    """The scores of a metric are put together in results, so it is one name."""
    renamed = rename_to(METRICS, "mood")
    assert renamed == METRICS.replace("$0", "").replace("metric: tone", "metric: mood").replace(
        "tone *", "mood *"
    ).replace("(tone", "(mood")


@pytest.mark.parametrize(
    ("text", "new", "reason"),
    [
        (METRICS, "depth", "The name `depth` is used for a metric of this file already."),
        (METRICS, "two words", "A metric that other numbers are computed from has letters"),
        (METRICS.replace("$0", "").replace("max", "m$0ax"), "least", "There is no metric of this name in the file."),
    ],
)
def test_a_metric_that_cannot_be_renamed_well_is_refused(text: str, new: str, reason: str) -> None:
    """With one sentence."""
    with pytest.raises(RenameError, match=reason):
        rename_to(text, new)


def test_a_metric_that_nothing_is_computed_from_may_have_any_name() -> None:
    """It is text there."""
    alone = METRICS[: METRICS.index("derived")] + METRICS[METRICS.index("tests:") :]
    assert rename_to(alone, "two: words").count('metric: "two: words"') == 2
