"""The report as SARIF 2.1.0, which code scanning services and editors read."""

from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath
from typing import Any
from urllib.parse import quote

from rubric_core import __version__
from rubric_core.report.portable import dump_json, path_bytes
from rubric_core.report.reports import FileReport, LineRange, ReportRow, fingerprints, rows_of
from rubric_core.report.rule_facts import rule_facts

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
_ROOT = "SRCROOT"


def render(reports: Sequence[FileReport]) -> str:
    """Return one SARIF log with one run."""
    rows = list(rows_of(reports))
    names = {row.problem.code: row.problem.name for row in rows}
    codes = sorted(names)
    places = {code: place for place, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "rubric",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(code, names[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(row, fingerprint, places[row.problem.code])
            for row, fingerprint in zip(rows, fingerprints(reports), strict=True)
        ],
    }
    return f"{dump_json({'$schema': _SCHEMA, 'version': '2.1.0', 'runs': [run]}, indent=2)}\n"


def _rule(code: str, name: str) -> dict[str, Any]:
    facts = rule_facts(code, name)
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": facts.summary},
        "fullDescription": {"text": facts.summary},
        "help": {"text": facts.page, "markdown": facts.page},
        "defaultConfiguration": {"level": _LEVELS[facts.severity]},
        "properties": {"tags": ["evals", "rubric"]},
    }


def _result(row: ReportRow, fingerprint: str, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": row.problem.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[row.severity],
        "message": {"text": row.problem.message},
        "locations": [{"physicalLocation": _location(row.path, row.place)}],
        "partialFingerprints": {"rubricLine/v1": fingerprint},
    }
    if row.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(row.path, place), "message": {"text": message}}
            for number, (place, message) in enumerate(row.related)
        ]
    if fixes := row.fixes:
        result["fixes"] = [
            {
                "description": {"text": fix.title},
                "artifactChanges": [{"artifactLocation": _artifact(row.path), "replacements": _replacements(edits)}],
            }
            for fix, edits in fixes
        ]
    return result


def _replacements(edits: Sequence[tuple[LineRange, str]]) -> list[dict[str, Any]]:
    return [{"deletedRegion": _region(place), "insertedContent": {"text": text}} for place, text in edits]


def _location(path: str, place: LineRange) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path), "region": _region(place)}


def _artifact(path: str) -> dict[str, str]:
    """Return the address of a file: below the root of the sources where it can be."""
    pure = PurePath(path)
    if isinstance(pure, PurePosixPath) and pure.is_absolute():
        return {"uri": f"file://{quote(path_bytes(str(pure)), safe='/')}"}
    if pure.is_absolute():
        return {"uri": pure.as_uri()}
    return {"uri": quote(path_bytes(PurePosixPath(*pure.parts).as_posix()), safe="/"), "uriBaseId": _ROOT}


def _region(place: LineRange) -> dict[str, int]:
    return dict(zip(("startLine", "startColumn", "endLine", "endColumn"), place, strict=True))
