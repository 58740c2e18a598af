"""Which files are ours as a whole: by their names, by comments, and by a list of cases in a file that is named so."""

from rubric_core.analysis.facts import FileFacts
from rubric_core.config.config import (
    Config,
    is_cases_name,
    is_ours_by_name,
    is_promptfoo_name,
    is_suite_name,
    is_template_path,
)


class Ownership:
    """What the name of a file says of it."""

    def __init__(self, path: str, config: Config, *, is_named: bool) -> None:
        self._by_name = bool(path) and is_ours_by_name(config, path)
        by_suite_name = is_suite_name(path)
        # A file with such a name, or that the user named, is ours if it has a list of cases; with both it always is.
        self._by_list = (is_named or by_suite_name) and not is_promptfoo_name(path)
        self._by_both = is_named and by_suite_name
        self._by_cases = is_cases_name(path)
        self._by_assertions = is_template_path(path)

    def has_everything(self, facts: FileFacts) -> bool:
        """Return whether each YAML document of the file is ours, whatever is in it."""
        if self._by_name or facts.claims > 0 or facts.is_whole:
            return True
        if self._by_list and not facts.is_foreign and (self._by_both or facts.has_suite_key):
            return True
        return (self._by_cases and facts.case_count > 0) or (self._by_assertions and facts.has_assertions)
