"""The facts of one chunk that the whole file needs: its top-level entries, its cases, their ids."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import (
    ELSEWHERE_KEYS,
    ONE_CASE,
    OUTPUT_OPTIONS,
    POINTERS,
    SCENARIO_SETTINGS,
    SCENARIO_TESTS,
    SCENARIOS,
    SUITE_KEYS,
    TEST_KEYS,
    cases_in,
    is_case,
    is_suite,
)
from rubric_core.dialects.recognition import DialectMark, is_snake_case, marks_of_case, marks_of_entries, modeline_of
from rubric_core.dialects.registry import CASE_LIST_NAMES, DEFAULT_DIALECT
from rubric_core.rules.suppressions import Directive, DirectiveKind, find_directives, might_hold_directives
from rubric_core.schema.suggest import closest
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, Tree, walk
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily
from rubric_core.views.templates import names_of

_CASE_KEYS = frozenset(CASE_LIST_NAMES)
# Members of an Enum are slow to look up, and these are used for every case.
_ITEM, _LINE, _CASE = ChunkKind.ITEM, ChunkKind.LINE, ChunkKind.CASE
_WITHOUT_ENTRIES = frozenset({_ITEM, _LINE, _CASE})
_VARS = ("vars", "variables")
_NO_NAMES: frozenset[str] = frozenset()
# A broken case is still recognised if one of its keys identifies it.
_CASE_START = lazily(r"^(?P<indent>[ ]*)-[ ]+(?=\S)", re.MULTILINE)
_OWN_KEYS = "|".join(sorted(DEFAULT_DIALECT.marks.own.case))
_MARK_KEY = rf"[\"']?(?:{_OWN_KEYS})[\"']?[ ]*:"
_BROKEN_LINE = lazily(rf"\"(?:{_OWN_KEYS})\"[ ]*:")
_BROKEN_SUITE = lazily(rf"^(?:{'|'.join(DEFAULT_DIALECT.case_lists)})[ ]*:", re.MULTILINE)


class ChunkFacts(NamedTuple):
    """The facts of one chunk that other chunks depend on.

    `case_count` counts the items of case lists, whatever they are; `is_ours` means that one is an eval case.
    `heads_list` means that the one entry is a list whose items are chunks of their own, `over_limit` that nodes were
    left out because the text goes over a limit. `scenario_vars` are the variables that scenarios give their tests,
    and `vars` those of cases; None if cases are in another file. `modeline` is the dialect whose schema a comment
    at the top of the file names, `has_snake_case` is about keys of cases, and `is_list` that these are a bare list.
    `references` are the values that refer to other parts of the file.
    Nothing here refers to the nodes of a case, so that its tree is freed when it has been checked.
    """

    entries: tuple[Pair, ...] = ()
    case_count: int = 0
    is_ours: bool = False
    ids: tuple[Scalar, ...] = ()
    marks: tuple[DialectMark, ...] = ()
    directives: tuple[Directive, ...] = ()
    heads_list: bool = False
    over_limit: bool = False
    scenario_vars: frozenset[str] = frozenset()
    vars: tuple[str, ...] | None = ()
    modeline: Dialect | None = None
    has_snake_case: bool = False
    is_list: bool = False
    references: tuple[Scalar, ...] = ()

    @property
    def pin(self) -> Directive | None:
        """Return the comment at the top of the file that sets its dialect."""
        return next((mark for mark in self.directives if mark.kind is DirectiveKind.DIALECT and mark.at_top), None)

    @property
    def claims_file(self) -> bool:
        """Return whether a comment marks the file as an eval file."""
        return any(directive.kind is DirectiveKind.FILE for directive in self.directives)


def top_of(chunks: list[Chunk]) -> list[Chunk]:
    """Return the chunks that only comments, directives of YAML and the first marker precede."""
    first, *following = chunks[:2]
    is_prefix = first.kind is ChunkKind.PREFIX
    return [first, *(chunk for chunk in following if is_prefix and chunk.section == first.section)]


def facts_of_chunk(chunk: Chunk, tree: Tree, *, starts_file: bool) -> ChunkFacts:
    """Collect the facts of a chunk. `starts_file` means that it is at the top of the file."""
    root = tree.root
    directives: tuple[Directive, ...] = ()
    if might_hold_directives(chunk.text):
        directives = find_directives(chunk.text, ScalarSpans(chunk.text, root), starts_file=starts_file)
    in_list = chunk.kind in _WITHOUT_ENTRIES
    entries = tuple(root.pairs) if isinstance(root, Mapping) and not in_list else ()
    key, cases = cases_of(chunk, root)
    is_ours = (bool(entries) and is_suite(entries)) or (bool(tree.problems) and _was_ours(chunk))
    has_snake_case = False
    for case in cases:
        is_ours = is_ours or is_case(case, key)
        has_snake_case = has_snake_case or (isinstance(case, Mapping) and _has_snake_case(tuple(case.index)))
    if chunk.kind is _LINE and not starts_file:
        # The first line of a JSON Lines file decides for all of them.
        is_ours = False
    heads_list = chunk.kind is ChunkKind.LIST_HEAD
    over_limit = bool(tree.problems) and any(problem.code == "RB008" for problem in tree.problems)
    marks = _marks(entries, cases)
    scenarios = scenarios_of(chunk, root)
    scenario_vars = _NO_NAMES
    if scenarios:
        scenario_vars = frozenset(name for scenario in scenarios for name in _vars_of_scenario(scenario))
    for option in OUTPUT_OPTIONS:
        if option in chunk.text:
            scenario_vars |= _stored_outputs(cases, option)
    names = None if (entries and _has_other_files(entries)) or _names_file(chunk, root) else _vars_of(cases)
    return ChunkFacts(
        entries,
        len(cases),
        is_ours,
        _ids(cases),
        marks,
        directives,
        heads_list,
        over_limit,
        scenario_vars,
        names,
        modeline_of(chunk.text) if starts_file else None,
        has_snake_case,
        (isinstance(root, Sequence) or chunk.kind is _LINE) and chunk.place is None and any(map(_is_test, cases)),
        _references(root, entries, chunk.text),
    )


def has_pointer(text: str) -> bool:
    """Return whether a text may have a mapping that refers to another part of the file."""
    # A single character is found much faster than a word, and a loop is faster than a generator.
    for key in POINTERS:  # noqa: SIM110 - see above.
        if key[0] in text and key in text:
            return True
    return False


def _references(root: Node | None, entries: tuple[Pair, ...], text: str) -> tuple[Scalar, ...]:
    """Return the references to other parts of the file."""
    return tuple(chain.from_iterable(_pointers(root, entries, key) for key in POINTERS)) if has_pointer(text) else ()


def _pointers(root: Node | None, entries: tuple[Pair, ...], key: str) -> Iterator[Scalar]:
    """Yield the values of a key that refers to another part of the file, except in entries that do not follow it."""
    followed = [pair.value for pair in entries if pair.name not in POINTERS[key]] if entries else [root]
    for node in chain.from_iterable(map(walk, filter(None, followed))):
        pointer = node.get(key) if isinstance(node, Mapping) else None
        if isinstance(pointer, Scalar) and pointer.origin is None:
            yield pointer


def _names_file(chunk: Chunk, root: Node | None) -> bool:
    """Return whether an item of a list is the name of a file instead of a case."""
    items = root.items if chunk.kind is _ITEM and isinstance(root, Sequence) else ()
    return not all([isinstance(item, (Mapping, Sequence)) for item in items])  # noqa: C419 - a list is faster here.


def _is_test(node: Node) -> bool:
    """Return whether an item of a bare list has the keys of a test."""
    return isinstance(node, Mapping) and _has_test_key(tuple(node.index))


# The keys are the same few lists in every case of a file.
@lru_cache(maxsize=1024)
def _has_test_key(names: tuple[str, ...]) -> bool:
    """Return whether keys are those of a test, even misspelt ones."""
    return not TEST_KEYS.isdisjoint(names) or any(closest(name, TEST_KEYS) is not None for name in names)


@lru_cache(maxsize=1024)
def _has_misspelt_vars(names: tuple[str, ...]) -> bool:
    return any(closest(name, _VARS) is not None for name in names)


@lru_cache(maxsize=1024)
def _has_snake_case(names: tuple[str, ...]) -> bool:
    return any(is_snake_case(name) for name in names)


def cases_of(chunk: Chunk, root: Node | None) -> tuple[str, tuple[Node, ...]]:
    """Return the items of the case lists in a chunk, and the key of the last such list."""
    if chunk.kind is _ITEM and chunk.place is not None:
        key = chunk.place.key
        return key, cases_in(key, root.items) if isinstance(root, Sequence) else ()
    if chunk.kind is _LINE or chunk.kind is _CASE:
        return ONE_CASE if chunk.kind is _CASE else "", (root,) if root is not None else ()
    if isinstance(root, Sequence):
        # A list of cases by itself, which suites refer to.
        return "", tuple(root.items)
    key = ""
    cases: tuple[Node, ...] = ()
    for pair in root.pairs if isinstance(root, Mapping) else ():
        if isinstance(pair.value, Sequence) and pair.name is not None:
            listed = cases_in(pair.name, pair.value.items)
            key = pair.name if listed else key
            cases += listed
    return key, cases


def scenarios_of(chunk: Chunk, root: Node | None) -> tuple[Mapping, ...]:
    """Return the scenarios in a chunk."""
    if chunk.kind is _ITEM:
        if chunk.place is None or chunk.place.key != SCENARIOS:
            return ()
        listed = root
    else:
        listed = root.get(SCENARIOS) if isinstance(root, Mapping) else None
    items = listed.items if isinstance(listed, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Mapping))


def _vars_of_scenario(scenario: Mapping) -> Iterator[str]:
    """Yield the variables that the settings and the tests of a scenario define."""
    for key in (SCENARIO_SETTINGS, SCENARIO_TESTS):
        listed = scenario.get(key)
        for item in listed.items if isinstance(listed, Sequence) else ():
            yield from names_of(item.get("vars")) if isinstance(item, Mapping) else ()


def _stored_outputs(cases: Iterable[Node], option: str) -> frozenset[str]:
    """Return the variables in which later tests find the outputs of cases."""
    options = [case.get("options") for case in cases if isinstance(case, Mapping)]
    names = [node.get(option) for node in options if isinstance(node, Mapping)]
    return frozenset(name.value for name in names if isinstance(name, Scalar))


def _has_other_files(entries: tuple[Pair, ...]) -> bool:
    """Return whether a list of cases or of scenarios, or an item of it, is the name of a file."""
    lists = [pair.value for pair in entries if pair.name in SUITE_KEYS]
    items = [item for node in lists if isinstance(node, Sequence) for item in node.items]
    return any(isinstance(node, Scalar) and not is_blank(node) for node in (*lists, *items))


def _vars_of(cases: Iterable[Node]) -> tuple[str, ...] | None:
    """Return the variables of each case; None if another file has some of the cases."""
    names: list[str] = []
    for case in cases:
        if not isinstance(case, Mapping) or not ELSEWHERE_KEYS.isdisjoint(case.index):
            return None
        variables = case.get("vars")
        if variables is None and _has_misspelt_vars(tuple(case.index)):
            # They are under a misspelt key, which is reported there.
            return None
        if isinstance(variables, Mapping):
            names += variables.index
        elif variables is not None and not is_blank(variables):
            return None
    return tuple(names)


def _was_ours(chunk: Chunk) -> bool:
    """Return whether text that cannot be parsed looks like eval cases."""
    if chunk.kind is _LINE:
        return bool(_BROKEN_LINE.search(chunk.text))
    text = chunk.text
    if chunk.kind is _ITEM:
        return chunk.place is not None and chunk.place.key in _CASE_KEYS and _has_mark(text, 0)
    return any(_has_mark(text, key.end()) for key in _BROKEN_SUITE.finditer(text))


def _has_mark(text: str, start: int) -> bool:
    """Return whether an item of the list behind an offset has a key of an eval case, in the column of its keys.

    Nested deeper, the same words have other meanings: other tools have variables with these names.
    """
    first = _CASE_START.search(text, start)
    if first is None:
        return False
    column, dash = first.end() - first.start(), len(first["indent"])
    mark = re.compile(rf"^(?:[ ]{{{column}}}|[ ]{{{dash}}}-[ ]+){_MARK_KEY}", re.MULTILINE)
    return bool(mark.search(text, first.start()))


def _ids(cases: tuple[Node, ...]) -> tuple[Scalar, ...]:
    nodes = [case.get("id") for case in cases if isinstance(case, Mapping)]
    return tuple([node for node in nodes if isinstance(node, Scalar) and not is_blank(node)])


def _marks(entries: tuple[Pair, ...], cases: tuple[Node, ...]) -> tuple[DialectMark, ...]:
    """Return the words that identify the dialect, each once."""
    lists = [marks_of_case(case) for case in cases if isinstance(case, Mapping)]
    if entries:
        lists.insert(0, marks_of_entries(entries))
    return lists[0] if len(lists) == 1 else tuple(dict.fromkeys(chain.from_iterable(lists)))
