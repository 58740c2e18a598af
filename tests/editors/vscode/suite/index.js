// Tests that run inside of the editor, through its programming interface. `results.json` in the workspace tells what
// became of each; a test fails where it throws.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const PATIENCE = 30_000;
const folder = () => vscode.workspace.workspaceFolders[0].uri;
const file = (name) => vscode.Uri.joinPath(folder(), name);
const run = (command, ...parameters) => vscode.commands.executeCommand(command, ...parameters);

/** Look again and again until something is there. */
async function eventually(what, look) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`${what} did not come`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function open(name) {
  const document = await vscode.workspace.openTextDocument(file(name));
  return vscode.window.showTextDocument(document);
}

const ours = (uri) => vscode.languages.getDiagnostics(uri).filter((each) => each.source === "rubric");
const codes = (uri) => ours(uri).map((each) => each.code.value ?? each.code);
const problems = (uri, code) => eventually(code, () => ours(uri).find((each) => (each.code.value ?? each.code) === code));

async function replaceText(editor, before, after) {
  const start = editor.document.getText().indexOf(before);
  const range = new vscode.Range(
    editor.document.positionAt(start),
    editor.document.positionAt(start + before.length),
  );
  assert.ok(await editor.edit((edit) => edit.replace(range, after)));
}

function positionOf(document, text, offset = 0) {
  return document.positionAt(document.getText().indexOf(text) + offset);
}

const TESTS = {
  async "diagnostics have a code with a link, a range, and related places"() {
    const { document } = await open("broken.eval.yaml");
    const overlap = await problems(document.uri, "RB101");
    assert.equal(document.getText(overlap.range), "[7, 11]");
    assert.ok(overlap.code.target);
    assert.match(overlap.relatedInformation[0].message, /other range/);
    const old = await problems(document.uri, "RB006");
    assert.deepEqual(old.tags, [vscode.DiagnosticTag.Deprecated]);
  },

  async "an edit changes the diagnostics, and undoing it changes them back"() {
    const editor = await open("sound.eval.yaml");
    await replaceText(editor, "weight: 2.0", "wieght: 2.0");
    await problems(editor.document.uri, "RB003");
    await run("undo");
    await eventually("silence", () => !codes(editor.document.uri).includes("RB003"));
  },

  async "files that are not open are checked too"() {
    await problems(file("closed.eval.yaml"), "RB103");
  },

  async "a quick fix comes with its edit, and applying it removes the problem"() {
    const { document } = await open("gap.eval.yaml");
    const gap = await problems(document.uri, "RB103");
    const actions = await run("vscode.executeCodeActionProvider", document.uri, gap.range, "quickfix", 10);
    const fix = actions.find((action) => action.title === "Extend 0-2 to 0-4");
    assert.ok(fix?.edit, actions.map((action) => action.title).join(", "));
    await vscode.workspace.applyEdit(fix.edit);
    await eventually("silence", () => !codes(document.uri).includes("RB103"));
    assert.match(document.getText(), /\[0, 4\]/);
    await run("workbench.action.files.revert");
  },

  async "fixing on save is a code action of its own kind"() {
    const { document } = await open("broken.eval.yaml");
    await problems(document.uri, "RB006");
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const actions = await run("vscode.executeCodeActionProvider", document.uri, whole, "source.fixAll.rubric", 10);
    assert.deepEqual(
      actions.map((action) => action.kind.value),
      ["source.fixAll.rubric"],
    );
  },

  async "all that is safe is fixed by a command"() {
    const { document } = await open("broken.eval.yaml");
    await problems(document.uri, "RB006");
    await run("rubric.fixAll");
    await eventually("silence", () => !codes(document.uri).includes("RB006"));
    assert.match(document.getText(), /expected_outcome: Stays polite/);
    await run("workbench.action.files.revert");
  },

  async "cases are symbols, of a file and of the workspace"() {
    const { document } = await open("sound.eval.yaml");
    const symbols = await eventually("symbols", () => run("vscode.executeDocumentSymbolProvider", document.uri));
    assert.deepEqual(
      symbols.flatMap((symbol) => symbol.children.map((child) => child.name)),
      ["lost-parcel", "thanks"],
    );
    const found = await run("vscode.executeWorkspaceSymbolProvider", "lost-par");
    assert.ok(found.some((symbol) => symbol.name === "lost-parcel"));
  },

  async "hover, lenses and hints speak of the text"() {
    const { document } = await open("sound.eval.yaml");
    const [hover] = await run("vscode.executeHoverProvider", document.uri, positionOf(document, "score_ranges"));
    assert.match(hover.contents.map((part) => part.value).join(), /0 1 2 3 4 5 6 7 8 9 10/);
    const lenses = await run("vscode.executeCodeLensProvider", document.uri);
    assert.ok(lenses.some((lens) => lens.command.title === "Grade" && lens.command.command === "rubric.gradeCase"));
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await run("vscode.executeInlayHintProvider", document.uri, whole);
    assert.ok(hints.some((hint) => JSON.stringify(hint.label).includes("8-10")));
  },

  async "a setting of the editor counts at once"() {
    const { document } = await open("gap.eval.yaml");
    await problems(document.uri, "RB103");
    const settings = vscode.workspace.getConfiguration("rubric");
    await settings.update("ignore", ["RB103"], vscode.ConfigurationTarget.Workspace);
    await eventually("silence", () => !codes(document.uri).includes("RB103"));
    await settings.update("ignore", undefined, vscode.ConfigurationTarget.Workspace);
    await problems(document.uri, "RB103");
  },

  async "the server can be turned off and on"() {
    const { document } = await open("gap.eval.yaml");
    await problems(document.uri, "RB103");
    const settings = vscode.workspace.getConfiguration("rubric");
    await settings.update("enable", false, vscode.ConfigurationTarget.Workspace);
    await eventually("silence", () => ours(document.uri).length === 0);
    await settings.update("enable", undefined, vscode.ConfigurationTarget.Workspace);
    await problems(document.uri, "RB103");
  },

  async "a file is graded by a recorded judge, and the result is returned"() {
    const { document } = await open("sound.eval.yaml");
    const graded = await run("rubric.gradeFile", { uri: document.uri.toString(), judge: "replay:judgements.json" });
    assert.equal(graded.stopped, false);
    assert.deepEqual(
      graded.results.map(({ eval_id, verdict, score }) => [eval_id, verdict, score]),
      [
        ["lost-parcel", "pass", 1],
        ["thanks", "fail", 0],
      ],
    );
    await problems(document.uri, "gate-failed");
  },

  async "what was said of a criterion is gone when its text changes"() {
    const editor = await open("sound.eval.yaml");
    const { uri } = editor.document;
    await run("rubric.gradeFile", { uri: uri.toString(), judge: "replay:judgements.json" });
    await problems(uri, "gate-failed");
    await replaceText(editor, "Answers politely", "Answers very politely");
    await eventually("silence", () => !codes(uri).includes("gate-failed"));
    await run("workbench.action.files.revert");
  },

  async "one criterion is judged by itself"() {
    const { document } = await open("sound.eval.yaml");
    const place = positionOf(document, "id: polite", 4);
    const graded = await run("rubric.gradeCriterion", {
      uri: document.uri.toString(),
      position: { line: place.line, character: place.character },
      judge: "command-not-met",
    });
    assert.deepEqual(
      graded.results[0].criteria.map(({ id, satisfied }) => [id, satisfied]),
      [["polite", false]],
    );
  },

  async "of two cases with one id, the one at the cursor is meant"() {
    const { document } = await open("twice.eval.yaml");
    const place = positionOf(document, "second-criterion");
    const graded = await run("rubric.gradeCase", {
      uri: document.uri.toString(),
      position: { line: place.line, character: place.character },
      judge: "command-not-met",
      answer: "Whatever.",
    });
    // The first one could be graded.
    assert.match(graded.results[0].error, /Two cases are called parcel/);
  },

  async "what a model of the editor cannot do is told in its own words"() {
    const { document } = await open("sound.eval.yaml");
    const graded = await run("rubric.gradeCase", { uri: document.uri.toString(), caseId: "thanks", judge: "editor" });
    assert.match(graded.results[0].error, /scripted-model\.json/);
    assert.doesNotMatch(graded.results[0].error, /Request rubric/);
  },

  async "a judge can be chosen without a file in front"() {
    await open("sound.eval.yaml");
    await run("workbench.action.closeAllEditors");
    let isOver = false;
    const choosing = run("rubric.chooseJudge").then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assert.equal(isOver, false);
    await run("workbench.action.closeQuickOpen");
    await choosing;
  },

  async "criteria are generated into the text, in its own style"() {
    const editor = await open("bare.eval.yaml");
    const { uri } = editor.document;
    await run("rubric.generateRubrics", { uri: uri.toString(), judge: "command-proposal" });
    const text = await eventually("criteria", () => {
      const now = editor.document.getText();
      return now.includes("rubrics:") ? now : undefined;
    });
    assert.match(text, /    rubrics:\n      - id: names-the-day\n/);
    await run("workbench.action.files.revert");
  },

  async "the last two gradings are compared"() {
    const { document } = await open("sound.eval.yaml");
    for (const judge of ["replay:judgements.json", "replay:judgements.json"]) {
      await run("rubric.gradeFile", { uri: document.uri.toString(), judge });
    }
    await run("rubric.compare", { uri: document.uri.toString() });
    const shown = await eventually("a comparison", () => vscode.window.activeTextEditor?.document);
    assert.equal(shown.uri.scheme, "rubric");
    assert.match(shown.getText(), /No change: all 2 cases/);
    await run("workbench.action.closeActiveEditor");
  },

  async "an answer that stands nowhere makes no result"() {
    const before = await open("bare.eval.yaml");
    const { uri } = before.document;
    const grading = run("rubric.gradeCase", { uri: uri.toString(), caseId: "parcel" });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await run("workbench.action.closeQuickOpen");
    assert.equal(await grading, undefined);
  },

  async "a name is found and renamed everywhere"() {
    const { document } = await open("names.eval.yaml");
    const place = positionOf(document, "scorecard: support", 12);
    const targets = await eventually("a definition", async () => {
      const found = await run("vscode.executeDefinitionProvider", document.uri, place);
      return found.length > 0 ? found : undefined;
    });
    assert.equal((targets[0].range ?? targets[0].targetRange).start.line, 1);
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place, "mail");
    assert.equal(edit.get(document.uri).length, 2);
  },

  async "every command that is contributed exists"() {
    const extension = vscode.extensions.getExtension("rubric-lsp.rubric-lsp");
    const existing = new Set(await vscode.commands.getCommands(true));
    const missing = extension.packageJSON.contributes.commands.filter(({ command }) => !existing.has(command));
    assert.deepEqual(missing, []);
  },

  async "every lens leads to a command that exists"() {
    const existing = new Set(await vscode.commands.getCommands(true));
    for (const name of ["sound.eval.yaml", "broken.eval.yaml"]) {
      const { document } = await open(name);
      const lenses = await run("vscode.executeCodeLensProvider", document.uri);
      assert.ok(lenses.length > 0);
      assert.deepEqual(
        lenses.filter((lens) => !existing.has(lens.command.command)).map((lens) => lens.command.command),
        [],
      );
    }
  },

  async "a file without a name is checked as well"() {
    const document = await vscode.workspace.openTextDocument({
      language: "yaml",
      content: fs.readFileSync(file("gap.eval.yaml").fsPath, "utf8"),
    });
    await vscode.window.showTextDocument(document);
    await problems(document.uri, "RB103");
    await run("workbench.action.revertAndCloseActiveEditor");
  },

  async "a new eval file has no problem"() {
    await run("rubric.newEvalFile");
    const { document } = vscode.window.activeTextEditor;
    assert.match(document.getText(), /evalcases:/);
    await eventually("symbols", () => run("vscode.executeDocumentSymbolProvider", document.uri));
    // The name is that of the file before, whose problems go a moment later.
    const wrong = () => ours(document.uri).filter((each) => each.severity <= vscode.DiagnosticSeverity.Warning);
    await eventually("silence", () => wrong().length === 0);
    await run("workbench.action.revertAndCloseActiveEditor");
  },
};

exports.run = async () => {
  const results = {};
  for (const [name, test] of Object.entries(TESTS)) {
    try {
      await test();
      results[name] = null;
    } catch (error) {
      results[name] = error.stack;
    }
    fs.writeFileSync(path.join(folder().fsPath, "results.json"), JSON.stringify(results));
  }
};
