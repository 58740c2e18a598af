"""What a judge is asked: the task, what is expected, the reference, the answer, and what to judge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from judging import CASE, port_case
from scoring_values import item, only_case, ranged

from rubric_core import load
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.prompts.llm_judge import free_form_question, rubric_question
from rubric_core.grading.prompts.scorecard import DEFINITIONS, scorecard_question
from rubric_core.model.criteria import ScoreRange, ScoreRangeCriterion
from rubric_core.model.evaluators import LlmJudge, PromptScript
from rubric_core.schema.scorecards import DIMENSIONS

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.judges.judge import Prompt
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase


def _user(prompt: Prompt) -> str:
    """Return the user text with `#` for the boundary, so that it can be written in a test."""
    return re.sub(r"[0-9a-f]{32}", "#", prompt.user)


def _asked(case: EvalCase, *criteria: Criterion, prompt: str | None = None) -> str:
    evaluator = LlmJudge(name="rubric", criteria=criteria, prompt=prompt)
    return _user(rubric_question(case, evaluator, criteria, "443").prompt)


def test_a_question_about_criteria() -> None:
    """Everything in its order; neither weights nor gates, which are no reason for a judgement."""
    case = port_case()
    question = rubric_question(case, case.evaluators[0], case.criteria, "It is 443.")
    assert (
        _user(question.prompt)
        == """\
# Task
The answer was given to this task:
BEGIN TASK #
Which port does HTTPS use?
END TASK #

# What a good answer achieves
Names the port and why

# Reference
This is one good answer. Another answer may be as good without resembling it.
BEGIN REFERENCE #
Port 443.
END REFERENCE #

# Answer to judge
BEGIN ANSWER #
It is 443.
END ANSWER #

# Criteria
Judge each criterion by itself.
A criterion with bands gets an integer from 0 to 10: find the band whose text fits the answer best, then choose a \
score inside of that band.
- "names-port", met or not: Names port 443
- "depth", scored
  0 to 4: Says nothing of why
  5 to 9: Says why
  10: Says why in one sentence

# Reply
Judge every criterion once. Write each reasoning, in one or two sentences, before its verdict.
{
  "checks": {
    "names-port": {"reasoning": "...", "satisfied": <true or false>},
    "depth": {"reasoning": "...", "score": <an integer from 0 to 10>}
  },
  "overall_reasoning": "..."
}"""
    )
    assert (question.kind, question.case_id, question.evaluator) == ("rubric", "port", "rubric")
    assert (question.task, question.answer) == ("Which port does HTTPS use?", "It is 443.")
    assert (question.criteria, question.expected_outcome) == (case.criteria, "Names the port and why")
    assert (question.sample, question.unasked) == (0, frozenset())


def test_changing_a_weight_or_a_gate_asks_nothing_anew() -> None:
    """The prompt, and with it what is remembered, stays the same."""
    case = port_case()
    light, heavy = (
        rubric_question(case, LlmJudge(name="a", criteria=criteria), criteria, "443").prompt.hash
        for criteria in ((item("x"), ranged("y")), (item("x", "5", required=False), ranged("y", "0.1", minimum=3)))
    )
    assert light == heavy


def test_a_checklist_says_nothing_of_bands() -> None:
    """What is not asked is not explained."""
    text = _asked(port_case(), item("x"))
    assert 'Judge each criterion by itself.\n- "x", met or not: Has x\n' in text
    assert "bands" not in text


def test_a_criterion_with_a_text_and_bands_shows_both() -> None:
    """Texts of several lines stay below their criterion."""
    bands = (ScoreRange(minimum=0, maximum=10, expected_outcome="One\nTwo\n"),)
    criterion = ScoreRangeCriterion(id="x", expected_outcome="How\nfast", score_ranges=bands)
    assert '- "x", scored: How\n    fast\n  0 to 10: One\n    Two\n' in _asked(port_case(), criterion)


def test_ids_that_cannot_be_names_of_properties_are_asked_for_as_a_list() -> None:
    """The form of the reply is that of the schema."""
    assert """\
{
  "checks": [
    {"id": "the \\"port\\"", "reasoning": "...", "satisfied": <true or false>},
    {"id": "größe", "reasoning": "...", "score": <an integer from 0 to 10>}
  ],
  "overall_reasoning": "..."
}""" in _asked(port_case(), item('the "port"'), ranged("größe"))


def test_some_criteria_can_be_asked_alone() -> None:
    """The question knows which ones of the evaluator it leaves out."""
    case = port_case()
    question = rubric_question(case, case.evaluators[0], case.criteria[1:], "443")
    assert "names-port" not in question.prompt.user
    assert question.unasked == {"names-port"}


def test_an_evaluators_own_prompt_is_added_to_its_criteria() -> None:
    """As further instructions, with its placeholders replaced."""
    text = _asked(port_case(), item("x"), prompt="Think of: {{expected_outcome}}")
    assert "# Further instructions\nThink of: Names the port and why\n\n# Criteria\n" in text


def test_a_question_about_a_scorecard() -> None:
    """Each dimension is defined, and flags and bonuses are listed with their ids."""
    case = port_case()
    assert case.scorecard is not None
    question = scorecard_question(case, case.scorecard, "443")
    text = _user(question.prompt)
    assert list(DEFINITIONS) == list(DIMENSIONS)
    for name, definition in DEFINITIONS.items():
        assert f"- {name}: {definition}\n" in text
        assert f'    "{name}": {{"reasoning": "...", "score": <an integer from 1 to 10>}}' in text
    assert "uniform across the parts of this one answer" in DEFINITIONS["consistency"]
    assert 'an empty list where there are none.\n- "red-flag-1": Names a wrong port\n' in text
    assert '- "bonus-1": Links the standard\n' in text
    assert '  "red_flags": [{"explanation": "...", "id": "..."}, ...],\n  "bonuses": [' in text
    assert (question.kind, question.evaluator) == ("scorecard", "scorecard")
    assert question.scorecard is case.scorecard


def test_a_scorecard_without_flags_and_bonuses_does_not_ask_for_them() -> None:
    """Nor do its schema and the form of the reply have them."""
    case = only_case(CASE.replace("red_flags: [Names a wrong port]", "").replace("bonuses: [Links the standard]", ""))
    assert case.scorecard is not None
    question = scorecard_question(case, case.scorecard, "443")
    assert not re.search("flag|bonus", question.prompt.user, re.IGNORECASE)


def test_a_free_form_question() -> None:
    """One score for the answer as a whole."""
    question = free_form_question(port_case(), LlmJudge(name="llm_judge"), "443")
    text = _user(question.prompt)
    assert text.index("# Task") < text.index("# Reference") < text.index("# Answer to judge")
    assert "# What to judge\nJudge how far the answer achieves what a good answer achieves.\n\n# Reply\n" in text
    assert text.endswith('"score": <a number from 0, nothing is achieved, to 1, all of it is>\n}')
    assert (question.kind, question.evaluator, question.criteria) == ("free-form", "llm_judge", ())


def test_what_a_case_does_not_have_is_not_shown() -> None:
    """No empty sections."""
    text = "evalcases:\n  - {id: a, expected_outcome: '', input: Hi}\n"
    shown = _user(free_form_question(only_case(text), LlmJudge(name="x"), "443").prompt)
    assert "# Reference" not in shown
    assert "# What a good answer achieves" not in shown


MESSAGES = """\
evalcases:
  - id: talk
    expected_outcome: Goes on
    input_messages:
      - {role: system, content: Be brief.}
      - role: user
        name: ann
        content: [{type: text, value: Look at this}, {type: file, value: notes/a.txt}]
      - {role: assistant, tool_calls: [{tool: search, input: {query: ports}}]}
      - {role: tool, name: search, content: {found: [443]}}
"""


@pytest.fixture
def talk(tmp_path: Path) -> EvalCase:
    """Return a case with a conversation of every kind of message and a file."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Port 443 🎉", encoding="utf-8")
    path = tmp_path / "talk.eval.yaml"
    path.write_text(MESSAGES, encoding="utf-8")
    return load(path).cases[0]


def test_a_conversation_is_shown_with_its_speakers_and_files(talk: EvalCase) -> None:
    """Files are read from beside the eval file; structured data is JSON."""
    task = free_form_question(talk, LlmJudge(name="x"), "443").task
    assert task.startswith("system:\nBe brief.\n\nuser ann:\nLook at this\n\n")
    assert "Port 443 🎉" in task
    assert 'assistant:\nTool call: {"tool": "search", "input": {"query": "ports"}}' in task
    assert task.endswith('tool search:\n{\n  "found": [\n    443\n  ]\n}')


def test_a_file_that_is_not_there_is_named(talk: EvalCase) -> None:
    """Before anything is asked."""
    (_, second, *_) = talk.input_messages
    assert isinstance(second.content, tuple)
    gone = second.content[1].model_copy(update={"value": "notes/b.txt"})
    case = talk.model_copy(update={"input_messages": (second.model_copy(update={"content": (gone,)}),)})
    with pytest.raises(CannotGrade, match=r"notes/b\.txt"):
        free_form_question(case, LlmJudge(name="x"), "443")


def test_messages_can_be_put_into_a_template_as_json(talk: EvalCase) -> None:
    """With the text of the files, and the answer as the message that it is."""
    evaluator = LlmJudge(name="x", prompt="{{input_messages}}|{{output_messages}}|{{expected_messages}}")
    text = _user(free_form_question(talk, evaluator, "443").prompt)
    assert '"role": "user",\n    "name": "ann",\n    "content": [' in text
    assert '"type": "file",\n        "value": "notes/a.txt",\n        "text": "Port 443 🎉"' in text
    assert '"tool_calls": [' in text
    assert 'BEGIN ANSWER #\n[\n  {\n    "role": "assistant",\n    "content": "443"\n  }\n]\nEND ANSWER #' in text
    assert "BEGIN REFERENCE #\n[]\nEND REFERENCE #\n\n# Reply" in text
    assert "# Task" not in text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("reference_answer: It is 443.", "It is 443."),
        ("reference_answer: {port: 443}", '{\n  "port": 443\n}'),
        ("expected_output: Port 443", "Port 443"),
        ("expected_output: [{role: user, content: a}, {role: assistant, content: b}]", "user:\na\n\nassistant:\nb"),
        ("expected_output: other\n    reference_answer: It is 443.", "It is 443."),
    ],
)
def test_the_reference_is_what_the_case_has(given: str, shown: str) -> None:
    """A reference answer goes before expected messages."""
    case = only_case(f"evalcases:\n  - id: a\n    expected_outcome: b\n    input: Hi\n    {given}\n")
    text = _user(free_form_question(case, LlmJudge(name="x"), "443").prompt)
    assert f"BEGIN REFERENCE #\n{shown}\nEND REFERENCE #" in text


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{expected_outcome}}!", "Names the port and why!"),
        ("{{criteria}}/{{ criteria }}", "Names the port and why/Names the port and why"),
        ("{{unknown}} {{ }} {{a b}} {x} }}{{", "{{unknown}} {{ }} {{a b}} {x} }}{{"),
        ("{{tone}}: {{limits}}", 'formal: {"words": 10}'),
        ("Q\n{{question}}\nend", "Q\nBEGIN TASK #\nWhich port does HTTPS use?\nEND TASK #\nend"),
        ("{{\n reference_answer\t}}", "BEGIN REFERENCE #\nPort 443.\nEND REFERENCE #"),
    ],
)
def test_placeholders_are_replaced(template: str, filled: str) -> None:
    """AgentV's names and the evaluator's own settings; what nobody knows stays."""
    config = {"tone": "formal", "limits": {"words": 10}, "criteria": "not this"}
    evaluator = LlmJudge(name="x", prompt=f"{template}\n{{{{candidate_answer}}}}", config=config)
    text = _user(free_form_question(port_case(), evaluator, "443").prompt)
    assert text.startswith(f"{filled}\nBEGIN ANSWER #\n443\nEND ANSWER #\n\n# Reply")


def test_placeholders_are_replaced_in_one_pass() -> None:
    """What is put in is not looked at again, whoever wrote it."""
    case = port_case().model_copy(update={"expected_outcome": "{{candidate_answer}}"})
    evaluator = LlmJudge(name="x", prompt="{{expected_outcome}} {{candidate_answer}}")
    text = _user(free_form_question(case, evaluator, "{{question}} {{reference_answer}}").prompt)
    assert text.startswith(
        "{{candidate_answer}} \nBEGIN ANSWER #\n{{question}} {{reference_answer}}\nEND ANSWER #\n\n# Reply"
    )


def test_a_prompt_without_a_place_for_the_answer_says_what_to_judge() -> None:
    """The judge could not see the answer otherwise, so everything is shown as usual."""
    text = _user(free_form_question(port_case(), LlmJudge(name="x", prompt="Is it polite?"), "443").prompt)
    assert "# Answer to judge\nBEGIN ANSWER #\n443\nEND ANSWER #\n\n# What to judge\nIs it polite?\n\n# Reply" in text


@pytest.mark.parametrize("prompt", [None, "", "  \n"])
def test_an_empty_prompt_is_none(prompt: str | None) -> None:
    """The usual words are in its place."""
    text = free_form_question(port_case(), LlmJudge(name="x", prompt=prompt), "443").prompt.user
    assert "# What to judge\nJudge how far" in text


def test_a_prompt_that_names_a_file_is_read(talk: EvalCase, tmp_path: Path) -> None:
    """As seen from the eval file, and never outside of the workspace."""
    (tmp_path / "polite.md").write_text("Is >{{candidate_answer}}< polite?", encoding="utf-8")
    text = _user(free_form_question(talk, LlmJudge(name="x", prompt=" polite.md "), "443").prompt)
    assert text.startswith("Is >\nBEGIN ANSWER #\n443\nEND ANSWER #\n< polite?")
    for path in ("missing.md", "../../etc/prompt.md", "/etc/motd.txt"):
        with pytest.raises(CannotGrade, match=re.escape(path)):
            free_form_question(talk, LlmJudge(name="x", prompt=path), "443")


def test_a_prompt_that_a_command_prints_needs_the_command() -> None:
    """What it printed is taken as it is: an answer in it may hold placeholders."""
    evaluator = LlmJudge(name="scripted", prompt=PromptScript(script=("python", "p.py")))
    with pytest.raises(CannotGrade, match="evaluator scripted is printed by a command"):
        free_form_question(port_case(), evaluator, "443")
    printed = "Is {{question}} answered by 443?"
    text = _user(free_form_question(port_case(), evaluator, "443", prompt_text=printed).prompt)
    assert f"END ANSWER #\n\n# What to judge\n{printed}\n\n# Reply" in text
    criteria = (item("x"),)
    asked = rubric_question(port_case(), evaluator, criteria, "443", prompt_text=printed)
    assert f"# Further instructions\n{printed}\n\n# Criteria" in asked.prompt.user
