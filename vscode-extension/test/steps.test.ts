import assert from "node:assert/strict";
import { test } from "node:test";
import type { JudgeRequest } from "../src/protocol";
import { answerPage } from "../src/judges/answerPage";
import { conversationOf } from "../src/judges/conversation";
import { Decision, describe, judgementOf, stepsOf } from "../src/judges/steps";

const REQUEST: JudgeRequest = {
  judge: "manual",
  uri: "file:///suite.eval.yaml",
  caseId: "lost-parcel",
  evaluator: "rubric",
  kind: "rubric",
  sample: 0,
  system: "You judge.",
  user: "Here is the answer.",
  task: "Where is my parcel?",
  answer: "It is lost.",
  expectedOutcome: "Says what happens next",
  reference: null,
  criteria: [
    { id: "polite", mode: "checklist", expectedOutcome: "Stays polite", scoreRanges: [], gate: true },
    {
      id: "depth",
      mode: "score-range",
      expectedOutcome: null,
      scoreRanges: [
        { minimum: 0, maximum: 4, expectedOutcome: "Shallow" },
        { minimum: 5, maximum: 10, expectedOutcome: "Deep" },
      ],
      gate: 5,
    },
  ],
  scorecard: null,
};

test("a person is asked about each criterion in its own mode, with its bands and its gate", () => {
  const [polite, depth] = stepsOf(REQUEST);
  assert.deepEqual(polite, {
    kind: "check",
    id: "polite",
    text: "Stays polite",
    gate: "Required: without it the case fails.",
  });
  assert.ok(depth?.kind === "score");
  assert.equal(depth.gate, "A gate: below 5 the case fails.");
  assert.deepEqual(
    depth.choices.map(({ value, band }) => `${value} ${band?.expectedOutcome}`),
    [0, 1, 2, 3, 4].map((value) => `${value} Shallow`).concat([5, 6, 7, 8, 9, 10].map((value) => `${value} Deep`)),
  );
});

test("decisions become the judgement that a model would have written", () => {
  const decisions: Decision[] = [{ value: false, reasoning: "It is rude." }, { value: 7 }];
  assert.deepEqual(judgementOf(REQUEST, stepsOf(REQUEST), decisions), {
    checks: [
      { id: "polite", satisfied: false, reasoning: "It is rude." },
      { id: "depth", score: 7 },
    ],
  });
});

test("a free-form question takes tenths from 0 to 1", () => {
  const request: JudgeRequest = { ...REQUEST, kind: "free-form", criteria: [] };
  const steps = stepsOf(request);
  assert.ok(steps[0]?.kind === "score");
  assert.deepEqual(
    steps[0].choices.map(({ value }) => value),
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  );
  assert.deepEqual(judgementOf(request, steps, [{ value: 0.7, reasoning: "Mostly." }]), {
    score: 0.7,
    reasoning: "Mostly.",
  });
});

test("a scorecard asks for each dimension from 1 to 10, then for what was found", () => {
  const scorecard = {
    dimensions: [{ name: "safety", definition: "Does no harm" }],
    redFlags: [{ id: "refund", expectedOutcome: "Promises a refund" }],
    bonuses: [],
  };
  const request: JudgeRequest = { ...REQUEST, kind: "scorecard", criteria: [], scorecard };
  const steps = stepsOf(request);
  assert.deepEqual(
    steps.map(({ kind, id }) => `${kind} ${id}`),
    ["score safety", "findings red_flags"],
  );
  assert.ok(steps[0]?.kind === "score");
  assert.deepEqual([steps[0].choices[0]?.value, steps[0].choices.length], [1, 10]);
  const decisions: Decision[] = [{ value: 9 }, { value: ["refund"], reasoning: "In the last line." }];
  assert.deepEqual(judgementOf(request, steps, decisions), {
    dimensions: { safety: { score: 9 } },
    red_flags: [{ id: "refund", explanation: "In the last line." }],
    bonuses: [],
  });
});

test("nobody is asked to propose criteria", () => {
  assert.deepEqual(stepsOf({ ...REQUEST, kind: "proposal" }), []);
});

test("what was decided is told in a few words", () => {
  const [polite, depth] = stepsOf(REQUEST);
  assert.ok(polite && depth);
  assert.equal(describe(polite, { value: false }), "not met");
  assert.equal(describe(depth, { value: 7 }), "7 of 10");
  const flags = { kind: "findings", id: "red_flags", text: "", gate: "", entries: [] } as const;
  assert.equal(describe(flags, { value: [] }), "none");
  assert.equal(describe(flags, { value: ["a", "b"] }), "a, b");
});

test("a person reads the answer first, as it is, then what it is judged by", () => {
  assert.equal(
    answerPage(REQUEST),
    [
      "Answer to lost-parcel\n─────────────────────\nIt is lost.\n",
      "What a good answer achieves\n───────────────────────────\nSays what happens next\n",
      "The task\n────────\nWhere is my parcel?\n",
    ].join("\n"),
  );
});

test("a model is told what was wrong with its earlier replies", () => {
  const earlier = [{ reply: "Fine!", complaint: "That is no JSON." }];
  assert.deepEqual(conversationOf({ ...REQUEST, earlier }), [
    { role: "user", text: "You judge.\n\nHere is the answer." },
    { role: "assistant", text: "Fine!" },
    { role: "user", text: "That is no JSON." },
  ]);
});
