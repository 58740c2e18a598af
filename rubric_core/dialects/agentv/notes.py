"""What completion and hover have in common for all generations of AgentV."""

from collections.abc import Mapping

from rubric_core.assist.completion.insert_text import TabStop, Template, TemplateList
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.schema.fields import ROLES

OUTCOME = TabStop("What the answer must do")
SCRIPT = TemplateList((TabStop("python"), TabStop("judge.py")))
ROLE = TabStop("user", tuple(sorted(ROLES, key=lambda role: role != "user")))
BY_MODEL, BY_SCRIPT = "A model judges the answer.", "A script judges the answer."
TOOL_CALL: Template = {"tool": TabStop()}
FIELDS: Template = [{"path": TabStop()}]

FIELD_ACCURACY = Snippet(
    "field-accuracy",
    "The fields of a structured answer are compared.",
    {"fields": [{"path": TabStop("field"), "match": TabStop("exact")}]},
)
TOOL_TRAJECTORY = Snippet(
    "tool-trajectory",
    "The tool calls are compared with the expected ones.",
    {"mode": TabStop("in_order", ("in_order", "exact", "any_order")), "expected": [{"tool": TabStop("tool-name")}]},
)
LATENCY = Snippet("latency", "The answer must not take too long.", {"threshold": TabStop("2000")})
COST = Snippet("cost", "The answer must not cost too much.", {"budget": TabStop("0.10")})
COMPOSITE = "Several evaluators whose results become one."

ITEMS: Mapping[str, tuple[Snippet, ...]] = {
    "message": (
        Snippet("message", "One turn of the conversation.", {"role": ROLE, "content": TabStop("What is said")}),
    ),
    "content-part": (
        Snippet("text part", "Text as a part of the content.", {"type": "text", "value": TabStop("The text")}),
        Snippet("file part", "A file as a part of the content.", {"type": "file", "value": TabStop("path/to/file.md")}),
    ),
    "tool-call": (Snippet("tool call", "A call of a tool.", {"tool": TabStop("tool-name")}),),
}

MEANINGS: Mapping[tuple[str, str], str] = {
    ("role", "system"): "Instructions for the model or agent, before the conversation starts.",
    ("role", "user"): "The message of the person or program that asks.",
    (
        "role",
        "assistant",
    ): "The message of the model or agent that answers; in `expected_messages`, the reference answer.",
    ("role", "tool"): "What a tool gave back when it was called.",
    ("type", "text"): "`value` is the text itself.",
    ("type", "file"): "`value` is the path of a file with the text, as seen from the eval file.",
    ("mode", "any_order"): "The tools may be called in any order; `minimums` has the minimum number of calls of each.",
    ("mode", "in_order"): "The expected calls must come in their order; other calls between them are allowed.",
    ("mode", "exact"): "The calls must be the expected ones, in their order, and no others.",
    ("aggregation", "weighted_average"): "Each field counts by its weight.",
    ("aggregation", "all_or_nothing"): "Every field must match, or nothing is scored.",
    ("aggregation", "mean"): "The mean of the turns counts.",
    ("aggregation", "min"): "The worst turn counts.",
    ("aggregation", "max"): "The best turn counts.",
    ("mode", "conversation"): "The `turns` run one after the other.",
    ("on_turn_failure", "continue"): "The next turn is still run.",
    ("on_turn_failure", "stop"): "No further turn runs.",
    ("on_dependency_failure", "skip"): "This test is not run then.",
    ("on_dependency_failure", "fail"): "This test fails then.",
    ("on_dependency_failure", "run"): "This test is still run.",
    ("operator", "correctness"): "The answer must state this.",
    ("operator", "contradiction"): "The answer must not contradict this; it need not mention it.",
    ("type", "image"): "`value` is the path of an image, as seen from the eval file.",
    ("match", "exact"): "The values must be equal.",
    ("match", "numeric_tolerance"): "The numbers may differ by `tolerance`.",
    ("match", "date"): "The values must be the same day, however it is written.",
}
"""Meanings by the field and its value; the types of evaluators have records of their own."""


def by_type(*snippets: Snippet) -> Mapping[str, Snippet]:
    """Return snippets of evaluators by their types."""
    return {snippet.name: snippet for snippet in snippets}
