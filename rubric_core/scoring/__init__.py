"""How judgements become scores, verdicts and grades: exact, pure functions over plain values."""
