"""The value of a literal (`|`) or folded (`>`) scalar, made from its raw text."""

from rubric_core.text.patterns import lazily

_HEADER = lazily(r"[|>]([+\-1-9]*)")
_CHOMPING = "+-"


def decode_block_scalar(raw: str, parent_indent: int) -> str:
    """Return the value of a block scalar.

    `raw` runs from the indicator to the end of the block, blank lines behind it included. `parent_indent` is the
    column of the key or dash that the scalar belongs to; an explicit indentation in the header counts from it.
    """
    text = raw.replace("\r\n", "\n").replace("\r", "\n") if "\r" in raw else raw
    header, _, body = text.partition("\n")
    match = _HEADER.match(header)
    indicators = match.group(1) if match else ""
    chomping = next((character for character in indicators if character in _CHOMPING), "")
    digits = indicators.strip(_CHOMPING)
    lines = body.split("\n")
    indent = max(parent_indent, 0) + int(digits) if digits else _content_indent(lines, parent_indent)
    return _fold(lines, indent, chomping) if header.startswith(">") else _dedent(lines, indent, chomping)


def _content_indent(lines: list[str], parent_indent: int) -> int:
    """Return the indentation of the first line with text, or of the longest blank line before it."""
    widest = max(parent_indent + 1, 1)
    for line in lines:
        width = len(line) - len(line.lstrip(" "))
        widest = max(widest, width)
        if width < len(line):
            break
    return widest


def _dedent(lines: list[str], indent: int, chomping: str) -> str:
    """Join the lines of a literal scalar as they are."""
    dedented = "\n".join([line[indent:] for line in lines])
    body = dedented.rstrip("\n")
    if chomping == "+":
        return dedented
    # Clip keeps one final line break, if the text has any line at all and the last one is ended.
    return body if chomping == "-" or not body or len(body) == len(dedented) else body + "\n"


def _fold(lines: list[str], indent: int, chomping: str) -> str:
    """Join the lines of a folded scalar: a single break becomes a space except around indented lines."""
    parts: list[str] = []
    pending = ""
    blanks = 0
    was_indented = False
    last = len(lines) - 1
    for number, line in enumerate(lines):
        content = line[indent:]
        if not content:
            blanks += number < last
            continue
        is_indented = content[0] in " \t"
        if pending and not was_indented and not is_indented:
            parts.append("\n" * blanks or " ")
        else:
            parts.append(pending + "\n" * blanks)
        parts.append(content)
        pending = "\n" if number < last else ""
        blanks = 0
        was_indented = is_indented
    if chomping != "-":
        parts.append(pending)
    if chomping == "+":
        parts.append("\n" * blanks)
    return "".join(parts)
