// The text of a new eval file: small, and without a problem.

export const NEW_EVAL_FILE = `description: What these cases are about

evalcases:
  - id: first-case
    expected_outcome: What a good answer achieves
    input_messages:
      - role: user
        content: What the model is asked
    rubrics:
      - id: correctness
        weight: 2.0
        required_min_score: 5
        score_ranges:
          0: Wrong, or not what was asked
          5: Right, with gaps
          8: Right and complete
      - Says what it is not sure about
`;
