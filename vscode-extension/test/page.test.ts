import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { missingVariable } from "../src/grading/errors";
import { judgeChoices } from "../src/judges/choices";
import { withPolicy } from "../src/report/page";
import { debounced } from "../src/testing/debounce";

const STYLE = ":root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { body { color: white } }";
const OLD = `<meta http-equiv="Content-Security-Policy" content="default-src &#x27;none&#x27;">`;
const PAGE = `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${OLD}<style>${STYLE}</style></head><body></body></html>`;

function policyOf(html: string): string {
  return /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
}

test("the policy stands in front of everything that a page could load, and there is one", () => {
  const page = withPolicy(PAGE, "light");
  assert.ok(page.startsWith('<!DOCTYPE html>\n<html lang="en"><head><meta http-equiv="Content-Security-Policy"'));
  assert.equal(page.match(/Content-Security-Policy/g)?.length, 1);
});

test("a page without a head gets one, and the policy in it", () => {
  assert.match(withPolicy("<img src=x>", "dark"), /^<!DOCTYPE html><html><head><meta .*<body><img src=x><\/body>/);
});

test("the policy allows nothing but the style sheets that are there", () => {
  const [, style] = /<style>([\s\S]*)<\/style>/.exec(withPolicy(PAGE, "light")) ?? [];
  const hash = createHash("sha256")
    .update(style ?? "")
    .digest("base64");
  assert.equal(
    policyOf(withPolicy(PAGE, "light")),
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
  assert.match(policyOf(withPolicy("<p>plain</p>", "light")), /style-src 'none'/);
});

test("a page has the colours of the editor, whatever those of the system are", () => {
  assert.match(withPolicy(PAGE, "dark"), /color-scheme: dark; \} @media all \{/);
  assert.match(withPolicy(PAGE, "light"), /color-scheme: light; \} @media not all \{/);
});

test("a text about colours stays as it was written", () => {
  const text = "<p>:root { color-scheme: light dark } @media (prefers-color-scheme: dark)</p>";
  assert.ok(withPolicy(PAGE.replace("<body>", `<body>${text}`), "dark").includes(text));
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
      ["Project default", undefined, undefined],
      ["manual", "manual", undefined],
      ["Model One", "editor", "m1"],
      ["strict", "strict", undefined],
      ["Other…", "", undefined],
    ],
  );
  assert.equal(choices[3]?.description, "openai, large");
});

test("an editor without models offers none", () => {
  const choices = judgeChoices({ judges: [{ name: "editor", kind: "editor" }], default: "manual" }, []);
  assert.deepEqual(
    choices.map(({ label }) => label),
    ["Project default", "Other…"],
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

test("the variable that a judge misses is found in the server's sentence", () => {
  const sentence = "The variable SCRIPTED_KEY that the judge scripted needs is not set; set it in the environment.";
  assert.equal(missingVariable(sentence), "SCRIPTED_KEY");
  assert.equal(missingVariable("The case has no answer."), undefined);
});
