"""An evaluator's own prompt: a text, a file with one, or what a command printed; with AgentV's placeholders."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.messages import read_attachment
from rubric_core.grading.prompts.material import messages_json
from rubric_core.model.evaluators import PromptScript
from rubric_core.model.messages import Message
from rubric_core.text.patterns import lazily
from rubric_core.views.references import is_prompt_file

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from rubric_core.grading.prompts.fences import Fence
    from rubric_core.grading.prompts.material import Material
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase

_PLACEHOLDER = lazily(r"\{\{[ \t\r\n]*([A-Za-z0-9_]+)[ \t\r\n]*\}\}")
_OF_THE_ANSWER = frozenset({"candidate_answer", "output_messages"})


@dataclass(frozen=True, slots=True)
class OwnPrompt:
    """The text of a prompt. What a command printed is no template: it may hold an answer with placeholders in it."""

    text: str
    is_template: bool = True

    @property
    def shows_answer(self) -> bool:
        """Tell whether the answer has a place of its own in the text."""
        return self.is_template and any(name in _OF_THE_ANSWER for name in _PLACEHOLDER.findall(self.text))


def own_prompt(evaluator: LlmJudge, case: EvalCase, printed: str | None = None) -> OwnPrompt | None:
    """Return an evaluator's own prompt; None where it has none. `printed` is what its command printed.

    Raises CannotGrade where the prompt's file cannot be read, or where a command must print it first.
    """
    if printed is not None:
        return OwnPrompt(printed, is_template=False)
    prompt = evaluator.prompt
    if isinstance(prompt, PromptScript):
        raise CannotGrade(f"The prompt of the evaluator {evaluator.name} is printed by a command, which was not run.")
    if prompt is None or not prompt.strip():
        return None
    is_file = is_prompt_file(prompt)
    return OwnPrompt(read_attachment(prompt.strip(), case.source, case.config) if is_file else prompt)


def filled(own: OwnPrompt, evaluator: LlmJudge, case: EvalCase, material: Material, fence: Fence) -> str:
    """Return the text of a prompt with its placeholders replaced, in one pass: what is put in is not looked at again.

    What the author of the case wrote for the judge is put in as it is; what others wrote is fenced. A placeholder
    that nobody knows stays as it is.
    """
    if not own.is_template:
        return own.text
    outcome = material.expected_outcome
    plain = {**_settings(evaluator), "expected_outcome": outcome, "criteria": outcome}
    fenced = _fenced_values(case, material)

    def replacement(found: re.Match[str]) -> str:
        name = found[1]
        if name in fenced:
            title, text = fenced[name]
            return _on_own_lines(found, fence.around(title, text()))
        return plain.get(name, found[0])

    return _PLACEHOLDER.sub(replacement, own.text)


def _fenced_values(case: EvalCase, material: Material) -> Mapping[str, tuple[str, Callable[[], str]]]:
    reply = Message(role="assistant", content=material.answer)
    return {
        "candidate_answer": ("ANSWER", lambda: material.answer),
        "output_messages": ("ANSWER", partial(messages_json, [reply], case)),
        "question": ("TASK", lambda: material.task),
        "input_messages": ("TASK", partial(messages_json, case.input_messages, case)),
        "reference_answer": ("REFERENCE", lambda: material.reference),
        "expected_messages": ("REFERENCE", partial(messages_json, case.expected_messages, case)),
    }


def _settings(evaluator: LlmJudge) -> dict[str, str]:
    """Return the values under the evaluator's `config`, which its prompt can use by their names."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in evaluator.config.items()
    }


def _on_own_lines(found: re.Match[str], block: str) -> str:
    template, start, end = found.string, found.start(), found.end()
    before = "" if start == 0 or template[start - 1] == "\n" else "\n"
    after = "" if end == len(template) or template[end] in "\r\n" else "\n"
    return f"{before}{block}{after}"
