// The entry point: creates the parts, and starts the server if there is an eval file.

import * as path from "node:path";
import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { DialectStatus } from "./dialectStatus";
import { EvalDocuments } from "./evalDocuments";
import { EVAL_FILE_GLOB, hasSchema, SUITE_FILE_GLOB } from "./evalFiles";
import { Grader } from "./grading/grader";
import { judgeRequestHandler } from "./judges/judgeRequest";
import { LanguageModelJudge } from "./judges/languageModel";
import { ManualJudge } from "./judges/manual";
import { JudgePicker } from "./judges/picker";
import { DIALECT, DialectNotification, GRADED, GradedNotification, JUDGE, SECRETS } from "./protocol";
import { ReadOnlyDocuments } from "./readOnlyDocuments";
import { ReportPanel } from "./report/panel";
import { offerSchema } from "./schema";
import { Secrets } from "./secrets";
import { chooseInterpreter } from "./server/chooseInterpreter";
import { Server } from "./server/server";
import { Explorer } from "./testing/explorer";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.extensionPath;
  const log = vscode.window.createOutputChannel("Rubric", { log: true });
  const running = (server = new Server(folder, log));
  const evalDocuments = new EvalDocuments();
  const dialect = new DialectStatus();
  const readOnly = new ReadOnlyDocuments();
  const models = new LanguageModelJudge(context.workspaceState);
  const secrets = new Secrets(context.secrets, context.globalState);
  const picker = new JudgePicker(server, context.workspaceState, models, evalDocuments);
  const report = new ReportPanel(server, vscode.Uri.joinPath(context.extensionUri, "images", "icon.png"));
  const explorer: Explorer = new Explorer(server, evalDocuments, {
    gradeCases: (uri, ids, run) => grader.gradeCases(uri, ids, run),
    notify: (outcomes) => grader.notify(outcomes),
  });
  const grader: Grader = new Grader(server, explorer, () => picker.judge);

  server.take<GradedNotification>(GRADED, (notification) => explorer.update(notification));
  server.take<DialectNotification>(DIALECT, (notification) => dialect.update(notification));
  server.answer(JUDGE, judgeRequestHandler(new ManualJudge(readOnly), models));
  server.answer(SECRETS, ({ names }: { names: string[] }) => secrets.find(names));

  const start = path.join(folder, "bundled", "start.py");
  const choose = (): Promise<void> => chooseInterpreter(start, folder, () => running.restart());
  const parts = { server, grader, report, picker, secrets, documents: readOnly, log, chooseInterpreter: choose };
  context.subscriptions.push(
    ...[log, server, evalDocuments, dialect, readOnly, picker, report, explorer, registerCommands(parts)],
    grader.onDidGrade(() => void report.refresh()),
    evalDocuments.onDidFind(() => void running.ready()),
  );

  void offerSchema(vscode.Uri.joinPath(context.extensionUri, "schema", "eval-file.schema.json"), (resource) =>
    hasSchema(textOf(resource)),
  );
  if (evalDocuments.open().length > 0 || (await hasEvalFile())) {
    void server.ready();
  }
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Return whether the workspace has a file named like an eval file. Others are recognised when opened. */
async function hasEvalFile(): Promise<boolean> {
  for (const names of [EVAL_FILE_GLOB, SUITE_FILE_GLOB]) {
    if ((await vscode.workspace.findFiles(names, "**/node_modules/**", 1)).length > 0) {
      return true;
    }
  }
  return false;
}

function textOf(resource: string): string {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === resource);
  return open?.getText() ?? "";
}
