"""The table of promptfoo: configurations with `prompts`, `providers` and `tests`."""

from dataclasses import replace

from rubric_core.dialects.promptfoo.assertions import (
    ASSERT,
    EVALUATOR_RECORDS,
    MISSPELT_IS_ERROR,
    RED_TEAM,
    TYPES,
    WITHOUT_REFERENCE,
)
from rubric_core.schema.fields import FREE_FORM, Condition, Field, FieldType, OtherKeys, Record, ValueLimits, by_name
from rubric_core.schema.scales import TWO_VERDICTS
from rubric_core.schema.table import JudgingKeys, Table, Thresholds, Types

_TEXT_OR_LIST = FieldType.STRING | FieldType.SEQUENCE
_TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING
_TEXT_LIST_OR_MAPPING = _TEXT_OR_LIST | FieldType.MAPPING
PARENT = ".."
"""Where a key belongs that is one level too deep."""

_DESCRIPTION = Field.text("description", "What this is for, for readers.")
_METADATA = Field.mapping("metadata", "Anything else, for filters and results.")
_PROVIDER_LIST = Field(
    "providers",
    _TEXT_LIST_OR_MAPPING,
    "What answers: ids of models such as `openai:gpt-5`, files with providers, or providers in full.",
    record="provider",
    items=_TEXT_OR_MAPPING,
    placeholder="[echo]",
)
_VARS = Field(
    "vars",
    _TEXT_LIST_OR_MAPPING,
    "Values for the templates, or files with them. A list makes a row for each of its items.",
    mapping_record="vars",
    items=FieldType.STRING,
    record="vars",
)
_OPTIONS = Field.mapping("options", "How the test is rendered, run and judged.", "options")
_THRESHOLD = Field.number(
    "threshold",
    "The weighted score from which the test passes. Without it every assertion must pass.",
    limits=ValueLimits(0, 1, meaning="The test passes when the weighted mean of its assertions is at least {value}."),
)
_PROVIDER = Field("provider", _TEXT_OR_MAPPING, "What answers, in place of the providers.", record="free-form")
_SCORING_FUNCTION = Field.text(
    "assertScoringFunction", "A function that puts scores together, as `file://` and its path."
)

_CASE_FIELDS: tuple[Field, ...] = (
    _DESCRIPTION,
    _VARS,
    ASSERT,
    _THRESHOLD,
    _OPTIONS,
    _PROVIDER,
    Field("providers", FieldType.SEQUENCE, "The labels or ids of the providers that it runs with."),
    Field("prompts", FieldType.SEQUENCE, "The labels or ids of the prompts that it runs with."),
    Field("providerOutput", _TEXT_OR_MAPPING, "The output to judge, so that nothing is sent.", record="free-form"),
    _SCORING_FUNCTION,
    _METADATA,
)

SUITE = Record(
    "suite",
    "A configuration: the prompts, what answers them, and the tests.",
    (
        _DESCRIPTION,
        Field.mapping("tags", "Words by which runs are found."),
        Field(
            "prompts",
            _TEXT_LIST_OR_MAPPING,
            "What is sent: texts, files as `file://` and their paths, or both with labels.",
            record="prompt",
            mapping_record="free-form",
            items=_TEXT_OR_MAPPING,
            placeholder='["{{ input }}"]',
        ),
        _PROVIDER_LIST,
        replace(_PROVIDER_LIST, name="targets", doc="What answers; another name of `providers`."),
        Field(
            "defaultTest",
            _TEXT_OR_MAPPING,
            "What every test starts from, or a file with it, as `file://` and its path.",
            record="default-test",
        ),
        Field(
            "tests",
            _TEXT_LIST_OR_MAPPING,
            "The tests, files with tests, or functions that make them.",
            record="case",
            mapping_record="test-generator",
            items=_TEXT_OR_MAPPING,
            placeholder="[{vars: {}}]",
        ),
        Field.records(
            "scenarios",
            "Lists of tests, each with a list of settings to run them in, or files with them.",
            "scenario",
            items=_TEXT_OR_MAPPING,
        ),
        Field.mapping("evaluateOptions", "How the tests are run.", "evaluate-options"),
        Field.mapping(
            "commandLineOptions",
            "Options of the command line that hold unless others are given.",
            "command-line-options",
        ),
        Field.records("derivedMetrics", "Numbers that are computed from metrics.", "derived-metric"),
        Field.mapping("nunjucksFilters", "Filters of templates: paths by name."),
        Field.mapping("env", "Environment variables for providers."),
        Field("extensions", FieldType.SEQUENCE | FieldType.NULL, "Code that runs before and after tests."),
        Field("outputPath", _TEXT_OR_LIST, "Where the results are written.", items=FieldType.STRING),
        Field(
            "sharing",
            FieldType.BOOLEAN | FieldType.MAPPING,
            "Whether results are shared.",
            record="free-form",
        ),
        Field.flag("writeLatestResults", "Whether the web viewer gets the results."),
        Field.mapping("tracing", "How traces are collected."),
        Field.mapping("redteam", "What a red team tries."),
        Field("plugins", FieldType.ANYTHING, "Plugins of a red team; they belong under `redteam`."),
        Field("strategies", FieldType.ANYTHING, "Strategies of a red team; they belong under `redteam`."),
        _METADATA,
    ),
    other_keys=OtherKeys(
        misspelt="error",
        own=r"x-.*|\$.*",
        meant={"test": "tests", "prompt": "prompts", "provider": "providers"},
        misplaced=dict.fromkeys(("assert", "vars", "threshold"), "defaultTest"),
    ),
    noun="the configuration",
)

CASE = Record(
    "case",
    "One row of values for the prompts, and what judges the outputs.",
    _CASE_FIELDS,
    # A mapping with a path is a function that makes tests.
    condition=Condition(WITHOUT_REFERENCE.without | {"path"}),
    other_keys=OtherKeys(misspelt="error", meant={"assertions": "assert", "variables": "vars"}),
    noun="a test",
)
DEFAULT_TEST = replace(
    CASE, name="default-test", doc="What every test starts from.", condition=WITHOUT_REFERENCE, noun="`defaultTest`"
)
SCENARIO_CONFIG = replace(
    CASE,
    name="scenario-config",
    doc="A setting in which the tests of a scenario run; it has the keys of a test.",
    noun="a setting of a scenario",
)

TEST_GENERATOR = Record(
    "test-generator",
    "A function that makes tests.",
    (
        Field.text("path", "The function, as `file://` and its path.", required=True),
        Field.mapping("config", "Values for the function."),
    ),
    # Otherwise it is a test that is not in a list.
    condition=WITHOUT_REFERENCE._replace(key="path"),
    other_keys=MISSPELT_IS_ERROR,
    reports_missing=True,
    noun="a function that makes tests",
)

SCENARIO = Record(
    "scenario",
    "Tests that run in each of several settings.",
    (
        _DESCRIPTION,
        Field(
            "config",
            _TEXT_OR_LIST,
            "The settings: what each adds to every test.",
            required=True,
            record="scenario-config",
            items=_TEXT_OR_MAPPING,
            placeholder="[{vars: {TODO: TODO}}]",
        ),
        Field(
            "tests",
            _TEXT_OR_LIST,
            "The tests.",
            required=True,
            record="case",
            items=_TEXT_OR_MAPPING,
            placeholder="[{vars: {TODO: TODO}}]",
        ),
    ),
    condition=WITHOUT_REFERENCE,
    other_keys=MISSPELT_IS_ERROR,
    reports_missing=True,
    noun="a scenario",
)

VARS = Record(
    "vars",
    "Values for the templates, by name.",
    open=True,
    other_keys=OtherKeys(misplaced={"assert": PARENT}),
    noun="`vars`",
)

OPTIONS = Record(
    "options",
    "How a test is rendered, run and judged; any other key goes to the provider.",
    (
        Field.text("prefix", "What goes before each prompt."),
        Field.text("suffix", "What goes after each prompt."),
        Field.text("transform", "What is done to the output before it is judged."),
        Field.text("postprocess", "The older name of `transform`."),
        Field("transformVars", _TEXT_OR_MAPPING, "What is done to the variables.", record="free-form"),
        Field.text("storeOutputAs", "The variable under which later tests find the output."),
        Field(
            "rubricPrompt",
            _TEXT_LIST_OR_MAPPING,
            "The prompt of every judge, which shows it `{{ output }}` and `{{ rubric }}`.",
            record="free-form",
        ),
        Field("provider", _TEXT_OR_MAPPING, "What judges.", record="free-form"),
        Field("providers", FieldType.ANYTHING, "Nothing that promptfoo reads.", unread="write `provider`"),
        Field.mapping("factuality", "The scores of the verdicts of `factuality`."),
        Field.flag("disableVarExpansion", "Whether a list in `vars` stays one value."),
        Field.flag("disableConversationVar", "Whether prompts have no `_conversation`."),
        Field.flag("disableDefaultAsserts", "Whether the assertions of `defaultTest` do not count."),
        Field.flag("runSerially", "Whether the test runs by itself."),
        Field.integer("repeat", "How often the test runs.", limits=ValueLimits(1)),
    ),
    open=True,
    other_keys=OtherKeys(misspelt="warning", misplaced=dict.fromkeys(("assert", "vars", "threshold"), PARENT)),
    noun="`options`",
)

PROVIDER = Record(
    "provider",
    "What answers: its id, and how it is called.",
    (
        Field.text("id", "The model or the file, such as `openai:gpt-5` or `file://provider.js`."),
        Field.text("label", "The name by which other places call it.", default="its id"),
        Field("config", FieldType.ANYTHING, "Settings of the provider."),
        Field("prompts", FieldType.SEQUENCE, "The labels or ids of the prompts that it gets."),
        Field.text("transform", "What is done to each output."),
        Field.number("delay", "The pause between two calls, in milliseconds.", limits=ValueLimits(0)),
        Field.mapping("env", "Environment variables for it."),
        Field("inputs", FieldType.ANYTHING, "What a red team may put into which variable."),
    ),
    # Otherwise it is a mapping from an id to the other keys.
    condition=WITHOUT_REFERENCE._replace(key="id"),
    noun="a provider",
)

PROMPT = Record(
    "prompt",
    "A prompt with a label.",
    (
        Field.text("id", "The file with the prompt, as `file://` and its path, or its name."),
        Field.text("label", "The name by which tests and providers call it."),
        Field.text("raw", "The text."),
        Field("config", FieldType.ANYTHING, "Settings for the provider with this prompt."),
        Field.text("function", "The function that makes the prompt."),
    ),
    open=True,
    other_keys=OtherKeys(misspelt="warning"),
    condition=WITHOUT_REFERENCE,
    one_of=("label", "id"),
    reports_missing=True,
    noun="a prompt",
)

EVALUATE_OPTIONS = Record(
    "evaluate-options",
    "How the tests are run.",
    (
        Field.integer("maxConcurrency", "How many calls run at the same time.", default="4", limits=ValueLimits(1)),
        Field.integer("repeat", "How often each test runs.", default="1", limits=ValueLimits(1)),
        Field.number("delay", "The pause between two calls, in milliseconds.", limits=ValueLimits(0)),
        Field.flag("cache", "Whether outputs are kept and used again.", default="true"),
        Field.number("timeoutMs", "The longest time of a call, in milliseconds.", limits=ValueLimits(0)),
        Field.number("maxEvalTimeMs", "The longest time of the whole run, in milliseconds.", limits=ValueLimits(0)),
        Field.flag("showProgressBar", "Whether progress is shown."),
        Field.flag("generateSuggestions", "Whether prompts are suggested."),
        Field.integer("suggestionsCount", "How many prompts are suggested.", limits=ValueLimits(1, 50)),
        Field.flag("interactiveProviders", "Nothing since 2024.", unread="write `maxConcurrency: 1`"),
        Field.flag("isRedteam", "Whether this is a run of a red team."),
        Field.flag("silent", "Whether less is printed."),
        Field.text("filterRange", "The tests that run, such as `0:10`."),
    ),
    condition=WITHOUT_REFERENCE,
    noun="`evaluateOptions`",
)

_SWITCHES = ("verbose", "write", "cache", "table", "share", "noShare", "progressBar", "watch", "generateSuggestions")
_COUNTS = ("maxConcurrency", "repeat", "delay", "tableCellMaxLength", "filterFirstN", "filterSample")
_TEXTS = ("description", "vars", "tests", "assertions", "modelOutputs", "grader", "filterErrorsOnly", "filterFailing")
_OTHER_TEXTS = ("filterFailingOnly", "filterPattern", "filterPrompts", "filterProviders", "filterRange")
_MORE_TEXTS = ("filterTargets", "promptPrefix", "promptSuffix")
_LISTS = ("prompts", "providers", "output", "config", "filterMetadata", "envPath", "extension")


def _options(names: tuple[str, ...], accepted: FieldType) -> tuple[Field, ...]:
    return tuple(Field(name, accepted, f"The option `{name}` of the command line.") for name in names)


COMMAND_LINE_OPTIONS = Record(
    "command-line-options",
    "Options of the command line.",
    (
        *_options((*_SWITCHES, "retryErrors"), FieldType.BOOLEAN),
        *_options((*_COUNTS, "filterSampleSeed", "suggestionsCount"), FieldType.NUMBER | FieldType.STRING),
        *_options((*_TEXTS, *_OTHER_TEXTS, *_MORE_TEXTS), FieldType.STRING),
        *_options(_LISTS, _TEXT_OR_LIST),
        *_options(("var", "tags"), FieldType.MAPPING),
    ),
    condition=WITHOUT_REFERENCE,
    noun="`commandLineOptions`",
)

DERIVED_METRIC = Record(
    "derived-metric",
    "A number that is computed from metrics.",
    (
        Field.text("name", "Its name.", required=True),
        Field.text("value", "How it is computed, from the names of metrics.", required=True),
    ),
    condition=WITHOUT_REFERENCE,
    other_keys=MISSPELT_IS_ERROR,
    reports_missing=True,
    noun="a derived metric",
)

RECORDS = by_name(
    *(SUITE, CASE, DEFAULT_TEST, SCENARIO, SCENARIO_CONFIG, TEST_GENERATOR, VARS, OPTIONS, PROVIDER, PROMPT),
    *(EVALUATE_OPTIONS, COMMAND_LINE_OPTIONS, DERIVED_METRIC, FREE_FORM),
    *EVALUATOR_RECORDS,
)
"""Every record by its name. An assertion of a type is `evaluator:<type>`, one of an unknown type `evaluator`."""

COMMON_TYPES = (
    *("llm-rubric", "g-eval", "contains", "icontains", "contains-any", "contains-all", "equals", "regex"),
    *("starts-with", "is-json", "javascript", "python", "similar", "latency", "cost", "assert-set", "select-best"),
)
TABLE = Table(
    RECORDS,
    Types(TYPES, common=COMMON_TYPES, prefixes=((f"{RED_TEAM}:", RED_TEAM),)),
    marks=TWO_VERDICTS,
    thresholds=Thresholds(case=("",), suite=("defaultTest",)),
    judging=JudgingKeys(("assert",), ("assertScoringFunction",)),
    answer_key="providerOutput",
    rubric_keys=("threshold", "rubricPrompt"),
)
