"""The smaller records of AgentV 5: criteria, prompts, providers, environments and the settings of a run."""

from dataclasses import replace

from rubric_core.dialects.agentv.records import MESSAGE
from rubric_core.dialects.agentv.shared_records import (
    COMMAND,
    COMMON_CRITERION,
    CONFIG,
    CONTENT,
    CRITERION_FIELDS,
    CWD,
    TEXT_OR_MAPPING,
    THRESHOLD,
    TIMEOUT_MS,
)
from rubric_core.schema.fields import Effect, Field, FieldType, OtherKeys, Record, Removed, ValueLimits

_REPEAT = Field.integer("repeat", "How often each test runs; the best run counts.", default="1", limits=ValueLimits(1))
_BUDGET = Field.number("budget_usd", "How much it may cost, in US dollars.", limits=ValueLimits(above=0))
_TRANSFORM = Field("transform", TEXT_OR_MAPPING, "What is done to an answer before it is judged.", record="free-form")

PROMPT = Record(
    "prompt",
    "A prompt with a name or a source of its own, or a message of a conversation.",
    (
        Field.text("id", "The prompt's name, which becomes a part of the test's."),
        Field.text("label", "The prompt's name for readers."),
        Field("prompt", CONTENT, "The text, or a list of messages.", record="message", items=FieldType.MAPPING),
        Field.text("raw", "The text."),
        Field.records("messages", "The messages.", "message"),
        Field.text("file", "The file with the text."),
        Field.text("path", "The file with the text."),
        Field.text("function", "The script that makes the prompt."),
        Field.text("function_file", "The script that makes the prompt."),
        replace(COMMAND, doc="The command that prints the prompt."),
        Field.text("prefix", "What goes before the text."),
        Field.text("suffix", "What goes after the text."),
        CONFIG,
        replace(MESSAGE.by_key["role"], doc="Who speaks, where `prompts` is one conversation.", required=False),
        replace(MESSAGE.by_key["content"], doc="What is said.", placeholder=None),
    ),
    open=True,
)

_REFUSED = Removed("5.3", Effect.REFUSED, advice="describe it under `environment`")
PROVIDER = Record(
    "provider",
    "A provider: what answers or judges. A mapping from its id to its other keys is one too.",
    (
        Field.text("id", "The backend, such as `openai:gpt-5`."),
        Field.text("label", "The name by which other places call it.", default="its id"),
        CONFIG,
        Field("runtime", TEXT_OR_MAPPING, "Where it runs: host, profile or sandbox.", record="free-form"),
        Field("prompts", CONTENT, "The prompts that it gets, where these are not all.", record="prompt"),
        _TRANSFORM,
        Field.number("delay", "The pause between two calls, in milliseconds.", limits=ValueLimits(0)),
        Field.mapping("env", "Environment variables for it."),
        Field.mapping("inputs", "Values that it is given."),
        Field("environment", TEXT_OR_MAPPING, "The folder or container in which it works.", record="environment"),
        Field.mapping("hooks", "Commands that run before and after tests."),
    ),
    # A mapping whose key is the provider's id is legal too.
    open=True,
    removed={
        "name": Removed("5.3", Effect.REFUSED, "label"),
        "provider": Removed("5.3", Effect.REFUSED, "id"),
        "container": _REFUSED,
        "install": _REFUSED,
    },
)

DEFAULTS = Record(
    "defaults",
    "Who answers and who judges, by default.",
    (
        Field.text("provider", "The label of the provider that answers."),
        Field.text("grader", "The label of the provider that judges."),
    ),
    removed={"target": Removed("5.3", Effect.REFUSED, "provider")},
)

EVALUATE_OPTIONS = Record(
    "evaluate-options",
    "How the tests of a suite are run.",
    (
        Field.integer("max_concurrency", "How many tests run at the same time.", limits=ValueLimits(1, 50)),
        _REPEAT,
        replace(_BUDGET, doc="How much the run may cost, in US dollars."),
        Field(
            "cache",
            FieldType.BOOLEAN | FieldType.MAPPING,
            "Whether answers are kept and used again.",
            record="free-form",
        ),
        Field.number("delay", "The pause between two calls, in milliseconds.", limits=ValueLimits(0)),
        Field.number(
            "timeout_ms", "The longest time that a test may take, in milliseconds.", limits=ValueLimits(above=0)
        ),
        Field.number(
            "max_eval_time_ms", "The longest time of the whole run, in milliseconds.", limits=ValueLimits(above=0)
        ),
        Field.flag("generate_suggestions", "Whether prompts are suggested."),
        Field("filter_range", FieldType.STRING | FieldType.SEQUENCE, "The first and the last test that run."),
    ),
)

RUN = Record(
    "run",
    "How one test is run.",
    (
        THRESHOLD,
        _REPEAT,
        Field.number("timeout_seconds", "The longest time that it may take, in seconds.", limits=ValueLimits(above=0)),
        _BUDGET,
    ),
)

OPTIONS = Record(
    "options",
    "What holds for the assertions of a test.",
    (
        Field("provider", TEXT_OR_MAPPING, "The label of the provider that judges.", record="free-form"),
        _TRANSFORM,
        _REPEAT,
        Field(
            "rubric_prompt",
            CONTENT,
            "The prompt of every `llm-rubric`, under `default_test` only.",
            record="free-form",
        ),
    ),
    open=True,
    removed={"postprocess": Removed("5.1", Effect.REFUSED, "transform")},
)

ENVIRONMENT_SETUP = Record(
    "environment-setup",
    "The command that prepares an environment.",
    (
        replace(COMMAND, type=FieldType.SEQUENCE, doc="The command, as a list of its words.", required=True),
        CWD,
        TIMEOUT_MS,
    ),
)

ENVIRONMENT = Record(
    "environment",
    "The folder or container in which an agent works.",
    (
        Field.text(
            "type",
            "Whether it is a folder of this machine or a container.",
            required=True,
            values=("host", "docker"),
            placeholder="host",
        ),
        Field.text("workdir", "The folder.", required=True, placeholder="./workspace"),
        Field.mapping("setup", "The command that prepares it.", "environment-setup"),
        Field.mapping("env", "Environment variables in it."),
        Field.text("image", "The image of the container."),
        Field.text("context", "The folder from which the image is built."),
        Field.text("dockerfile", "The file by which the image is built."),
        Field.mapping("resources", "The processors and the memory that it gets."),
        Field.records("mounts", "Folders of this machine in it.", "free-form"),
        Field.mapping("secrets", "Secrets by name."),
    ),
    other_keys=OtherKeys(Effect.REFUSED),
)

DERIVED_METRIC = Record(
    "derived-metric",
    "A number that is computed from the results.",
    (
        Field.text("name", "Its name."),
        Field("value", TEXT_OR_MAPPING, "How it is computed.", record="free-form"),
    ),
)

_MIN_SCORE = Removed("5.1", Effect.SKIPPED, "min_score", "divide it by 10")
_OLD_TEXT = Removed("2.7", Effect.PROSE, "outcome")
CRITERION = replace(
    COMMON_CRITERION,
    removed={"required_min_score": _MIN_SCORE, "expected_outcome": _OLD_TEXT, "description": _OLD_TEXT},
)

RUBRIC_VALUE = Record(
    "rubric-value",
    "One criterion in place of a list; a mapping without its text and ranges is shown to the judge as it is.",
    CRITERION_FIELDS,
    open=True,
    removed={"required_min_score": _MIN_SCORE},
)
