"""Files of variables such as `.env`, which may hold secrets, so that nothing of them is sent."""

from pathlib import PurePath

from rubric_core.text.patterns import lazily

DOTENV = ".env"
_EXAMPLES = (".example", ".sample", ".template")
_VARIABLES = lazily(r"\.env.*|.*\.env(?:[.~].*)?")


def holds_variables(path: str) -> bool:
    """Return whether a path names a file of variables, such as `.env.local`, `.envrc` and `prod.env`.

    An example that everybody may read is none. All that stands in a folder such as `.env.d` is one.
    """
    *folders, name = [part.lower() for part in PurePath(path).parts] or [""]
    is_one = _VARIABLES.fullmatch(name) is not None and not name.endswith(_EXAMPLES)
    return is_one or any(folder.startswith(DOTENV) for folder in folders)
