"""The records of an eval file, from the suite down to the score range.

Keys beyond the format's own list come from AgentV's releases 2.5.5 to 2.6.1, whose loader reads or carries them:
the suite's `evaluator`, `config` on judges, `target` on code judges, and the keys of tool calls.
"""

from dataclasses import replace

from rubric_core.dialects.agentv.evaluators import (
    CRITERIA,
    EVALUATOR,
    EVALUATOR_RECORDS,
    EVALUATOR_TYPES,
    EVALUATORS,
    OLD_EVALUATOR_TYPES,
)
from rubric_core.schema.fields import (
    CRITERION_PLACEHOLDER,
    FREE_FORM,
    ROLES,
    Aliases,
    Field,
    FieldType,
    Record,
    Role,
    ValueLimits,
    by_name,
)
from rubric_core.schema.scorecards import SCORECARD_RECORDS

CASE_LIST_NAMES: tuple[str, ...] = ("evalcases", "eval_cases", "cases", "tests")
_OLD_KIND = Field.text(
    "evaluator",
    "An evaluator type by itself, from before there was a list of `evaluators`.",
    values=(*EVALUATOR_TYPES, *OLD_EVALUATOR_TYPES),
)
_METADATA = Field(
    "metadata", FieldType.ANYTHING, "Anything you want to keep with it; never judged.", record="free-form"
)
_TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING
_OUTCOME_PLACEHOLDER = '"TODO: what a good answer achieves"'

SUITE = Record(
    "suite",
    "An eval file: the cases, and what holds for all of them.",
    (
        Field.text("$schema", "The JSON Schema of the file, for editors that read it."),
        Field("version", FieldType.STRING | FieldType.NUMBER, "The version of the file's format."),
        Field.text("name", "The suite's name in results."),
        Field.text("description", "What the suite covers, as free text."),
        Field.text("dataset", "The name of the dataset in results.", default="the file's name"),
        Field.text("target", "What answers the cases; an older place of `execution.target`."),
        Field.mapping("execution", "How the cases are run and judged.", "execution"),
        _OLD_KIND,
        _METADATA,
        Field.mapping("scorecards", "Scorecards by name, for the cases that name one under `scorecard`.", "scorecards"),
        Field.records("evalcases", "The cases.", "case", aliases=Aliases(CASE_LIST_NAMES[1:])),
    ),
)

EXECUTION = Record(
    "execution",
    "How a case, or every case of the suite, is run and judged.",
    (
        Field.text("target", "What answers: a name from the targets file.", default="default"),
        EVALUATORS,
    ),
)

_MESSAGES = FieldType.SEQUENCE
CASE = Record(
    "case",
    "One task with what a good answer to it achieves.",
    (
        Field.text("id", "The case's name in results. It is unique in the file.", required=True, placeholder="TODO-id"),
        Field.text(
            "expected_outcome",
            "What a good answer achieves.",
            required=True,
            aliases=Aliases(("criteria",), deprecated=("outcome",)),
            placeholder=_OUTCOME_PLACEHOLDER,
            role=Role.TEXT,
        ),
        Field(
            "input_messages",
            _MESSAGES,
            "The messages that are sent. Under `input`, a string stands for one message of the user.",
            required=True,
            aliases=Aliases(("input",), types=(("input", FieldType.STRING | FieldType.SEQUENCE),)),
            record="message",
            items=FieldType.MAPPING,
            placeholder='[{role: user, content: "TODO: what is asked"}]',
            role=Role.INPUT,
        ),
        Field(
            "expected_messages",
            _MESSAGES,
            "A reference answer. Under `expected_output`, a string or a mapping is one message of the assistant.",
            aliases=Aliases(
                ("expected_output",),
                types=(("expected_output", FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING),),
            ),
            record="message",
            mapping_record="free-form",
            items=FieldType.MAPPING,
            role=Role.REFERENCE,
        ),
        CRITERIA,
        Field(
            "scorecard",
            _TEXT_OR_MAPPING,
            "A scorecard for the seven dimensions, or the name of one under the suite's `scorecards`.",
            record="scorecard",
        ),
        Field.mapping("execution", "How this case is run and judged.", "execution"),
        EVALUATORS,
        _OLD_KIND,
        Field.text("conversation_id", "Joins cases that belong to one conversation."),
        Field.text("description", "What the case is for, as free text."),
        Field.text("question", "The question in one sentence, for readers of the results."),
        Field(
            "reference_answer",
            FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING,
            "A model answer that judges may compare with.",
            record="free-form",
        ),
        Field.text("note", "A note for readers of the file."),
        _METADATA,
    ),
)

MESSAGE = Record(
    "message",
    "One turn of a conversation.",
    (
        Field.text("role", "Who speaks.", required=True, values=ROLES, placeholder="user"),
        Field(
            "content",
            FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING,
            "The text of the message, a list of text and file parts, or a mapping as structured output. "
            "It may be absent beside `tool_calls`.",
            record="content-part",
            mapping_record="free-form",
            items=FieldType.MAPPING,
            placeholder='"TODO: text"',
        ),
        Field.text("name", "The name of the speaker or of the tool."),
        Field.records("tool_calls", "The tools that the message calls.", "tool-call"),
    ),
)

CONTENT_PART = Record(
    "content-part",
    "One part of a message's content.",
    (
        Field.text(
            "type",
            "Whether `value` is the text itself or the path of a file with it.",
            required=True,
            values=("text", "file"),
            placeholder="text",
        ),
        Field.text(
            "value",
            "The text, or the path of the file as seen from the eval file.",
            required=True,
            placeholder='"TODO: text"',
        ),
    ),
)

TOOL_CALL = Record(
    "tool-call",
    "A call of a tool. Keys beyond these are carried along unjudged.",
    (
        Field.text("tool", "The tool's name."),
        Field.text("id", "Identifies one of several calls of the same tool."),
        Field("input", FieldType.ANYTHING, "What the tool is given.", record="free-form"),
        Field("output", FieldType.ANYTHING, "What the tool gives back.", record="free-form"),
        Field("args", FieldType.ANYTHING, "What the tool must be given; `any` accepts everything.", record="free-form"),
    ),
    open=True,
)

CRITERION = Record(
    "criterion",
    "One thing that a good answer does. With `score_ranges` it is scored 0 to 10, without them it is met or not.",
    (
        Field.text(
            "id",
            "The criterion's name in results. It is unique in its list.",
            default="rubric-N, N being its place in the list",
        ),
        Field.text(
            "expected_outcome",
            "What the judge checks. It may be absent where there are `score_ranges`.",
            aliases=Aliases(deprecated=("description",)),
            placeholder=f'"{CRITERION_PLACEHOLDER}"',
            role=Role.TEXT,
        ),
        Field.number(
            "weight",
            "How much this criterion counts beside the others of its list.",
            default="1.0",
            limits=ValueLimits(0),
            placeholder="1.0",
        ),
        Field.flag(
            "required",
            "Whether failing this criterion fails the case. It has no effect beside `score_ranges`.",
            default="true",
            placeholder="true",
        ),
        Field.integer(
            "required_min_score",
            "The lowest score, 0 to 10, that does not fail the case. It needs `score_ranges`.",
            limits=ValueLimits(0, 10),
            placeholder="7",
            role=Role.GATE,
        ),
        Field(
            "score_ranges",
            FieldType.MAPPING | FieldType.SEQUENCE,
            "What each score from 0 to 10 means: a mapping from lower bounds to texts, or a list of ranges. "
            "Together they cover 0 to 10 and do not overlap.",
            record="score-range",
            mapping_record="score-map",
            items=FieldType.MAPPING,
        ),
    ),
)

SCORE_RANGE = Record(
    "score-range",
    "A band of scores and what an answer in it is like.",
    (
        Field(
            "score_range",
            FieldType.SEQUENCE,
            "The lowest and the highest score of the band, both included.",
            required=True,
            items=FieldType.INTEGER,
            limits=ValueLimits(0, 10, length=2),
            placeholder="[0, 10]",
        ),
        Field.text(
            "expected_outcome",
            "What an answer in this band is like.",
            required=True,
            aliases=Aliases(deprecated=("description",)),
            placeholder='"TODO: what an answer in this band is like"',
            role=Role.TEXT,
        ),
    ),
)

SCORE_MAP = Record(
    "score-map",
    "Bands by their lower bound: each runs to the next key minus 1, the last one to 10. The first key is 0.",
    # The keys are numbers, which the score rules check; they are never misspelt fields.
    open=True,
    entry=Field.text("0 to 10", "What an answer in the band that starts here is like."),
)

PROMPT_SCRIPT = Record(
    "prompt-script",
    "A script that prints the judge's prompt.",
    (
        replace(
            EVALUATOR_RECORDS["code_judge"].by_key["script"],
            doc="The command that prints the prompt, as a list of its words.",
        ),
        Field.mapping("config", "Values that the script is given."),
    ),
    open=True,
)

RECORDS = by_name(
    *(SUITE, EXECUTION, CASE, MESSAGE, CONTENT_PART, TOOL_CALL, CRITERION, SCORE_RANGE, SCORE_MAP, EVALUATOR),
    *EVALUATOR_RECORDS.values(),
    *(PROMPT_SCRIPT, *SCORECARD_RECORDS, FREE_FORM),
)
"""Every record by its name. An evaluator of a type is `evaluator:<type>`."""
