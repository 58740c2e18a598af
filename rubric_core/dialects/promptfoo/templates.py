"""How texts of promptfoo are rendered."""

from rubric_core.model.render import Renderer
from rubric_core.syntax.nodes import Node, Scalar


class TextRenderer(Renderer):
    """Renders texts; one that is the name of a list or a mapping becomes the text of it."""

    def replaces(self, value: Node) -> bool:
        """Return whether a text that is one name becomes the value itself."""
        return isinstance(value, Scalar)
