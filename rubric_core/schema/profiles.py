"""Profiles: how suites of a dialect are graded. Each is one value that a row of `DIALECTS` points to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rubric_core.schema.agentv_common_evaluators import SHARED_TYPES
from rubric_core.schema.scales import THREE_VERDICTS, TWO_VERDICTS, VerdictMarks

WEIGHTED_AVERAGE = "weighted_average"


@dataclass(frozen=True, slots=True)
class SetRule:
    """How the results of several evaluators become one: by their weighted mean.

    `aggregator` is the key of the mapping that says so, and that has weights by name; a set of another type in that
    mapping is not run. Without the key each member has its own `weight`. `needs_all` tells that a set without a
    threshold passes where each member with a weight passes, and not by its score.
    """

    aggregator: str | None = None
    needs_all: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """How suites of a dialect are graded.

    `marks` are those of verdicts where nothing else is said. `case_thresholds` are the keys of a case, and
    `suite_thresholds` those of a suite, below which a `threshold` may stand (an empty one: beside the others); the
    first that is given counts. Without both, no threshold counts, not even that of the command line.

    `default_judge` is the type of the evaluator of a case that names none. `offline_types` are run without a judge,
    `sets` have members, and `unrun_types` need what this grader does not have. `ungraded_keys` are keys of a case that
    make it one that cannot be graded, each with the reason.

    `variables` are the names that a judge's own prompt may use, and `payload` those of what a command reads, each with
    the value that stands for it. `reply_lists` are the keys of checks in what a command prints, each with the key that
    tells whether a check holds; `reply_pass` is the key that says so of the whole. `has_upstream` tells that results
    say where the tool of the dialect would have said something else.
    """

    marks: VerdictMarks
    default_judge: str
    case_thresholds: tuple[str, ...] = ()
    suite_thresholds: tuple[str, ...] = ()
    sets: Mapping[str, SetRule] = field(default_factory=dict)
    offline_types: frozenset[str] = frozenset()
    unrun_types: frozenset[str] = frozenset()
    ungraded_keys: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    payload: Mapping[str, str] = field(default_factory=dict)
    reply_lists: Mapping[str, str] = field(default_factory=dict)
    reply_pass: str | None = None
    has_upstream: bool = False

    # Whether a threshold decides what passes.
    reads_thresholds: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads_thresholds", bool(self.case_thresholds or self.suite_thresholds))


def _same(*names: str) -> Mapping[str, str]:
    return {name: name for name in names}


_VARIABLES_2 = _same(
    "candidate_answer",
    "output_messages",
    "question",
    "input_messages",
    "reference_answer",
    "expected_messages",
    "expected_outcome",
    "criteria",
)
_PAYLOAD_2 = _same(
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
_VARIABLES_4: Mapping[str, str] = {
    "output": "candidate_answer",
    "input": "question",
    "expected_output": "reference_answer",
    **_same("criteria", "rubrics", "rubrics_json", "metadata", "metadata_json"),
    **dict.fromkeys(("file_changes", "tool_calls"), "unknown"),
}
_PAYLOAD_4: Mapping[str, str] = {
    "criteria": "expected_outcome",
    "expected_output": "expected_messages",
    "output": "candidate_answer",
    "messages": "answer_messages",
    "input_files": "input_files",
    "input": "input_messages",
    **_same("metadata", "trace", "trace_summary", "token_usage", "cost_usd", "duration_ms"),
    **dict.fromkeys(("start_time", "end_time", "file_changes", "workspace_path"), "unknown"),
    "config": "config",
}
_TURNS = "The turns of a conversation are not graded; grade each turn as a test of its own."

AGENTV_2 = Profile(
    THREE_VERDICTS,
    default_judge="llm_judge",
    variables=MappingProxyType(_VARIABLES_2),
    payload=MappingProxyType(_PAYLOAD_2),
)

AGENTV_4 = Profile(
    TWO_VERDICTS,
    default_judge="llm-grader",
    case_thresholds=("execution",),
    suite_thresholds=("execution",),
    sets=MappingProxyType({"composite": SetRule(aggregator="aggregator")}),
    offline_types=frozenset(SHARED_TYPES),
    ungraded_keys=MappingProxyType({"turns": _TURNS}),
    variables=MappingProxyType(_VARIABLES_4),
    payload=MappingProxyType(_PAYLOAD_4),
    reply_lists=MappingProxyType({"assertions": "passed"}),
    has_upstream=True,
)

AGENTV_5 = Profile(
    TWO_VERDICTS,
    default_judge="llm-rubric",
    case_thresholds=("run", "execution"),
    suite_thresholds=("default_test", ""),
    sets=MappingProxyType({"assert-set": SetRule(needs_all=True)}),
    offline_types=frozenset(SHARED_TYPES),
    unrun_types=frozenset({"agent-rubric"}),
    ungraded_keys=MappingProxyType({"turns": _TURNS}),
    variables=MappingProxyType(_VARIABLES_4),
    payload=MappingProxyType(_PAYLOAD_4),
    reply_lists=MappingProxyType({"checks": "pass"}),
    reply_pass="pass",  # noqa: S106 - the name of a key.
    has_upstream=True,
)
