// Extensions of the language server protocol. See docs/protocol.md.

import type { Position, Range } from "vscode-languageclient/node";

export const GRADED = "rubric/graded";
export const JUDGE = "rubric/judge";
export const SECRETS = "rubric/secrets";
export const DIALECT = "rubric/dialect";
export const DID_CHANGE_TRUST = "rubric/didChangeTrust";

/** The capabilities of this client, sent with `initialize`. */
export const CAPABILITIES = { judges: ["manual", "editor"], graded: true, report: true, secrets: true, dialect: true };

/** The dialect of an open eval file, and how it was detected. */
export interface DialectNotification {
  readonly uri: string;
  readonly title: string;
  readonly reason: string;
}

/** The argument of the commands for a case or a file. */
export interface GradeArgument {
  readonly uri: string;
  readonly position?: Position;
  readonly caseId?: string;
  readonly caseIds?: readonly string[];
  readonly criterionId?: string;
  readonly answer?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly judge?: string;
  readonly target?: string;
}

export type Verdict = "pass" | "borderline" | "fail";

/** One criterion of a result. */
export interface CriterionResult {
  readonly id: string;
  readonly evaluator: string;
  readonly mode: "checklist" | "score-range";
  readonly satisfied?: boolean;
  readonly score?: number;
  readonly gate: "passed" | "failed" | null;
  readonly outcome: string | null;
  readonly reasoning: string;
}

/** The fields of a result that are used here. */
export interface Result {
  readonly eval_id: string;
  readonly score: number | null;
  readonly verdict: Verdict | null;
  readonly error: string | null;
  /** Whether only some criteria were judged. */
  readonly partial: boolean;
  readonly criteria: readonly CriterionResult[];
  readonly scorecard: {
    readonly grade: string | null;
    readonly final_score: number | null;
    readonly error: string | null;
  } | null;
  readonly duration_ms: number;
  /** The score and verdict that the tool of the dialect would give, if they differ. */
  readonly upstream?: { readonly score: number; readonly verdict: Verdict };
}

/** The result of the grading commands. */
export interface Graded {
  readonly run: number;
  readonly stopped: boolean;
  readonly results: readonly Result[];
}

/** A test as the server grades it. `testId` is its id in the text, where several tests may be made of one. */
export interface ListedTest {
  readonly caseId: string;
  readonly testId: string;
  readonly range: Range;
  readonly selectionRange: Range;
}

/** The tests of a text, and its version. */
export interface ListedTests {
  readonly version: number;
  readonly tests: readonly ListedTest[];
}

/** The fields of the notification after each case that are used here. */
export interface GradedNotification {
  readonly uri: string;
  readonly cases: readonly { readonly result: Result }[];
}

/** A value that can be chosen, with the score range that contains it, or empty. */
export interface FormChoice {
  readonly value: boolean | number;
  readonly label: string;
  readonly scoreRange: string;
  readonly meaning: string;
}

/** An item of the form: one decision. */
export interface FormItem {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** What failing it does beyond the score, or empty. */
  readonly gate: string;
  readonly choices: readonly FormChoice[];
}

/** The form for a person who judges: what to show and to ask, in this order. */
export interface JudgeForm {
  readonly title: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
  readonly items: readonly FormItem[];
}

/** The fields of the request `rubric/judge` that are used here. */
export interface JudgeRequest {
  readonly judge: "manual" | "editor";
  readonly caseId: string;
  readonly system: string;
  readonly user: string;
  readonly form: JudgeForm | null;
  readonly earlier: readonly { readonly reply: string; readonly complaint: string }[];
}

/** The decision on an item of the form. */
export interface Decision {
  readonly value: boolean | number;
  readonly reasoning?: string;
}

export type JudgeReply =
  | { readonly text: string; readonly model: string }
  | { readonly decisions: readonly Decision[] }
  | { readonly stopped: true }
  | { readonly skipped: true };

export interface Judges {
  readonly judges: readonly { readonly name: string; readonly kind: string; readonly model?: string | null }[];
  readonly default: string;
}

export interface Generated {
  readonly inserted: readonly { readonly caseId: string; readonly criteria: number | readonly unknown[] }[];
  readonly skipped: readonly { readonly caseId: string; readonly reason: string }[];
}
