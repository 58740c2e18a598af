"""The records of scorecards: weights of the seven dimensions, red flags and bonuses."""

from rubric_core.schema.fields import ADJUSTMENT_PLACEHOLDER, Aliases, Field, FieldType, Record, ValueLimits

DIMENSIONS: tuple[str, ...] = (
    "correctness",
    "completeness",
    "adherence",
    "actionability",
    "efficiency",
    "safety",
    "consistency",
)
"""The seven dimensions of a scorecard, in the order in which results show them."""

_DEFAULT_WEIGHTS = ("0.25", "0.20", "0.15", "0.15", "0.10", "0.10", "0.05")
_DIMENSION_DOCS = (
    "How far the answer is right.",
    "How much of the task the answer covers.",
    "How closely the answer keeps to the instructions.",
    "How directly the answer can be acted upon.",
    "How economical the answer is.",
    "How far the answer avoids harm.",
    "How even quality and tone are across the answer.",
)
_TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING

SCORECARD = Record(
    "scorecard",
    "How an answer is graded on the seven dimensions.",
    (
        Field.text(
            "skill",
            "The key under which results are kept over time.",
            default="the file's path in the project and the case's id",
        ),
        Field.mapping(
            "weights",
            "The weight of each of the seven dimensions. All seven stand there, and their sum is exactly 1.0.",
            "weights",
            default="the methodology's weights",
        ),
        Field.records(
            "red_flags", "Faults that lower the grade, 2.0 points at most in all.", "red-flag", items=_TEXT_OR_MAPPING
        ),
        Field.records(
            "bonuses",
            "Merits that raise the grade by 0.25 points each, 1.0 point at most in all.",
            "bonus",
            items=_TEXT_OR_MAPPING,
        ),
    ),
)

SCORECARDS = Record(
    "scorecards",
    "Scorecards by the names that cases use.",
    open=True,
    entry=Field.mapping("name", "One scorecard.", "scorecard"),
)

WEIGHTS = Record(
    "weights",
    "The weights of the seven dimensions. Their sum is exactly 1.0.",
    tuple(
        Field.number(name, doc, default=weight, required=True, limits=ValueLimits(0), placeholder=weight)
        for name, weight, doc in zip(DIMENSIONS, _DEFAULT_WEIGHTS, _DIMENSION_DOCS, strict=True)
    ),
)


def _identifier(generated: str) -> Field:
    default = f"{generated}-N, N being its place in the list"
    return Field.text("id", "Its name in results. It is unique in its list.", default=default)


_ADJUSTMENT_TEXT = Field.text(
    "expected_outcome",
    "What the judge looks for.",
    required=True,
    aliases=Aliases(deprecated=("description",)),
    placeholder=f'"{ADJUSTMENT_PLACEHOLDER}"',
)

RED_FLAG = Record(
    "red-flag",
    "A fault that lowers the grade; a plain string is allowed too.",
    (
        _identifier("red-flag"),
        _ADJUSTMENT_TEXT,
        Field.number(
            "deduction",
            "How many points it takes away: more than 0, at most 2.0.",
            default="0.5",
            limits=ValueLimits(maximum=2, above=0),
            placeholder="0.5",
        ),
    ),
)

BONUS = Record(
    "bonus",
    "A merit that raises the grade by 0.25; a plain string is allowed too.",
    (_identifier("bonus"), _ADJUSTMENT_TEXT),
)

SCORECARD_RECORDS: tuple[Record, ...] = (SCORECARD, SCORECARDS, WEIGHTS, RED_FLAG, BONUS)
