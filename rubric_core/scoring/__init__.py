"""From judgements to scores, verdicts and grades: exact, pure functions over plain values."""
