import assert from "node:assert/strict";
import { test } from "node:test";
import { gradingSummary, outcomeOf, summaryOf } from "../src/grading/outcomes";
import type { CriterionResult, Result } from "../src/protocol";

const RESULT: Result = {
  eval_id: "lost-parcel",
  score: 0.8,
  verdict: "pass",
  error: null,
  partial: false,
  criteria: [],
  scorecard: null,
  duration_ms: 5,
};
const UNMET: CriterionResult = {
  id: "polite",
  evaluator: "rubric",
  mode: "checklist",
  satisfied: false,
  gate: "failed",
  outcome: "Stays polite",
  reasoning: "It is rude.",
};

test("a case that passed has no failures, whatever optional criteria say", () => {
  const optional = { ...UNMET, gate: null };
  assert.deepEqual(outcomeOf({ ...RESULT, criteria: [optional] }), {
    state: "passed",
    summary: "pass 0.8",
    failures: [],
  });
});

test("a case that failed tells which criteria speak against it", () => {
  const scored: CriterionResult = { ...UNMET, id: "depth", mode: "score-range", score: 3, reasoning: "" };
  delete (scored as { satisfied?: boolean }).satisfied;
  const { state, failures } = outcomeOf({ ...RESULT, verdict: "fail", score: 0.2, criteria: [UNMET, scored] });
  assert.equal(state, "failed");
  assert.deepEqual(failures, [
    "Gate failed: polite is not met: Stays polite\nIt is rude.",
    "Gate failed: depth is 3 of 10: Stays polite",
  ]);
});

test("a borderline case has not passed", () => {
  assert.equal(outcomeOf({ ...RESULT, verdict: "borderline", score: 0.7 }).state, "failed");
});

test("an error is neither", () => {
  const wrong = outcomeOf({ ...RESULT, verdict: null, score: null, error: "The judge did not answer." });
  assert.deepEqual(wrong, { state: "errored", summary: "The judge did not answer.", failures: [] });
  const scorecard = { grade: null, final_score: null, error: "No scorecard." };
  assert.equal(outcomeOf({ ...RESULT, scorecard }).state, "errored");
});

test("a scorecard alone has a grade and nothing to fail", () => {
  const scorecard = { grade: "B+", final_score: 7.9, error: null };
  const result = { ...RESULT, verdict: null, score: null, scorecard };
  assert.deepEqual([outcomeOf(result).state, summaryOf(result)], ["passed", "grade B+"]);
});

test("a score below a mark is never rounded up to it", () => {
  assert.equal(summaryOf({ ...RESULT, score: 0.79999, verdict: "borderline" }), "borderline 0.7999…");
  assert.equal(summaryOf({ ...RESULT, score: 0.3 }), "pass 0.3");
});

test("a grading is told in one sentence", () => {
  const failed = { ...RESULT, verdict: "fail" as const };
  const wrong = { ...RESULT, error: "No answer.", verdict: null, score: null };
  assert.equal(gradingSummary([RESULT], false), "lost-parcel: pass 0.8.");
  assert.equal(gradingSummary([{ ...RESULT, score: 14 / 15 }], false), "lost-parcel: pass 0.9333…");
  assert.equal(gradingSummary([wrong], false), "lost-parcel: error: No answer.");
  assert.equal(
    gradingSummary([RESULT, RESULT, failed, wrong], true),
    "4 cases: 2 passed, 1 did not pass, 1 could not be graded. Grading was stopped; finished judgements are kept.",
  );
  assert.equal(gradingSummary([], true), "Grading was stopped before a case was judged.");
});

test("what AgentV would have said stands beside the verdict", () => {
  const upstream = { score: 0.7999999999999999, verdict: "fail" } as const;
  assert.equal(summaryOf({ ...RESULT, upstream }), "pass 0.8, AgentV: 0.7999… fail");
});
