"""`python -m rubric_core` is the `rubric` command."""

from rubric_core.cli.main import main

if __name__ == "__main__":
    main()
