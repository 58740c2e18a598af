"""The ordered table of rules. A rule that is neither in it nor in the table of a dialect does not run."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from operator import attrgetter
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import Part
from rubric_core.dialects.registry import DEFAULT_DIALECT, DIALECTS
from rubric_core.rules.rule import Rule

# The files of the rules about every dialect, by groups of codes.
_FILES = (
    *("yaml_syntax_error", "duplicate_key", "unknown_key", "wrong_type", "missing_field", "deprecated_alias"),
    *("conflicting_alias", "too_complex"),
    *("overlapping_score_ranges", "score_out_of_bounds", "uncovered_scores", "inverted_score_range"),
    *("non_integer_score", "score_map_not_starting_at_zero", "missing_range_outcome", "malformed_score_range"),
    *("unsorted_score_ranges", "repeated_range_outcome", "empty_score_ranges"),
    *("missing_expected_outcome", "duplicate_criterion_id", "duplicate_case_id", "invalid_weight"),
    *("ineffective_required", "ineffective_required_min_score", "invalid_required_min_score", "repeated_criterion"),
    *("no_criteria", "placeholder_text"),
    *("all_criteria_required", "ineffective_gate", "decisive_optional_criterion", "gate_inside_band"),
    *("vague_outcome", "compound_outcome", "near_identical_ranges", "dominating_weight"),
    *("unknown_evaluator_type", "missing_file", "duplicate_evaluator_name"),
    *("weights_not_summing_to_one", "unknown_dimension", "missing_dimension_weight", "repeated_adjustment"),
    *("invalid_deduction", "unknown_scorecard", "unreachable_adjustment"),
    *("removed_key", "prompt_without_output", "prompt_is_a_path", "unread_key"),
    *("invalid_threshold", "empty_list", "invalid_regex"),
    *("unused_suppression", "unknown_rule", "invalid_configuration"),
)


class DialectRules(NamedTuple):
    """The rules of one dialect: their files in `dialects/`, and the codes of shared rules that do not apply to it.

    A rule with the code of a shared rule replaces it.
    """

    files: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()


def in_folder(folder: str, *files: str) -> tuple[str, ...]:
    """Return the files of a folder in `dialects/`, as `DialectRules` names them."""
    return tuple(f"{folder}.{file}" for file in files)


NO_RULES = DialectRules()
_PART: Part[DialectRules] = Part("rules", f"{__name__}:NO_RULES")


def _loaded(folder: str, files: Iterable[str]) -> dict[str, Rule]:
    rules = (import_module(f"{folder}.{file}").RULE for file in files)
    return {rule.code: rule for rule in rules}


@cache
def _shared() -> Mapping[str, Rule]:
    return _loaded("rubric_core.rules", _FILES)


@cache
def _known_in(dialect: Dialect) -> Mapping[str, Rule]:
    part = _PART.of(dialect)
    shared = {code: rule for code, rule in _shared().items() if code not in part.without}
    return {**shared, **_loaded("rubric_core.dialects", part.files)}


@cache
def rules_of(dialect: Dialect) -> tuple[Rule, ...]:
    """Return the rules that run in files of a dialect in the order of their codes, once for each of their subjects."""
    ordered = sorted(_known_in(dialect).values(), key=attrgetter("code"))
    return tuple(variant for rule in ordered for variant in rule.by_subject())


@cache
def known_rules() -> Mapping[str, Rule]:
    """Return every rule by its code, in the order of the codes. The first call imports the rules of all dialects."""
    known = {code: rule for dialect in reversed(DIALECTS) for code, rule in _known_in(dialect).items()}
    return dict(sorted({**known, **_shared()}.items()))


@cache
def safe_codes(dialect: Dialect) -> frozenset[str]:
    """Return the codes of the rules of a dialect whose fixes keep the meaning of a file."""
    return frozenset(code for code, rule in _known_in(dialect).items() if rule.fixes_are_safe)


class _KnownCodes(Mapping[str, str]):
    """Looks a word up among the rules of a dialect, and only then among all rules, which imports them."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    @cached_property
    def _own(self) -> dict[str, str]:
        return _by_word(_known_in(self._dialect))

    @cached_property
    def _all(self) -> dict[str, str]:
        return _by_word(known_rules())

    def __getitem__(self, word: str) -> str:
        code = self._own.get(word)
        return code if code is not None else self._all[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


@cache
def known_codes(dialect: Dialect = DEFAULT_DIALECT) -> Mapping[str, str]:
    """Return the code of every rule, by its code and by its name, those of a dialect first."""
    return _KnownCodes(dialect)


def _by_word(rules: Mapping[str, Rule]) -> dict[str, str]:
    return {word: rule.code for rule in rules.values() for word in (rule.code, rule.name)}
