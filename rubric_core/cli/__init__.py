"""The command line: `rubric check`, `rubric fix`, `rubric explain`, `rubric rules`, `rubric schema`."""
