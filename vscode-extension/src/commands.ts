// The commands of the extension, for the command palette, code lenses, menus and the walkthrough.

import * as vscode from "vscode";
import type { Grader } from "./grading/grader";
import { showError } from "./grading/showError";
import type { JudgePicker } from "./judges/picker";
import type { Generated, GradeArgument } from "./protocol";
import type { ReadOnlyDocuments } from "./readOnlyDocuments";
import type { ReportArgument, ReportPanel } from "./report/panel";
import type { Secrets } from "./secrets";
import type { RubricClient } from "./server/client";
import { executeWithProgress } from "./server/progressCommand";
import type { Server } from "./server/server";
import { NEW_EVAL_FILE } from "./newEvalFile";

export interface Parts {
  readonly server: Server;
  readonly grader: Grader;
  readonly report: ReportPanel;
  readonly picker: JudgePicker;
  readonly secrets: Secrets;
  readonly documents: ReadOnlyDocuments;
  readonly log: vscode.LogOutputChannel;
  chooseInterpreter(): Promise<void>;
}

type Command = (...parameters: unknown[]) => Promise<unknown>;

/** Register all commands. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const commands = Object.entries(commandsOf(parts));
  return vscode.Disposable.from(...commands.map(([name, command]) => vscode.commands.registerCommand(name, command)));
}

function commandsOf(parts: Parts): Record<string, Command> {
  const { server, grader, report, picker, secrets, log } = parts;
  const grading = (command: "rubric.gradeCase" | "rubric.gradeFile" | "rubric.gradeCriterion"): Command => {
    return (given) => withTarget(server, given, (_client, argument) => grader.grade({ command, argument }));
  };
  return {
    "rubric.gradeCase": grading("rubric.gradeCase"),
    "rubric.gradeFile": grading("rubric.gradeFile"),
    "rubric.gradeCriterion": grading("rubric.gradeCriterion"),
    "rubric.generateRubrics": (given) =>
      // Without a case id, criteria are generated for every case that has none.
      withTarget(server, given, (client, { position: _, ...argument }) =>
        generate(client, withJudge(argument, picker)),
      ),
    "rubric.previewPrompt": (given) =>
      withTarget(server, given, (client, argument) => previewPrompt(client, argument, parts.documents)),
    "rubric.showReport": async (given) => report.show(reportArgument(given)),
    "rubric.compare": async (given) => compare(server, reportArgument(given), parts.documents),
    "rubric.fixAll": (given) =>
      withTarget(server, given, (client, { uri }) => client.execute({ command: "rubric.fixAll", argument: uri })),
    "rubric.applyAction": async (...given) => forward(server, "rubric.applyAction", given),
    "rubric.chooseJudge": async () => picker.choose(),
    "rubric.setSecret": async (name) => secrets.set(typeof name === "string" ? name : undefined),
    "rubric.clearSecret": async () => secrets.clear(),
    "rubric.newEvalFile": newEvalFile,
    "rubric.chooseInterpreter": async () => parts.chooseInterpreter(),
    "rubric.restartServer": async () => server.restart(),
    "rubric.showLog": async () => log.show(true),
  };
}

/** Run an action on a case or a file: the argument of a code lens, or the cursor position. */
async function withTarget<T>(
  server: Server,
  given: unknown,
  act: (client: RubricClient, argument: GradeArgument) => Promise<T>,
): Promise<T | undefined> {
  const client = await server.ensureStarted();
  const argument = client && argumentOf(client, given);
  if (!client) {
    return undefined;
  }
  if (!argument) {
    void vscode.window.showInformationMessage("Open an eval file first.");
    return undefined;
  }
  try {
    return await act(client, argument);
  } catch (error) {
    void showError(error);
    return undefined;
  }
}

function argumentOf(client: RubricClient, given: unknown): GradeArgument | undefined {
  if (typeof given === "string") {
    return { uri: given };
  }
  if (typeof given === "object" && given !== null && "uri" in given) {
    return given as GradeArgument;
  }
  const editor = vscode.window.activeTextEditor;
  return (
    editor && {
      uri: client.code2ProtocolConverter.asUri(editor.document.uri),
      position: client.code2ProtocolConverter.asPosition(editor.selection.active),
    }
  );
}

/** Return the argument of a report: that of a code lens, else the project of the active file. */
function reportArgument(given: unknown): ReportArgument {
  if (typeof given === "object" && given !== null && !(given instanceof vscode.Uri)) {
    return given as ReportArgument;
  }
  const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  return file?.scheme === "file" ? { uri: file.toString() } : {};
}

function withJudge(argument: GradeArgument, picker: JudgePicker): GradeArgument {
  return picker.judge ? { ...argument, judge: picker.judge } : argument;
}

async function generate(client: RubricClient, argument: GradeArgument): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Generating rubrics", cancellable: true };
  const { inserted, skipped } = await vscode.window.withProgress(options, (progress, token) =>
    executeWithProgress<Generated>(client, "rubric.generateRubrics", argument, token, progress),
  );
  const [first] = skipped;
  const done = inserted.length > 0 ? `Generated rubrics for ${inserted.map(({ caseId }) => caseId).join(", ")}.` : "";
  const left = first ? `${first.caseId}: ${first.reason}` : "";
  void vscode.window.showInformationMessage(
    [done, left].filter(Boolean).join(" ") || "Every case already has rubrics.",
  );
}

async function previewPrompt(
  client: RubricClient,
  argument: GradeArgument,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const prompt = await client.execute<{ caseId: string; markdown: string }>({
    command: "rubric.previewPrompt",
    argument,
  });
  await documents.show(`Prompt for ${prompt.caseId}.md`, prompt.markdown, "beside");
}

async function compare(server: Server, argument: object, documents: ReadOnlyDocuments): Promise<void> {
  const client = await server.ensureStarted();
  try {
    const compared = await client?.execute<{ markdown: string } | null>({
      command: "rubric.compare",
      argument,
    });
    if (compared) {
      await documents.show("Comparison.md", compared.markdown);
    }
  } catch (error) {
    void showError(error);
  }
}

async function forward(server: Server, command: string, given: readonly unknown[]): Promise<unknown> {
  const client = await server.ensureStarted();
  return client?.sendRequest("workspace/executeCommand", { command, arguments: given });
}

async function newEvalFile(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "yaml", content: NEW_EVAL_FILE });
  await vscode.window.showTextDocument(document);
}
