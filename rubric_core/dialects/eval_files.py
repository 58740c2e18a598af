"""Whether a file is an eval file, and of which kind, by its name and by the words of any dialect in it."""

import re
from collections.abc import Iterable
from collections.abc import Mapping as PlainMapping
from functools import lru_cache

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import CASE_LIST_NAMES, DIALECTS, WHOLE_FILE_DIALECTS
from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence
from rubric_core.text.patterns import lazily

SCENARIOS, SCENARIO_SETTINGS, SCENARIO_TESTS = "scenarios", "config", "tests"
"""The key of a list of scenarios, and those of the lists in each of them."""
SUITE_KEYS = frozenset({*CASE_LIST_NAMES, SCENARIOS})
"""The keys of a suite under which cases are."""
ONE_CASE = "case.yaml"
"""The key of the list of cases of a file that is one case; its folder has the id."""
FOREIGN_KEYS: PlainMapping[str, str] = {
    **{key: marks.noun for _, marks in WHOLE_FILE_DIALECTS for key in marks.other_keys},
    "services": "a Compose file",
    "jobs": "a CI workflow",
}
"""Keys of files that other tools read, each with what such a file is."""
PROVIDERS = frozenset({"providers", "targets"})
"""The top-level keys of what answers."""
_CASE_WORDS = tuple(dialect.marks.cases for dialect in DIALECTS)
JUDGING_KEYS = frozenset().union(*(words.judging for words in _CASE_WORDS))
"""The top-level keys of assertions for all cases, or of a mapping that has some."""
TEST_KEYS = frozenset().union(*(words.keys for words in _CASE_WORDS))
"""The keys of a test by which a bare list is one of tests."""
ELSEWHERE_KEYS = frozenset().union(*(words.elsewhere for words in _CASE_WORDS))
"""The keys of an item that is in the place of cases of another file."""
OUTPUT_OPTIONS = frozenset(words.output for words in _CASE_WORDS if words.output)
"""The options of a case that keep its output in a variable."""
POINTERS: PlainMapping[str, frozenset[str]] = {
    words.pointer: words.unfollowed for words in _CASE_WORDS if words.pointer
}
"""The keys of a mapping in the place of another part of the file, with the top-level keys below which they are none."""
MESSAGE_KEYS = tuple(dict.fromkeys(key for words in _CASE_WORDS for key in words.messages))
"""The keys of a case with messages."""
SKIPPING = frozenset(words.skipping for words in _CASE_WORDS if words.skipping is not None)
"""Where a case leaves out the evaluators that the suite has for all cases."""
WHOLE_LISTS = frozenset().union(*(words.whole_lists for words in _CASE_WORDS))
"""The keys of short lists at the top level whose items are checked together."""
_OWN_SUITE = frozenset().union(*(dialect.marks.own.suite for dialect in DIALECTS))
_OWN_CASE = frozenset().union(*(dialect.marks.own.case for dialect in DIALECTS))
_OWN_BESIDE_INPUT = frozenset().union(*(dialect.marks.own.beside_input for dialect in DIALECTS))
_OWN_BESIDE_ID = frozenset().union(*(dialect.marks.own.beside_id for dialect in DIALECTS))
# The rows of results have some of the keys of cases too.
_RESULT_KEYS = frozenset({"score", "test_id", "eval_id"})
_WORDS = tuple(dict.fromkeys(word for dialect in DIALECTS for word in dialect.marks.words))
_KEY = lazily(r"^(?P<indent>[ \t-]*)[\"']?(?P<key>\w+)[\"']?[ \t]*:", re.MULTILINE)


def has_word(text: str) -> bool:
    """Return whether a text has one of the words that every eval file needs."""
    return any(word in text for word in _WORDS)


def cases_in(key: str | None, items: Iterable[Node]) -> tuple[Node, ...]:
    """Return the cases among the items of a top-level list; a scenario has lists of its own."""
    if key in CASE_LIST_NAMES:
        return tuple(items)
    if key != SCENARIOS:
        return ()
    lists = [item.get(SCENARIO_TESTS) for item in items if isinstance(item, Mapping)]
    return tuple(case for cases in lists if isinstance(cases, Sequence) for case in cases.items)


def is_case(node: object, key: str) -> bool:
    """Return whether an item of the list under `key` is a case of ours."""
    if not isinstance(node, Mapping):
        return False
    index = node.index
    if not _OWN_CASE.isdisjoint(index):
        return _RESULT_KEYS.isdisjoint(index)
    if "input" in index and (key in _OWN_SUITE or not _OWN_BESIDE_INPUT.isdisjoint(index)):
        # Messages of a case are a text or a list; other tools have mappings under the key.
        return not isinstance(index["input"].value, Mapping)
    if key == ONE_CASE:
        return any(isinstance(index[name].value, Sequence) for name in ("assert", "turns") if name in index)
    return "id" in index and not _OWN_BESIDE_ID.isdisjoint(index)


def is_suite(entries: Iterable[Pair]) -> bool:
    """Return whether a top-level key makes a file one of ours."""
    return any(pair.name in _OWN_SUITE for pair in entries)


def starts_like_a_suite(head: str) -> bool:
    """Return whether the start of a file that is too large to read is one of an eval file."""
    keys = [(bool(match["indent"]), match["key"]) for match in _KEY.finditer(head)]
    top, inner = ({key for is_indented, key in keys if is_indented is level} for level in (False, True))
    if SUITE_KEYS.isdisjoint(top) or not FOREIGN_KEYS.keys().isdisjoint(top):
        return False
    has_case = not _OWN_CASE.isdisjoint(inner) or ("id" in inner and not _OWN_BESIDE_ID.isdisjoint(inner))
    return has_case or not _OWN_SUITE.isdisjoint(top)


# The kind of a file by its name or path


def _any_of(patterns: list[str]) -> str:
    """Return a regular expression that matches where one of the patterns does."""
    return "|".join(rf"(?:{pattern})\Z" for pattern in dict.fromkeys(filter(None, patterns))) or r"(?!)"


_SUITE = lazily(_any_of([dialect.marks.names.suite for dialect in DIALECTS]))
_CASE = lazily(_any_of([dialect.marks.names.case for dialect in DIALECTS]))
_CASES = lazily(_any_of([dialect.marks.names.cases for dialect in DIALECTS]))
_TEMPLATE = lazily(_any_of([dialect.marks.names.template for dialect in DIALECTS]))
_OF_WHOLE_FILES = tuple((dialect, lazily(_any_of([marks.name]))) for dialect, marks in WHOLE_FILE_DIALECTS)
_RELATED = tuple((dialect, lazily(_any_of([marks.related]))) for dialect, marks in WHOLE_FILE_DIALECTS)


def is_suite_name(path: str) -> bool:
    """Return whether a file with a list of cases is an eval file because of its name: `suite.yaml`, `EVAL.yaml`."""
    return _SUITE.match(path) is not None


def is_case_name(path: str) -> bool:
    """Return whether a file is one case because of its name, if it has the keys of one: `case.yaml`."""
    return _CASE.match(path) is not None


def is_cases_name(path: str) -> bool:
    """Return whether a file with a list is a list of cases because of its name: `*.cases.yaml`."""
    return _CASES.match(path) is not None


def is_template_path(path: str) -> bool:
    """Return whether a file with assertions is a template of them because of its folder."""
    return _TEMPLATE.match(path) is not None


def document_of(text: str, path: str, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Return the text of an eval file in chunks."""
    return Document(
        text,
        json_lines=path.endswith(".jsonl"),
        limits=limits,
        is_one_case=is_case_name(path),
        whole_lists=WHOLE_LISTS,
    )


@lru_cache(maxsize=1024)
def dialect_by_name(path: str) -> Dialect | None:
    """Return the dialect by the name of a file."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return next((dialect for dialect, pattern in _OF_WHOLE_FILES if pattern.match(name)), None)


def related_dialect(path: str) -> Dialect | None:
    """Return the dialect whose tool a file belongs to by its path, even if it is not recognised."""
    return next((dialect for dialect, pattern in _RELATED if pattern.match(path)), None)
