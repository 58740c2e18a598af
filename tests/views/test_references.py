"""What cases and evaluators refer to is found, with its exact place, and nothing else is."""

from __future__ import annotations

import pytest
from plain_trees import mapping_of

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.references import References, references_of_case, references_of_suite


def _of_case(text: str) -> References:
    return references_of_case(CaseView(mapping_of(text), YamlVersion.V1_2, DEFAULT_DIALECT))


def _of_suite(text: str) -> References:
    root = mapping_of(text)
    evaluators = read_evaluators(root, DEFAULT_DIALECT.suite, YamlVersion.V1_2, DEFAULT_DIALECT)
    return references_of_suite(root, evaluators)


def _script(script: str, more: str = "") -> list[str]:
    text = f"evaluators:\n  - name: a\n    type: code_judge\n    script: {script}\n{more}"
    return [reference.path for reference in _of_case(text).files]


@pytest.mark.parametrize(
    ("script", "paths"),
    [
        ("uv run python -m py_compile", []),
        ("uv run judge.py", ["judge.py"]),
        ("bun run ./scripts/check.ts --strict", ["./scripts/check.ts"]),
        ("../judges/run fast", ["../judges/run"]),
        ("[node, judges/Check.JS]", ["judges/Check.JS"]),
        ("[python, 'my judge.py']", []),
        ("[bash, './my judge.sh']", ["./my judge.sh"]),
        ("python one.py two.py", ["one.py", "two.py"]),
        ("python -c judge.py", []),
        ("python --out judge.py", []),
        ("python --output-file=judge.py", []),
        ("python -u judge.py", ["judge.py"]),
        ("npx vega.js", []),
        ("python $HOME/judge.py", []),
        ("python ~/judge.py", []),
        ("python ./*.py", []),
        (r"python .\judge.py", []),
        ("curl https://example.org/judge.py", []),
        ("judge", []),
        ("[1, true, {a: judge.py}]", []),
        ("{a: judge.py}", []),
        ("", []),
    ],
)
def test_words_of_a_script_that_look_like_a_path(script: str, paths: list[str]) -> None:
    """What may be a module, code, a package, an output or a pattern is not taken for a file that has to exist."""
    assert _script(script) == paths


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        ("judges", "judges/check.py"),
        ("judges/", "judges/check.py"),
        ("../judges", "../judges/check.py"),
        (".", "./check.py"),
        ("''", "./check.py"),
        ("[judges]", "./check.py"),
    ],
)
def test_a_script_is_seen_from_its_folder(folder: str, path: str) -> None:
    """`cwd` goes in front of the path."""
    assert _script("python ./check.py", f"    cwd: {folder}\n") == [path]


def test_an_absolute_path_stays_as_it_is() -> None:
    """No folder goes in front of it."""
    assert _script("python /opt/check.py", "    cwd: judges\n") == ["/opt/check.py"]


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("uv run judge.py judge.py", "judge.py"),
        ("'uv run judge.py'", "judge.py"),
        ('"uv run judge.py"', "judge.py"),
        ("\"uv run 'judge.py'\"", "'judge.py'"),
        ('"uv\\trun judge.py"', '"uv\\trun judge.py"'),
        ("|\n      uv run judge.py\n", "judge.py"),
        (">-\n      uv run\n      judge.py\n", "judge.py"),
        ("uv run\n      judge.py", "uv run\n      judge.py"),
        ("[uv, run, judge.py]", "judge.py"),
        ('[uv, run, "judge.py"]', '"judge.py"'),
    ],
)
def test_the_place_is_the_word_where_it_can_be_told(script: str, place: str) -> None:
    """With escapes or unfolded lines the whole scalar is the place."""
    text = f"evaluators:\n  - name: a\n    type: code_judge\n    script: {script}\n"
    span = _of_case(text).files[0].span
    assert text[span.start : span.end] == place


def test_two_equal_words_have_two_places() -> None:
    """The second one is not reported at the first."""
    text = "evaluators: [{name: a, type: code_judge, script: judge.py judge.py}]\n"
    first, second = _of_case(text).files
    assert second.span.start - first.span.start == len("judge.py ")


def test_through_an_alias_the_place_is_the_alias() -> None:
    """The text of the anchor is elsewhere."""
    text = "note: &it uv run judge.py\nevaluators: [{name: a, type: code_judge, script: *it}]\n"
    span = _of_case(text).files[0].span
    assert text[span.start : span.end] == "*it"


def test_file_parts_of_all_messages_are_references() -> None:
    """Text parts, templates and empty paths are not."""
    text = """
input:
  - role: user
    content:
      - {type: file, value: " a.md "}
      - {type: text, value: b.md}
      - {type: file, value: "{{ c }}.md"}
      - {type: file, value: ""}
      - {type: file, value: [d.md]}
      - {type: file}
      - e.md
  - {role: user, content: f.md}
  - {role: user}
expected_messages: [{role: assistant, content: [{type: file, value: g.md}]}]
"""
    assert [(each.path, each.kind) for each in _of_case(text).files] == [("a.md", "file"), ("g.md", "file")]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("prompts/tone.md", [("prompts/tone.md", "prompt")]),
        ("judge.txt", [("judge.txt", "prompt")]),
        ("Judge it by prompts/tone.md", []),
        ("Judge the tone", []),
        ("{script: [bun, run, ./prompt.ts]}", [("./prompt.ts", "script")]),
        ("{script: bun run ./prompt.ts}", [("./prompt.ts", "script")]),
        ("{config: {a: 1}}", []),
        ("[prompts/tone.md]", []),
    ],
)
def test_a_prompt_may_be_a_file_or_a_script(prompt: str, found: list[tuple[str, str]]) -> None:
    """Text is text."""
    references = _of_case(f"evaluators:\n  - name: a\n    type: llm_judge\n    prompt: {prompt}\n")
    assert [(each.path, each.kind) for each in references.files] == found


@pytest.mark.parametrize(("aggregator", "paths"), [("{prompt: join.md}", ["join.md"]), ("join.md", []), ("{}", [])])
def test_a_composite_refers_through_its_members_and_its_aggregator(aggregator: str, paths: list[str]) -> None:
    """Both have prompts."""
    member = "{name: b, type: llm_judge, prompt: tone.md}"
    references = _of_case(
        f"evaluators: [{{name: a, type: composite, evaluators: [{member}], aggregator: {aggregator}}}]\n"
    )
    assert sorted(each.path for each in references.files) == sorted(["tone.md", *paths])


def test_an_evaluator_of_an_unknown_type_refers_to_nothing() -> None:
    """Nobody can tell what its keys mean."""
    assert not any(_of_case("evaluators: [{name: a, type: vibes, prompt: tone.md, target: other}]\n"))


@pytest.mark.parametrize(
    ("target", "names"),
    [("azure", ["azure"]), ("'7'", ["7"]), ("7", []), ("true", []), ("''", []), ("{a: 1}", []), ('"${{ X }}"', [])],
)
def test_only_text_is_the_name_of_a_target(target: str, names: list[str]) -> None:
    """A boolean or a mapping gives access to targets without naming one."""
    text = f"execution:\n  target: {target}\n  evaluators: [{{name: a, type: llm_judge, target: {target}}}]\n"
    assert [node.value for node in _of_case(text).targets] == names * 2


@pytest.mark.parametrize(("written", "names"), [("review", ["review"]), ("{skill: a}", []), ("7", []), ("", [])])
def test_only_text_is_the_name_of_a_scorecard(written: str, names: list[str]) -> None:
    """A mapping is a scorecard itself."""
    assert [node.value for node in _of_case(f"scorecard: {written}\n").scorecards] == names


def test_the_suite_refers_to_what_its_evaluators_refer_to_once() -> None:
    """The evaluators belong to `execution`, so an entry `target` beside it does not bring them again."""
    text = (
        "target: a\nexecution:\n  target: b\n  evaluators: [{name: x, type: llm_judge, prompt: tone.md, target: c}]\n"
    )
    found = _of_suite(text)
    assert [node.value for node in found.targets] == ["a", "b", "c"]
    assert [each.path for each in found.files] == ["tone.md"]


def test_an_execution_that_is_no_mapping_names_no_target() -> None:
    """Its type is wrong, which another rule says."""
    assert not any(_of_suite("execution: default\n"))
