"""Move the prompt of a judge from an assertion into a file of its own, which several assertions can use.

    prompt: |                     becomes   prompt: file://prompts/tone.md
      Is {{ output }} polite?

In a test with variables the text is rendered before the judge gets it, and a file is not, so that `{{ output }}` starts
to work there. It is not offered where the text uses a variable of the test, or where a judge would refuse the file.
"""

import re

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.assist.refactors.refactor import Nature, NewFile, Refactor, RefactorProposal, proposal
from rubric_core.dialects.parts import PATHS
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import render_text, replace_node
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import as_text, is_blank
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.references import is_prompt_file
from rubric_core.views.templates import JUDGE_VARIABLES, shows_answer, template_names

PROMPT = "prompt"
RAW = lazily(r"\{% raw %\}(?P<text>.*)\{% endraw %\}(?P<rest>\s*)\Z", re.DOTALL)
_FOLDERS = ("prompts/", "graders/")
_NOT_IN_NAMES = lazily(r"[^a-z0-9]+")
_LONGEST_NAME = 60
_MOST_TRIED = 100


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a prompt that is a text."""
    node = prompt_at(cursor)
    if node is None or node.value.strip().startswith(FILE_URL) or is_prompt_file(node.value):
        return None
    text = _text_in_file(cursor, node.value)
    if text is None or not shows_answer(text):
        return None
    path = _free_path(cursor)
    if path is None:
        return None
    written = render_text(f"{FILE_URL}{path}", flow=any(step.node.flow for step in cursor.steps))
    made = proposal(cursor, f"Move the prompt to `{path}`", [_replacement(cursor, node, written)])
    return made._replace(new_file=NewFile(path, text)) if made is not None else None


def prompt_at(cursor: Cursor) -> Scalar | None:
    """Return the prompt of the assertion at the cursor, if it is there for itself alone."""
    if not cursor.steps or not PATHS.of(cursor.dialect).prefix or cursor.part is CursorPart.ALIAS:
        return None
    pair, field = cursor.last.pair, cursor.last.field
    if pair is None or field is None or pair.name != PROMPT or not cursor.record.startswith("evaluator:"):
        return None
    node = pair.value
    is_text = isinstance(node, Scalar) and not is_blank(node) and as_text(node) is not None
    return node if isinstance(node, Scalar) and is_text and is_own_text(node) and is_own_text(pair.key) else None


def is_rendered(cursor: Cursor) -> bool | None:
    """Return whether texts of the assertion are rendered with variables of the test; None if that is unknown."""
    case = cursor.case
    if case is None or not cursor.dialect.table.rendered_keys:
        # Assertions of the suite never are.
        return False
    inherited = cursor.analysis.facts.suite.inherited
    if isinstance(case.node.get("vars"), Mapping) or inherited.vars:
        return True
    return False if inherited.is_known else None


def _text_in_file(cursor: Cursor, text: str) -> str | None:
    """Return a prompt as it is in a file; None where it would not be the same there."""
    rendered = is_rendered(cursor) if has_templates(text) else False
    protected = RAW.match(text) if rendered else None
    if protected is not None and "{%" not in protected["text"]:
        text = protected["text"] + protected["rest"]
    elif rendered is None or any(name.text not in JUDGE_VARIABLES for name in template_names(text)):
        return None
    return text if text.endswith("\n") else f"{text}{cursor.line_break}"


def _free_path(cursor: Cursor) -> str | None:
    """Return the path of a file that is not there yet, called like the assertion or its test."""
    project, evaluator = cursor.analysis.project, cursor.last.node
    entries = project.entries("")
    folder = next((known for known in _FOLDERS if known in entries), _FOLDERS[0])
    own = evaluator.get(cursor.last.record.name_key) if cursor.last.record and isinstance(evaluator, Mapping) else None
    case = cursor.case.identifier if cursor.case is not None else None
    title = next((node.value for node in (own, case) if isinstance(node, Scalar)), "") or "judge"
    name = _NOT_IN_NAMES.sub("-", title.lower()).strip("-")[:_LONGEST_NAME] or "judge"
    paths = [f"{folder}{name}{number}.md" for number in ("", *(f"-{count}" for count in range(2, _MOST_TRIED)))]
    return next((path for path in paths if not project.files(frozenset({path}))[path]), None)


def _replacement(cursor: Cursor, node: Scalar, written: str) -> Edit:
    """Write something else in the place of a text; a block of lines ends before its last line break."""
    edit = replace_node(node, written)
    old = cursor.text[edit.start : edit.end]
    return Edit(edit.start, edit.end - len(old) + len(old.rstrip("\r\n ")), edit.text)


REFACTOR = Refactor("extract-prompt", propose, Nature.EXTRACT)
