"""The question without criteria: one score from 0 to 1 for the answer as a whole."""

from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.fences import REASON_FIRST, Fence, make_prompt, system_text
from rubric_core.grading.prompts.material import filled, material_of, own_prompt, section, sections, siblings
from rubric_core.grading.schemas import free_form_schema
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase

_WHAT_TO_JUDGE = "Judge how far the answer achieves what a good answer achieves."
_SHAPE = """\
{
  "hits": ["what the answer achieves, a few words each", ...],
  "misses": ["what it does not achieve, a few words each", ...],
  "reasoning": "...",
  "score": <a number from 0, nothing is achieved, to 1, all of it is>
}"""


def free_form_question(
    case: EvalCase, evaluator: LlmJudge, answer: str, *, prompt_text: str | None = None, sample: int = 0
) -> Question:
    """Ask for one score. An evaluator's own prompt says what counts; `prompt_text` is what its command printed.

    The task, the expected outcome, the reference and the answer are added, unless the prompt has a place for the
    answer: then it has for the others what its author wants.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = material_of(case, answer)
    own = own_prompt(evaluator, case, prompt_text)

    def write(fence: Fence) -> tuple[str, str]:
        parts = [] if own is not None and own.shows_answer else sections(material, fence)
        if own is None:
            parts.append(section("What to judge", _WHAT_TO_JUDGE))
        else:
            text = filled(own, evaluator, case, material, fence)
            parts.append(text if own.shows_answer else section("What to judge", text))
        return system_text(fence), "\n\n".join([*parts, section("Reply", REASON_FIRST, _SHAPE)])

    return Question(
        kind="free-form",
        case_id=case.id,
        evaluator=evaluator.name,
        prompt=make_prompt(write),
        schema=free_form_schema(),
        task=material.task,
        answer=answer,
        expected_outcome=case.expected_outcome,
        reference=material.reference,
        instructions="" if own is None else own.text,
        sample=sample,
        siblings=siblings(case, evaluator),
    )
