"""All safe fixes of a file at once, or those of one rule.

A fix changes only its chunk, so chunks with problems are fixed one by one until nothing is left to fix. If comments
silence problems in such a chunk, or several top-level entries need fixes, these depend on each other, and the whole
text is fixed as on the command line.
"""

from collections.abc import Collection, Generator, Iterable
from itertools import accumulate

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import analyse, apply_fixes
from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.analysis.verified import Trials, tried
from rubric_core.rules.problem import Problem, in_order
from rubric_core.rules.registry import safe_codes
from rubric_core.rules.suppressions import DirectiveKind
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.difference import changed_stretches, line_edits
from rubric_core.text.spans import Edit

_FEW_ENOUGH_TO_COUNT = 100
# A chunk that needs more fixes than these does not converge.
_MOST_FIXES = 200


def count_of(analysis: Analysis, code: str) -> int | None:
    """Return how many problems of a rule the file has; None if counting them would delay a menu."""
    if len(analysis.troubled_chunks()) > _FEW_ENOUGH_TO_COUNT:
        return None
    return sum(problem.code == code for _, _, problems in analysis.shown() for problem in problems)


def fix_all(analysis: Analysis, codes: Collection[str] | None = None) -> Generator[None, None, tuple[Edit, ...]]:
    """Compute the edits of all safe fixes, or those of some rules, in small steps; the text must not change."""
    while analysis.step():
        yield
    safe = safe_codes(analysis.facts.dialect)
    selected = safe if codes is None else safe.intersection(codes)
    troubled = [
        (index, chunk)
        for index, chunk, problems in analysis.shown()
        if any(problem.code in selected for problem in problems)
    ]
    # Two top-level entries might get the same key.
    entries = [chunk for _, chunk in troubled if chunk.kind not in CASES_IN_LISTS]
    if len(entries) > 1 or any(_is_silenced(analysis, index) for index, _ in troubled):
        return (yield from _fixed_as_a_whole(analysis, selected))
    edits: list[Edit] = []
    for index, chunk in troubled:
        analysis.document.tree(index)
        fixed = yield from _fixed(analysis, chunk, selected)
        base = analysis.document.start_of(index)
        edits += [edit.shifted(base) for edit in line_edits(chunk.text, fixed.text)]
    return tuple(edits)


def _is_silenced(analysis: Analysis, index: int) -> bool:
    """Return whether a comment may concern a chunk: one in it, at the end of the chunk before, or for the file."""
    with_directives = analysis.facts.with_directives
    beside = analysis.document.chunks[max(index - 1, 0) : index + 1]
    directives = (directive for outline in with_directives.values() for directive in outline.directives)
    return any(chunk in with_directives for chunk in beside) or any(
        directive.kind is DirectiveKind.IGNORE_FILE for directive in directives
    )


def _fixed_as_a_whole(analysis: Analysis, codes: frozenset[str]) -> Generator[None, None, tuple[Edit, ...]]:
    """Compute the edits on a copy of the text, because comments are applied only after all of it is read."""
    trial = analyse(analysis.document.text, path=analysis.path, config=analysis.config, project=analysis.project)
    before = list(trial.document.chunks)
    for _ in apply_fixes(trial, select=lambda problem: problem.code in codes):
        yield
    return (yield from _chunk_edits(before, trial.document.chunks))


def _chunk_edits(old: list[Chunk], new: list[Chunk]) -> Generator[None, None, tuple[Edit, ...]]:
    """Return the edits between the chunks of a document before and after; what did not change is the same chunk."""
    starts = [0, *accumulate(len(chunk.text) for chunk in old)]
    edits: list[Edit] = []
    for first, last, new_first, new_last in changed_stretches(old, new):
        before = [chunk.text for chunk in old[first:last]]
        after = [chunk.text for chunk in new[new_first:new_last]]
        if len(before) != len(after):
            before, after = ["".join(before)], ["".join(after)]
        base = starts[first]
        for text, changed in zip(before, after, strict=True):
            edits += [edit.shifted(base) for edit in line_edits(text, changed)]
            base += len(text)
            yield
    return tuple(edits)


def _fixed(analysis: Analysis, original: Chunk, codes: frozenset[str]) -> Generator[None, None, Chunk]:
    chunk = original
    seen = {chunk.text}
    problems: Iterable[Problem] = analysis.chunk_problems(chunk)
    for _ in range(_MOST_FIXES):
        selected = [problem for problem in problems if problem.code in codes]
        following = _with_first_fix(analysis, chunk, original, selected)
        yield
        if following is None or following.text in seen:
            break
        seen.add(following.text)
        chunk = following
        problems = analysis.checker.recheck(chunk)
    return chunk


def _with_first_fix(analysis: Analysis, chunk: Chunk, original: Chunk, problems: list[Problem]) -> Chunk | None:
    trials = Trials(analysis, chunk, original)
    safe = (fix for problem in in_order(problems) for fix in trials.fixes(problem) if fix.safe)
    return next((tried(analysis, chunk, fix.edits, original) for fix in safe), None)
