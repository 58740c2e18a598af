"""Which rules run, and how bad their problems are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rubric_core.config.config import (
    DEFAULT,
    Config,
    Overrides,
    is_excluded,
    is_ours_by_name,
    merged,
    names_rule,
    severities_of,
    severity_of,
)
from rubric_core.rules.problem import Severity
from rubric_core.syntax.limits import Limits

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT

RULES = (
    ("RB101", "overlapping-score-ranges", ERROR),
    ("RB109", "unsorted-score-ranges", HINT),
    ("RB203", "duplicate-case-id", ERROR),
    ("RB401", "vague-outcome", HINT),
)


def severities(config: Config, path: str = "a.yaml") -> str:
    """Show severities as one letter a rule, a dot where the rule is off."""
    return "".join(each.value[0] if each else "." for each in severities_of(config, path, RULES).values())


def rules(*entries: str) -> frozenset[str]:
    """Name rules."""
    return frozenset(entries)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (Config(), "eheh"),
        (Config(select=rules("RB1")), "eh.."),
        (Config(select=rules("RB")), "eheh"),
        (Config(select=rules("ALL")), "eheh"),
        (Config(select=rules("rb109")), ".h.."),
        (Config(select=rules("vague-outcome")), "...h"),
        (Config(select=rules()), "...."),
        (Config(ignore=rules("RB1")), "..eh"),
        (Config(ignore=rules("ALL")), "...."),
        (Config(ignore=rules("vague-outcome", "RB203")), "eh.."),
        (Config(select=rules("RB109"), ignore=rules("RB1")), ".h.."),
        (Config(select=rules("RB1"), ignore=rules("RB109")), "e..."),
        (Config(select=rules("RB1"), ignore=rules("RB1")), "...."),
        (Config(select=rules("RB10"), ignore=rules("RB1")), "eh.."),
        (Config(select=rules("RB109"), ignore=rules("unsorted-score-ranges")), "...."),
        (Config(severity={"RB1": WARNING}), "wweh"),
        (Config(severity={"RB1": None}), "..eh"),
        (Config(severity={"RB1": None, "RB109": ERROR}), ".eeh"),
        (Config(severity={"RB109": ERROR, "RB1": None}), ".eeh"),
        (Config(severity={"ALL": WARNING, "vague-outcome": HINT}), "wwwh"),
        (Config(severity={"RB101": WARNING}, ignore=rules("RB101")), ".heh"),
        (Config(severity={"RB101": WARNING}, select=rules("RB2")), "..e."),
        (Config(severity={"RB101": None}, select=rules("RB101")), "...."),
    ],
)
def test_the_more_specific_entry_wins(config: Config, expected: str) -> None:
    """`select`, `ignore` and `severity` are weighed by how exactly they name a rule."""
    assert severities(config) == expected


@pytest.mark.parametrize(
    ("config", "overrides", "expected"),
    [
        (Config(), Overrides(), "eheh"),
        (Config(select=rules("RB1")), Overrides(select=rules("RB2")), "..e."),
        (Config(select=rules("RB1")), Overrides(ignore=rules("RB109")), "e..."),
        (Config(ignore=rules("RB109")), Overrides(select=rules("RB1")), "e..."),
        (Config(ignore=rules("RB109")), Overrides(select=rules("unsorted-score-ranges")), ".h.."),
        (Config(select=rules("RB109")), Overrides(ignore=rules("unsorted-score-ranges")), "...."),
        (Config(select=rules("RB109")), Overrides(ignore=rules("RB1")), ".h.."),
        (Config(severity={"RB401": None}), Overrides(select=rules("RB401")), "...h"),
        (Config(severity={"RB401": None}), Overrides(select=rules("RB4")), "...."),
        (Config(severity={"RB401": ERROR}), Overrides(select=rules("RB401")), "...e"),
        (Config(severity={"RB401": ERROR}), Overrides(severity={"vague-outcome": WARNING}), "ehew"),
        (Config(severity={"RB401": ERROR}), Overrides(severity={"RB4": WARNING}), "ehee"),
        (Config(severity={"RB401": ERROR}), Overrides(severity={"RB401": None}), "ehe."),
    ],
)
def test_a_later_layer_wins_among_equals(config: Config, overrides: Overrides, expected: str) -> None:
    """The command line and the editor go on top of the file, but a broad word does not beat an exact one."""
    assert severities(merged(config, overrides)) == expected


def test_layers_pile_up() -> None:
    """The last `select` counts, and ignored rules stay ignored."""
    config = merged(merged(Config(), Overrides(select=rules("RB1"))), Overrides(ignore=rules("RB101")))
    assert severities(config) == ".h.."
    assert severities(merged(config, Overrides(select=rules("RB101", "RB203")))) == "e.e."


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/w/drafts/a.yaml", "eh.."), ("/w/evals/a.yaml", "eheh"), ("drafts/a.yaml", "eh..")],
)
def test_rules_can_be_off_in_some_files(path: str, expected: str) -> None:
    """`per-file-ignores` holds for the files that it names, even against an exact `select`."""
    config = Config(root=Path("/w"), per_file_ignores={"drafts/**": rules("RB4", "duplicate-case-id")})
    assert severities(config, path) == expected
    everything = merged(config, Overrides(select=rules("RB101", "RB109", "RB203", "RB401")))
    assert severities(everything, path) == expected


def test_one_rule_is_judged_like_a_whole_selection() -> None:
    """`severity_of` and `severities_of` give the same answer for each rule."""
    config = Config(select=rules("RB1", "RB203"), severity={"RB203": HINT}, ignore=rules("RB109"))
    found = severities_of(config, "a.yaml", RULES)
    for code, name, default in RULES:
        assert severity_of(config, code, name, default, "a.yaml") == found[code]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("RB101", True),
        ("rb1", True),
        ("RB", True),
        ("all", True),
        ("vague-outcome", True),
        ("RB9", False),
        ("vague", False),
        ("RB1011", False),
        ("", False),
    ],
)
def test_an_entry_names_a_rule_or_not(entry: str, *, expected: bool) -> None:
    """Codes, prefixes of codes and whole names do; the start of a name does not."""
    known = [word for code, name, _ in RULES for word in (code, name)]
    assert names_rule(entry, known) is expected


def test_other_settings_of_a_layer_go_on_top() -> None:
    """Lists grow, tables are joined, single values are replaced, and silence keeps what was there."""
    config = Config(exclude=("a",), targets={"x": {"n": 1}}, judge="j", limits=Limits(depth=5), allow_outside=True)
    assert merged(config, Overrides()) == replace(config, layers=(Overrides(),))
    top = merged(
        config,
        Overrides(
            exclude=("b",),
            include=("*.yaml",),
            targets={"y": {}},
            judges={"j": {}},
            judge="k",
            limits={"cases": 7},
            allow_outside=False,
            per_file_ignores={"g": rules("RB4")},
        ),
    )
    assert (top.exclude, top.include, top.allow_outside) == (("a", "b"), ("*.yaml",), False)
    assert (dict(top.targets), dict(top.judges), top.judge) == ({"x": {"n": 1}, "y": {}}, {"j": {}}, "k")
    assert top.limits == Limits(depth=5, cases=7)
    assert dict(top.per_file_ignores) == {"g": rules("RB4")}


def test_names_make_a_file_ours_or_exclude_it() -> None:
    """The default names are ours, and nothing is excluded until the user says so."""
    for name in ("a.eval.yaml", "a.eval.yml", "a.eval.jsonl"):
        assert is_ours_by_name(DEFAULT, f"/x/{name}")
    assert not is_ours_by_name(DEFAULT, "/x/a.yml")
    assert not is_excluded(DEFAULT, "/x/a.yml")
    assert is_excluded(Config(root=Path("/x"), exclude=("/a.yml",)), "/x/a.yml")


def test_a_configuration_can_be_a_key() -> None:
    """Configurations are hashable, so that what is made from one can be kept beside it."""
    assert {Config(severity={"RB1": None}): 1}[Config(severity={"RB1": None})] == 1
