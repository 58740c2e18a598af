"""Names in the later dialects: variables, ids that tests depend on, labels of providers; and the files behind paths."""

from __future__ import annotations

import pytest
from assistance import cut_cursor, finished
from dialect_suites import SUITES
from names_at_cursor import PATH, line_of_definition, rename_to

from rubric_core.analysis.check import analyse
from rubric_core.assist.links import links
from rubric_core.assist.names.lookup import name_at, references_to


def _places(marked: str) -> list[int]:
    """Return the lines, counted from 1, that have the name under the cursor."""
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, at)
    assert name is not None
    return [text.count("\n", 0, each.span.start) + 1 for each in finished(references_to(analysis, name))]


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize(("old", "marked"), [("- id: web", "- id: $0web"), ("[web]", "[$0web]")])
def test_what_depends_on_a_test_is_renamed_with_it(name: str, old: str, marked: str) -> None:
    """From its id and from where it is named."""
    renamed = rename_to(SUITES[name].replace(old, marked), "http")
    assert "- id: http\n" in renamed
    assert "depends_on: [http]\n" in renamed


@pytest.mark.parametrize("name", SUITES)
def test_a_name_in_depends_on_leads_to_the_test(name: str) -> None:
    """The test runs before."""
    assert line_of_definition(SUITES[name].replace("[web]", "[$0web]")) == "- id: web"
    assert len(_places(SUITES[name].replace("- id: web", "- id: $0web"))) == 2


@pytest.mark.parametrize(("name", "key"), [("agentv-4", "name"), ("agentv-5", "metric")])
def test_names_of_results_and_ids_of_criteria_are_renamed(name: str, key: str) -> None:
    """Under the keys of the dialect."""
    assert f"- {key}: breadth\n" in rename_to(SUITES[name].replace(f"{key}: depth", f"{key}: $0depth"), "breadth")
    assert "- id: figure\n" in rename_to(SUITES[name].replace("id: number", "id: $0number"), "figure")


@pytest.mark.needs("agentv-4")
def test_the_path_of_the_list_of_tests_is_a_link() -> None:
    """A text in place of the list."""
    found = finished(links(analyse("tests: ./cases.yaml\nassertions: [a]\n", path=PATH)))
    assert [link.path for link in found] == ["./cases.yaml"]
