"""AgentV 4: tests with `input` and `assertions`, as AgentV 2.7 to 4.42 read them."""

from rubric_core.dialects.agentv.names import FILE_NAMES, REQUIRED, SKIPPING, TARGETS, TOOL
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import CaseWords, Marks, OwnKeys, Requirement, WeakMarks

DIALECT = Dialect(
    "agentv-4",
    "AgentV 4",
    "Tests with `input` and `assertions`, as AgentV 2.7 to 4.42 read them.",
    parts={
        "table": "agentv_4.table:TABLE",
        "paths": "agentv.file_paths:PATHS",
        "rules": "agentv_4.rules:RULES",
        "expansion": "agentv.expand:AGENTV_4",
        "grader": "agentv_4.grader:GRADER",
        "result fields": "agentv.result_fields:AGENTV_4",
        "result files": "agentv.result_rows:RESULT_ROWS",
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
        weak=WeakMarks(suite=frozenset({"tests"}), case=frozenset({"criteria"})),
        requirement=Requirement(REQUIRED, (2, 7)),
        own=OwnKeys(
            case=frozenset({"assertions"}),
            beside_input=frozenset({"assert", "criteria", "expected_output"}),
            beside_id=frozenset({"assert", "turns", "vars"}),
        ),
        words=("tests", "criteria", "assert"),
        names=FILE_NAMES,
        definitions=TARGETS,
        cases=CaseWords(
            judging=frozenset({"assert", "assertions", "execution"}),
            keys=frozenset({"assert", "assertions", "vars"}),
            elsewhere=frozenset({"include"}),
            messages=("input", "expected_output"),
            skipping=SKIPPING,
            whole_lists=frozenset({"assert", "assertions"}),
        ),
    ),
    tool=TOOL,
)
