"""A file that is missing ends the run, and so does a pattern that no file matches."""

from rubric_core.rules.missing_file import RULE as SHARED
from rubric_core.rules.missing_file import check as check_paths
from rubric_core.rules.rule import Context, Problems, Severity
from rubric_core.views.references import References


def check(references: References, context: Context) -> Problems:
    yield from (problem._replace(severity=Severity.ERROR) for problem in check_paths(references, context))
    for file in references.files:
        if file.kind == "pattern" and context.files.get(file.path) is False:
            what = f"No file matches `{file.path}`; correct the pattern or add a file."
            yield RULE.at(file.place, what, severity=Severity.ERROR)


RULE = SHARED._replace(check=check)
