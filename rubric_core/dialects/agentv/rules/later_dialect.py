"""
## What it does
Reports once for a file that it has keys of two generations of the format, and as which one it is read.

## Why is this bad?
No release of AgentV reads both. What a key of the other generation was meant to do does not happen, and the tool says
nothing of it. The newest generation that a key shows is the one that the file is checked by, unless a comment
`# rubric: dialect=agentv-2` at the top of the file or `dialect` in the configuration names another. Keys that a later
generation removed have problems of their own and are not counted here.

## Example
```yaml
# rubric: dialect=agentv-2
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input: Which port?
    assertions:
      - Names port 8080
```

Use instead:
```yaml
# rubric: dialect=agentv-2
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input: Which port?
    rubrics:
      - Names port 8080
```
"""

from operator import attrgetter

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.files import FileView


def check(file: FileView, _context: Context) -> Problems:
    words: dict[Dialect, str] = {}
    for mark in sorted(file.marks, key=attrgetter("word")):
        if not mark.is_weak and not _has_own_problem(mark.word, file.dialect):
            words.setdefault(mark.dialect, mark.word)
    others = [f"`{word}` is of {dialect.title}" for dialect, word in words.items() if dialect is not file.dialect]
    entry = next((entries[0] for entries in file.documents if entries), None)
    if not others or entry is None or file.dialect not in words:
        return
    yield RULE.at(
        entry.pair.key,
        f"{', '.join(others)}, but the file is read as {file.dialect.title} because of `{words[file.dialect]}`; "
        "use the keys of one of them.",
        chunk=entry.chunk,
    )


def _has_own_problem(word: str, dialect: Dialect) -> bool:
    """Return whether RB701 or RB702 reports a word wherever it is."""
    return word in dialect.removed_types or word in dialect.suite.removed or word in dialect.case.removed


RULE = Rule("RB009", "later-dialect", Severity.HINT, Subject.FILE, check)
