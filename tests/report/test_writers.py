"""Each writer writes any family: all that a report can consist of, in every format."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import NamedTuple

import pytest

from rubric_core.report.layout import Column, Conclusion, Family, ReportTable, Words
from rubric_core.report.writers import csv, markdown, text
from rubric_core.report.writers import json as json_writer
from rubric_core.terminal.display import Page


class Toy(NamedTuple):
    """A row with a text of others."""

    name: str
    price: Decimal | None


TOYS = (Toy("car\x1b[31m", Decimal("9.50")), Toy("a|b", None))
NAME, PRICE = Column("name", "name", style="strong"), Column("price", "price", kind="number")
LONG = (
    Column("trend", "", lambda toy: Words(toy.name[:1] * 90, "", "~")),
    Column("", "", lambda _: "x" * 20, "short"),
)
LISTED = (Column("", "name"), PRICE, Column("more", "", lambda _: "first\nsecond", "details"))
FAMILY = Family(
    blocks=lambda toys, page: [
        Conclusion("Toys", (("shop", "a&b"),), Words(f"{len(toys)} toys.", "help"), "None is new."),
        (Words("All", "strong"), Words(" toys")),
        ReportTable((NAME, PRICE), toys),
        ReportTable(LISTED, toys, "List", suffix=" of toys", sign="! ", separator=" for "),
        *([ReportTable(LONG, toys)] if page.width else []),
        "Prices are in pounds.",
    ],
    data=lambda toys: {"prices": [toy.price for toy in toys]},
    records=lambda toys: ReportTable((NAME, PRICE), toys),
    narrowest=50,
)


def test_the_terminal_has_tables_lists_and_sentences() -> None:
    """Numbers are to the right, and nothing of others is obeyed."""
    assert text.render(FAMILY, TOYS).splitlines() == [
        "shop  a&b",
        "",
        "2 toys.",
        "None is new.",
        "",
        "All toys",
        "",
        "name      price",
        "car␛[31m   9.50",
        "a|b",
        "",
        "List of toys: 2",
        "  car␛[31m  9.50",
        "            first",
        "            second",
        "  a|b",
        "            first",
        "            second",
        "",
        "Prices are in pounds.",
    ]


@pytest.mark.parametrize(("width", "room"), [(30, 28), (60, 38), (200, 90)])
def test_a_long_text_may_be_cut_at_its_start(width: int, room: int) -> None:
    """It has the columns that the others leave; a family may need more than a terminal has."""
    lines = text.render(FAMILY, TOYS, page=Page(width)).splitlines()
    cut = "" if room == 90 else "~"
    assert lines[-4:-2] == [f"{cut}{first * (room - len(cut))}  {'x' * 20}" for first in "ca"]


def test_markdown_has_the_same_blocks() -> None:
    """Headings have capitals, and a heading of names has none."""
    assert markdown.render(FAMILY, TOYS).splitlines() == [
        "## Toys",
        "",
        "**2 toys.**",
        "",
        "Shop: a&#38;b",
        "",
        "All toys",
        "",
        "| Name | Price |",
        "|---|---|",
        "| car␛&#91;31m | 9.50 |",
        "| a&#124;b |  |",
        "",
        "### ! List: 2",
        "",
        "| | Price | More |",
        "|---|---|---|",
        "| car␛&#91;31m | 9.50 | first<br>second |",
        "| a&#124;b |  | first<br>second |",
        "",
        "Prices are in pounds.",
    ]


def test_machines_get_data_and_records() -> None:
    """With all digits; a family without records has none."""
    assert json.loads(json_writer.render(FAMILY, TOYS), parse_float=str) == {"prices": ["9.50", None]}
    assert csv.render(FAMILY, TOYS) == "name,price\ncar\x1b[31m,9.50\na|b,\n"
    assert csv.render(Family(lambda *_: [], lambda _: None), TOYS) == "\n"
