"""Write the table of promptfoo's assertion types, and of its kinds of providers, from an installed package.

    npm install promptfoo@0.123.1 --ignore-scripts --omit=optional --omit=peer
    python scripts/promptfoo_types.py node_modules/promptfoo

What a type reads is in the functions that judge it, so these are followed: a type whose functions never look at
`inverse` ignores `not-`, one whose functions never look at `threshold` ignores that. The checks of values name the
shapes that they accept in their messages. With `--check` nothing is written, and the status is 1 where the table is
stale.
"""

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "rubric_core" / "dialects" / "promptfoo" / "types.py"

_HANDLERS = re.compile(r"\bASSERTION_HANDLERS = \{\n(?P<body>.*?)\n\};", re.DOTALL)
_ENTRY = re.compile(r"^\t\"?(?P<type>[\w:-]+)\"?: (?P<handler>\w+),?$", re.MULTILINE)
_LAZY_ENTRY = re.compile(
    r"^\t\"?(?P<type>[\w:-]+)\"?: async \(params\) => \{.*?(?P<handler>handle\w+).*?^\t\},?$", re.MULTILINE | re.DOTALL
)
_SPECIAL = re.compile(r"SpecialAssertionTypesSchema = z\$?\d*\.enum\(\[(?P<types>[^\]]*)\]\)")
_FUNCTION = re.compile(
    r"^(?:const (?P<arrow>\w+) = (?:async )?\(|(?:async )?function (?P<name>\w+)\().*?^\}", re.MULTILINE | re.DOTALL
)
_PROVIDER = re.compile(r'providerPath(?:\.startsWith\(| === )"(?P<kind>[\w.-]+)')
_SCRIPTED = re.compile(r'createScriptBasedProviderFactory\("(?P<kind>\w+)"')
_CONSTANT = re.compile(r"^const (?P<name>[A-Z_]+) = (?P<number>\d*\.?\d+);$", re.MULTILINE)
_CALL = re.compile(r"\b(?P<name>[a-z]\w+)\(")
_DEFAULT = re.compile(r"\bthreshold \?\? (?P<value>\d*\.?\d+|[A-Z_]+)")
_NEEDS_THRESHOLD = re.compile(r"\.threshold === void 0\) throw")
_READS_THRESHOLD = re.compile(r"(?:assertion\??|Assertion)\.threshold\b")
# The checks of a value: the condition, and the message that names the shapes which pass.
_CHECK = re.compile(
    r"(?:invariant\((?P<condition>[^\n]*?), |throw new Error\()[\"`](?P<message>(?:[^\"`\\\n]|\\.)*)[\"`]"
)
_SHAPES = (
    ("STRING", r"\bstring\b|\bURL\b|\bname or pattern\b"),
    ("NUMBER", r"\bnumber\b"),
    ("SEQUENCE", r"\barray\b"),
    ("MAPPING", r"\bobject\b"),
)
# How far the calls of a judging function are followed, and which calls hold nothing of the assertion.
_DEPTH = 3
_JUDGING = re.compile(r"handle|match|normali[sz]e|resolve|apply|grading|^parse", re.IGNORECASE)
_OF_VALUE = re.compile(r"\bvalue\b|requires at least one expected|assertion object must|must include")
# What a function does with a value of a shape that no message names.
_ACCEPTED = (
    (
        "STRING",
        re.compile(r"typeof (?:value|renderedValue) === \"string\"\) (?:value|expectedTools|requiredElements) ="),
    ),
    ("STRING", re.compile(r"typeof value === \"string\" && !Number\.isNaN")),
    ("SEQUENCE", re.compile(r"=== \"object\" \|\| typeof renderedValue === \"undefined\"")),
    ("MAPPING", re.compile(r"typeof renderedValue === \"object\" && Object\.keys")),
)
_WITHOUT_VALUE = re.compile(r"or no value|or be undefined|if set")


class Column(NamedTuple):
    """What is known of a type."""

    name: str
    shapes: tuple[str, ...]
    needs_value: bool
    threshold: str
    default: str | None
    is_negatable: bool


class Bundle:
    """The functions and constants of the package."""

    def __init__(self, package: Path) -> None:
        self.version: str = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
        folder = package / "dist" / "src"
        self.index = (folder / "index.js").read_text(encoding="utf-8")
        self.functions: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        others = sorted(path for path in folder.glob("*.js") if path.name.startswith(("meteor-", "tables-")))
        self.other_texts = [path.read_text(encoding="utf-8") for path in others]
        self.provider_texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("providers-*.js"))]
        for text in (self.index, *self.other_texts):
            for found in _FUNCTION.finditer(text):
                self.functions.setdefault(found["arrow"] or found["name"], found.group())
            for found in _CONSTANT.finditer(text):
                self.constants.setdefault(found["name"], found["number"])

    def handlers(self) -> dict[str, str]:
        """Return the function that judges each type."""
        found = _HANDLERS.search(self.index)
        if found is None:
            sys.exit("The package has no table of assertion types where it was in 0.123.1.")
        entries = [*_ENTRY.finditer(found["body"]), *_LAZY_ENTRY.finditer(found["body"] + "\n")]
        return {entry["type"]: entry["handler"] for entry in sorted(entries, key=lambda entry: entry["type"])}

    def special_types(self) -> tuple[str, ...]:
        """Return the types that are no functions: those that compare several outputs, and a person's verdict."""
        texts = (found["types"] for text in (self.index, *self.other_texts) for found in _SPECIAL.finditer(text))
        return tuple(sorted(re.findall(r'"([\w-]+)"', next(texts, ""))))

    def providers(self) -> list[str]:
        """Return the words that the id of a provider may start with."""
        texts = [text for text in self.provider_texts if "Could not identify provider" in text]
        found = {each["kind"] for text in texts for regex in (_PROVIDER, _SCRIPTED) for each in regex.finditer(text)}
        if not found:
            sys.exit("The package has no table of providers where it was in 0.123.1.")
        return sorted(found)

    def followed(self, name: str) -> str:
        """Return the text of a judging function and of those that it calls."""
        seen: dict[str, str] = {}
        waiting = [(name, 0)]
        while waiting:
            current, depth = waiting.pop(0)
            text = self.functions.get(current, "")
            if current in seen or not text:
                continue
            seen[current] = text
            if depth < _DEPTH:
                called = (call["name"] for call in _CALL.finditer(text))
                waiting += [(each, depth + 1) for each in called if _JUDGING.search(each)]
        return "\n".join(seen.values())

    def column(self, kind: str, handler: str) -> Column:
        """Return what is known of a type."""
        own, text = self.functions.get(handler, ""), self.followed(handler)
        default = _DEFAULT.search(own)
        number = self.constants.get(default["value"], default["value"]) if default is not None else None
        shapes, needs_value = _value(own, text)
        reads = _READS_THRESHOLD.search(text) is not None
        threshold = "needed" if _NEEDS_THRESHOLD.search(own) else "read" if reads else ""
        return Column(kind, shapes, needs_value, threshold, _decimal(number), "inverse" in text)


def _decimal(number: str | None) -> str | None:
    return f"0{number}" if number is not None and number.startswith(".") else number


def _value(own: str, text: str) -> tuple[tuple[str, ...], bool]:
    """Return the shapes that a value may have, none where any will do, and whether there must be one."""
    # What a test of an agent's steps accepts is checked further down.
    checked = text if re.search(r"Trajectory|Skill", own) else own
    checks = [found for found in _CHECK.finditer(checked) if _is_about_value(found)]
    named = " ".join(found["message"] for found in checks).replace("string array", "array")
    shapes = [shape for shape, words in _SHAPES if re.search(words, named)]
    for shape, test in _ACCEPTED:
        if test.search(own) and checks and shape not in shapes:
            shapes.append(shape)
    is_optional = not checks or bool(_WITHOUT_VALUE.search(named)) or any(_allows_none(found, own) for found in checks)
    return tuple(shape for shape, _ in _SHAPES if shape in shapes), not is_optional


def _is_about_value(found: re.Match[str]) -> bool:
    """Return whether a check is one of the assertion's value, and not of the output or of what a script returns."""
    condition = found["condition"] or ""
    if re.search(r"\b(?:outputString|output|prompt|jsonResponse|valueFromScript)\b", condition):
        return False
    return _OF_VALUE.search(found["message"]) is not None


def _allows_none(found: re.Match[str], own: str) -> bool:
    """Return whether a check lets an absent value pass: it says so, or it stands where there is a value."""
    condition = found["condition"] or ""
    if "undefined" in condition or condition.startswith("!assertion.value"):
        return True
    return not condition and re.search(r"(?:if \(|&& )renderedValue(?:\) \{| && )", own) is not None


_HEAD = """\"\"\"Promptfoo's types of assertions, and what each reads. Made by scripts/promptfoo_types.py.\"\"\"

from typing import NamedTuple

from rubric_core.schema.fields import FieldType

PACKAGE = "{version}"
\"\"\"The release of promptfoo that the table is made from.\"\"\"


class AssertionType(NamedTuple):
    \"\"\"A type: the shapes of its value, and whether that, a `threshold` and `not-` are needed, read or ignored.\"\"\"

    name: str
    shapes: FieldType = FieldType.ANYTHING
    needs_value: bool = False
    needs_threshold: bool = False
    reads_threshold: bool = True
    default_threshold: str | None = None
    is_negatable: bool = True


_STRING, _NUMBER, _SEQUENCE, _MAPPING = FieldType.STRING, FieldType.NUMBER, FieldType.SEQUENCE, FieldType.MAPPING

ASSERTION_TYPES: tuple[AssertionType, ...] = (
{rows}
)
\"\"\"The types that judge one output; each may be written with `not-` before it.\"\"\"

COMPARING_TYPES: tuple[str, ...] = ({comparing})
\"\"\"The types that compare the outputs of several prompts or providers.\"\"\"

PROVIDERS: frozenset[str] = frozenset(
{providers}
)
\"\"\"The words that the id of a provider may start with, before a colon or alone.\"\"\"
"""
# A person's verdict, which the web viewer adds; a configuration cannot have it.
_NOT_WRITTEN = frozenset({"human"})


def _row(column: Column) -> str:
    parts = [f'"{column.name}"']
    if column.shapes:
        parts.append(" | ".join(f"_{shape}" for shape in column.shapes))
    parts += ["needs_value=True"] if column.needs_value else []
    parts += ["needs_threshold=True"] if column.threshold == "needed" else []
    parts += ["reads_threshold=False"] if not column.threshold else []
    parts += [f'default_threshold="{column.default}"'] if column.default is not None else []
    parts += ["is_negatable=False"] if not column.is_negatable else []
    return f"    AssertionType({', '.join(parts)}),"


def made_from(package: Path) -> str:
    """Return the text of the table for a package."""
    bundle = Bundle(package)
    rows = "\n".join(_row(bundle.column(kind, handler)) for kind, handler in bundle.handlers().items())
    comparing = ", ".join(f'"{kind}"' for kind in bundle.special_types() if kind not in _NOT_WRITTEN)
    lines = textwrap.wrap(" ".join(bundle.providers()), 108)
    providers = "\n".join(f'    "{line} "' for line in lines).removesuffix(' "') + '".split()'
    # Ruff wants its reason behind the first line of a text that is split.
    first, _, rest = providers.partition("\n")
    providers = f"{first}  # noqa: SIM905 - a list of words.\n{rest}"
    return _HEAD.format(version=bundle.version, rows=rows, comparing=comparing, providers=providers)


def main(arguments: list[str]) -> int:
    """Write the table, or compare it."""
    paths = [Path(each) for each in arguments if not each.startswith("-")]
    if len(paths) != 1:
        print(__doc__)
        return 2
    text = made_from(paths[0])
    if "--check" not in arguments:
        TABLE.write_text(text, encoding="utf-8")
        return 0
    is_current = TABLE.read_text(encoding="utf-8") == text
    print(f"{TABLE.name} is {'up to date' if is_current else 'stale: run this script without --check'}.")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
