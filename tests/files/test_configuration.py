"""Finding the configuration, reading it, and what is said about a wrong one."""
# ruff: noqa: E501 - a message of a table reads best as the one sentence that it is.

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.config.config import DEFAULT, Config
from rubric_core.config.settings import SETTINGS, read_settings
from rubric_core.files.configuration import LoadedConfig, find_config, load_config, parse_config
from rubric_core.rules.problem import Severity
from rubric_core.syntax.limits import Limits
from rubric_core.text.spans import apply_edits

KNOWN = ("RB101", "overlapping-score-ranges", "RB103", "uncovered-scores", "RB401", "vague-outcome", "RB902")
OWN = Path("/w/rubric.toml")
SHARED = Path("/w/pyproject.toml")


def parse(text: str, path: Path = OWN) -> LoadedConfig:
    """Read a configuration with the rules of these tests."""
    return parse_config(dedent(text), path, KNOWN)


def said(loaded: LoadedConfig) -> list[tuple[str, str, str]]:
    """Show problems as code, the text that they mark, and message."""
    return [(problem.code, loaded.text[slice(*problem.span)], problem.message) for problem in loaded.problems]


def test_every_setting_is_read() -> None:
    """A file that uses everything gives exactly that configuration."""
    loaded = parse("""
        select = ["RB1", "vague-outcome"]
        ignore = ["RB103"]
        include = ["*.cases.yaml"]
        exclude = ["vendor/"]
        allow-outside = true
        judge = " default "
        min-grade = "B+"
        [severity]
        RB101 = "warning"
        vague-outcome = "off"
        [per-file-ignores]
        "drafts/**" = ["RB4"]
        [limits]
        depth = 7
        file-bytes = 1_000
        [targets.local]
        provider = "cli"
        [judges.default]
        model = "small"
    """)
    assert loaded.problems == ()
    assert loaded.config == Config(
        select=frozenset({"RB1", "vague-outcome"}),
        ignore=frozenset({"RB103"}),
        severity={"RB101": Severity.WARNING, "vague-outcome": None},
        include=("*.cases.yaml",),
        exclude=("vendor/",),
        per_file_ignores={"drafts/**": frozenset({"RB4"})},
        limits=Limits(depth=7, file_bytes=1000),
        targets={"local": {"provider": "cli"}},
        judges={"default": {"model": "small"}},
        judge="default",
        min_grade="B+",
        allow_outside=True,
        root=OWN.absolute().parent,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('selekt = ["RB1"]', [("RB903", "selekt", "There is no setting `selekt`. Did you mean `select`?")]),
        (
            "per_file_ignores = {}",
            [("RB903", "per_file_ignores", "There is no setting `per_file_ignores`. Did you mean `per-file-ignores`?")],
        ),
        (
            'select = "RB1"',
            [("RB903", '"RB1"', '`select` must be a list of rules such as ["RB103", "RB4"], but is a string.')],
        ),
        (
            'ignore = ["RB101", 4]',
            [("RB903", "4", "Each entry of `ignore` must be a string with text, but is a number.")],
        ),
        (
            'ignore = [" "]',
            [("RB903", '" "', "Each entry of `ignore` must be a string with text, but is an empty string.")],
        ),
        ('ignore = ["RB101", "RB104"]', [("RB902", '"RB104"', "There is no rule `RB104`. Did you mean `RB101`?")]),
        (
            'ignore = ["nothing-like-it"]',
            [("RB902", '"nothing-like-it"', "There is no rule `nothing-like-it`. `rubric rules` lists them.")],
        ),
        (
            'severity = { RB101 = "warn" }',
            [
                (
                    "RB903",
                    '"warn"',
                    'The severity of `RB101` must be one of `error`, `warning`, `hint`, `off`, but is "warn".',
                )
            ],
        ),
        (
            "severity = { RB101 = false }",
            [
                (
                    "RB903",
                    "false",
                    "The severity of `RB101` must be one of `error`, `warning`, `hint`, `off`, but is a boolean.",
                )
            ],
        ),
        (
            'severity = { vague-outcom = "off" }',
            [("RB902", "vague-outcom", "There is no rule `vague-outcom`. Did you mean `vague-outcome`?")],
        ),
        ("severity = []", [("RB903", "[]", '`severity` must be a table such as { RB401 = "off" }, but is a list.')]),
        (
            "include = 2020-01-01",
            [
                (
                    "RB903",
                    "2020-01-01",
                    '`include` must be a list of globs such as ["evals/*.yaml"], but is a date or time.',
                )
            ],
        ),
        (
            "per-file-ignores = 1.5",
            [
                (
                    "RB903",
                    "1.5",
                    '`per-file-ignores` must be a table such as { "drafts/**" = ["RB4"] }, but is a number.',
                )
            ],
        ),
        (
            'per-file-ignores = { "a" = "RB4" }',
            [("RB903", '"RB4"', '`a` must be a list of rules such as ["RB103", "RB4"], but is a string.')],
        ),
        ("limits = 5", [("RB903", "5", "`limits` must be a table such as { depth = 200 }, but is a number.")]),
        ("limits = { deepth = 5 }", [("RB903", "deepth", "There is no limit `deepth`. Did you mean `depth`?")]),
        (
            "limits = { zzz = 5 }",
            [
                (
                    "RB903",
                    "zzz",
                    "There is no limit `zzz`. Available are `file-bytes`, `line-length`, `depth`, `cases`, `alias-expansion`.",
                )
            ],
        ),
        ("limits = { depth = 0 }", [("RB903", "0", "`depth` must be at least 1, but is 0.")]),
        (
            "limits = { alias-expansion = 1000000000 }",
            [
                (
                    "RB903",
                    "1000000000",
                    "`alias-expansion` can be 1000 at most, but is 1000000000; 1000 is used.",
                ),
            ],
        ),
        ("limits = { depth = true }", [("RB903", "true", "`depth` must be a whole number, but is a boolean.")]),
        ("targets = [1]", [("RB903", "[1]", "`targets` must be a table of tables, but is a list.")]),
        ("judges = { a = 1 }", [("RB903", "1", "`a` must be a table, but is a number.")]),
        ("judge = 1", [("RB903", "1", "`judge` must be a string with text, but is a number.")]),
        ('judge = " "', [("RB903", '" "', "`judge` must be a string with text, but is an empty string.")]),
        (
            'min-grade = "E"',
            [
                (
                    "RB903",
                    '"E"',
                    (
                        "`min-grade` must be a grade, one of `A+`, `A`, `A-`, `B+`, `B`, `B-`, `C+`, `C`, `C-`, `D+`, "
                        "`D`, `F`, but is `E`."
                    ),
                )
            ],
        ),
        ("min-grade = 7.5", [("RB903", "7.5", "`min-grade` must be a grade such as `B`, but is a number.")]),
        ('allow-outside = "yes"', [("RB903", '"yes"', "`allow-outside` must be true or false, but is a string.")]),
    ],
)
def test_what_is_wrong_is_said_at_its_place(text: str, expected: list[tuple[str, str, str]]) -> None:
    """Each mistake gets one sentence at the key or the value that is wrong, in both kinds of file."""
    assert said(parse(text)) == expected
    assert said(parse(f"[tool.other]\nselekt = 1\n[tool.rubric]\n{text}\n", SHARED)) == expected


def test_the_rest_of_a_wrong_file_stays_in_force() -> None:
    """A mistake costs its own entry only."""
    loaded = parse("""
        ignore = ["RB101", "RB1O3", 7]
        exclude = "vendor"
        severity = { RB103 = "bad", RB401 = "error", nonsense = "off" }
        limits = { depth = 9, cases = -1 }
        include = ["x.yaml"]
    """)
    assert len(loaded.problems) == 6
    assert loaded.config == Config(
        ignore=frozenset({"RB101"}),
        severity={"RB401": Severity.ERROR},
        limits=Limits(depth=9),
        include=("x.yaml",),
        root=OWN.absolute().parent,
    )


def test_problems_are_in_the_order_of_the_text() -> None:
    """Problems are sorted by place, whatever order the parser gave."""
    loaded = parse("zzz = 1\nignore = [1]\naaa = 2\n")
    assert [problem.span.start for problem in loaded.problems] == sorted(p.span.start for p in loaded.problems)
    assert len(loaded.problems) == 3


def test_a_select_of_misspelt_rules_selects_everything() -> None:
    """A typo must not turn every rule off."""
    assert parse('select = ["RBX"]').config.select is None
    assert parse("select = []").config.select == frozenset()


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ('ignore = ["uncovered-score"]', 'ignore = ["uncovered-scores"]'),
        ("ignore = ['uncovered-score']", "ignore = ['uncovered-scores']"),
        ("exclud = []", "exclude = []"),
        ('severity = { RB101 = "warnin" }', 'severity = { RB101 = "warning" }'),
        ('[severity]\n"vague-outcom" = "off"', '[severity]\n"vague-outcome" = "off"'),
    ],
)
def test_the_word_that_was_meant_is_a_fix(text: str, fixed: str) -> None:
    """Did-you-mean comes with an edit that keeps the quotes and leaves a right file."""
    (problem,) = parse(text).problems
    assert problem.fixes is not None
    (fix,) = problem.fixes()
    assert apply_edits(text, fix.edits) == fixed
    assert parse(fixed).problems == ()


@pytest.mark.parametrize(
    ("text", "line", "marked"),
    [
        ('a = 1\nselect = ["RB1"\nb = 2', 3, "b"),
        ("a = 1\r\nb = ", 2, ""),
        ("a = 1\na = 2", 2, ""),
        ("é = 1", 1, "é"),
    ],
)
def test_a_syntax_error_is_a_problem_at_its_place(text: str, line: int, marked: str) -> None:
    """Text that is not TOML gives one error where the parser stopped, and the defaults."""
    loaded = parse_config(text, OWN)
    (problem,) = loaded.problems
    assert (problem.code, problem.name, problem.severity) == ("RB903", "invalid-configuration", Severity.ERROR)
    assert (text[: problem.span.start].count("\n") + 1, text[slice(*problem.span)]) == (line, marked)
    assert problem.message.startswith("The file is not valid TOML: ")
    assert "(at " not in problem.message
    assert loaded.config == Config(root=OWN.absolute().parent)


def test_text_that_upsets_the_parser_is_a_problem_too() -> None:
    """Endless brackets and impossible numbers give a sentence, not a traceback."""
    (deep,) = parse_config("a = " + "[" * 100_000, OWN).problems
    assert deep.message == "The file nests too deeply to be read as TOML."
    (long,) = parse_config("a = " + "9" * 5000, OWN).problems
    assert long.message.startswith("The file is not valid TOML")


def test_a_byte_order_mark_does_no_harm() -> None:
    """Some editors write the mark; places still count it."""
    loaded = parse_config('\ufeffexclud = ["a"]', OWN)
    assert loaded.text[slice(*loaded.problems[0].span)] == "exclud"


def test_unknown_rules_can_be_silenced_by_the_file_itself() -> None:
    """RB902 follows `ignore` and `severity`, but `select` names eval files only."""
    assert parse('ignore = ["RB902", "RB777"]').problems == ()
    assert parse('ignore = ["RB777"]\nseverity = { RB902 = "error" }').problems[0].severity is Severity.ERROR
    assert len(parse('select = ["RB1", "RB777"]').problems) == 1


def test_without_known_rules_any_rule_is_accepted() -> None:
    """A caller that does not know the rules gets no guesses."""
    assert parse_config('ignore = ["RB777"]', OWN).problems == ()


def test_another_tools_file_says_nothing() -> None:
    """A `pyproject.toml` without our table is the default, and a table of the wrong type is an error."""
    assert parse("[tool.other]\nx = 1", SHARED).problems == ()
    loaded = parse("tool.rubric = 3", SHARED)
    assert said(loaded) == [("RB903", "3", "`tool.rubric` must be a table.")]
    assert parse("tool = 3", SHARED).problems == ()


@given(st.text(st.sampled_from("abRB1= []{}\"'.,\n#\\é\r-"), max_size=60))
def test_no_text_raises(text: str) -> None:
    """Any text gives a configuration and problems inside of the text."""
    for path, whole in ((OWN, text), (SHARED, f"[tool.rubric]\n{text}")):
        loaded = parse_config(whole, path, KNOWN)
        assert all(0 <= problem.span.start <= problem.span.end <= len(whole) for problem in loaded.problems)


def test_the_nearest_file_is_found(tmp_path: Path) -> None:
    """The search goes up from the file; within a folder `rubric.toml` wins."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    eval_file = inner / "x.eval.yaml"
    (tmp_path / "rubric.toml").touch()
    assert find_config(eval_file) == tmp_path / "rubric.toml"
    shared = tmp_path / "a" / "pyproject.toml"
    shared.write_text("[tool.other]\nrubric = 1\n")
    assert find_config(eval_file) == tmp_path / "rubric.toml"
    shared.write_text("[tool]\nrubric = {}\n")
    assert find_config(eval_file) == shared
    (tmp_path / "a" / "rubric.toml").touch()
    assert find_config(inner) == tmp_path / "a" / "rubric.toml"


@pytest.mark.parametrize(
    "text",
    [
        "[tool.rubric]",
        "[ tool . 'rubric' ]",
        "[tool.rubric.severity]\nRB101 = 'off'",
        "[[tool.rubric.x]]",
        "[tool]\nrubric.select = []",
        'tool."rubric".select = []',
        "tool = { rubric = {} }",
    ],
)
def test_our_table_is_seen_however_it_is_written(tmp_path: Path, text: str) -> None:
    """Headers, dotted keys, quoted keys and inline tables are all the same table."""
    (tmp_path / "pyproject.toml").write_text(text)
    assert find_config(tmp_path) == tmp_path / "pyproject.toml"


def test_a_broken_shared_file_counts_when_it_holds_our_table(tmp_path: Path) -> None:
    """The user learns that the table is not read; a broken file of others is none of our business."""
    shared = tmp_path / "pyproject.toml"
    shared.write_text("[tool.rubric]\nselect = [\n")
    assert load_config(tmp_path).problems[0].code == "RB903"
    shared.write_text("# rubric.x\n[tool.x\n")
    assert find_config(tmp_path) is None
    shared.write_bytes(b"\xff[tool.rubric]")
    assert find_config(tmp_path) is None


def test_a_configuration_is_loaded_from_disk(tmp_path: Path) -> None:
    """The folder of the file becomes the root."""
    (tmp_path / "rubric.toml").write_text('ignore = ["RB4", "RBX"]')
    loaded = load_config(tmp_path / "evals" / "x.yaml", KNOWN)
    assert (loaded.path, loaded.config.root) == (tmp_path / "rubric.toml", tmp_path)
    assert [problem.code for problem in loaded.problems] == ["RB902"]


def test_an_unreadable_configuration_is_a_problem(tmp_path: Path) -> None:
    """Bytes that are not text give the defaults and a sentence."""
    (tmp_path / "rubric.toml").write_bytes(b"a = '\xff'")
    loaded = load_config(tmp_path)
    (problem,) = loaded.problems
    assert problem.message == (
        "The configuration cannot be read: The file is not text in UTF-8: the byte at offset 5 does not fit."
    )
    assert loaded.config.root == tmp_path


def test_no_configuration_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file is found nothing is wrong."""
    monkeypatch.setattr(Path, "is_file", lambda _: False)
    assert load_config(tmp_path) == LoadedConfig(DEFAULT)


def test_the_editors_settings_are_read_the_same_way() -> None:
    """A JSON object gives overrides and complaints; null is no value."""
    overrides, complaints = read_settings({"select": ["RB1"], "limits": {"depth": 3}, "exclude": None}, KNOWN)
    assert (overrides.select, dict(overrides.limits), overrides.exclude) == (frozenset({"RB1"}), {"depth": 3}, ())
    assert [complaint.message for complaint in complaints] == [
        '`exclude` must be a list of globs such as ["evals/*.yaml"], but is null.'
    ]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_every_example_of_the_reference_is_right(setting: object) -> None:
    """The examples are read without a complaint and set their own field."""
    text = getattr(setting, "example")  # noqa: B009 - the parameter's type is hidden by `ids`.
    loaded = parse_config(text, OWN)
    assert loaded.problems == ()
    attribute = getattr(setting, "attribute")  # noqa: B009 - the same.
    assert getattr(loaded.config, attribute) != getattr(DEFAULT, attribute)
