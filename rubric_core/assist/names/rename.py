"""Rename: the edits, or an error whose message gives the reason in one sentence.

Ids of criteria are renamed where the cursor is: nothing else in the file refers to them. Two cases that have the same
id by mistake are two; else what depends on a case is renamed with it. Scorecards, targets, prompts, anchors, variables,
metrics and the members of a composite are renamed everywhere.
"""

import re
from collections.abc import Generator, Iterable

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import own_chunks, read_all
from rubric_core.assist.names.lookup import might_hold, name_at, names_in_file, own_provider, references_to, settled
from rubric_core.assist.names.occurrences import (
    QUOTED,
    WHOLE_FILE,
    Name,
    NameKind,
    names_called,
    names_in_chunk,
    value_of_key,
)
from rubric_core.dialects.parts import NOTES
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.edits import render_like, render_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

_ANCHOR_NAME = lazily(r"[A-Za-z0-9_-]+\Z")
_VARIABLE_NAME = lazily(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TEMPLATE = lazily(r"\{\{.*?\}\}", re.DOTALL)
_GENERATED = lazily(r"rubric-[0-9]+\Z")
_LONGEST = 200
_USED_UNDER = {NameKind.TARGET: ("target", "provider")}
_USED_AS_TEXT = frozenset({NameKind.SCORECARD, NameKind.TARGET})


class RenameError(Exception):
    """Something cannot be renamed; the message is one sentence for the user."""


def renamable_at(analysis: Analysis, offset: int) -> Name | None:
    """Return the name at an offset; None where there is none. Raise RenameError where it cannot be renamed."""
    name = name_at(analysis, offset)
    if name is not None:
        _check_place(name)
    return name


def _check_place(name: Name) -> None:
    if name.is_broken:
        raise RenameError("This text cannot be read as YAML; correct it before you rename anything in it.")
    if name.is_shared:
        raise RenameError(f"`{name.text}` has an anchor, so other places may repeat it; remove the anchor first.")
    if name.is_hidden:
        raise RenameError(f"`{name.text}` stands in a formula with an anchor, an alias or escapes; rename it by hand.")


def rename(analysis: Analysis, name: Name, new: str) -> Generator[None, None, tuple[Edit, ...]]:
    """Return the edits that give something another name, in the order of the text. Raise RenameError."""
    new = new.strip()
    if new == name.text:
        return ()
    resolved = yield from settled(analysis, name)
    if resolved is None:
        return ()
    name = resolved
    _check_place(name)
    _check_name(name.kind, new)
    _check_not_taken(analysis, name, new)
    if name.kind is NameKind.CRITERION:
        return (_edit(name, new),)
    uses = yield from references_to(analysis, name)
    if name.kind is NameKind.CASE and name.defines and _is_alone(uses):
        return (_edit(name, new),)
    is_metric = name.kind is NameKind.EVALUATOR and name.scope == WHOLE_FILE
    if name.kind in {NameKind.VARIABLE, NameKind.PROMPT} or is_metric:
        yield from _check_definition(analysis, uses, name, new)
    if is_metric:
        yield from _check_metric(analysis, name.text)
    elif name.kind is NameKind.EVALUATOR and sum(other.defines for other in uses) > 1:
        if name.defines:
            return (_edit(name, new),)
        raise RenameError(f"Several evaluators of this list are called `{name.text}`, so the reference is ambiguous.")
    return _edits(analysis, uses, name.kind, name.text, new)


def _is_alone(uses: list[Name]) -> bool:
    """Return whether a case is used nowhere, or has its id by mistake in common with another one."""
    return sum(use.defines for use in uses) > 1 or all(use.defines for use in uses)


_MESSAGES = {
    NameKind.VARIABLE: (
        "`{}` is not defined in this file; rename it where it is.",
        "The name `{}` is used for a variable of this file already.",
    ),
    NameKind.PROMPT: (
        "No prompt of this file has the label `{}`; rename it where it is.",
        "The label `{}` is used for a prompt of this file already.",
    ),
    NameKind.EVALUATOR: (
        "There is no metric of this name in the file.",
        "The name `{}` is used for a metric of this file already.",
    ),
}
"""What is said about a name that the file does not define, and about a new one that it has already."""


def _check_definition(analysis: Analysis, uses: list[Name], name: Name, new: str) -> Generator[None, None, None]:
    undefined, taken = _MESSAGES[name.kind]
    if not any(use.defines for use in uses):
        raise RenameError(undefined.format(name.text))
    is_computed_from = name.kind is NameKind.EVALUATOR and not all(use.defines for use in uses)
    if is_computed_from and not _VARIABLE_NAME.match(new):
        raise RenameError("A metric that other numbers are computed from has letters from a to z, digits and `_` only.")
    others = yield from names_in_file(analysis, name.kind, new)
    if others:
        raise RenameError(taken.format(new))


def _check_metric(analysis: Analysis, old: str) -> Generator[None, None, None]:
    for template in (yield from _templates_of_metrics(analysis)):
        if template == old:
            raise RenameError(f"The metric `{old}` is a template, which may have several names; rename it by hand.")
        if re.fullmatch(".*".join(map(re.escape, _TEMPLATE.split(template))), old, re.DOTALL):
            raise RenameError(f"The metric `{template}` may be called `{old}` in some tests; rename it by hand.")
    _check_readable(analysis, NameKind.EVALUATOR, old)


def _templates_of_metrics(analysis: Analysis) -> Generator[None, None, list[str]]:
    """Return the metrics that have another name with each value of a variable."""
    templates: list[str] = []
    metric = NOTES.of(analysis.facts.dialect).metric
    for index, chunk in own_chunks(analysis):
        if metric in chunk.text and "{{" in chunk.text:
            names = names_in_chunk(analysis, index)
            templates += [name.text for name in names if name.kind is NameKind.EVALUATOR and "{{" in name.text]
            yield
    return templates


def rename_uses(analysis: Analysis, kind: NameKind, old: str, new: str) -> Generator[None, None, tuple[Edit, ...]]:
    """Return the edits for all uses of a target or a scorecard that is defined in another file. Raise RenameError."""
    if not (yield from read_all(analysis)):
        return ()
    uses = yield from names_in_file(analysis, kind, old)
    _check_name(kind, new)
    return _edits(analysis, uses, kind, old, new)


def _check_name(kind: NameKind, new: str) -> None:
    reasons = (
        (not new, "A name needs at least one visible character."),
        (len(new) > _LONGEST, f"A name may have at most {_LONGEST} characters; this one has {len(new):,}."),
        (not new.isprintable(), "A name must be on one line and have no control characters."),
        (
            kind is NameKind.ANCHOR and not _ANCHOR_NAME.match(new),
            "The name of an anchor may have only letters from a to z, digits, `-` and `_`.",
        ),
        (
            kind is NameKind.VARIABLE and not _VARIABLE_NAME.match(new),
            "The name of a variable may have only letters from a to z, digits and `_`, and starts with no digit.",
        ),
        (
            kind in _USED_AS_TEXT and "{{" in new,
            "A name may not contain `{{`, which starts a template expression.",
        ),
        (
            kind is NameKind.CRITERION and bool(_GENERATED.match(new)),
            f"`{new}` is an id that criteria without one of their own get; choose another one.",
        ),
    )
    for applies, message in reasons:
        if applies:
            raise RenameError(message)


def _check_not_taken(analysis: Analysis, name: Name, new: str) -> None:
    kind, document = name.kind, analysis.document
    if kind is NameKind.CASE and analysis.facts.places_of_id(new):
        raise RenameError(f"Another case of this file has the id `{new}` already.")
    if kind is NameKind.TARGET and own_provider(analysis, new) is not None:
        raise RenameError(f"Another provider of this file has the label `{new}` already.")
    if kind is NameKind.SCORECARD and new in analysis.facts.suite.scorecards:
        raise RenameError(f"Another scorecard of this file is called `{new}` already.")
    if kind is NameKind.ANCHOR:
        section = document.chunks[name.chunk_index].section
        # `&name` or `*name`; what only looks like one counts as well.
        used = re.compile(rf"[&*]{re.escape(new)}(?![A-Za-z0-9_-])")
        if any(chunk.section == section and used.search(chunk.text) for chunk in document.chunks):
            raise RenameError(f"The name `{new}` is used for an anchor of this file already.")
    if kind in {NameKind.CRITERION, NameKind.EVALUATOR}:
        others = names_called(analysis, name.chunk_index, kind, new)
        if any(other.defines and other.scope == name.scope for other in others):
            raise RenameError(f"Another {kind.value} of this list is called `{new}` already.")
    if kind is NameKind.EVALUATOR and new == INLINE_NAME:
        raise RenameError(f"`{INLINE_NAME}` is the name that the `rubrics` of a case go by; choose another one.")


def _edits(analysis: Analysis, uses: Iterable[Name], kind: NameKind, old: str, new: str) -> tuple[Edit, ...]:
    """Return an edit for each place at which a name is written; what an alias brings is changed where it comes from."""
    if kind is not NameKind.EVALUATOR:
        _check_readable(analysis, kind, old)
    edits: dict[Span, Edit] = {}
    for name in uses:
        origin = name.origin
        written = name if origin is None else _written_at(analysis, name)
        if written is None:
            raise RenameError(
                f"`{old}` comes through the alias `*{origin.anchor if origin is not None else ''}` in one place, "
                "and others may use that too; rename it by hand."
            )
        _check_place(written)
        edit = _edit(written, new)
        edits[Span(edit.start, edit.end)] = edit
    return tuple(sorted(edits.values()))


def _check_readable(analysis: Analysis, kind: NameKind, text: str) -> None:
    """Raise RenameError where a chunk that may use the name cannot be parsed, so that a use could be missed."""
    document = analysis.document
    for index, chunk in enumerate(document.chunks):
        # The tree of a chunk that cannot be parsed is never dropped.
        tree = chunk.tree
        is_broken = tree is not None and tree.root is None and bool(tree.problems)
        if is_broken and text in chunk.text and analysis.owns(chunk) and might_hold(analysis, chunk, kind, text):
            line = document.line_of(index) + 1
            raise RenameError(f"The text from line {line:,} on may use `{text}`, but cannot be read; correct it first.")


def _written_at(analysis: Analysis, name: Name) -> Name | None:
    """Return the place that an alias repeats, if the name is there as the value of the same key."""
    document, origin = analysis.document, name.origin
    if origin is None or name.defines:
        return None
    index = document.index_of(origin.chunk) if isinstance(origin.chunk, Chunk) else name.chunk_index
    pair = value_of_key(document.tree(index).root, origin.span)
    if pair is None or pair.name not in _USED_UNDER.get(name.kind, (name.kind.value,)):
        return None
    shared = pair.value.meta is not None and pair.value.meta.anchor is not None
    written = name._replace(span=origin.span, whole=origin.span, origin=None, is_shared=shared)
    return written.placed(index, document.start_of(index))


def _edit(name: Name, new: str) -> Edit:
    if name.kind is NameKind.ANCHOR:
        return Edit(*name.span, new)
    # A name stays in its quotes, or gets such as it needs.
    is_quoted = name.style in QUOTED
    written = render_like(Scalar(0, 0, "", name.style), new) if is_quoted else render_text(new, flow=True)
    return Edit(*name.whole, written)
