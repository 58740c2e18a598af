import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import type { Result } from "../src/protocol";
import { GradingRun } from "../src/testing/gradingRun";
import { selectedCases } from "../src/testing/selectedCases";

interface Item {
  readonly id: string;
  readonly parent?: Item;
  readonly children: Map<string, Item>;
}

function fileOf(id: string, ...cases: string[]): Item {
  const file: Item = { id, children: new Map() };
  cases.forEach((name) => file.children.set(name, { id: name, parent: file, children: new Map() }));
  return file;
}

const child = (file: Item, id: string): Item => file.children.get(id) as Item;

function told(wanted: Map<Item, Item[] | undefined>): Record<string, string[] | "all"> {
  return Object.fromEntries([...wanted].map(([file, cases]) => [file.id, cases?.map(({ id }) => id) ?? "all"]));
}

test("a run is about whole files, or about the cases that are left of them", () => {
  const [one, two] = [fileOf("one", "a", "b"), fileOf("two", "c")];
  assert.deepEqual(told(selectedCases([one, two], [])), { one: "all", two: "all" });
  assert.deepEqual(told(selectedCases([one, two], [child(one, "a")])), { one: ["b"], two: "all" });
  assert.deepEqual(told(selectedCases([child(one, "a"), child(one, "b")], [])), { one: ["a", "b"] });
  assert.deepEqual(told(selectedCases([one, two], [two])), { one: "all" });
});

test("a file whose cases are all hidden is not graded", () => {
  const [one, two] = [fileOf("one", "a", "b"), fileOf("two", "c")];
  assert.deepEqual(told(selectedCases([one, two], [child(one, "a"), child(one, "b")])), { two: "all" });
});

test("a file and one of its cases are the whole file, in either order", () => {
  const one = fileOf("one", "a", "b");
  assert.deepEqual(told(selectedCases([one, child(one, "a")], [])), { one: "all" });
  assert.deepEqual(told(selectedCases([child(one, "a"), one], [])), { one: "all" });
});

test("a file whose cases are not known yet is graded as a whole", () => {
  assert.deepEqual(told(selectedCases([fileOf("one")], [])), { one: "all" });
});

const RESULT: Result = {
  eval_id: "a",
  score: 1,
  verdict: "pass",
  error: null,
  partial: false,
  criteria: [],
  scorecard: null,
  duration_ms: 5,
};

/** Begin a run of some cases of a file with the cases a and b; `log` tells what the Test Explorer was shown. */
function running(...ids: string[]) {
  const file = fileOf("one", "a", "b");
  const log: string[] = [];
  const note = (state: string) => (item: Item) => log.push(`${item.id} ${state}`);
  const testRun = { passed: note("passed"), failed: note("failed"), errored: note("errored") };
  const quiet = { enqueued: () => undefined, started: () => undefined, appendOutput: () => undefined };
  const run = new GradingRun(
    {} as vscode.Uri,
    { ...testRun, ...quiet } as unknown as vscode.TestRun,
    (id) => child(file, id) as unknown as vscode.TestItem,
    () => undefined,
  );
  run.enqueue((ids.length > 0 ? ids.map((id) => child(file, id)) : [file]) as unknown as vscode.TestItem[]);
  return { run, log };
}

test("a result that is told while a file is graded is shown once", () => {
  const { run, log } = running();
  run.take(RESULT);
  run.take(RESULT);
  run.show(RESULT);
  assert.deepEqual(log, ["a passed"]);
});

test("a run takes no results of other gradings", () => {
  const { run, log } = running("a");
  run.take({ ...RESULT, eval_id: "b" });
  run.take({ ...RESULT, partial: true, verdict: "fail" });
  assert.deepEqual(log, []);
});

test("what a grading returns counts more than what was told meanwhile", () => {
  const { run, log } = running("a");
  run.take({ ...RESULT, verdict: "fail" });
  run.show(RESULT);
  run.fail("Too late.");
  assert.deepEqual(log, ["a failed", "a passed"]);
});
