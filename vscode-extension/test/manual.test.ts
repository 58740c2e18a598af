import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import { ManualJudge } from "../src/judges/manual";
import type { JudgeRequest } from "../src/protocol";
import type { ReadOnlyDocuments } from "../src/readOnlyDocuments";
import { whenAny } from "../src/whenAny";
import { CancellationTokenSource, QuickPick, pickers, settled, typed } from "./support/vscode";

const REQUEST: JudgeRequest = {
  judge: "manual",
  uri: "file:///suite.eval.yaml",
  caseId: "thanks",
  evaluator: "rubric",
  kind: "rubric",
  sample: 0,
  system: "",
  user: "",
  task: "",
  answer: "You are welcome.",
  expectedOutcome: "Answers in kind",
  reference: null,
  criteria: [{ id: "polite", mode: "checklist", expectedOutcome: "Stays polite", scoreRanges: [], gate: null }],
  scorecard: null,
};
const DOCUMENTS = { show: async () => ({ close: async () => undefined }) } as unknown as ReadOnlyDocuments;

function asked(judge = new ManualJudge(DOCUMENTS)) {
  const stop = new CancellationTokenSource();
  const reply = judge.judge(REQUEST, stop.token as unknown as vscode.CancellationToken);
  return { judge, stop, reply };
}

/** Return the quick pick that is on the screen. */
async function shown(): Promise<QuickPick> {
  await settled();
  const found = pickers.filter((each) => each.isShown);
  assert.equal(found.length, 1);
  return found[0] as QuickPick;
}

test("Enter where nothing matches what was typed decides nothing and ends nothing", async () => {
  const { reply } = asked();
  const picker = await shown();
  picker.pick("11");
  assert.equal(await shown(), picker);
  picker.pick("Met");
  (await shown()).pick("$(check) This stands");
  assert.deepEqual(await reply, { judgement: { checks: [{ id: "polite", satisfied: true }] } });
});

test("whoever leaves the box for the reason is asked again", async () => {
  const { reply } = asked();
  const first = await shown();
  typed.push(undefined);
  first.itemButton.fire({ item: first.items[1] as { label: string } });
  const second = await shown();
  assert.notEqual(second, first);
  assert.deepEqual(
    second.activeItems.map(({ label }) => label),
    ["Not met"],
  );
  typed.push("It is rude.");
  second.itemButton.fire({ item: second.items[1] as { label: string } });
  (await shown()).pick("$(check) This stands");
  assert.deepEqual(await reply, {
    judgement: { checks: [{ id: "polite", satisfied: false, reasoning: "It is rude." }] },
  });
});

test("a judging that is called off leaves nothing on the screen, and the next one begins", async () => {
  const { judge, stop, reply } = asked();
  await shown();
  const next = asked(judge);
  stop.cancel();
  assert.deepEqual(await reply, { stopped: true });
  (await shown()).pick("Met");
  next.stop.cancel();
  assert.deepEqual(await next.reply, { stopped: true });
  assert.ok(!pickers.some((each) => each.isShown));
});

test("one reason to stop is enough", () => {
  const sources = [new CancellationTokenSource(), new CancellationTokenSource()];
  const tokens = sources.map(({ token }) => token as unknown as vscode.CancellationToken);
  const any = whenAny(...tokens);
  assert.equal(any.token.isCancellationRequested, false);
  sources[1]?.cancel();
  assert.equal(any.token.isCancellationRequested, true);
  assert.equal(whenAny(...tokens).token.isCancellationRequested, true);
});
