#!/bin/sh
# A code judge without JSON: status 0 is the score 1, any other status is the score 0.
# The answer is the file that RUBRIC_ANSWER_FILE names; the first argument is the number of lines that it may have.
lines=$(grep -c '' "$RUBRIC_ANSWER_FILE")
if [ "$lines" -gt "$1" ]; then
  echo "The answer has $lines lines, which is more than $1." >&2
  exit 1
fi
