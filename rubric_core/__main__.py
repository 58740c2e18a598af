"""`python -m rubric_core` is the `rubric` command."""

from rubric_core.cli.start import start

if __name__ == "__main__":
    start()
