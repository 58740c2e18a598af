"""What the tables of AgentV 4 and AgentV 5 share: fields of suites and tests, criteria, score ranges, messages."""

from dataclasses import replace

from rubric_core.dialects.agentv.records import (
    CASE,
    CONTENT_PART,
    CRITERION,
    MESSAGE,
    SCORE_MAP,
    SCORE_RANGE,
    SUITE,
    TOOL_CALL,
)
from rubric_core.schema.fields import (
    CRITERION_PLACEHOLDER,
    FREE_FORM,
    Aliases,
    Effect,
    Field,
    FieldType,
    Record,
    Removed,
    Role,
    ValueLimits,
)
from rubric_core.schema.scorecards import SCORECARD_RECORDS

TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING
TEXT_OR_LIST = FieldType.STRING | FieldType.SEQUENCE
CONTENT = FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING
METADATA = CASE.by_key["metadata"]

CONFIG = Field.mapping("config", "Values that the command or the prompt is given.")
CWD = Field.text("cwd", "The folder in which the command runs.", default="the eval file's folder")
COMMAND = Field(
    "command",
    TEXT_OR_LIST,
    "The command: a string that a shell runs, or a list of its words.",
    items=FieldType.STRING,
    placeholder="[python, TODO.py]",
)
TIMEOUT_MS = Field.number("timeout_ms", "The longest time that the command may take, in milliseconds.")
DESCRIPTION = Field.text("description", "What it is for, as free text.")
SKIP_DEFAULTS = Field.flag(
    "skip_defaults",
    "Whether this test goes without what the suite gives to every test, its assertions above all.",
    default="false",
    since="2.7",
)
THRESHOLD = Field.number(
    "threshold", "The lowest score, 0 to 1, with which a test passes.", default="0.8", limits=ValueLimits(0, 1)
)
CACHE = Field.flag("cache", "Whether answers are kept and used again.")
FAIL_ON_ERROR = Field.flag(
    "fail_on_error", "Whether the run ends at the first test that cannot be run.", aliases=Aliases(("failOnError",))
)
BUDGET_USD = Field.number(
    "budget_usd", "How much the run may cost, in US dollars.", aliases=Aliases(("budgetUsd",)), limits=ValueLimits(0)
)

INPUT_FILES = Field.texts("input_files", "Files that are sent with the input, as paths seen from the eval file.")

SUITE_FIELDS: tuple[Field, ...] = (
    SUITE.by_key["$schema"],
    Field.text(
        "name",
        "The suite's name in results: at most 64 lower-case letters, digits and hyphens.",
        default="the file's name",
        limits=ValueLimits(pattern="[a-z0-9-]{1,64}"),
    ),
    replace(SUITE.by_key["description"], doc="What the suite covers, as free text of at most 1,024 characters."),
    SUITE.by_key["version"],
    Field.text("author", "Who wrote the suite."),
    Field.text("license", "The licence of the suite."),
    Field.text("category", "The group in which results show the suite."),
    Field.mapping("requires", "What the suite needs; nobody enforces it.", "requirements"),
    METADATA,
    Field.mapping(
        "governance", "Which rules and risks the suite covers, kept with each test's metadata.", since="4.23"
    ),
    SUITE.by_key["scorecards"],
)

TESTS = Field(
    "tests",
    TEXT_OR_LIST,
    "The tests: a list of tests and of references to files with tests, or one such reference.",
    record="case",
    items=TEXT_OR_MAPPING,
    since="2.7",
)

REQUIREMENTS = Record(
    "requirements",
    "What a suite needs.",
    (Field.text("agentv", "The releases of AgentV that the suite is written for, as a range."),),
    open=True,
)

ID = replace(CASE.by_key["id"], doc="The test's name in results. It is unique in the file.")
VARS = Field.mapping("vars", "Values by the names that texts of the test use between double braces.", since="4.30")
CONVERSATION_FIELDS: tuple[Field, ...] = (
    Field.text("mode", "`conversation` runs the `turns` one after the other.", values=("conversation",), since="4.15"),
    Field.records(
        "turns",
        "The turns of a conversation, in their order.",
        "turn",
        since="4.15",
        placeholder='[{input: "TODO: what is asked"}]',
        limits=ValueLimits(empty=Effect.IGNORED),
    ),
    Field.text(
        "aggregation",
        "How the scores of the turns become one.",
        default="mean",
        values=("mean", "min", "max"),
        since="4.15",
    ),
    Field.text(
        "on_turn_failure",
        "What follows a turn that fails.",
        default="continue",
        values=("continue", "stop"),
        since="4.15",
    ),
    Field.integer("window_size", "How many of the last turns a judge sees.", limits=ValueLimits(1), since="4.15"),
)
CASE_FIELDS: tuple[Field, ...] = (
    CASE.by_key["scorecard"],
    replace(CASE.by_key["conversation_id"], doc="Joins tests that belong to one conversation."),
    Field.text("suite", "The suite that results count the test to."),
    Field.texts("depends_on", "The ids of the tests that run before this one.", since="4.14"),
    Field.text(
        "on_dependency_failure",
        "What happens to this test where one that it depends on fails.",
        default="skip",
        values=("skip", "fail", "run"),
        since="4.14",
    ),
    *CONVERSATION_FIELDS,
    METADATA,
)

CASE_TEXT = Field.text(
    "criteria",
    "What a good answer achieves.",
    aliases=Aliases(deprecated=("expected_outcome",)),
    placeholder=CASE.by_key["expected_outcome"].placeholder,
    role=Role.TEXT,
    since="2.7",
)

INPUT = Field(
    "input",
    CONTENT,
    "The messages that are sent. A string stands for one message of the user.",
    record="message",
    mapping_record="free-form",
    items=FieldType.MAPPING,
    role=Role.INPUT,
)
EXPECTED_OUTPUT = Field(
    "expected_output",
    CONTENT,
    "A reference answer. Text, a mapping, or a list without roles is one message of the assistant.",
    record="message",
    mapping_record="free-form",
    role=Role.REFERENCE,
)

TURN_FIELDS: tuple[Field, ...] = (
    Field(
        "input",
        CONTENT,
        "What the user says in this turn: text, or a list of text and file parts.",
        record="content-part",
        mapping_record="free-form",
        items=TEXT_OR_MAPPING,
        placeholder='"TODO: what is asked"',
    ),
    Field(
        "expected_output",
        CONTENT,
        "A reference answer to this turn.",
        record="content-part",
        mapping_record="free-form",
    ),
)

COMMON_MESSAGE = replace(
    MESSAGE,
    fields=tuple(
        replace(field, items=TEXT_OR_MAPPING) if field.name == "content" else field for field in MESSAGE.fields
    ),
)
COMMON_CONTENT_PART = replace(
    CONTENT_PART,
    fields=(
        replace(
            CONTENT_PART.by_key["type"],
            doc="Whether `value` is the text itself, or the path of a file or an image.",
            values=("text", "file", "image"),
        ),
        CONTENT_PART.by_key["value"],
    ),
)

_MIN_SCORE = "The lowest score, more than 0 and at most 1, that does not fail "
MIN_SCORE = Field.number(
    "min_score", f"{_MIN_SCORE}the assertion.", limits=ValueLimits(maximum=1, above=0), placeholder="0.7", since="4.7"
)
CRITERION_FIELDS: tuple[Field, ...] = (
    CRITERION.by_key["id"],
    Field.text(
        "outcome",
        "What the judge checks. It may be absent where there are `score_ranges`.",
        aliases=Aliases(("criteria",)),
        placeholder=f'"{CRITERION_PLACEHOLDER}"',
        role=Role.TEXT,
        since="2.7",
    ),
    Field.text(
        "operator",
        "`correctness` asks that the answer says this, `contradiction` that it says nothing against it.",
        default="correctness",
        values=("correctness", "contradiction"),
        since="4.33",
    ),
    CRITERION.by_key["weight"],
    replace(
        CRITERION.by_key["required"],
        doc="Whether failing this criterion fails the assertion. It has no effect beside `score_ranges`.",
    ),
    replace(MIN_SCORE, doc=f"{_MIN_SCORE}the criterion. It needs `score_ranges`.", role=Role.GATE),
    CRITERION.by_key["score_ranges"],
)
COMMON_CRITERION = replace(CRITERION, fields=CRITERION_FIELDS)
_RANGE_TEXT = Removed("2.7", Effect.SKIPPED, "outcome")
COMMON_SCORE_RANGE = replace(
    SCORE_RANGE,
    fields=(
        SCORE_RANGE.by_key["score_range"],
        replace(SCORE_RANGE.by_key["expected_outcome"], name="outcome", aliases=Aliases(), role=Role.TEXT, since="2.7"),
    ),
    removed={"expected_outcome": _RANGE_TEXT, "description": _RANGE_TEXT},
)
CRITERIA_PLACEHOLDER = f'["{CRITERION_PLACEHOLDER}"]'

SHARED_RECORDS: tuple[Record, ...] = (
    *(REQUIREMENTS, COMMON_MESSAGE, COMMON_CONTENT_PART, TOOL_CALL, COMMON_SCORE_RANGE, SCORE_MAP),
    *(*SCORECARD_RECORDS, FREE_FORM),
)
"""Records that are the same in both dialects, most of them as in AgentV 2."""
