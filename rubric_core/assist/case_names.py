"""The ids of cases and where they are, of files that are open or only read; and finding an id by some letters."""

from collections.abc import Generator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import ChunkFacts, facts_of_chunk, top_of
from rubric_core.assist.by_chunk import own_chunks, read_all
from rubric_core.config.config import DEFAULT, Config, is_ours_by_name
from rubric_core.dialects.eval_files import WHOLE_LISTS
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Span

_WORD_BREAKS = frozenset("-_./: ")
# The score of a letter: any match, one directly behind the last, one at the start of a word, one at the very start.
_PLAIN, _BEHIND, _WORD_START, _START = 1, 4, 6, 8
# A name that is the query, starts with it or contains it is ranked above those that only have its letters.
_EQUAL, _PREFIX, _INSIDE = 1_000, 500, 200


class CaseName(NamedTuple):
    """The id of a case. `span` is where it is in the whole text, with its quotes."""

    name: str
    span: Span


def names_of_cases(analysis: Analysis) -> Generator[None, None, list[CaseName]]:
    """Return the ids of an open file, in the order of the text. Once the file is read, they are all known."""
    if not (yield from read_all(analysis)):
        return []
    names: list[CaseName] = []
    for index, chunk in own_chunks(analysis):
        outline = analysis.facts.by_chunk.get(chunk)
        if outline is not None and outline.ids:
            names += _names(outline, analysis.document.start_of(index))
    return names


def read_names_of_cases(text: str, *, path: str, config: Config = DEFAULT) -> Generator[None, None, list[CaseName]]:
    """Return the ids of a text that is not open; it is read once, and no tree of it is kept."""
    document = Document(text, json_lines=path.endswith(".jsonl"), limits=config.limits, whole_lists=WHOLE_LISTS)
    # The section and the names of each chunk, and whether it makes its section or the file one of ours.
    chunks: list[tuple[int, list[CaseName], bool, bool]] = []
    index = 0
    while index < len(document.chunks):
        index = document.read(index)
        # What is joined with chunks before it is read anew with them.
        del chunks[index:]
        tree, chunk = document.tree(index), document.chunks[index]
        outline = facts_of_chunk(chunk, tree, starts_file=chunk in top_of(document.chunks))
        names = _names(outline, document.start_of(index))
        chunks.append((chunk.section, names, outline.is_ours, outline.claims_file))
        if not (tree.anchors or tree.external or tree.problems):
            chunk.tree = None
        index += 1
        yield
    everything = is_ours_by_name(config, path) or any(claims_file for *_, claims_file in chunks)
    ours = {section for section, _, is_ours, _ in chunks if is_ours}
    return [name for section, names, *_ in chunks if everything or section in ours for name in names]


def _names(outline: ChunkFacts, start: int) -> list[CaseName]:
    return [CaseName(node.value, node.span.shifted(start)) for node in outline.ids]


def match(query: str, name: str) -> int | None:
    """Return how well a name matches a query, more is better; None if it does not have the letters in this order.

    `grnam` finds `greets-by-name`. Upper and lower case are the same. An empty query matches everything equally.
    """
    search, letters = query.casefold(), name.casefold()
    if not search:
        return 0
    score = _whole(search, letters)
    at = -1
    for letter in search:
        position = letters.find(letter, at + 1)
        if position < 0:
            return None
        score += _worth(letters, position, at)
        at = position
    return score


def _whole(search: str, letters: str) -> int:
    if letters == search:
        return _EQUAL
    if letters.startswith(search):
        return _PREFIX
    return _INSIDE if search in letters else 0


def _worth(letters: str, position: int, previous: int) -> int:
    if position == 0:
        return _START
    if letters[position - 1] in _WORD_BREAKS:
        return _WORD_START
    return _BEHIND if position == previous + 1 else _PLAIN
