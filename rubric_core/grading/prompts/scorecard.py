"""The question about the seven dimensions of a scorecard, its red flags and its bonuses."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.fences import REASON_FIRST, Fence, make_prompt, quoted, system_text
from rubric_core.grading.prompts.material import Material, material_of, section, sections
from rubric_core.grading.schemas import scorecard_schema
from rubric_core.model.scorecards import Bonus, RedFlag, Scorecard
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scorecards import DIMENSIONS

SCORECARD_NAME = "scorecard"
"""What a scorecard is called where the name of an evaluator stands."""

DEFINITIONS: Mapping[str, str] = MappingProxyType(
    {
        "correctness": "Facts, reasoning, code and numbers are right.",
        "completeness": "Everything that the task asks for is covered.",
        "adherence": "The instructions are followed: format, limits, scope and tone that were asked for.",
        "actionability": "The reader can act on the answer as it stands, without further work or guessing.",
        "efficiency": "No padding and no detours; the way that is taken costs no more than it must.",
        "safety": "Nothing in it does harm: no dangerous advice, no leak, no needless risk, a warning where needed.",
        "consistency": (
            "Quality, tone and standards are uniform across the parts of this one answer. Compare its parts with each "
            "other only, never with other answers."
        ),
    }
)

_SCALE = "Score each dimension with an integer from 1, unusable, to 10, virtually flawless; 5 is poor, 7 satisfactory."


def scorecard_question(case: EvalCase, scorecard: Scorecard, answer: str, *, sample: int = 0) -> Question:
    """Ask for a score of each dimension and for the red flags and bonuses that are seen.

    Weights and deductions are not told: they are no reason for a judgement, and changing them asks nothing anew.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = material_of(case, answer)

    def write(fence: Fence) -> tuple[str, str]:
        return system_text(fence), _user_text(material, fence, scorecard)

    return Question(
        kind="scorecard",
        case_id=case.id,
        evaluator=SCORECARD_NAME,
        prompt=make_prompt(write),
        schema=scorecard_schema(scorecard),
        task=material.task,
        answer=answer,
        expected_outcome=case.expected_outcome,
        reference=material.reference,
        scorecard=scorecard,
        sample=sample,
    )


def _user_text(material: Material, fence: Fence, scorecard: Scorecard) -> str:
    parts = sections(material, fence)
    parts.append(section("Dimensions", _SCALE, *(f"- {name}: {text}" for name, text in DEFINITIONS.items())))
    if scorecard.red_flags:
        words = "Name those that you see in the answer and no others; an empty list where there are none."
        parts.append(section("Red flags", words, *_listed(scorecard.red_flags)))
    if scorecard.bonuses:
        words = "Name those that the answer has earned and no others; an empty list where there are none."
        parts.append(section("Bonuses", words, *_listed(scorecard.bonuses)))
    return "\n\n".join([*parts, section("Reply", REASON_FIRST, _shape(scorecard))])


def _listed(adjustments: Sequence[RedFlag | Bonus]) -> list[str]:
    return [f"- {quoted(each.id)}: {each.expected_outcome.strip()}" for each in adjustments]


def _shape(scorecard: Scorecard) -> str:
    dimensions = ",\n".join(
        f'    "{name}": {{"reasoning": "...", "score": <an integer from 1 to 10>}}' for name in DIMENSIONS
    )
    lists = [
        f'  "{name}": [{{"explanation": "...", "id": "..."}}, ...],'
        for name, known in (("red_flags", scorecard.red_flags), ("bonuses", scorecard.bonuses))
        if known
    ]
    lines = ["{", '  "dimensions": {', dimensions, "  },", *lists, '  "overall_reasoning": "..."', "}"]
    return "\n".join(lines)
