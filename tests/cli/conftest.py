"""What the tests of the command line share."""

from command_line import folder, process, rubric, texts

__all__ = ["folder", "process", "rubric", "texts"]
