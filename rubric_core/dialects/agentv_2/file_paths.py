"""Files that an eval file of AgentV 2 names: each is written as its path alone."""

from collections.abc import Iterable

from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Node
from rubric_core.views.references import FileReference, FileUrls, is_prompt_file


class BarePaths(FileUrls):
    """Paths without a prefix, which only views look for."""

    prefix = ""
    bare_prompt_kind = "prompt"

    def prompt_file(self, prompt: str) -> str | None:
        """Return the path of the file that has a prompt; None where it is the text itself."""
        return prompt if is_prompt_file(prompt) else None

    def is_read(self, reference: FileReference) -> bool:  # noqa: ARG002 - others read some.
        """Return whether rules look at the contents of a file, which none does."""
        return False

    def written(self, chunk: Chunk, root: Node | None) -> Iterable[FileReference]:  # noqa: ARG002 - others walk.
        """Return nothing: views have all files."""
        return ()


PATHS = BarePaths()
