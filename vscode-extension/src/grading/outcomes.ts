// A result as the Test Explorer shows it, and a grading in one sentence.

import type { CriterionResult, Result } from "../protocol";

/** The outcome of a case. `failures` are the criteria that failed, with reasons. */
export interface Outcome {
  readonly state: "passed" | "failed" | "errored";
  readonly summary: string;
  readonly failures: readonly string[];
}

const MAX_DIGITS = 4;

/** Return the outcome of a case. A borderline case has not passed. */
export function outcomeOf(result: Result): Outcome {
  const error = result.error ?? result.scorecard?.error;
  if (error) {
    return { state: "errored", summary: error, failures: [] };
  }
  const failures = result.criteria.filter(isFailed).map(failureText);
  // A scorecard alone gives a grade and no verdict: there is nothing to fail.
  // A partial result never counts as passed, because it covers only some criteria.
  const passed = result.verdict === "pass" || (result.verdict === null && !result.partial);
  return { state: passed ? "passed" : "failed", summary: summaryOf(result), failures: passed ? [] : failures };
}

/** Return a short summary of a result: verdict, score, grade. */
export function summaryOf(result: Result): string {
  if (result.error) {
    return `error: ${result.error}`;
  }
  const word = result.partial ? "partial" : result.verdict;
  const parts = [
    [word, result.score === null ? undefined : shortNumber(result.score)].filter(Boolean).join(" "),
    result.scorecard?.grade ? `grade ${result.scorecard.grade}` : "",
    result.upstream ? `AgentV: ${shortNumber(result.upstream.score)} ${result.upstream.verdict}` : "",
  ];
  return parts.filter(Boolean).join(", ") || "not judged";
}

/** Return a summary of a grading in one sentence. */
export function gradingSummary(results: readonly Result[], stopped: boolean): string {
  const [first] = results;
  const end = stopped ? " Grading was stopped; finished judgements are kept." : "";
  if (!first) {
    return stopped ? "Grading was stopped before a case was judged." : "Nothing to grade.";
  }
  if (results.length === 1) {
    return `${first.eval_id}: ${summaryOf(first)}`.replace(/[^.…]$/, "$&.") + end;
  }
  const states = results.map((result) => outcomeOf(result).state);
  const words = { passed: "passed", failed: "did not pass", errored: "could not be graded" } as const;
  const counted = (Object.keys(words) as (keyof typeof words)[])
    .map((state) => [states.filter((each) => each === state).length, words[state]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return `${results.length} cases: ${counted.join(", ")}.${end}`;
}

function isFailed({ gate, satisfied }: CriterionResult): boolean {
  return gate === "failed" || satisfied === false;
}

function failureText({ id, gate, satisfied, score, outcome, reasoning }: CriterionResult): string {
  const outcomeText = satisfied === undefined ? `${score} of 10` : satisfied ? "met" : "not met";
  const head = `${gate === "failed" ? "Gate failed: " : ""}${id} is ${outcomeText}`;
  return [outcome ? `${head}: ${outcome}` : head, reasoning].filter(Boolean).join("\n");
}

/** Return a number with few digits, truncated so that it is not rounded up to a threshold it does not reach. */
function shortNumber(value: number): string {
  const [whole, fraction = ""] = String(value).split(".");
  const isCut = fraction.length > MAX_DIGITS;
  return fraction ? `${whole}.${fraction.slice(0, MAX_DIGITS)}${isCut ? "…" : ""}` : String(whole);
}
