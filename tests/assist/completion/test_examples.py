"""In the example files, with their comments, block texts and anchors, every proposal on an empty line gives YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from completions import accept, complete_at

from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, walk

_EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.eval.yaml"))
_COLUMNS = (0, 4, 5, 8, 12)


def _is_sound(text: str) -> bool:
    """Return whether a text parses and no key is there twice."""
    document = Document(text)
    document.settle()
    trees = [document.tree(index) for index in range(len(document.chunks))]
    nodes = (node for tree in trees if tree.root is not None for node in walk(tree.root))
    return not any(tree.problems for tree in trees) and not any(
        isinstance(node, Mapping) and node.duplicates for node in nodes
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.name)
def test_every_proposal_keeps_the_file_sound(path: Path) -> None:
    """Between any two lines, in any column."""
    text = path.read_text(encoding="utf-8")
    seen = 0
    for start in [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]:
        for column in _COLUMNS:
            typed, found = complete_at(f"{text[:start]}{' ' * column}$0\n{text[start:]}", path.name)
            for item in found.items if found is not None else ():
                seen += 1
                assert _is_sound(accept(typed, found, item, snippet=True)), (start, column, item.label)
    assert seen > 100
