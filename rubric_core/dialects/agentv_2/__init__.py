"""AgentV 2: cases with `rubrics`, as in AgentV 2.5 and 2.6. It is the default."""

from rubric_core.dialects.agentv.names import FILE_NAMES, REQUIRED, SKIPPING, TARGETS, TOOL
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import CaseWords, Marks, OwnKeys, Requirement

DIALECT = Dialect(
    "agentv-2",
    "AgentV 2",
    "Cases with `rubrics`, as in AgentV 2.5 and 2.6.",
    parts={
        "table": "agentv_2.table:TABLE",
        "paths": "agentv_2.file_paths:PATHS",
        "evaluator lists": "agentv_2.evaluator_lists:FIRST_LIST",
        "rules": "agentv_2.rules:RULES",
        "notes": "agentv_2.notes:NOTES",
        "definition file": "agentv.migration.definition_files:TARGETS_FILE",
    },
    case_lists=("evalcases", "eval_cases", "cases", "tests"),
    marks=Marks(
        suite=frozenset({"evalcases", "eval_cases", "cases"}),
        case=frozenset({"input_messages", "expected_messages", "expected_outcome"}),
        types=frozenset({"llm_judge", "code_judge"}),
        lists=frozenset({"evaluators"}),
        requirement=Requirement(REQUIRED, (0, 0)),
        own=OwnKeys(
            suite=frozenset({"evalcases"}),
            case=frozenset({"rubrics", "input_messages", "expected_outcome"}),
            beside_input=frozenset({"criteria", "expected_output"}),
        ),
        words=("rubric", "input_messages", "expected_outcome", "evalcases", "tests", "criteria"),
        names=FILE_NAMES,
        definitions=TARGETS,
        cases=CaseWords(
            judging=frozenset({"execution"}),
            messages=("input_messages", "input", "expected_messages", "expected_output"),
            skipping=SKIPPING,
        ),
    ),
    tool=TOOL,
)
