import assert from "node:assert/strict";
import { test } from "node:test";
import { EvalDocuments } from "../src/evalDocuments";
import { errorMessage } from "../src/grading/errors";
import { nameOf, loggable } from "../src/server/trace";
import { closed, opened } from "./support/vscode";

const SECRET = 'Result: {"OPENAI_API_KEY": "sk-1"}';

test("no secret is written to the log", () => {
  assert.equal(loggable("Sending response 'rubric/secrets - (5)'. Processing request took 1ms.", SECRET), undefined);
  assert.equal(loggable("Received request 'rubric/secrets - (5)'.", 'Params: {"names": ["A"]}'), undefined);
  assert.equal(loggable("Sending request 'textDocument/hover - (7)'.", "Params: {}"), "Params: {}");
  const answer = { type: "send-response", message: { id: 5, result: { OPENAI_API_KEY: "sk-1" } } };
  assert.equal(nameOf(answer), "send-response");
  assert.equal(nameOf({ type: "send-request", message: { method: "shutdown" } }), "send-request shutdown");
});

test("an answer that cannot come any more is told as what happened", () => {
  for (const code of [-32097, -32096]) {
    const gone = Object.assign(new Error("Pending response rejected since connection got disposed"), { code });
    assert.equal(errorMessage(gone), "The server restarted during grading. Grade again.");
  }
  assert.equal(
    errorMessage(Object.assign(new Error("The case has no answer."), { code: -32803 })),
    "The case has no answer.",
  );
  assert.equal(errorMessage("Stop."), "Stop.");
});

test("a text that becomes YAML later is looked at again", () => {
  const documents = new EvalDocuments();
  const found: unknown[] = [];
  documents.onDidFind((document) => found.push(document));
  const uri = { scheme: "untitled", path: "Untitled-1" };
  const document = { uri, languageId: "plaintext", getText: () => "rubrics: [Polite]" };
  opened.fire(document);
  assert.deepEqual(found, []);
  // The editor tells a change of the language so.
  closed.fire(document);
  document.languageId = "yaml";
  opened.fire(document);
  assert.deepEqual(found, [document]);
});
