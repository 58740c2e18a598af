"""Cases of AgentV from a CSV file: columns are `vars`, and those with two underscores say how it is judged."""

import re
from typing import Any

_EXPECTED = re.compile(r"((?:not-)?[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::(.*))?\Z", re.DOTALL)
_CHECKS = frozenset(
    ("contains", "contains-any", "contains-all", "icontains", "icontains-any", "icontains-all", "starts-with")
) | {"ends-with", "regex", "is-json", "equals", "latency", "cost"}
_LIMITS = {"latency": "threshold", "cost": "budget"}


def case_of_row(row: dict[str, str], number: int) -> dict[str, Any]:
    """Return the case of a row."""
    case: dict[str, Any] = {"id": row.get("id", "").strip() or f"row-{number}"}
    if "input" in row:
        case["input"] = f"{row.get('__prefix', '')}{row['input']}{row.get('__suffix', '')}"
    if row.get("__description"):
        case["criteria"] = row["__description"]
    expected = [value.strip() for name, value in row.items() if name.startswith("__expected") and value.strip()]
    if expected:
        case["assert"] = [_assertion(value) for value in expected]
    values = {name: value for name, value in row.items() if name and name not in {"id", "input"} and name[:2] != "__"}
    return {**case, "vars": values} if values else case


def _assertion(expected: str) -> dict[str, Any]:
    """Return a cell as an assertion, such as `contains: text`; for any other text the answer must be equal."""
    for prefix in ("grade:", "llm-rubric:"):
        if expected.startswith(prefix):
            return {"type": "llm-grader", "rubrics": [{"id": "rubric", "outcome": expected[len(prefix) :].strip()}]}
    parts = _EXPECTED.match(expected)
    kind = parts[1].removeprefix("not-") if parts else ""
    if parts is None or kind not in _CHECKS:
        return {"type": "equals", "value": expected}
    made: dict[str, Any] = {"type": kind, **({"negate": True} if kind != parts[1] else {})}
    value = (parts[3] or "").strip()
    if kind.endswith(("-any", "-all")):
        made["value"] = [part.strip() for part in value.split(",")]
    elif parts[3] is not None:
        made["value"] = value
    if parts[2] is not None:
        made[_LIMITS.get(kind, "min_score")] = float(parts[2])
    return made
