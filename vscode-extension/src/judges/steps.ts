// A question to a judge as a person answers it: one thing after the other, and what comes of it as a judgement.

import type { Adjustment, Band, JudgeRequest, JudgedCriterion } from "../protocol";

/** A number that can be given, with the band that it belongs to. */
export interface Choice {
  readonly value: number;
  readonly band?: Band;
}

interface Asked {
  readonly id: string;
  readonly text: string;
  /** What failing it does beyond the score, in one sentence; empty where it does nothing. */
  readonly gate: string;
}

export type Step =
  | (Asked & { readonly kind: "check" })
  | (Asked & { readonly kind: "score"; readonly choices: readonly Choice[] })
  | (Asked & { readonly kind: "findings"; readonly entries: readonly Adjustment[] });

/** What a person decided about a step: met or not, a number, or the ids of what was found. */
export interface Decision {
  readonly value: boolean | number | readonly string[];
  readonly reasoning?: string;
}

const HIGHEST = 10;
const TENTHS = 10;

/** Return what a person must decide to answer a question; nothing where no person can. */
export function stepsOf(request: JudgeRequest): Step[] {
  if (request.kind === "proposal") {
    return [];
  }
  if (request.scorecard) {
    const { dimensions, redFlags, bonuses } = request.scorecard;
    return [
      ...dimensions.map(
        ({ name, definition }): Step => ({
          kind: "score",
          id: name,
          text: definition,
          gate: "",
          choices: numbers(1, HIGHEST),
        }),
      ),
      ...findings("red_flags", "Which red flags does the answer have?", redFlags),
      ...findings("bonuses", "Which bonuses does the answer earn?", bonuses),
    ];
  }
  if (request.kind === "rubric") {
    return request.criteria.map(criterionStep);
  }
  const text = "How far does the answer achieve what is expected?";
  const choices = numbers(0, TENTHS).map(({ value }) => ({ value: value / TENTHS }));
  return [{ kind: "score", id: "score", text, gate: "", choices }];
}

/** Return the judgement that a model would have written. */
export function judgementOf(request: JudgeRequest, steps: readonly Step[], decisions: readonly Decision[]): object {
  const decided = steps.map((step, place) => [step, decisions[place] as Decision] as const);
  if (request.scorecard) {
    const scores = decided.filter(([step]) => step.kind === "score");
    const found = (id: string): object[] =>
      decided
        .filter(([step]) => step.id === id && step.kind === "findings")
        .flatMap(([, { value, reasoning }]) =>
          (value as readonly string[]).map((each) => ({ id: each, explanation: reasoning ?? "" })),
        );
    return {
      dimensions: Object.fromEntries(scores.map(([step, decision]) => [step.id, withReasoning("score", decision)])),
      red_flags: found("red_flags"),
      bonuses: found("bonuses"),
    };
  }
  if (request.kind === "rubric") {
    const names = { check: "satisfied", score: "score", findings: "found" } as const;
    return {
      checks: decided.map(([step, decision]) => ({ id: step.id, ...withReasoning(names[step.kind], decision) })),
    };
  }
  return withReasoning("score", decisions[0] as Decision);
}

/** Say what was decided about a step, in a few words. */
export function describe(step: Step, { value }: Decision): string {
  if (step.kind === "check") {
    return value === true ? "met" : "not met";
  }
  if (step.kind === "score") {
    return `${String(value)} of ${step.choices[step.choices.length - 1]?.value}`;
  }
  const found = value as readonly string[];
  return found.length > 0 ? found.join(", ") : "none";
}

function criterionStep(criterion: JudgedCriterion): Step {
  const { id, mode, gate, scoreRanges } = criterion;
  const text = criterion.expectedOutcome ?? "";
  if (mode === "checklist") {
    return { kind: "check", id, text, gate: gate ? "Required: without it the case fails." : "" };
  }
  const choices = numbers(0, HIGHEST).map(({ value }) => {
    const band = scoreRanges.find(({ minimum, maximum }) => minimum <= value && value <= maximum);
    return band ? { value, band } : { value };
  });
  return { kind: "score", id, text, gate: gate ? `A gate: below ${gate} the case fails.` : "", choices };
}

function findings(id: string, text: string, entries: readonly Adjustment[]): Step[] {
  return entries.length > 0 ? [{ kind: "findings", id, text, gate: "", entries }] : [];
}

function numbers(lowest: number, highest: number): Choice[] {
  return Array.from({ length: highest - lowest + 1 }, (_, place) => ({ value: lowest + place }));
}

function withReasoning(name: string, { value, reasoning }: Decision): object {
  return reasoning ? { [name]: value, reasoning } : { [name]: value };
}
