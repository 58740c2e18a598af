"""A text is cut into clauses only where each half surely has a verb of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.rules.compound_outcome import as_sentences, clauses_of, stands_alone


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mentions the port and explains the protocol", ["Mentions the port", "Explains the protocol"]),
        ("Mentions the port; explains the protocol.", ["Mentions the port", "Explains the protocol"]),
        ("Mentions the port,\n  and also explains the protocol", ["Mentions the port", "Also explains the protocol"]),
        ("mentions the port and explains the protocol", ["mentions the port", "explains the protocol"]),
        ("The answer names TCP and cites a source", ["The answer names TCP", "The answer cites a source"]),
        ("It must name the port and cite a source", ["It must name the port", "It must cite a source"]),
        ("The code has tests and it handles no input", ["The code has tests and it handles no input"]),
        ("Compares REST and SOAP and gives a reason", ["Compares REST and SOAP", "Gives a reason"]),
        ("Handles errors and uses type hints", ["Handles errors", "Uses type hints"]),
        ("Never apologizes and never refuses a task", ["Never apologizes", "Never refuses a task"]),
        ("Verifies the sum and specifies a unit", ["Verifies the sum", "Specifies a unit"]),
        ("Catches the error and addresses the cause", ["Catches the error", "Addresses the cause"]),
        ("Is concise and is polite", ["Is concise", "Is polite"]),
        ("Names a, b and c; and cites a source", ["Names a, b and c", "Cites a source"]),
        ("Greets Ada, asks a question, and offers help", ["Greets Ada", "Asks a question", "Offers help"]),
    ],
)
def test_clauses_become_sentences(text: str, sentences: list[str]) -> None:
    """Each clause starts like the whole text, with its subject repeated."""
    assert as_sentences(clauses_of(text)) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "",
        "and",
        ";",
        "; and",
        "Mentions the port",
        "Has clear headings and organization",
        "Covers definitions and uses of the term",
        "Lists the requests and answers received",
        "Lists links and references",
        "Explains divide-and-conquer",
        "Explains what the tool reads and writes the answer",
        "Explain the trade-off between read and write performance",
        "Mentions a rule (it reads files and explains errors)",
        'Says "reads files and explains errors"',
        "Writes and tests the function",
        "Mentions the port and explain the protocol",
        "Port and explains the protocol",
        "Identifies the bug, explains the cause",
        "Loads data and saves it. Names the file and explains the format",
        "Returns a list; each item is a string",
    ],
)
def test_one_clause_stays_whole(text: str) -> None:
    """Nouns, verbs of an inner clause, quotations and halves that do not match are no clauses."""
    assert len(clauses_of(text)) == 1


@pytest.mark.parametrize(
    ("clause", "alone"),
    [
        ("Explains the protocol", True),
        ("Explains it", False),
        ("Explains why", False),
        ("Explains why ports exist", True),
        ("Cites Italy", True),
    ],
)
def test_a_clause_that_refers_to_another_is_not_alone(clause: str, alone: bool) -> None:  # noqa: FBT001 - a table.
    """Pronouns and a final `why` need what was said before."""
    assert stands_alone(clause) is alone


_WORDS = st.sampled_from(
    [
        "mentions",
        "explains",
        "lists",
        "the",
        "port",
        "ports",
        "and",
        ",",
        ";",
        ".",
        "of",
        "what",
        "it",
        "(",
        ")",
        '"',
        "`",
    ]
)


@given(st.lists(_WORDS).map(" ".join))
def test_clauses_keep_every_word(text: str) -> None:
    """Only the words that join clauses are left out."""
    clauses = clauses_of(text)
    assert clauses
    joined = [word for word in " ".join(clauses).replace(".", "").split() if word not in {"and", ",", ";"}]
    assert joined == [word for word in text.replace(".", "").split() if word not in {"and", ",", ";"}]
