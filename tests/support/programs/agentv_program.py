"""The real `agentv validate`."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from hosts import AGENTV, do_without, host_folder

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(r"^(✓|✗) .*?([\w-]+)\.eval\.yaml$|^  (?:✗|⚠) (.*)$", re.MULTILINE)


def validate(folder: Path, texts: dict[str, str]) -> dict[str, list[str]]:
    """Return what AgentV says of each suite; nothing of a sound one."""
    program = host_folder(AGENTV) / AGENTV.sign
    node = shutil.which("node") or do_without("there is no node")
    # It looks for the root of a repository.
    (folder / ".git").mkdir()
    paths = [folder / f"{name}.eval.yaml" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    command = [node, str(program), "validate", *map(str, paths)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", cwd=folder)
    found: dict[str, list[str]] = {}
    for _, name, message in _LINE.findall(done.stdout):
        if name:
            found[name] = []
        else:
            found[next(reversed(found))].append(message)
    assert len(found) == len(paths), done.stdout + done.stderr
    return found
