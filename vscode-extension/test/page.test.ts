import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeChoices } from "../src/judges/choices";
import { POLICY, guarded } from "../src/report/page";
import { debounced } from "../src/testing/debounce";

test("the policy stands in front of everything that a page could load", () => {
  const page = guarded("<!DOCTYPE html>\n<html lang='en'><head><script src=x></script></head><body></body></html>");
  assert.ok(page.indexOf(POLICY) < page.indexOf("<script"));
  assert.ok(page.startsWith("<!DOCTYPE html>\n<html lang='en'><head><meta http-equiv="));
});

test("a page without a head gets one, and the policy in it", () => {
  assert.match(guarded("<img src=x>"), /^<!DOCTYPE html><html><head><meta .*<body><img src=x><\/body>/);
});

test("the policy allows nothing but styles", () => {
  assert.ok(POLICY.startsWith("default-src 'none'; style-src 'unsafe-inline';"));
  assert.ok(!/script-src|img-src|connect-src/.test(POLICY));
});

test("each model of the editor can be picked, and the project's own choice comes first", () => {
  const judges = {
    judges: [
      { name: "manual", kind: "manual" },
      { name: "editor", kind: "editor" },
      { name: "strict", kind: "openai", model: "large" },
    ],
    default: "strict",
  };
  const choices = judgeChoices(judges, [{ id: "m1", name: "Model One", vendor: "copilot" }]);
  assert.deepEqual(
    choices.map(({ label, judge, model }) => [label, judge, model]),
    [
      ["As the project says", undefined, undefined],
      ["manual", "manual", undefined],
      ["Model One", "editor", "m1"],
      ["strict", "strict", undefined],
      ["Another…", "", undefined],
    ],
  );
  assert.equal(choices[3]?.description, "openai, large");
});

test("an editor without models offers none", () => {
  const choices = judgeChoices({ judges: [{ name: "editor", kind: "editor" }], default: "manual" }, []);
  assert.deepEqual(
    choices.map(({ label }) => label),
    ["As the project says", "Another…"],
  );
});

test("a burst of reasons makes one call for each key", async () => {
  const calls: string[] = [];
  const call = debounced<string>(5, (key) => calls.push(key));
  for (const key of ["a", "a", "b", "a"]) {
    call(key);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(calls.sort(), ["a", "b"]);
});
