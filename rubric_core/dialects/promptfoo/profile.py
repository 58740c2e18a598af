"""How configurations of promptfoo are graded."""

from collections.abc import Mapping
from decimal import Decimal

from rubric_core.dialects.promptfoo.types import ASSERTION_TYPES
from rubric_core.schema.profiles import Profile, SetRule
from rubric_core.schema.scales import PASS_MARK_DECIMAL, TWO_VERDICTS

_NOT = "not-"
_TRANSFORMED = "is done to the output before it is judged, which this grader does not do"
_JOINED = SetRule(needs_all=True, allows_no_weight=True, nests=False)
_CHECKED = frozenset(
    {
        *(f"{prefix}contains{which}" for prefix in ("", "i") for which in ("", "-any", "-all")),
        *("equals", "regex", "starts-with", "is-json", "contains-json", "word-count", "levenshtein", "cost", "latency"),
    }
)


def _with_negated(types: frozenset[str]) -> frozenset[str]:
    """Return types of promptfoo with the `not-` forms that it honours."""
    return types | {f"{_NOT}{kind.name}" for kind in ASSERTION_TYPES if kind.name in types and kind.is_negatable}


_RUBRICS: Mapping[str, Decimal] = {"llm-rubric": PASS_MARK_DECIMAL, "g-eval": Decimal("0.7")}

PROMPTFOO = Profile(
    TWO_VERDICTS,
    case_rule=_JOINED,
    case_thresholds=("",),
    suite_thresholds=("defaultTest",),
    sets={"assert-set": _JOINED},
    offline_types=_with_negated(_CHECKED),
    unrun_types=frozenset(
        f"{negation}{kind}"
        for negation in ("", _NOT)
        for kind in ("agent-rubric", "search-rubric", "model-graded-closedqa")
    ),
    ungraded_keys={
        "assertScoringFunction": "A function puts the scores together (`assertScoringFunction`), which is not run.",
        "options.transform": f"`options.transform` {_TRANSFORMED}.",
        "options.postprocess": f"`options.postprocess` {_TRANSFORMED}.",
        "options.transformVars": "`options.transformVars` changes the variables, which this grader does not do.",
    },
    judge_prompt="rubricPrompt",
    negation=_NOT,
    rubric_thresholds={f"{negation}{kind}": mark for negation in ("", _NOT) for kind, mark in _RUBRICS.items()},
    variables={"output": "candidate_answer"},
    unjudged_types=frozenset({"llm-rubric", f"{_NOT}llm-rubric"}),
    answer_key="providerOutput",
    has_upstream=True,
)
