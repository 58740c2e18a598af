"""The own prompt of an evaluator: a text with places for what is judged, in the file of the suite or in its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rubric_core.dialects.parts import PATHS
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.workspace import read_attachment
from rubric_core.model.suite import EvalCase
from rubric_core.text.patterns import lazily

PLACEHOLDER = lazily(r"\{\{[ \t\r\n]*([A-Za-z0-9_]+)[ \t\r\n]*\}\}")
_OF_THE_ANSWER = frozenset({"candidate_answer", "output_messages"})


@dataclass(frozen=True, slots=True)
class OwnPrompt:
    """The text of a prompt. Output of a command is not a template: it may contain an answer with placeholders.

    `variables` are the names that it may use, each with the name of its value; `values` are those of the test.
    """

    text: str
    variables: Mapping[str, str] = field(default_factory=dict)
    is_template: bool = True
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def shows_answer(self) -> bool:
        """Return whether the text has a placeholder for the answer."""
        used = map(self.variables.get, PLACEHOLDER.findall(self.text))
        return self.is_template and any(name in _OF_THE_ANSWER for name in used)


def prompt_text(prompt: str, case: EvalCase) -> str:
    """Return the text of a prompt, which may be in a file. Raises CannotGrade if the file cannot be read."""
    path = PATHS.of(BY_NAME[case.dialect]).prompt_file(prompt.strip())
    return prompt if path is None else read_attachment(path, case)


def plain_texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return values that a prompt can use by their names, such as those under the evaluator's `config`, as texts."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in values.items()
    }
