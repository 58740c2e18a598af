import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import { conversationOf } from "../src/judges/languageModel";
import { ManualJudge, pageText } from "../src/judges/manual";
import type { FormItem, JudgeForm, JudgeRequest } from "../src/protocol";
import type { ReadOnlyDocuments } from "../src/readOnlyDocuments";
import { anyCancelled } from "../src/anyCancelled";
import { CancellationTokenSource, QuickPick, pickers, settled, typed } from "./support/vscode";

const POLITE: FormItem = {
  kind: "criterion",
  id: "polite",
  text: "Stays polite",
  gate: "",
  choices: [
    { value: true, label: "met", scoreRange: "", meaning: "" },
    { value: false, label: "not met", scoreRange: "", meaning: "" },
  ],
};
const DEPTH: FormItem = {
  kind: "criterion",
  id: "depth",
  text: "",
  gate: "Gate: the case fails if the score is below 5.",
  choices: [
    { value: 6, label: "6", scoreRange: "5-6", meaning: "Deep" },
    { value: 5, label: "5", scoreRange: "5-6", meaning: "Deep" },
    { value: 4, label: "4", scoreRange: "0-4", meaning: "Shallow" },
  ],
};
const REQUEST: JudgeRequest = {
  judge: "manual",
  caseId: "thanks",
  system: "You judge.",
  user: "Here is the answer.",
  form: {
    title: "thanks · rubric",
    sections: [
      { title: "Answer to judge", text: "You are welcome." },
      { title: "Task", text: "Thanks!" },
    ],
    items: [POLITE],
  },
  earlier: [],
};
const DOCUMENTS = { show: async () => ({ close: async () => undefined }) } as unknown as ReadOnlyDocuments;

function asked(judge = new ManualJudge(DOCUMENTS), request = REQUEST) {
  const stop = new CancellationTokenSource();
  const reply = judge.judge(request, stop.token as unknown as vscode.CancellationToken);
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
  (await shown()).pick("$(check) Keep");
  assert.deepEqual(await reply, { decisions: [{ value: true }] });
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
  (await shown()).pick("$(check) Keep");
  assert.deepEqual(await reply, { decisions: [{ value: false, reasoning: "It is rude." }] });
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

test("the rows are those of the form, with its score ranges; a decision can be changed at the end", async () => {
  const form = { ...(REQUEST.form as JudgeForm), items: [POLITE, DEPTH] };
  const { reply } = asked(undefined, { ...REQUEST, form });
  (await shown()).pick("Met");
  const depth = await shown();
  assert.deepEqual(
    depth.items.map(({ label }) => label),
    ["5-6", "6", "5", "0-4", "4"],
  );
  depth.pick("5");
  const confirmed = await shown();
  assert.deepEqual(
    confirmed.items.map(({ label }) => label),
    ["$(check) Keep", "Change", "polite", "depth"],
  );
  confirmed.pick("polite");
  (await shown()).pick("Not met");
  (await shown()).pick("$(check) Keep");
  assert.deepEqual(await reply, { decisions: [{ value: false }, { value: 5 }] });
});

test("a person reads the sections of the form as they are", () => {
  assert.equal(
    pageText(REQUEST.form as JudgeForm),
    "Answer to judge\n───────────────\nYou are welcome.\n\nTask\n────\nThanks!\n",
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

test("one reason to stop is enough", () => {
  const sources = [new CancellationTokenSource(), new CancellationTokenSource()];
  const tokens = sources.map(({ token }) => token as unknown as vscode.CancellationToken);
  const any = anyCancelled(...tokens);
  assert.equal(any.token.isCancellationRequested, false);
  sources[1]?.cancel();
  assert.equal(any.token.isCancellationRequested, true);
  assert.equal(anyCancelled(...tokens).token.isCancellationRequested, true);
});
