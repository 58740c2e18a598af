"""The documentation of a key, and of a word that is one of the values of a field, also in broken text."""

from rubric_core.assist.completion.branches import field_of
from rubric_core.assist.completion.place import root_of
from rubric_core.assist.completion.tolerant_parser import LONGEST, parse_tolerantly
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.hover.markup import Blocks, Hover, Markup, bullets, code, joined, line
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import NOTES
from rubric_core.rules.messages import noun
from rubric_core.rules.removed_key import EFFECTS, removal_message
from rubric_core.schema.fields import Field, Record, describe_type
from rubric_core.syntax.nodes import Node, Scalar
from rubric_core.syntax.scalars import YamlVersion, as_number
from rubric_core.text.spans import Span
from rubric_core.views.amounts import describe


def about_field(key: str, field: Field, dialect: Dialect) -> Blocks:
    """Return the documentation of a field, as seen from the key that is there."""
    blocks = [_head(key, field), line(field.doc)]
    if field.values:
        blocks.append(line("One of ", joined(map(code, field.values)), "."))
    names = [
        f"{opening} {', '.join(f'`{alias}`' for alias in aliases)}."
        for opening, aliases in (("Also read as", field.aliases.names), ("Old name:", field.aliases.deprecated))
        if aliases
    ]
    if key == field.name and names:
        blocks.append(line(" ".join(names)))
    if field.unread is not None:
        blocks.append(line(f"{dialect.tool} accepts this key and never reads it; {field.unread}."))
    if field.since is not None:
        blocks.append(line(f"Since {dialect.tool} {field.since}."))
    return tuple(blocks)


def about_removed(key: str, record: Record, dialect: Dialect) -> Blocks:
    """Return the documentation of a key that earlier releases had."""
    removed = record.removed.get(key)
    return (line(removal_message(record, key, removed, dialect.tool)),) if removed is not None else ()


def _head(key: str, field: Field) -> Markup:
    facts = [f"{describe_type(field.type_of(key), field.items)}{_limits(field)}"]
    if field.default is not None:
        # A value is set as one; some defaults are described in words.
        is_value = " " not in field.default
        facts.append(f"default `{field.default}`" if is_value else f"default: {field.default}")
    elif field.required:
        facts.append("required")
    other = "the old" if key in field.aliases.deprecated else "another" if key in field.aliases.names else ""
    stands_for = f", {other} name of `{field.name}`" if other else ""
    return line(code(key), f"{stands_for}: {', '.join(facts)}")


def _limits(field: Field) -> str:
    """Return the limits of a number in words; a list's are those of its items."""
    if field.items is not None:
        return ""
    minimum, maximum, above = field.limits[:3]
    if minimum is not None and maximum is not None:
        return f" from {minimum} to {maximum}"
    if above is not None and maximum is not None:
        return f" above {above}, at most {maximum}"
    return f" of {minimum} or more" if minimum is not None else ""


def about_word(field: Field, word: str, dialect: Dialect) -> Blocks:
    """Return the meaning of a value, if it is one of those that its field takes or took."""
    if word not in field.values:
        return _about_removed_type(word, dialect) if field.name == "type" else ()
    meaning = NOTES.of(dialect).meanings.get((field.name, word))
    if meaning is not None:
        return (line(code(word), f": {meaning}"),)
    return _about_evaluator_type(word, dialect)


def _about_evaluator_type(word: str, dialect: Dialect) -> Blocks:
    """Return what a type of evaluator is for, the keys that only it has, and those that all have."""
    today = dialect.old_types.get(word, word)
    record, general = dialect.records.get(f"evaluator:{today}"), dialect.records["evaluator"]
    if record is None:
        return ()
    old = f", the old name of `{today}`" if today != word else ""
    fields = [field for field in record.fields if field.unread is None]
    own = [
        f"{_marked_name(field)}: {field.doc}{_default(field)}" for field in fields if field.name not in general.by_key
    ]
    shared = [_marked_name(field) for field in fields if field.name in general.by_key]
    return (
        line(code(word), f": {noun(general)} type{old}."),
        line(record.doc),
        *((bullets(own),) if own else ()),
        *_passed_over(word, record, dialect),
        line(f"As every {noun(general).partition(' ')[2]}: ", joined(shared), "."),
    )


def _default(field: Field) -> str:
    return f" Default: {field.default}." if field.default is not None else ""


def _passed_over(word: str, record: Record, dialect: Dialect) -> Blocks:
    """Return which keys of a type are not read, and what else the dialect says of it."""
    unread = [f"`{field.name}`" for field in record.fields if field.unread is not None]
    sentences = [f"{dialect.tool} does not read {joined(unread).plain}." if unread else ""]
    sentences.append(NOTES.of(dialect).type_notes.get(word, ""))
    return (line(" ".join(filter(None, sentences))),) if any(sentences) else ()


def about_number(field: Field, node: Node | None, version: YamlVersion) -> Blocks:
    """Return the meaning of the number under a key, if the table has it."""
    meaning = field.limits.meaning
    number = as_number(node, version) if meaning is not None and isinstance(node, Scalar) else None
    if number is None or meaning is None or field.unread is not None:
        return ()
    return (line(meaning.format(value=describe(number))),)


def _about_removed_type(word: str, dialect: Dialect) -> Blocks:
    removed = dialect.removed_types.get(word)
    if removed is None:
        return ()
    what = f": a type that was removed in {dialect.tool} {removed.since}, so {EFFECTS[removed.effect]}; "
    return (line(code(word), what, f"{removed.remedy}."),)


def _marked_name(field: Field) -> str:
    return f"`{field.name}` (required)" if field.required else f"`{field.name}`"


def hover_on_broken(cursor: Cursor) -> Hover | None:
    """Return the documentation of the key or the word under the cursor, where the text around it is half typed."""
    if len(cursor.text) > LONGEST:
        return None
    root = root_of(cursor.document, cursor.index, cursor.dialect)
    with parse_tolerantly(cursor.text, cursor.at, root) as tree:
        if tree.in_text or tree.comment is not None:
            return None
        for entry in (entry for branch in (*root.open, *tree.branches) for entry in branch.entries if entry.key):
            field = field_of(entry)
            if field is None:
                continue
            if entry.start <= cursor.at <= entry.key_end and entry.key in field.keys:
                return Hover(Span(entry.start, entry.key_end), about_field(entry.key, field, cursor.dialect))
            if entry.is_word and entry.text_start <= cursor.at <= entry.text_end:
                meaning = about_word(field, entry.word, cursor.dialect)
                return Hover(Span(entry.text_start, entry.text_end), meaning) if meaning else None
    return None
