"""Templates as Nunjucks renders them: a table with the results of the real one, limits, and properties.

`table.json` has templates with what Nunjucks of the named version makes of them; null means that it fails.
Where ours differ on purpose, `difference` names the entry of docs/nunjucks.md, and `ours` is what comes out here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hosts import NUNJUCKS, ROOT, do_without, host_folder
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.nunjucks.limits import LONGEST_TEXT
from rubric_core.nunjucks.rendering import TemplateFailure, render_template

TABLE_PATH = Path(__file__).with_name("table.json")
TABLE = json.loads(TABLE_PATH.read_text(encoding="utf-8"))
GIVEN = {**TABLE["vars"], "vars": TABLE["vars"]}


def rendered(template: str, values: dict[str, Any]) -> str | None:
    """Return what a template becomes, or None where it fails."""
    try:
        return render_template(template, values)
    except TemplateFailure:
        return None


def failure(template: str, **values: Any) -> str:
    """Return why a template cannot be rendered."""
    with pytest.raises(TemplateFailure) as caught:
        render_template(template, values)
    return caught.value.reason


@pytest.mark.parametrize("row", TABLE["rows"], ids=[row["template"][:60] for row in TABLE["rows"]])
def test_a_template_becomes_what_nunjucks_makes_of_it(row: dict[str, Any]) -> None:
    """The others are differences with names."""
    assert rendered(row["template"], GIVEN) == row.get("ours", row["expected"])


def test_the_table_has_what_the_real_nunjucks_says() -> None:
    """It runs over the same table."""
    packages = host_folder(NUNJUCKS) / "node_modules"
    node = shutil.which("node") or do_without("there is no node")
    command = [node, str(TABLE_PATH.with_suffix(".js")), str(TABLE_PATH)]
    environment = {**os.environ, "NODE_PATH": str(packages)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", env=environment)
    found = json.loads(done.stdout)
    assert found == {"version": TABLE["nunjucks"], "results": [row["expected"] for row in TABLE["rows"]]}


def test_every_difference_is_on_the_page() -> None:
    """A reader finds each by its name, and the page names no other."""
    page = (ROOT / "docs" / "nunjucks.md").read_text(encoding="utf-8")
    section = page.partition("## Differences")[2].partition("\n## ")[0]
    named = {line[4:].strip() for line in section.splitlines() if line.startswith("### ")}
    assert named == {row["difference"].capitalize() for row in TABLE["rows"] if "difference" in row}
    assert len(TABLE["rows"]) >= 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(1000000000) %}x{% endfor %}",
        "{{ range(0, 1, 0.0000001) | length }}",
        "{% for i in range(900) %}{% for j in range(900) %}{% for k in range(9) %}{% endfor %}{% endfor %}{% endfor %}",
        "{% set a = 'x' %}{% for i in range(99) %}{% set a = a ~ a %}{% endfor %}{{ a | length }}",
        "{% set a = [1] %}{% for i in range(99) %}{% set a = a.concat(a) %}{% endfor %}{{ a | length }}",
        "{% set a = [1] %}{% for i in range(99) %}{% set a = [a, a] %}{% endfor %}{{ a }}",
        "{% set a = [1] %}{% for i in range(99) %}{% set a = [a, a] %}{% endfor %}{{ a | dump }}",
        "{% set a = [1] %}{% for i in range(99) %}{% set a = [a, a] %}{% endfor %}{{ a + '' }}",
        "{{ 'ab'.repeat(1000000000) }}",
        "{{ 'x'.padStart(1000000000) }}",
        "{{ 'x' | center(1000000000) }}",
        "{{ 'x' | indent(1000000000, true) }}",
        "{{ [1] | batch(1000000000, 'x') | length }}",
        "{{ [1] | slice(1000000000) | length }}",
        "{% set a = range(50000) | join('') %}{{ a | replace('', a) | length }}",
        "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(25) }}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{{ " + "[" * 5000 + "]" * 5000 + " }}",
        "{% if a %}" * 500 + "{% endif %}" * 500,
        "{{ " + "not " * 50_000 + "a }}",
        "{{ " + "-" * 50_000 + "1 }}",
        "{{ a" + " | upper" * 5000 + " }}",
        "{{ a" + ".b" * 5000 + " }}",
        "{{ 1" + " + 1" * 5000 + " }}",
        "{{ a" + " or a" * 5000 + " }}",
        "{% for c in a %}" * 100 + "{% endfor %}" * 100,
        "{% if 0 %}" + "{% elif 0 %}" * 5000 + "{% endif %}",
        "x" * (LONGEST_TEXT + 1) + "{{ a }}",
    ],
    ids=lambda template: template[:50],
)
def test_a_hostile_template_ends(template: str) -> None:
    """It fails with a reason, long before it takes all memory; the run of the tests bounds its time."""
    assert failure(template)


def test_a_template_has_no_way_to_python() -> None:
    """Names and attributes of Python are undefined, and no call of them is possible."""
    template = "{{ x.__class__ }}{{ ''.__class__.__mro__ }}{{ range.__globals__ }}{{ self }}{{ scope }}"
    assert render_template(template, {"x": 1}) == ""
    assert "is no function" in failure("{{ __import__('os') }}")


@pytest.mark.parametrize(
    ("template", "reason", "line"),
    [
        ("a\n{% include 'x' %}", "`include` is refused, because a template must not read other files", 2),
        ("{% import 'x' as y %}", "`import` is refused, because a template must not read other files", 1),
        ("{% from 'x' import y %}", "`from` is refused, because a template must not read other files", 1),
        ("{% extends 'x' %}", "`extends` is refused, because a template must not read other files", 1),
        ("{{ a | replace(r/x/, 'y') }}", "regular expressions (`r/.../`) are not supported", 1),
        ("\n\n{% if a %}", "`endif` is missing", 3),
        (
            "{{ a | mine }}",
            "Nunjucks has no filter `mine`, and filters of a project are not run",
            None,
        ),
        ("{{ a is mine }}", "Nunjucks has no test `mine`", None),
        ("{{ a.b() }}", "it calls `a.b`, which is not supported", None),
        ("{{ 'x'.split(1, 2, 3) }}", "`the value.split` is called with other arguments than it takes", None),
        ("{{ 5 | upper }}", "the filter `upper` needs a text, not a number", None),
        ("{{ x | upper }}", "the filter `upper` needs a text, not a list", None),
    ],
)
def test_a_failure_says_why_and_where(template: str, reason: str, line: int | None) -> None:
    """The line is known where the template cannot be read."""
    with pytest.raises(TemplateFailure) as caught:
        render_template(template, {"x": [1]})
    assert (caught.value.reason, caught.value.line) == (reason, line)


@given(st.text().filter(lambda text: not any(mark in text for mark in ("{{", "{%", "{#", "#}"))))
def test_a_text_without_templates_stays_as_it_is(text: str) -> None:
    """Whatever else is in it, line ends among it."""
    assert render_template(text, GIVEN) == text


@given(st.text())
def test_a_value_is_written_out_as_it_is_and_not_rendered_again(text: str) -> None:
    """A template in a value is no template, and rendering what came out of constants changes nothing more."""
    assert render_template("{{ value }}", {"value": text}) == text
    assert render_template("{% raw %}{{ x }}{% endraw %}", {}) == "{{ x }}"


_WORDS = "if for in endif endfor set else not is macro call raw endraw x nums {{ }} {% %} {# #} {%- -%}"
_PIECES = st.sampled_from([*"abx |.,()[]{}'\"-+*/%~=<>!:0123456789", *(f" {word} " for word in _WORDS.split())])


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any_template_is_rendered_or_fails_with_a_reason(template: str) -> None:
    """No other exception comes out."""
    found = rendered(template, GIVEN)
    assert found is None or isinstance(found, str)
