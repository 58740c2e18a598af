"""AgentV 4: tests with `input` and `assertions`, as AgentV 2.7 to 4.42 read them."""

from rubric_core.dialects.agentv.names import FILE_NAMES, REQUIRED, RESULT_NAMES, TARGETS
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import Marks
from rubric_core.schema.scales import HIGHEST

DIALECT = Dialect(
    "agentv-4",
    "AgentV 4",
    "Tests with `input` and `assertions`, as AgentV 2.7 to 4.42 read them.",
    parts={
        "table": "agentv_4.table:TABLE",
        "expansion": "agentv.expand:AGENTV_4",
        "grader": "agentv_4.grader:GRADER",
        "notes": "agentv_4.notes:NOTES",
        "migrations": "agentv_4.migration:MIGRATIONS",
        "definition file": "agentv.migration.definition_files:TARGETS_FILE",
    },
    case_lists=("tests", "eval_cases", "evalcases"),
    marks=Marks(
        suite=frozenset({"assertions", "workspace"}),
        case=frozenset({"assertions"}),
        types=frozenset({"rubrics", "llm-grader", "code-grader", "llm-judge", "code-judge"}),
        lists=frozenset({"assertions", "evaluators", "assert"}),
        weak_suite=frozenset({"tests"}),
        weak_case=frozenset({"criteria"}),
        since=(2, 7),
        required=REQUIRED,
        own_case=frozenset({"assertions"}),
        own_beside_input=frozenset({"criteria", "expected_output"}),
        own_beside_id=frozenset({"turns"}),
        words=("tests", "criteria"),
        names=FILE_NAMES,
        definitions=TARGETS,
    ),
    gate_scale=HIGHEST,
    required_means_highest=True,
    ungraded="the test is not run",
    judging_keys=("criteria", "expected_outcome", "expected_output", "turns"),
    judging_lists=("assertions", "assert"),
    drops_nameless_members=True,
    common_types=(
        *("rubrics", "llm-grader", "code-grader", "composite", "contains", "contains-all", "equals", "regex"),
        *("is-json", "field-accuracy", "tool-trajectory", "latency", "cost"),
    ),
    suite_judges=False,
    drops_gates=True,
    result_names=RESULT_NAMES,
)
