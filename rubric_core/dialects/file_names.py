"""What a file is because of its name or path, in any dialect."""

from functools import lru_cache

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import DIALECTS, WHOLE_FILE_DIALECTS
from rubric_core.text.patterns import lazily


def _any_of(patterns: list[str]) -> str:
    """Return a regular expression of paths that one of the patterns matches."""
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


@lru_cache(maxsize=1024)
def dialect_by_name(path: str) -> Dialect | None:
    """Return the dialect by the name of a file."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return next((dialect for dialect, pattern in _OF_WHOLE_FILES if pattern.match(name)), None)


def related_dialect(path: str) -> Dialect | None:
    """Return the dialect to whose tool a file belongs because of its path, be it recognised or not."""
    return next((dialect for dialect, pattern in _RELATED if pattern.match(path)), None)
