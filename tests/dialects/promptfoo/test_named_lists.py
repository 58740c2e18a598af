"""Lists of tests are found in a walk where a configuration names them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from rubric_core.config.config import Config
from rubric_core.files.project import DiskProject
from rubric_core.files.walk import find_files

if TYPE_CHECKING:
    from pathlib import Path

PROMPTS = 'prompts: ["{{ text }}"]\nproviders: [echo]\n'
MODELINE = "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n"
TESTS = '[{"vars": {"text": "a"}, "assert": [{"type": "containz", "value": "a"}]}]\n'


def walked(folder: Path, config: Config | None = None) -> list[str]:
    """List what is found in a folder."""
    return [os.path.relpath(each.path, folder) for each in find_files([folder], config or Config())]


def write(folder: Path, **texts: str) -> None:
    """Write files; two underscores in a name mean a slash, and one in front of the suffix a dot."""
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "named",
    [
        "tests: file://data/cases.json",
        "tests: data/cases.json",
        "tests: [file://data/*.json]",
        "tests: ['file://**/cases.json']",
        "tests:\n  - vars: {text: a}\n  - file://./data/cases.json",
        "scenarios:\n  - config: [{vars: {text: a}}]\n    tests: file://data/cases.json",
        "scenarios:\n  - config: [{vars: {text: a}}]\n    tests: [file://data/cases.json]",
    ],
)
@pytest.mark.parametrize("name", ["promptfooconfig_yaml", "smoke_yaml"])
def test_json_that_a_configuration_names_is_found(tmp_path: Path, name: str, named: str) -> None:
    """By its path or by a pattern; the configuration is told by its name or by its contents."""
    write(tmp_path, package_json="{}", data__cases_json=TESTS, **{name: PROMPTS + named + "\n"})
    assert walked(tmp_path) == [name.replace("_", "."), "data/cases.json"]


@pytest.mark.parametrize(
    "text", [MODELINE + "tests: [cases.json]\n", "# rubric: dialect=promptfoo\ntests: cases.json\n"]
)
def test_a_comment_identifies_a_configuration(tmp_path: Path, text: str) -> None:
    """The modeline of a schema, and that of a dialect."""
    write(tmp_path, a_yaml=text, cases_json=TESTS)
    assert walked(tmp_path) == ["a.yaml", "cases.json"]


def test_other_json_is_not_found(tmp_path: Path) -> None:
    """That which nobody names, names of other things, what is ignored or excluded, and installed packages."""
    config = PROMPTS + "tests: [file://a.json, file://b.json, file://node_modules/x/c.json, file://e.json]\n"
    write(tmp_path, promptfooconfig_yaml=config, b_json=TESTS, node_modules__x__c_json=TESTS, d_json=TESTS)
    write(tmp_path, _gitignore="b.json\n", e_json=TESTS)
    write(tmp_path, ci_yaml="tests: d.json\non: [push]\n")
    assert walked(tmp_path, Config(root=tmp_path, exclude=("e.json",))) == ["ci.yaml", "promptfooconfig.yaml"]


def test_json_is_read_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither other JSON, nor configurations far from any JSON, are read."""
    write(tmp_path, a__promptfooconfig_yaml=PROMPTS + "tests: cases.json\n", b__package_json="{}")
    monkeypatch.setattr("rubric_core.files.named_lists.read_text", lambda *_: pytest.fail("A file was read."))
    assert walked(tmp_path) == ["a/promptfooconfig.yaml"]


def test_nothing_is_known_of_what_a_scenario_gives(tmp_path: Path) -> None:
    """Its variables are in its settings."""
    scenario = "scenarios:\n  - config: [{vars: {tone: b}}]\n    tests: file://cases.json\n"
    write(tmp_path, promptfooconfig_yaml=PROMPTS + scenario, cases_json=TESTS)
    suite = DiskProject(tmp_path / "cases.json", root=tmp_path).naming_suite
    assert suite is not None
    assert (suite.dialect, suite.line, suite.inherited) == ("promptfoo", 4, None)


def test_a_configuration_may_be_beside_the_folder(tmp_path: Path) -> None:
    """In a folder of its own, as lists are."""
    write(tmp_path, configs__a_yaml=MODELINE + "tests: file://../data/cases.yaml\n", data__cases_yaml=TESTS)
    suite = DiskProject(tmp_path / "data" / "cases.yaml", root=tmp_path).naming_suite
    assert suite is not None
    assert suite.path == os.path.join("..", "configs", "a.yaml")  # noqa: PTH118 - as it is shown.
    assert DiskProject(tmp_path / "data" / "other.yaml", root=tmp_path).naming_suite is None
