"""Texts for property tests: eval files in many styles, and what typing, pasting and deleting makes of them."""

from __future__ import annotations

from hypothesis import strategies as st

from rubric_core.text.spans import Edit

WORDS = (
    "Names the delay",
    "héllo wörld",
    "emoji 🎉 here",
    "it's fine",
    "a: b",
    "# no comment",
    "- dash",
    "yes",
    "3",
    "",
)
PLAIN = (
    "Names the delay",
    "héllo wörld",
    "emoji 🎉 here",
    "it's fine",
    "7",
    "0.5",
    "true",
    "no",
    "~",
    "http://x/y?z=1",
)

# Pieces that change the structure when they land in the wrong place.
FRAGMENTS = (
    *("- ", "-", ": ", ":", "#", " # note", '"', "'", "\n", "\n\n", "  ", " ", "\t", "[", "]", "{", "}", ", "),
    *("|", ">", "|-", ">+", "&a ", "*a", "<<: *a", "---\n", "...\n", "!x ", "? ", "%YAML 1.1\n", "\r\n", "\r"),
    *("\u2028", "\x85", "🎉", "é", "\ufeff", "\x00", "x", "id: y", "\\", '\\"'),
    *("\n  - id: z", "\n- id: z", "\nfoo:", "\nfoo: bar\n", "\n    rubrics:\n", "  - id: x\n", "evalcases:\n"),
)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@st.composite
def scalars(draw: st.DrawFn, indent: int) -> str:  # noqa: PLR0911 - one way out for each style.
    """Draw a value as written behind a key, in any style; block scalars bring their lines along."""
    style = draw(st.sampled_from(("plain", "plain", "double", "single", "literal", "folded", "empty", "long", "flow")))
    if style == "plain":
        return draw(st.sampled_from(PLAIN))
    if style == "double":
        return _quoted(draw(st.sampled_from(WORDS)))
    if style == "single":
        return "'" + draw(st.sampled_from(WORDS)).replace("'", "''") + "'"
    if style == "empty":
        return ""
    if style == "flow":
        return draw(
            st.sampled_from(
                ("[0, 2]", "[]", "{}", "{a: 1, b: [x, y]}", '{"a": "b"}', "[a, 'b', \"c\"]", "[[1], {x: y}]")
            )
        )
    pad = " " * (indent + draw(st.sampled_from((2, 4))))
    lines = draw(st.lists(st.sampled_from((*PLAIN, "", "  deeper", "# kept")), min_size=1, max_size=3))
    if style == "long":
        return "first words" + "".join(f"\n{pad}{line}" for line in lines if line.strip() and line[0] not in "# ~")
    mark = {"literal": "|", "folded": ">"}[style] + draw(st.sampled_from(("", "-", "+")))
    body = "".join(f"\n{pad}{line}" if line else "\n" for line in ["text", *lines])
    return mark + body


@st.composite
def mappings(draw: st.DrawFn, indent: int, depth: int) -> list[str]:
    """Draw the lines of a block mapping; the first line has no indentation of its own."""
    keys = draw(
        st.lists(
            st.sampled_from(("id", "weight", "0", "7", "text", "a.b", "x-y", '"q"', "'r'", "two words")),
            min_size=1,
            max_size=3,
        )
    )
    pad = " " * indent
    lines: list[str] = []
    for key in keys:
        comment = draw(st.sampled_from(("", "", "", " # note")))
        if depth and draw(st.booleans()):
            lines.append(f"{key}:{comment}")
            lines += draw(blocks(indent, depth - 1))
        else:
            value = draw(scalars(indent))
            behind = comment if "\n" not in value and "|" not in value and ">" not in value else ""
            lines.append(f"{key}: {value}{behind}".rstrip(" ") if value else f"{key}:{comment}")
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(st.sampled_from(("", f"{pad}# between", "# left"))))
    return [lines[0], *(line if not line or line.startswith((" ", "#")) else pad + line for line in lines[1:])]


@st.composite
def blocks(draw: st.DrawFn, indent: int, depth: int) -> list[str]:
    """Draw the lines below a key: a deeper mapping or a list, indented or flush with the key."""
    step = draw(st.sampled_from((2, 4)))
    if draw(st.booleans()):
        inner = draw(mappings(indent + step, depth))
        return [" " * (indent + step) + inner[0], *inner[1:]]
    column = indent + draw(st.sampled_from((0, 2, 4)))
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        gap = draw(st.sampled_from((1, 1, 3)))
        if depth and draw(st.booleans()):
            inner = draw(mappings(column + 1 + gap, depth))
            lines += [" " * column + "-" + " " * gap + inner[0], *inner[1:]]
        else:
            value = draw(scalars(column))
            lines.append(" " * column + (f"-{' ' * gap}{value}" if value else "-"))
    return lines


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a whole text: top-level entries and a case list."""
    lines: list[str] = []
    for key in draw(st.permutations(("description", "evalcases", "execution", "tests")))[: draw(st.integers(1, 4))]:
        lines.append(f"{key}:")
        lines += draw(blocks(0, 2))
        if draw(st.integers(0, 4)) == 0:
            lines.append(draw(st.sampled_from(("", "# between entries", "  # indented"))))
    text = "\n".join(lines) + draw(st.sampled_from(("\n", "", "\n\n")))
    return text.replace("\n", "\r\n") if draw(st.integers(0, 4)) == 0 else text


@st.composite
def edits(draw: st.DrawFn, size: int) -> Edit:
    """Draw an edit of a text of some size: typing, deleting, pasting."""
    start = draw(st.integers(0, size))
    end = min(size, start + draw(st.sampled_from((0, 0, 0, 1, 2, 5, 20))))
    return Edit(start, end, draw(st.sampled_from(("", *FRAGMENTS))))


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Draw a text that somebody typed into without looking."""
    text = draw(documents())
    for _ in range(draw(st.integers(0, 3))):
        start, end, new = draw(edits(len(text)))
        text = text[:start] + new + text[end:]
    return text
