"""What identifies the dialect of a file: words that single cases have, and what the file as a whole has."""

from typing import NamedTuple


class Marks(NamedTuple):
    """Words by which files of a dialect are recognised: top-level keys, keys of cases, and types of evaluators.

    `case_without_input` are keys that several dialects have; without `input` beside them they are of this one. The weak
    ones count only where a file has no other mark. So does what a suite requires: `since` is the first such release.
    The weakest, keys of suites and cases, count only where there are no weak ones either. `lists` are the keys of a
    case, or of its `execution`, under which evaluators stand.
    """

    suite: frozenset[str] = frozenset()
    case: frozenset[str] = frozenset()
    case_without_input: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    weak_suite: frozenset[str] = frozenset()
    weak_case: frozenset[str] = frozenset()
    weakest: frozenset[str] = frozenset()
    since: tuple[int, int] | None = None


class FileMarks(NamedTuple):
    """The marks of a dialect in the file as a whole: its name, a comment, its top-level keys.

    `name` and `modeline` are regular expressions of the name of the file and of a comment before its content. A word of
    `keys` counts together with one of `beside`. A file with a key of each group of `shape` is recognised if a prompt
    is a file or has a template, no test has an id, no key is in snake case, and its name is not another dialect's.
    """

    name: str
    modeline: str
    keys: frozenset[str]
    beside: frozenset[str]
    shape: tuple[frozenset[str], ...]
