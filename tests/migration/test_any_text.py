"""Whatever is in a file, a migration does not fail, and what it writes can be read."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from migration_examples import read_examples
from migrations import comments_of
from yaml_texts import documents, mangled

from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.registry import PAIRS as MIGRATIONS
from rubric_core.migration.registry import migrate_text

PAIRS = [(BY_NAME[source], BY_NAME[target]) for source, target in MIGRATIONS]
# A comment that names the dialect changes.
TEXTS = [each.before for each in read_examples() if "# rubric:" not in each.before and "$schema=" not in each.before]


def _check(text: str) -> None:
    for source, target in PAIRS:
        found = migrate_text(text, source, target)
        # A text that is no YAML is refused as it is; one that is may not become anything else.
        assert found.problem is None or "would not be YAML" not in found.problem.message, (source.name, target.name)
        if found.problem is None:
            assert set(comments_of(text)) <= set(comments_of(found.text)), (source.name, target.name)


@given(mangled() | documents())
@example("evalcases:\n- weight: Names the delay\n  id:\n")
def test_any_text_is_migrated_or_refused(text: str) -> None:
    """Nothing raises."""
    _check(text)


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_a_suite_with_lines_taken_out_or_moved_stays_yaml(text: str, data: st.DataObject) -> None:
    """Keys may be absent, there twice, or at other places than usual."""
    lines = text.splitlines(keepends=True)
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start, len(lines)))
    at = data.draw(st.integers(0, len(lines)))
    taken = lines[start:end]
    changed = lines[:start] + lines[end:]
    _check("".join(changed))
    _check("".join([*changed[:at], *taken, *changed[at:]]))


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_comments_anywhere_stay(text: str, data: st.DataObject) -> None:
    """Above, between and behind keys."""
    lines = text.splitlines()
    for number in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        where = data.draw(st.sampled_from(["above", "behind"]))
        indent = " " * data.draw(st.sampled_from([0, 2, 4, 6, 8]))
        if where == "behind":
            lines[at] += f"  # behind {number}"
        else:
            lines.insert(at, f"{indent}# above {number}")
    _check("\n".join(lines) + "\n")
