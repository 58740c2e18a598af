"""The table of AgentV 4: suites with `tests`, `input` and `assertions`, as releases 2.7 to 4.42 read them."""

from dataclasses import replace

from rubric_core.dialects.agentv import shared_records as shared
from rubric_core.dialects.agentv.assertions import evaluator_list
from rubric_core.dialects.agentv.evaluators import CRITERIA
from rubric_core.dialects.agentv.names import OWN_TYPES
from rubric_core.dialects.agentv_4.evaluators import EVALUATOR_RECORDS_4, OLD_TYPES, REMOVED_TYPES, TYPES
from rubric_core.schema.fields import Aliases, Effect, Field, Record, Removed, Role, ValueLimits, by_name
from rubric_core.schema.gates import ShareGates
from rubric_core.schema.scales import HIGHEST, TWO_VERDICTS
from rubric_core.schema.table import JudgingKeys, Table, Thresholds, Types

_ASSERTIONS_DOC = (
    "The assertions that judge the answer. A plain string is a criterion, and all strings are judged together."
)
_ASSERTIONS = replace(
    evaluator_list("assertions", _ASSERTIONS_DOC), aliases=Aliases(("evaluators",), deprecated=("assert",)), since="3.0"
)
_SUITE_ASSERTIONS = replace(
    _ASSERTIONS,
    doc="The assertions that judge every answer, after the test's own.",
    aliases=_ASSERTIONS.aliases._replace(names=()),
)
_WORKSPACE = Field(
    "workspace",
    shared.TEXT_OR_MAPPING,
    "The folder in which an agent works, or the path of a file that describes it.",
    record="workspace",
)
_OLD_EVALUATOR = Removed("2.7", Effect.READ, advice="name the type in an item of `assertions`")
_READ_BELOW_SUITE = "write it in the suite's `execution`"

SUITE = Record(
    "suite",
    "An eval file: the tests, and what holds for all of them.",
    (
        *shared.SUITE_FIELDS,
        Field.texts("tags", "Words by which suites are selected."),
        Field.text("target", "What answers the tests; an older place of `execution.target`."),
        Field.mapping("execution", "How the tests are run and judged.", "suite-execution"),
        replace(shared.INPUT, doc="Messages that are sent before the input of every test."),
        shared.INPUT_FILES,
        _WORKSPACE,
        Field.records(
            "preprocessors",
            "Commands that turn files of other types into text for every judge.",
            "preprocessor",
            since="4.10",
        ),
        _SUITE_ASSERTIONS,
        Field.records(
            "evaluators",
            "A list of assertions under an older name.",
            "evaluator",
            items=shared.TEXT_OR_MAPPING,
            unread="write `assertions`",
        ),
        shared.TESTS,
    ),
    removed={
        "evalcases": Removed("2.7", Effect.READ, "tests"),
        "eval_cases": Removed("2.7", Effect.READ, "tests"),
        "cases": Removed("2.7", Effect.REFUSED, "tests"),
        "evaluator": _OLD_EVALUATOR,
    },
)

_TARGETS = Field.texts("targets", "What answers: names from the targets file, each of which runs every test.")
_TARGET = Field.text("target", "What answers: a name from the targets file.", default="default")
_WORKERS = Field.integer("workers", "How many tests run at the same time.", limits=ValueLimits(1, 50))
_TRIALS = Field.mapping("trials", "How often each test is run.", "trials")

SUITE_EXECUTION = Record(
    "suite-execution",
    "How the tests of a suite are run and judged.",
    (
        _TARGET,
        replace(_TARGETS, record="target-reference", items=shared.TEXT_OR_MAPPING),
        _WORKERS,
        replace(_SUITE_ASSERTIONS, aliases=Aliases(("assert", "evaluators"))),
        replace(shared.SKIP_DEFAULTS, unread="write it in the test's `execution`"),
        shared.CACHE,
        Field.text("cache_path", "The folder in which answers are kept."),
        _TRIALS,
        shared.BUDGET_USD,
        shared.FAIL_ON_ERROR,
        replace(shared.THRESHOLD, since="4.7"),
    ),
    removed={
        "total_budget_usd": Removed("4.18", Effect.REFUSED, "budget_usd"),
        "totalBudgetUsd": Removed("4.18", Effect.REFUSED, "budget_usd"),
    },
)

EXECUTION = Record(
    "execution",
    "How a test is run and judged.",
    (
        replace(_TARGETS, doc="What answers this test: names from the targets file."),
        shared.SKIP_DEFAULTS,
        replace(shared.THRESHOLD, since="4.7"),
        evaluator_list("evaluators", "The assertions of the test, where it has no `assertions` of its own."),
        Field.records(
            "assertions",
            "A list of assertions.",
            "evaluator",
            items=shared.TEXT_OR_MAPPING,
            unread="write `assertions` beside `execution`",
        ),
        replace(_TARGET, default=None, unread="write a list under `targets`"),
        *(replace(field, unread=_READ_BELOW_SUITE) for field in (_WORKERS, shared.CACHE, _TRIALS)),
        *(replace(field, unread=_READ_BELOW_SUITE) for field in (shared.BUDGET_USD, shared.FAIL_ON_ERROR)),
    ),
)

TRIALS = Record(
    "trials",
    "How often each test is run, and what becomes of the scores.",
    (
        Field.integer("count", "The number of runs.", limits=ValueLimits(1), placeholder="3"),
        Field.text(
            "strategy",
            "How the scores of the runs become one.",
            default="pass_at_k",
            values=("pass_at_k", "mean", "confidence_interval"),
        ),
        Field.number(
            "cost_limit_usd",
            "How much the runs may cost, in US dollars.",
            aliases=Aliases(("costLimitUsd",)),
            limits=ValueLimits(0),
        ),
    ),
)

TARGET_REFERENCE = Record(
    "target-reference",
    "A target under a name of its own, with commands that prepare the workspace for it.",
    (
        Field.text("name", "The name in results.", required=True, placeholder="TODO-name"),
        Field.text("use_target", "The target of the targets file."),
        Field.mapping("hooks", "Commands that run before and after tests."),
    ),
)

CASE = Record(
    "case",
    "One task with what a good answer to it achieves.",
    (
        shared.ID,
        replace(
            shared.INPUT, required=True, placeholder='"TODO: what is asked"', limits=ValueLimits(empty=Effect.SKIPPED)
        ),
        replace(
            shared.CASE_TEXT,
            doc="What a good answer achieves. Judges are told, and it is judged where nothing else is.",
        ),
        shared.EXPECTED_OUTPUT,
        shared.VARS,
        shared.INPUT_FILES,
        _ASSERTIONS,
        replace(
            CRITERIA,
            doc="The criteria that a judge checks the answer against, before the `assertions`. "
            "A plain string is a required criterion of weight 1.",
            role=Role.CRITERIA,
        ),
        Field.mapping("execution", "How this test is run and judged.", "execution"),
        _WORKSPACE,
        *shared.CASE_FIELDS,
        replace(shared.DESCRIPTION, unread="write it under `metadata`"),
    ),
    removed={
        "input_messages": Removed("2.7", Effect.SKIPPED, "input"),
        "expected_messages": Removed("2.7", Effect.IGNORED, "expected_output"),
        "outcome": Removed("2.7", Effect.IGNORED, "criteria"),
        "evaluator": _OLD_EVALUATOR,
    },
    noun="a test",
)

TURN = Record(
    "turn",
    "One turn of a conversation: what the user says, and what is judged of the answer.",
    (
        *shared.TURN_FIELDS,
        replace(
            _ASSERTIONS,
            doc="The assertions that judge the answer to this turn. A plain string is a criterion.",
            aliases=Aliases(),
            since="4.15",
        ),
        Field.records(
            "assert",
            "A list of assertions under another name.",
            "evaluator",
            items=shared.TEXT_OR_MAPPING,
            unread="write `assertions`",
        ),
    ),
)

WORKSPACE = Record(
    "workspace",
    "The folder in which an agent works.",
    (
        Field.text("template", "The folder that is copied for the agent."),
        Field.text(
            "isolation", "Whether the tests share one workspace.", default="shared", values=("shared", "per_test")
        ),
        Field.records("repos", "The repositories in it.", "free-form"),
        Field.mapping("hooks", "Commands that run before and after tests."),
        Field.text(
            "mode",
            "Whether workspaces are kept for the next run, made anew, or a folder that exists.",
            values=("pooled", "temp", "static"),
        ),
        Field.text("path", "The folder, for `mode: static`."),
        Field.mapping("docker", "The container in which commands run."),
        Field.mapping("env", "The commands and modules that must be installed."),
    ),
    removed={
        "static_path": Removed("2.18", Effect.REFUSED, "path"),
        "pool": Removed("2.18", Effect.REFUSED, "mode", "write `mode: pooled`"),
        "static": Removed("2.18", Effect.REFUSED, "mode", "write `mode: static` and `path`"),
    },
)

CRITERION = replace(
    shared.COMMON_CRITERION,
    fields=tuple(
        replace(
            field,
            doc="Whether failing this criterion fails the assertion; with `score_ranges` it asks for 10 of 10.",
            default="true without score_ranges",
        )
        if field.name == "required"
        else field
        for field in shared.CRITERION_FIELDS
    ),
    removed={
        "required_min_score": Removed("4.7", Effect.READ, "min_score", "divide it by 10"),
        "expected_outcome": Removed("2.7", Effect.DROPPED, "outcome"),
        "description": Removed("2.7", Effect.DROPPED, "outcome"),
    },
)


RECORDS = by_name(
    *(SUITE, SUITE_EXECUTION, EXECUTION, TRIALS, TARGET_REFERENCE, CASE, TURN, WORKSPACE, CRITERION),
    *EVALUATOR_RECORDS_4,
    *shared.SHARED_RECORDS,
)
"""Every record by its name. An assertion of a type is `evaluator:<type>`, one of an unknown type `evaluator`."""

COMMON_TYPES = (
    *("rubrics", "llm-grader", "code-grader", "composite", "contains", "contains-all", "equals", "regex"),
    *("is-json", "field-accuracy", "tool-trajectory", "latency", "cost"),
)
TABLE = Table(
    RECORDS,
    Types(TYPES, OLD_TYPES, REMOVED_TYPES, COMMON_TYPES, own_folder=OWN_TYPES),
    marks=TWO_VERDICTS,
    thresholds=Thresholds(case=("execution",), suite=("execution",)),
    gates=ShareGates(fails="evaluator", of_required=HIGHEST),
    judging=JudgingKeys(("assertions", "assert"), ("criteria", "expected_outcome", "expected_output", "turns")),
    member_keys=("name",),
)
