"""The limits of a template, and the exception of templates."""

LONGEST_TEXT = 1_000_000
"""The longest text, in characters, that a template may make."""
MOST_WORK = 200_000
"""The largest number of operations in one template; long texts and lists count as several."""
_SIZE_OF_ONE_OPERATION = 100


class TemplateFailure(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A template that cannot be rendered. `reason` is a clause without a full stop, `line` counts from 1."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class Work:
    """Counts what one rendering does."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def charge(self, size: int = 0) -> None:
        """Count one operation on a text or list of a size. Raises TemplateFailure beyond the limits."""
        if size > LONGEST_TEXT:
            raise TemplateFailure(f"it makes more than {LONGEST_TEXT:,} characters or items")
        self.left -= 1 + size // _SIZE_OF_ONE_OPERATION
        if self.left < 0:
            raise TemplateFailure(f"it takes more than {MOST_WORK:,} operations")
