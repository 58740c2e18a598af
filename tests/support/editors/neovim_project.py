"""A project that is graded from Neovim: two cases with recorded answers, and judges of every kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from neovim import Neovim

SUITE = """\
# Grüße 🎉 from the first line on, so that bytes and characters differ.
description: Greetings

evalcases:
  - id: greeting
    expected_outcome: Greets the user "🎉" by name
    input_messages: [{role: user, content: "Hello 🎉, I am Ada"}]
    rubrics:
      - id: names
        expected_outcome: Uses the name 🎉 of the user
      - id: warmth
        expected_outcome: Is warm
        required_min_score: 5
        score_ranges:
          0: Is cold
          5: Is polite
          8: Is warm

  - id: farewell
    expected_outcome: Says goodbye
    input_messages: [{role: user, content: Bye}]
    rubrics:
      - id: says-bye
        expected_outcome: Says goodbye
"""
ANSWERS = {"greeting": "Hello Ada, how good to see you!", "farewell": "See you."}


def checks(*entries: dict[str, Any]) -> str:
    """Return a judgement of criteria as a model writes it."""
    return json.dumps({"checks": list(entries)})


def greeting_checks(warmth: int = 9, *, names: bool = True) -> str:
    """Return a judgement of the case `greeting`."""
    return checks(
        {"id": "names", "satisfied": names, "reasoning": "It says Ada."},
        {"id": "warmth", "score": warmth, "reasoning": "It is glad."},
    )


FAREWELL_CHECKS = checks({"id": "says-bye", "satisfied": True, "reasoning": "See you is a goodbye."})


def judgement_for(prompt: str) -> str:
    """Return a good judgement for whichever case a prompt names."""
    return FAREWELL_CHECKS if "says-bye" in prompt else greeting_checks()


def write_project(folder: Path, *, answers: dict[str, str] | None = None) -> Path:
    """Write a project and return its eval file. Answers are recorded beside it unless there are none."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".git").mkdir()
    path = folder / "greetings.eval.yaml"
    path.write_text(SUITE, encoding="utf-8")
    recorded = ANSWERS if answers is None else answers
    if recorded:
        (folder / "greetings.answers.json").write_text(json.dumps(recorded), encoding="utf-8")
    replayed = {"greeting": json.loads(greeting_checks(3, names=False)), "farewell": json.loads(FAREWELL_CHECKS)}
    (folder / "judgements.json").write_text(json.dumps(replayed), encoding="utf-8")
    return path


def judged_by(folder: Path, base_url: str) -> None:
    """Let a model at an address judge. Its name is that of no other test, so that no reply of one is remembered."""
    settings = {"provider": "openai", "model": str(folder), "base_url": base_url, "retry_initial_delay_ms": 1}
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (folder / "rubric.toml").write_text("\n".join(['judge = "mini"', "[judges.mini]", *lines, ""]), encoding="utf-8")


def open_judged(nvim: Neovim, folder: Path, base_url: str) -> Path:
    """Open a project whose judge is a model, with the cursor in its first case, and return its eval file."""
    path = write_project(folder)
    judged_by(folder, base_url)
    nvim.edit(path)
    nvim.lua("go_to('id: greeting')")
    return path


def line_of(text: str) -> int:
    """Return the line of the suite, counted from 0, that holds a text."""
    return SUITE[: SUITE.index(text)].count("\n")
