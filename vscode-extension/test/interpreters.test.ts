import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Candidate,
  Finding,
  Probed,
  best,
  candidates,
  explainMissing,
  explainNoGrading,
  readProbe,
} from "../src/server/interpreters";

const commands = (found: Candidate[]): string[] => found.map((each) => [each.command, ...each.arguments].join(" "));

function finding(command: string, probed?: Partial<Probed>, origin: Candidate["origin"] = "PATH"): Finding {
  const candidate = { command, arguments: [], origin };
  const full = { executable: command, version: "3.12.1", fits: true, grades: true, platform: "linux-x64" };
  return probed ? { candidate, probed: { ...full, implementation: "CPython", ...probed } } : { candidate };
}

test("the setting alone counts where there is one", () => {
  assert.deepEqual(commands(candidates("/opt/python", "/venv/python", "linux")), ["/opt/python"]);
});

test("the Python extension's choice comes before the path", () => {
  assert.deepEqual(commands(candidates("", "/venv/python", "linux")), ["/venv/python", "python3", "python"]);
});

test("Windows has a launcher as well", () => {
  assert.deepEqual(commands(candidates("", undefined, "win32")), ["python3", "python", "py -3"]);
});

test("a Python that can grade is taken before one that can only check", () => {
  const found = [finding("old", { fits: false }), finding("check", { grades: false }), finding("grade", {})];
  assert.equal(best(found)?.candidate.command, "grade");
  assert.equal(best(found.slice(0, 2))?.candidate.command, "check");
  assert.equal(best(found.slice(0, 1)), undefined);
});

test("what is no Python says nothing that counts", () => {
  for (const output of ["", "Python was not found; run without arguments to install", "[1]", "null", "{}"]) {
    assert.equal(readProbe(output), undefined);
  }
  assert.equal(readProbe('{"executable": "/p", "fits": true}')?.executable, "/p");
});

test("the message says what was found and what is needed", () => {
  assert.equal(
    explainMissing([finding("python3", { version: "3.8.18", fits: false }), finding("python")]),
    "Rubric needs Python 3.10 or newer to check eval files. Found only older versions: python3 is 3.8.18.",
  );
  assert.equal(
    explainMissing([finding("python3"), finding("python")]),
    "Rubric needs Python 3.10 or newer to check eval files. Found none.",
  );
});

test("a setting that does not fit is named", () => {
  const message = explainMissing([finding("/opt/python", { version: "3.6.15", fits: false }, "setting")]);
  assert.match(message, /\/opt\/python of the setting `rubric\.interpreter` is 3\.6\.15\.$/);
  assert.match(
    explainMissing([finding("/nowhere", undefined, "setting")]),
    /\/nowhere of the setting `rubric\.interpreter` cannot be run\.$/,
  );
});

test("a Python without compiled parts is told what it cannot do and how it could", () => {
  const { probed } = finding("python3", { version: "3.15.0", grades: false });
  assert.match(explainNoGrading(probed as Probed), /CPython 3\.15\.0 on linux-x64, but cannot grade.*fromEnvironment/);
});
