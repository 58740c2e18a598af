"""The table of AgentV 5: suites with `prompts`, `vars` and `assert`, as releases from 5.1 on read them."""

from collections.abc import Mapping
from dataclasses import replace

from rubric_core.dialects.agentv import shared_records as shared
from rubric_core.dialects.agentv.assertions import evaluator_list
from rubric_core.dialects.agentv.names import OWN_TYPES
from rubric_core.dialects.agentv_5 import records
from rubric_core.dialects.agentv_5.evaluators import EVALUATOR_RECORDS_5, OLD_TYPES, REMOVED_TYPES, TYPES
from rubric_core.schema.fields import Effect, Field, FieldType, OtherKeys, Record, Removed, ValueLimits, by_name
from rubric_core.schema.gates import ShareGates
from rubric_core.schema.scales import TWO_VERDICTS
from rubric_core.schema.table import JudgingKeys, Table, Thresholds, Types


def _refused(advice: str) -> Removed:
    """Return what becomes of a key that 5.1 removed, as it did most of them."""
    return Removed("5.1", Effect.REFUSED, advice=advice)


_ASSERT = replace(
    evaluator_list(
        "assert",
        "The assertions that judge the answer. A plain string is a criterion, and all strings are judged together.",
    ),
    since="5.1",
)
_TEXT_LIST_OR_MAPPING = shared.TEXT_OR_LIST | FieldType.MAPPING
_PROMPTS = Field(
    "prompts",
    _TEXT_LIST_OR_MAPPING,
    "What is sent: a text, a file as `file://` and its path, a list of messages, or several of these, each for every "
    "test.",
    record="prompt",
    items=_TEXT_LIST_OR_MAPPING,
    placeholder='["{{ input }}"]',
    since="5.1",
)
_PROVIDERS = Field(
    "providers",
    _TEXT_LIST_OR_MAPPING,
    "What answers: the labels of providers, or providers in full.",
    record="provider",
    items=shared.TEXT_OR_MAPPING,
    since="5.3",
)
_PROVIDER = Field(
    "provider", shared.TEXT_OR_MAPPING, "What answers: the label of a provider.", record="provider", since="5.3"
)
_ENVIRONMENT = Field(
    "environment",
    shared.TEXT_OR_MAPPING,
    "The folder or container in which an agent works, or a file that describes it, as `file://` and its path.",
    record="environment",
    since="5.2",
)
_OPTIONS = Field.mapping("options", "What holds for the test's assertions.", "options", since="5.1")
_SCORING_FUNCTION = Field(
    "assert_scoring_function",
    shared.TEXT_OR_MAPPING,
    "A function that puts scores together.",
    record="free-form",
    unread="write an assertion of the type `script`",
)
_REMOVED_WORKSPACE = Removed("5.2", Effect.REFUSED, advice="describe the folder under `environment`")
_OLD_EVALUATOR = Removed("2.7", Effect.READ, advice="name the type in an item of `assert`")
_OLD_ASSERT = Removed("5.1", Effect.IGNORED, "assert")

SUITE = Record(
    "suite",
    "An eval file: the tests, and what holds for all of them.",
    (
        *shared.SUITE_FIELDS,
        Field(
            "tags",
            FieldType.SEQUENCE | FieldType.MAPPING,
            "Words by which suites are selected, or a mapping of them; `experiment` in it groups runs.",
            record="free-form",
            items=FieldType.STRING,
        ),
        _PROMPTS,
        _PROVIDERS,
        Field("defaults", shared.TEXT_OR_MAPPING, "Who answers and who judges.", record="defaults", since="5.1"),
        shared.INPUT_FILES,
        shared.THRESHOLD,
        Field.number(
            "timeout_seconds", "The longest time that a test may take, in seconds.", limits=ValueLimits(above=0)
        ),
        Field.mapping("evaluate_options", "How the tests are run.", "evaluate-options", since="5.1"),
        _ENVIRONMENT,
        Field.mapping("env", "Environment variables for the run."),
        Field.records(
            "extensions",
            "Code that runs before and after tests.",
            "free-form",
            items=shared.TEXT_OR_MAPPING,
            since="5.1",
        ),
        Field(
            "nunjucks_filters",
            FieldType.MAPPING | FieldType.SEQUENCE,
            "Files with filters for the templates.",
            record="free-form",
            items=FieldType.STRING,
            since="5.1",
        ),
        Field.records("derived_metrics", "Numbers that are computed from the results.", "derived-metric", since="5.1"),
        Field(
            "output_path", shared.TEXT_OR_LIST, "Where the results are written.", items=FieldType.STRING, since="5.1"
        ),
        Field(
            "default_test",
            shared.TEXT_OR_MAPPING,
            "What every test starts from, or a file with it, as `file://` and its path.",
            record="default-test",
            since="5.1",
        ),
        replace(_ASSERT, doc="The assertions that judge every answer, after the test's own."),
        Field.records(
            "scenarios",
            "Lists of tests, each with a list of settings to run them in, or files with them.",
            "scenario",
            items=shared.TEXT_OR_MAPPING,
            since="5.1",
        ),
        shared.TESTS,
    ),
    removed={
        **dict.fromkeys(("evalcases", "eval_cases"), Removed("5.3", Effect.REFUSED, "tests")),
        "cases": Removed("2.7", Effect.REFUSED, "tests"),
        **dict.fromkeys(("assertions", "evaluators"), _OLD_ASSERT),
        "evaluator": _OLD_EVALUATOR,
        "input": _refused("put its messages into `prompts`"),
        "expected_output": _refused("move it to `vars.expected_output` under `default_test`"),
        "target": Removed("5.3", Effect.REFUSED, "providers"),
        "targets": Removed(
            "5.3", Effect.REFUSED, "providers", "call its `id` or `name` there `label`, and its `provider` `id`"
        ),
        "execution": _refused("write `providers`, `threshold` and `evaluate_options` in the suite"),
        "workspace": _REMOVED_WORKSPACE,
        "workers": _refused("write it as `evaluate_options.max_concurrency`"),
        "model": _refused("write it under `config` of a provider"),
        "policy": _refused("write `threshold` and `evaluate_options` in the suite"),
        "experiment": _refused("write it as `tags.experiment`"),
        "imports": Removed("5.2", Effect.REFUSED, advice="write the paths as items of `tests`"),
        **dict.fromkeys(("repeat", "budget_usd"), _refused("write it under `evaluate_options`")),
        **dict.fromkeys(("runs", "early_exit"), _refused("write `evaluate_options.repeat`")),
        "on_run_complete": _refused("write an `afterAll` hook under `extensions`"),
        "preprocessors": _refused("write `transform` in an assertion or under `default_test.options`"),
        "graders": Removed(
            "5.3", Effect.REFUSED, advice="move its entries to `providers` and name one as `defaults.grader`"
        ),
        **dict.fromkeys(
            ("providerPromptMap", "provider_prompt_map"),
            Removed("5.1", Effect.IGNORED, advice="write `prompts` in the entries of `providers`"),
        ),
    },
)

EXECUTION = Record(
    "execution",
    "How a test is run and judged. Any other key here keeps the whole file from loading.",
    (
        shared.SKIP_DEFAULTS,
        replace(_ASSERT, doc="The assertions of the test, where it has no `assert` of its own."),
        shared.THRESHOLD,
        shared.CACHE,
        shared.BUDGET_USD,
        shared.FAIL_ON_ERROR,
    ),
    other_keys=OtherKeys(Effect.REFUSED),
    removed={
        **dict.fromkeys(("target", "targets"), _refused("name what answers in the suite's `providers`")),
        "evaluators": Removed("5.1", Effect.REFUSED, "assert"),
        "assertions": _OLD_ASSERT,
        "workers": _refused("write it as the suite's `evaluate_options.max_concurrency`"),
        "trials": Removed("5.1", Effect.IGNORED, advice="write `run.repeat` in the test"),
        "workspace": _REMOVED_WORKSPACE,
    },
)

_CASE_SHARED: tuple[Field, ...] = (
    shared.VARS,
    _PROMPTS,
    _PROVIDER,
    replace(_PROVIDERS, doc="What answers this test: the labels of providers."),
    _ASSERT,
    _SCORING_FUNCTION,
    _OPTIONS,
)
_CASE_OWN: tuple[Field, ...] = (
    shared.DESCRIPTION,
    replace(
        shared.CASE_TEXT,
        doc="What a good answer achieves. It is judged where nothing else is; beside `assert` it is an error.",
    ),
    *_CASE_SHARED,
    shared.INPUT_FILES,
    Field.mapping("run", "How this test is run.", "run", since="5.1"),
    replace(shared.THRESHOLD, default=None, unread="write it under `run`"),
    Field.mapping("execution", "How this test is run and judged.", "execution"),
    _ENVIRONMENT,
    *shared.CASE_FIELDS,
)
_INCLUDE = Removed("5.1", Effect.READ, advice="write the path itself as an item of `tests`")
_MOVED_INPUT = 'move it to `vars.input` and add `prompts: ["{{ input }}"]`'
_REMOVED_PROVIDER_OUTPUT = _refused("use a provider that gives a fixed answer")
_CASE_REMOVED: Mapping[str, Removed] = {
    "input": _refused(_MOVED_INPUT),
    "expected_output": _refused("move it to `vars.expected_output` and name it in an assertion"),
    "input_messages": Removed("2.7", Effect.SKIPPED, advice=_MOVED_INPUT),
    "expected_messages": Removed("2.7", Effect.IGNORED, advice="move it to `vars.expected_output`"),
    **dict.fromkeys(("assertions", "evaluators"), _OLD_ASSERT),
    "rubrics": Removed("5.1", Effect.IGNORED, advice="move it to the `value` of an assertion of the type `llm-rubric`"),
    "outcome": Removed("2.7", Effect.IGNORED, "criteria"),
    "evaluator": _OLD_EVALUATOR,
    "workspace": _REMOVED_WORKSPACE,
    "provider_output": _REMOVED_PROVIDER_OUTPUT,
    **dict.fromkeys(
        ("preprocessors", "postprocess"),
        Removed("5.1", Effect.IGNORED, advice="write `transform` in an assertion or under `options`"),
    ),
    **dict.fromkeys(("include", "type", "select"), _INCLUDE),
}

CASE = Record(
    "case", "One task with what judges the answer to it.", (shared.ID, *_CASE_OWN), removed=_CASE_REMOVED, noun="a test"
)

RAW_CASE = Record(
    "raw-case",
    "A test in a file of tests, which may still hold its input and a reference answer.",
    (shared.ID, shared.INPUT, shared.EXPECTED_OUTPUT, *_CASE_OWN),
    removed={
        **{key: removed for key, removed in _CASE_REMOVED.items() if key not in {"input", "expected_output"}},
        "input_messages": Removed("2.7", Effect.SKIPPED, "input"),
        "expected_messages": Removed("2.7", Effect.IGNORED, "expected_output"),
    },
    noun="a test",
)

SCENARIO_CASE = Record(
    "scenario-case",
    "A test of a scenario, which runs once in each of its settings.",
    (
        replace(shared.ID, doc="The test's name in results.", default="made from the setting's", required=False),
        *_CASE_OWN,
    ),
    removed=_CASE_REMOVED,
    noun="a test",
)
SCENARIO_CONFIG = replace(
    SCENARIO_CASE,
    name="scenario-config",
    doc="A setting in which the tests of a scenario run; it has the keys of a test.",
)

SCENARIO = Record(
    "scenario",
    "Tests that run in each of several settings.",
    (
        shared.DESCRIPTION,
        Field.records(
            "config",
            "The settings: what each adds to every test.",
            "scenario-config",
            required=True,
            placeholder="[{vars: {}}]",
            limits=ValueLimits(empty=Effect.SKIPPED),
        ),
        replace(
            shared.TESTS,
            type=FieldType.SEQUENCE,
            doc="The tests.",
            record="scenario-case",
            required=True,
            items=FieldType.MAPPING,
            placeholder="[{id: TODO-id}]",
            since=None,
        ),
    ),
)

DEFAULT_TEST = Record(
    "default-test",
    "What every test starts from.",
    (*_CASE_SHARED, shared.THRESHOLD, shared.METADATA),
    removed={
        "expected_output": _refused("move it to `vars.expected_output`"),
        "provider_output": _REMOVED_PROVIDER_OUTPUT,
        **dict.fromkeys(("assertions", "evaluators"), _OLD_ASSERT),
    },
)

TURN = Record(
    "turn",
    "One turn of a conversation: what the user says, and what is judged of the answer.",
    (
        *shared.TURN_FIELDS,
        replace(_ASSERT, doc="The assertions that judge the answer to this turn. A plain string is a criterion."),
    ),
    removed={"assertions": _OLD_ASSERT},
)

RECORDS = by_name(
    *(SUITE, EXECUTION, CASE, RAW_CASE, SCENARIO, SCENARIO_CASE, SCENARIO_CONFIG, DEFAULT_TEST, TURN),
    *(records.PROMPT, records.PROVIDER, records.DEFAULTS, records.EVALUATE_OPTIONS, records.RUN, records.OPTIONS),
    *(records.ENVIRONMENT, records.ENVIRONMENT_SETUP, records.DERIVED_METRIC),
    *(records.CRITERION, records.RUBRIC_VALUE),
    *EVALUATOR_RECORDS_5,
    *shared.SHARED_RECORDS,
)
"""Every record by its name. An assertion of a type is `evaluator:<type>`, one of an unknown type `evaluator`."""

COMMON_TYPES = (
    *("llm-rubric", "agent-rubric", "script", "assert-set", "contains", "contains-all", "equals", "regex"),
    *("is-json", "similar", "skill-used", "latency", "cost"),
)
TABLE = Table(
    RECORDS,
    Types(TYPES, OLD_TYPES, REMOVED_TYPES, COMMON_TYPES, own_folder=OWN_TYPES),
    marks=TWO_VERDICTS,
    thresholds=Thresholds(case=("run", "execution"), suite=("default_test", "")),
    gates=ShareGates(fails="evaluator"),
    judging=JudgingKeys(("assert",), ("criteria", "expected_outcome", "turns")),
    rendered_keys=(
        *("id", "description", "criteria", "expected_outcome", "assert", "input", "input_files", "expected_output"),
        "turns",
    ),
)
