"""Refactors of the prompt of a judge: into a file of its own, and back into the assertion."""

import re

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.refactors.refactor import USUAL_STEP, NewFile, RefactorProposal, is_own_text, proposal
from rubric_core.dialects.parts import NOTES, PATHS
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import column_of, render, render_text, replace_node
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import as_text, is_blank
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.references import is_prompt_file
from rubric_core.views.templates import JUDGE_VARIABLES, shows_answer, template_names

_PROMPT = "prompt"
_RAW = lazily(r"\{% raw %\}(?P<text>.*)\{% endraw %\}(?P<rest>\s*)\Z", re.DOTALL)
_FOLDERS = ("prompts/", "graders/")
_NOT_IN_NAMES = lazily(r"[^a-z0-9]+")
_LONGEST_NAME = 60
_MOST_TRIED = 100
_LONGEST = 20_000
_LONGEST_LINE = 80


def extract(cursor: Cursor) -> RefactorProposal | None:
    """Move the prompt of a judge from an assertion into a file of its own, which several assertions can use.

        prompt: |                     becomes   prompt: file://prompts/tone.md
          Is {{ output }} polite?

    In a test with variables the text is rendered before the judge gets it, and a file is not, so that `{{ output }}`
    starts to work there. It is not offered where the text uses a variable of the test, or where the file would be
    refused.
    """
    node = _prompt_at(cursor)
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


def _prompt_at(cursor: Cursor) -> Scalar | None:
    """Return the prompt of the assertion at the cursor, if it is there for itself alone."""
    if not cursor.steps or not PATHS.of(cursor.dialect).prefix or cursor.part is CursorPart.ALIAS:
        return None
    pair, field = cursor.last.pair, cursor.last.field
    if pair is None or field is None or pair.name != _PROMPT or not cursor.record.startswith("evaluator:"):
        return None
    node = pair.value
    is_text = isinstance(node, Scalar) and not is_blank(node) and as_text(node) is not None
    return node if isinstance(node, Scalar) and is_text and is_own_text(node) and is_own_text(pair.key) else None


def _is_rendered(cursor: Cursor) -> bool | None:
    """Return whether texts of the assertion are rendered with variables of the test; None if that is unknown."""
    case = cursor.case
    if case is None or not cursor.dialect.table.rendered_keys:
        # Assertions of the suite never are.
        return False
    inherited = cursor.analysis.facts.suite.inherited
    if isinstance(case.node.get(NOTES.of(cursor.dialect).variables), Mapping) or inherited.vars:
        return True
    return False if inherited.is_known else None


def _text_in_file(cursor: Cursor, text: str) -> str | None:
    """Return a prompt as it is in a file; None where it would not be the same there."""
    rendered = _is_rendered(cursor) if has_templates(text) else False
    protected = _RAW.match(text) if rendered else None
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


def inline(cursor: Cursor) -> RefactorProposal | None:
    """Copy the prompt of a judge from its file into the assertion; the file stays for others.

    In a test with variables, which are filled in before the judge gets the text, it is wrapped in `{% raw %}`.
    """
    node = _prompt_at(cursor)
    path = node.value.strip() if node is not None else ""
    if node is None or not path.startswith(FILE_URL):
        return None
    path = path.removeprefix(FILE_URL)
    text = cursor.analysis.project.texts(frozenset({path})).get(path)
    if text is None or not text.strip() or len(text) > _LONGEST:
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if has_templates(text):
        rendered = _is_rendered(cursor)
        if rendered is None or (rendered and "endraw" in text):
            return None
        text = f"{{% raw %}}{text.rstrip()}{{% endraw %}}\n" if rendered else text
    return proposal(cursor, "Copy the prompt from its file", [replace_node(node, _written(cursor, text))])


def _written(cursor: Cursor, text: str) -> str:
    """Return a text as a block of lines, or in quotes where it is in brackets or cannot be a block."""
    if any(step.node.flow for step in cursor.steps):
        return render(text.rstrip("\n"), as_json=True)
    lines = text.rstrip("\n").split("\n")
    if len(lines) == 1 and len(lines[0]) <= _LONGEST_LINE:
        return render_text(lines[0])
    pair = cursor.last.pair
    is_block = lines[0][:1] not in {"", " ", "\t"} and all(line.isprintable() or "\t" in line for line in lines)
    if not is_block or pair is None or text.endswith("\n\n"):
        return render_text(text)
    indent = " " * (column_of(cursor.text, pair.key.start) + USUAL_STEP)
    end = cursor.line_break
    below = end.join(f"{indent}{line}" if line.strip() else "" for line in lines)
    return f"{'|' if text.endswith(chr(10)) else '|-'}{end}{below}"
