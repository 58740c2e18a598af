"""AgentV 5: tests with `vars` and `assert`, rendered into `prompts`, as AgentV reads them from 5.1 on."""

from rubric_core.dialects.agentv.names import FILE_NAMES, PROVIDERS, REQUIRED, RESULT_NAMES
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import Marks
from rubric_core.schema.scales import HIGHEST

_RENDERED_KEYS = (
    *("id", "description", "criteria", "expected_outcome", "assert", "input", "input_files", "expected_output"),
    "turns",
)

DIALECT = Dialect(
    "agentv-5",
    "AgentV 5",
    "Tests with `vars` and `assert`, rendered into `prompts`, as AgentV reads them from 5.1 on.",
    parts={
        "table": "agentv_5.table:TABLE",
        "expansion": "agentv.expand:AGENTV_5",
        "grader": "agentv_5.grader:GRADER",
        "notes": "agentv_5.notes:NOTES",
        "migrations": "agentv_5.migration:MIGRATIONS",
        "definition file": "agentv.migration.definition_files:PROVIDERS_FILE",
    },
    case_lists=("tests",),
    marks=Marks(
        suite=frozenset({"prompts", "providers", "default_test", "evaluate_options", "scenarios", "environment"}),
        case_without_input=frozenset({"assert", "vars"}),
        types=frozenset({"llm-rubric", "agent-rubric", "script", "assert-set"}),
        lists=frozenset({"assert"}),
        weakest=frozenset({"assert"}),
        since=(5, 0),
        required=REQUIRED,
        own_suite=frozenset({"default_test", "evaluate_options"}),
        own_beside_input=frozenset({"assert"}),
        own_beside_id=frozenset({"assert", "vars"}),
        words=("tests", "scenarios", "assert"),
        names=FILE_NAMES,
        definitions=PROVIDERS,
    ),
    gate_scale=HIGHEST,
    ungraded="the test passes with score 1 whatever the answer is",
    judging_keys=("criteria", "expected_outcome", "turns"),
    judging_lists=("assert",),
    drops_rubric_without_value=True,
    common_types=(
        *("llm-rubric", "agent-rubric", "script", "assert-set", "contains", "contains-all", "equals", "regex"),
        *("is-json", "similar", "skill-used", "latency", "cost"),
    ),
    rendered_keys=_RENDERED_KEYS,
    criteria_are_fallback=True,
    multiplies_tests=True,
    drops_gates=True,
    result_names=(*RESULT_NAMES, "pass", "reason", "named_scores", "component_results"),
)
