"""Profiles: how suites of a dialect are graded. Each is one value, which the table of a dialect has."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from rubric_core.schema.scales import THREE_VERDICTS, VerdictMarks

WEIGHTED_AVERAGE = "weighted_average"


class SetRule(NamedTuple):
    """How the results of several evaluators become one: by their weighted mean.

    `aggregator` is the key of the mapping with that rule, which has weights by name; a set of another type in that
    mapping is not run. Without the key each member has its own `weight`. `needs_all` means that a set without a
    threshold passes where each member with a weight passes, and not by its score. `allows_no_weight` means that the
    score is 0 where the weights sum to 0; else there is none. `nests` means that a set may have sets in it.
    """

    aggregator: str | None = None
    needs_all: bool = False
    allows_no_weight: bool = False
    nests: bool = True


@dataclass(frozen=True, slots=True)
class Profile:
    """How suites of a dialect are graded.

    `marks` are those of verdicts by default. `case_thresholds` are the keys of a case, and
    `suite_thresholds` those of a suite, below which a `threshold` may stand (an empty one: beside the others); the
    first that is given counts. Without both, no threshold counts, not even that of the command line.

    `case_rule` is how the results of a case become one where no threshold decides; without it the passing mark is
    the threshold. With it an evaluator of weight 0 cannot fail.

    `default_judge` is the type of the evaluator of a case that names none; without one such a case cannot be graded.
    `offline_types` are run without a judge, `sets` have members, and `unrun_types` need what this grader does not have.
    `ungraded_keys` are keys of a case, or of a mapping in it behind a dot, that make it one that cannot be graded, each
    with the reason. `judge_prompt` is the key of an evaluator, or of the options of a case, under which the prompt of
    the judge stands, with places for the rubric and the answer.

    `negation` is before a type whose result is turned around; checks of such a profile take texts as they are.
    `rubric_thresholds` are the types whose text a judge scores from 0 to 1, each with the score from which it passes
    unless it has a `threshold`. The upstream tool lets those of `unjudged_types` pass where the judge gives a
    score alone. `answer_key` is the key of a case under which its answer may stand.

    `variables` are the names that a judge's own prompt may use, and `payload` those of what a command reads, each with
    the value that stands for it. `reply_lists` are the keys of checks in what a command prints, each with the key that
    tells whether a check holds; `reply_pass` is the key that says so of the whole. `has_upstream` means that results
    have the result of the dialect's own tool, if it differs.
    """

    marks: VerdictMarks
    default_judge: str | None = None
    case_rule: SetRule | None = None
    case_thresholds: tuple[str, ...] = ()
    suite_thresholds: tuple[str, ...] = ()
    sets: Mapping[str, SetRule] = field(default_factory=dict)
    offline_types: frozenset[str] = frozenset()
    unrun_types: frozenset[str] = frozenset()
    ungraded_keys: Mapping[str, str] = field(default_factory=dict)
    judge_prompt: str | None = None
    negation: str | None = None
    rubric_thresholds: Mapping[str, Decimal] = field(default_factory=dict)
    unjudged_types: frozenset[str] = frozenset()
    answer_key: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    payload: Mapping[str, str] = field(default_factory=dict)
    reply_lists: Mapping[str, str] = field(default_factory=dict)
    reply_pass: str | None = None
    has_upstream: bool = False

    # Whether a threshold decides what passes.
    reads_thresholds: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads_thresholds", bool(self.case_thresholds or self.suite_thresholds))


def same_names(*names: str) -> Mapping[str, str]:
    """Return names that stand for themselves."""
    return {name: name for name in names}


_VARIABLES_2 = same_names(
    "candidate_answer",
    "output_messages",
    "question",
    "input_messages",
    "reference_answer",
    "expected_messages",
    "expected_outcome",
    "criteria",
)
_PAYLOAD_2 = same_names(
    "question",
    "expected_outcome",
    "expected_messages",
    "reference_answer",
    "candidate_answer",
    "output_messages",
    "guideline_files",
    "input_files",
    "input_messages",
    "trace_summary",
    "config",
)
AGENTV_2 = Profile(
    THREE_VERDICTS,
    default_judge="llm_judge",
    variables=_VARIABLES_2,
    payload=_PAYLOAD_2,
)
