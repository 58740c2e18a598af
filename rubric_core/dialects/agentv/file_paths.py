"""Files that an eval file of AgentV 4 or 5 names."""

from rubric_core.dialects.agentv.names import FILE_NAMES
from rubric_core.views.references import FileUrls


class AgentVPaths(FileUrls):
    """Files as `file://`, and assertions that are included by their name."""

    template_folder = f"{FILE_NAMES.folder}/templates"


PATHS = AgentVPaths()
