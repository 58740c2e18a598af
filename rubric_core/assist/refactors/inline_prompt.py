"""Copy the prompt of a judge from its file into the assertion; the file stays for others.

In a test with variables, which are filled in before the judge gets the text, it is wrapped in `{% raw %}`.
"""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.extract_prompt import is_rendered, prompt_at
from rubric_core.assist.refactors.layout import USUAL_STEP
from rubric_core.assist.refactors.refactor import Nature, Refactor, RefactorProposal, proposal
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import column_of, render, render_text, replace_node

_LONGEST = 20_000
_LONGEST_LINE = 80


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on the path of a prompt that can be read."""
    node = prompt_at(cursor)
    path = node.value.strip() if node is not None else ""
    if node is None or not path.startswith(FILE_URL):
        return None
    path = path.removeprefix(FILE_URL)
    text = cursor.analysis.project.texts(frozenset({path})).get(path)
    if text is None or not text.strip() or len(text) > _LONGEST:
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if has_templates(text):
        rendered = is_rendered(cursor)
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


REFACTOR = Refactor("inline-prompt", propose, Nature.INLINE)
