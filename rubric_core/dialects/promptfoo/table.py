"""The table of promptfoo: configurations with `prompts`, `providers` and `tests`."""

from dataclasses import replace

from rubric_core.dialects.promptfoo.assertions import (
    ASSERT,
    EVALUATOR_RECORDS,
    RED_TEAM,
    REFERENCE_KEY,
    TYPES,
)
from rubric_core.schema.fields import FREE_FORM, Field, FieldType, Record, by_name
from rubric_core.schema.scales import TWO_VERDICTS
from rubric_core.schema.table import JudgingKeys, Table, Thresholds, Types

_TEXT_OR_LIST = FieldType.STRING | FieldType.SEQUENCE
_TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING
_TEXT_LIST_OR_MAPPING = _TEXT_OR_LIST | FieldType.MAPPING
_REFERENCE = frozenset({REFERENCE_KEY})
PARENT = ".."
"""Where a key belongs that is one level too deep."""

_DESCRIPTION = Field("description", FieldType.STRING, "What this is for, for readers.")
_METADATA = Field("metadata", FieldType.MAPPING, "Anything else, for filters and results.", record="free-form")
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
_OPTIONS = Field("options", FieldType.MAPPING, "How the test is rendered, run and judged.", record="options")
_THRESHOLD = Field(
    "threshold",
    FieldType.NUMBER,
    "The weighted score from which the test passes. Without it every assertion must pass.",
    minimum=0,
    maximum=1,
    meaning="The test passes when the weighted mean of its assertions is at least {value}.",
)
_PROVIDER = Field("provider", _TEXT_OR_MAPPING, "What answers, in place of the providers.", record="free-form")
_SCORING_FUNCTION = Field(
    "assertScoringFunction", FieldType.STRING, "A function that puts scores together, as `file://` and its path."
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
        Field("tags", FieldType.MAPPING, "Words by which runs are found.", record="free-form"),
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
        Field(
            "scenarios",
            FieldType.SEQUENCE,
            "Lists of tests, each with a list of settings to run them in, or files with them.",
            record="scenario",
            items=_TEXT_OR_MAPPING,
        ),
        Field("evaluateOptions", FieldType.MAPPING, "How the tests are run.", record="evaluate-options"),
        Field(
            "commandLineOptions",
            FieldType.MAPPING,
            "Options of the command line that hold unless others are given.",
            record="command-line-options",
        ),
        Field(
            "derivedMetrics",
            FieldType.SEQUENCE,
            "Numbers that are computed from metrics.",
            record="derived-metric",
            items=FieldType.MAPPING,
        ),
        Field("nunjucksFilters", FieldType.MAPPING, "Filters of templates: paths by name.", record="free-form"),
        Field("env", FieldType.MAPPING, "Environment variables for providers.", record="free-form"),
        Field("extensions", FieldType.SEQUENCE | FieldType.NULL, "Code that runs before and after tests."),
        Field("outputPath", _TEXT_OR_LIST, "Where the results are written.", items=FieldType.STRING),
        Field(
            "sharing",
            FieldType.BOOLEAN | FieldType.MAPPING,
            "Whether results are shared.",
            record="free-form",
        ),
        Field("writeLatestResults", FieldType.BOOLEAN, "Whether the web viewer gets the results."),
        Field("tracing", FieldType.MAPPING, "How traces are collected.", record="free-form"),
        Field("redteam", FieldType.MAPPING, "What a red team tries.", record="free-form"),
        Field("plugins", FieldType.ANYTHING, "Plugins of a red team; they belong under `redteam`."),
        Field("strategies", FieldType.ANYTHING, "Strategies of a red team; they belong under `redteam`."),
        _METADATA,
    ),
    misspelt_is_error=True,
    extra=r"x-.*|\$.*",
    other_names={"test": "tests", "prompt": "prompts", "provider": "providers"},
    misplaced=dict.fromkeys(("assert", "vars", "threshold"), "defaultTest"),
    noun="the configuration",
)

CASE = Record(
    "case",
    "One row of values for the prompts, and what judges the outputs.",
    _CASE_FIELDS,
    # A mapping with a path is a function that makes tests.
    alternatives=_REFERENCE | {"path"},
    misspelt_is_error=True,
    other_names={"assertions": "assert", "variables": "vars"},
    noun="a test",
)
DEFAULT_TEST = replace(
    CASE, name="default-test", doc="What every test starts from.", alternatives=_REFERENCE, noun="`defaultTest`"
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
        Field("path", FieldType.STRING, "The function, as `file://` and its path.", required=True),
        Field("config", FieldType.MAPPING, "Values for the function.", record="free-form"),
    ),
    # Otherwise it is a test that is not in a list.
    identifying_key="path",
    alternatives=_REFERENCE,
    misspelt_is_error=True,
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
    alternatives=_REFERENCE,
    misspelt_is_error=True,
    reports_missing=True,
    noun="a scenario",
)

VARS = Record(
    "vars",
    "Values for the templates, by name.",
    open=True,
    misplaced={"assert": PARENT},
    noun="`vars`",
)

OPTIONS = Record(
    "options",
    "How a test is rendered, run and judged; any other key goes to the provider.",
    (
        Field("prefix", FieldType.STRING, "What goes before each prompt."),
        Field("suffix", FieldType.STRING, "What goes after each prompt."),
        Field("transform", FieldType.STRING, "What is done to the output before it is judged."),
        Field("postprocess", FieldType.STRING, "The older name of `transform`."),
        Field("transformVars", _TEXT_OR_MAPPING, "What is done to the variables.", record="free-form"),
        Field("storeOutputAs", FieldType.STRING, "The variable under which later tests find the output."),
        Field(
            "rubricPrompt",
            _TEXT_LIST_OR_MAPPING,
            "The prompt of every judge, which shows it `{{ output }}` and `{{ rubric }}`.",
            record="free-form",
        ),
        Field("provider", _TEXT_OR_MAPPING, "What judges.", record="free-form"),
        Field("providers", FieldType.ANYTHING, "Nothing that promptfoo reads.", unread="write `provider`"),
        Field("factuality", FieldType.MAPPING, "The scores of the verdicts of `factuality`.", record="free-form"),
        Field("disableVarExpansion", FieldType.BOOLEAN, "Whether a list in `vars` stays one value."),
        Field("disableConversationVar", FieldType.BOOLEAN, "Whether prompts have no `_conversation`."),
        Field("disableDefaultAsserts", FieldType.BOOLEAN, "Whether the assertions of `defaultTest` do not count."),
        Field("runSerially", FieldType.BOOLEAN, "Whether the test runs by itself."),
        Field("repeat", FieldType.INTEGER, "How often the test runs.", minimum=1),
    ),
    open=True,
    guards_misspelt=True,
    misplaced=dict.fromkeys(("assert", "vars", "threshold"), PARENT),
    noun="`options`",
)

PROVIDER = Record(
    "provider",
    "What answers: its id, and how it is called.",
    (
        Field("id", FieldType.STRING, "The model or the file, such as `openai:gpt-5` or `file://provider.js`."),
        Field("label", FieldType.STRING, "The name by which other places call it.", default="its id"),
        Field("config", FieldType.ANYTHING, "Settings of the provider."),
        Field("prompts", FieldType.SEQUENCE, "The labels or ids of the prompts that it gets."),
        Field("transform", FieldType.STRING, "What is done to each output."),
        Field("delay", FieldType.NUMBER, "The pause between two calls, in milliseconds.", minimum=0),
        Field("env", FieldType.MAPPING, "Environment variables for it.", record="free-form"),
        Field("inputs", FieldType.ANYTHING, "What a red team may put into which variable."),
    ),
    # Otherwise it is a mapping from an id to the other keys.
    identifying_key="id",
    alternatives=_REFERENCE,
    noun="a provider",
)

PROMPT = Record(
    "prompt",
    "A prompt with a label.",
    (
        Field("id", FieldType.STRING, "The file with the prompt, as `file://` and its path, or its name."),
        Field("label", FieldType.STRING, "The name by which tests and providers call it."),
        Field("raw", FieldType.STRING, "The text."),
        Field("config", FieldType.ANYTHING, "Settings for the provider with this prompt."),
        Field("function", FieldType.STRING, "The function that makes the prompt."),
    ),
    open=True,
    guards_misspelt=True,
    alternatives=_REFERENCE,
    one_of=("label", "id"),
    reports_missing=True,
    noun="a prompt",
)

EVALUATE_OPTIONS = Record(
    "evaluate-options",
    "How the tests are run.",
    (
        Field("maxConcurrency", FieldType.INTEGER, "How many calls run at the same time.", default="4", minimum=1),
        Field("repeat", FieldType.INTEGER, "How often each test runs.", default="1", minimum=1),
        Field("delay", FieldType.NUMBER, "The pause between two calls, in milliseconds.", minimum=0),
        Field("cache", FieldType.BOOLEAN, "Whether outputs are kept and used again.", default="true"),
        Field("timeoutMs", FieldType.NUMBER, "The longest time of a call, in milliseconds.", minimum=0),
        Field("maxEvalTimeMs", FieldType.NUMBER, "The longest time of the whole run, in milliseconds.", minimum=0),
        Field("showProgressBar", FieldType.BOOLEAN, "Whether progress is shown."),
        Field("generateSuggestions", FieldType.BOOLEAN, "Whether prompts are suggested."),
        Field("suggestionsCount", FieldType.INTEGER, "How many prompts are suggested.", minimum=1, maximum=50),
        Field("interactiveProviders", FieldType.BOOLEAN, "Nothing since 2024.", unread="write `maxConcurrency: 1`"),
        Field("isRedteam", FieldType.BOOLEAN, "Whether this is a run of a red team."),
        Field("silent", FieldType.BOOLEAN, "Whether less is printed."),
        Field("filterRange", FieldType.STRING, "The tests that run, such as `0:10`."),
    ),
    alternatives=_REFERENCE,
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
    alternatives=_REFERENCE,
    noun="`commandLineOptions`",
)

DERIVED_METRIC = Record(
    "derived-metric",
    "A number that is computed from metrics.",
    (
        Field("name", FieldType.STRING, "Its name.", required=True),
        Field("value", FieldType.STRING, "How it is computed, from the names of metrics.", required=True),
    ),
    alternatives=_REFERENCE,
    misspelt_is_error=True,
    reports_missing=True,
    noun="a derived metric",
)

RECORDS = by_name(
    SUITE,
    CASE,
    DEFAULT_TEST,
    SCENARIO,
    SCENARIO_CONFIG,
    TEST_GENERATOR,
    VARS,
    OPTIONS,
    PROVIDER,
    PROMPT,
    EVALUATE_OPTIONS,
    COMMAND_LINE_OPTIONS,
    DERIVED_METRIC,
    FREE_FORM,
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
