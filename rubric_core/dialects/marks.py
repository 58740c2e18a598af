"""Marks that identify the dialect of a file: its name and path, words in it, and properties of the whole file."""

from typing import NamedTuple

_NONE: frozenset[str] = frozenset()


class FileNames(NamedTuple):
    """Regular expressions of whole paths, by the kind of file; empty if no path is of that kind.

    `suite` is a file with a list of cases, `case` one case, `cases` a list of cases by itself, and `template` a list of
    assertions. `folder` is the name of the hidden folder in which a project keeps the files of the tool.
    """

    suite: str = ""
    case: str = ""
    cases: str = ""
    template: str = ""
    folder: str = ""


class Definitions(NamedTuple):
    """The list of targets or providers in a file of the project.

    `key` is the key of the list, and `name_keys` are the keys under which an entry has its name. With several of these
    an entry may also be its id alone, or a mapping from its id to the rest. `files` are the paths of such files below a
    folder of the project, and `settings` those of files that have the list beside other things, or name a file with it.
    """

    key: str
    name_keys: tuple[str, ...]
    files: tuple[str, ...]
    settings: tuple[str, ...] = ()


class FileMarks(NamedTuple):
    """The marks of a dialect in the file as a whole: its name, a comment, its top-level keys.

    `name` and `modeline` are regular expressions of the name of the file and of a comment before its content. A word of
    `keys` counts together with one of `beside`. A file with a key of each group of `shape` is recognised if a prompt
    is a file or has a template, no test has an id, no key is in snake case, and its name is not another dialect's.
    `noun` is what such a file is called in a sentence. A file whose path matches `related`, or that has one of the
    `other_keys`, belongs to the tool, but is not checked unless it is recognised. `hints` are words in the text of most
    files.
    """

    name: str
    modeline: str
    keys: frozenset[str]
    beside: frozenset[str]
    shape: tuple[frozenset[str], ...]
    noun: str
    related: str
    other_keys: frozenset[str] = _NONE
    hints: tuple[str, ...] = ()


class CaseWords(NamedTuple):
    """Words that are read before the dialect of a file is known, so those of all dialects count.

    `judging` are the top-level keys of assertions for all cases, or of a mapping that has some. A bare list is one of
    cases if an item has one of `keys`, be it misspelt. An item with one of `elsewhere` refers to cases of another file.
    `output` is the option of a case that keeps its output in a variable for later ones. `pointer` is the key of a
    mapping that refers to another part of the file, except below the top-level keys `unfollowed`. `messages` are
    the keys of a case with messages, and `skipping` is the path with which a case excludes the evaluators of the suite:
    a key, and one below it. `whole_lists` are the keys of short lists at the top level whose items are checked
    together.
    """

    judging: frozenset[str] = _NONE
    keys: frozenset[str] = _NONE
    elsewhere: frozenset[str] = _NONE
    output: str = ""
    pointer: str = ""
    unfollowed: frozenset[str] = _NONE
    messages: tuple[str, ...] = ()
    whole_lists: frozenset[str] = _NONE
    skipping: tuple[str, str] | None = None


class OwnKeys(NamedTuple):
    """Keys that make a file an eval file: top-level ones, those of a case, and of one with `input` or `id`."""

    suite: frozenset[str] = _NONE
    case: frozenset[str] = _NONE
    beside_input: frozenset[str] = _NONE
    beside_id: frozenset[str] = _NONE


class WeakMarks(NamedTuple):
    """Top-level keys and keys of cases that count only where a file has no other mark.

    The weakest, keys of suites and cases, count only where there are no others of these either.
    """

    suite: frozenset[str] = _NONE
    case: frozenset[str] = _NONE
    weakest: frozenset[str] = _NONE


class Requirement(NamedTuple):
    """What a suite for a dialect may require: the key of the tool under `requires`, and the first such release."""

    key: str
    since: tuple[int, int]


class Marks(NamedTuple):
    """Words by which files of a dialect are recognised: top-level keys, keys of cases, and types of evaluators.

    `case_without_input` are keys that several dialects have; without `input` beside them they are of this one. What a
    suite requires is a weak mark. `lists` are the keys of a case, or of its `execution`, under which evaluators are.

    A file is an eval file where it has one of its `own` keys. No text without one of `words` is read. `definitions` are
    those of the project around a file, which are a hint where there are weak marks alone. `whole` has the marks in the
    file as a whole, if there are any, and `cases` the other words that count anywhere.
    """

    suite: frozenset[str] = _NONE
    case: frozenset[str] = _NONE
    case_without_input: frozenset[str] = _NONE
    types: frozenset[str] = _NONE
    lists: frozenset[str] = _NONE
    weak: WeakMarks = WeakMarks()
    requirement: Requirement | None = None
    own: OwnKeys = OwnKeys()
    words: tuple[str, ...] = ()
    names: FileNames = FileNames()
    definitions: Definitions | None = None
    whole: FileMarks | None = None
    cases: CaseWords = CaseWords()
