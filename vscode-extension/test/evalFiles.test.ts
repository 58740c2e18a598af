import assert from "node:assert/strict";
import { test } from "node:test";
import { hasSchema, mayBeEvalFile } from "../src/evalFiles";

const TEXTS: readonly [string, string, string, boolean][] = [
  ["a name of ours", "/evals/review.eval.yaml", "", true],
  ["the short suffix", "/evals/review.eval.yml", "", true],
  ["JSON Lines", "/evals/review.eval.jsonl", "", true],
  ["a name in capitals", "/evals/review.EVAL.yaml", "", true],
  ["a suite of AgentV 4", "/suite.yaml", "tests:\n  - id: a\n    input: b\n    assertions: [Polite]\n", true],
  ["a suite of AgentV 5", "/suite.yaml", "tests:\n  - id: a\n    assert: [Polite]\n", true],
  ["a suite without tests", "/suite.yaml", "name: other\n", false],
  ["criteria under another name", "/suite.yaml", "cases:\n  - id: a\n    rubrics: [Polite]\n", true],
  ["a quoted key", "/cases.jsonl", '{"id": "a", "expected_outcome": "b"}', true],
  ["a comment of ours", "/suite.yaml", "# rubric: ignore-file\n", true],
  ["a pipeline", "/.github/workflows/ci.yaml", "jobs:\n  test:\n    runs-on: ubuntu\n", false],
  ["our words in a sentence", "/notes.yaml", "text: rubrics are lists of criteria\n", false],
  ["another name that ends alike", "/retrieval.yaml", "a: 1\n", false],
];

for (const [what, path, text, expected] of TEXTS) {
  test(`${what} ${expected ? "may be" : "is not"} an eval file`, () => {
    assert.equal(mayBeEvalFile(path, text), expected);
  });
}

test("the JSON Schema is offered for the dialect that it describes", () => {
  assert.equal(hasSchema("description: a\nevalcases:\n  - id: a\n"), true);
  assert.equal(hasSchema("tests:\n  - id: a\n    expected_outcome: b\n"), false);
});
