// Grading on behalf of the user: who judges, what the answer is, how far it has come, and what came of it.

import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";
import type { GradeArgument, Graded } from "../protocol";
import type { Explorer, GradingRun } from "../testing/explorer";
import type { RubricClient } from "../server/client";
import { Progress, executeLong } from "../server/longCommand";
import type { Server } from "../server/server";
import { askForAnswer } from "./answer";
import { gradingSentence } from "./outcomes";
import { refused } from "./refused";

const UNTRUSTED = "Grading runs commands and sends text to judges; trust this workspace first.";
const SHOW_REPORT = "Show Report";

export interface GradingCommand {
  readonly command: "rubric.gradeCase" | "rubric.gradeFile" | "rubric.gradeCriterion";
  readonly argument: GradeArgument;
}

export class Grader {
  private readonly graded = new vscode.EventEmitter<Graded>();

  /** Fires when a grading is over. */
  readonly onDidGrade = this.graded.event;

  constructor(
    private readonly server: Server,
    private readonly explorer: Explorer,
    private readonly judge: () => string | undefined,
  ) {}

  /** Grade with the progress on the screen, as the lens and the palette do. */
  async grade({ command, argument: given }: GradingCommand): Promise<Graded | undefined> {
    const client = await this.ready();
    if (!client) {
      return undefined;
    }
    const uri = vscode.Uri.parse(given.uri);
    const caseId = given.caseId ?? (given.position && (await this.explorer.caseAt(client, uri, given.position)));
    const argument = command === "rubric.gradeCase" && caseId ? { ...given, caseId } : given;
    const title = command === "rubric.gradeFile" ? vscode.workspace.asRelativePath(uri) : caseId;
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
    return vscode.window.withProgress({ ...options, title: `Grading ${title ?? ""}` }, async (progress, token) => {
      const run = this.begin(command, uri, caseId, given.caseIds);
      const stop = whenAny(token, ...(run ? [run.token] : []));
      try {
        return await this.run(client, { command, argument }, stop.token, run, progress);
      } finally {
        stop.dispose();
        run?.end();
      }
    });
  }

  /** Grade some cases of a file for the Test Explorer, which shows the progress itself. */
  async gradeCases(uri: vscode.Uri, caseIds: readonly string[] | undefined, run: GradingRun): Promise<void> {
    const client = await this.ready();
    if (client) {
      const address = client.code2ProtocolConverter.asUri(uri);
      const single = caseIds?.length === 1 ? caseIds[0] : undefined;
      const order: GradingCommand = single
        ? { command: "rubric.gradeCase", argument: { uri: address, caseId: single } }
        : { command: "rubric.gradeFile", argument: { uri: address, ...(caseIds ? { caseIds } : {}) } };
      await this.run(client, order, run.token, run);
    }
  }

  /** Return the client, where grading is allowed. */
  private async ready(): Promise<RubricClient | undefined> {
    if (!vscode.workspace.isTrusted) {
      void refused(new Error(UNTRUSTED));
      return undefined;
    }
    return this.server.ready();
  }

  /** Begin to show a grading in the Test Explorer. One criterion says nothing of the case, so it is not shown there. */
  private begin(
    command: GradingCommand["command"],
    uri: vscode.Uri,
    caseId: string | undefined,
    caseIds: readonly string[] | undefined,
  ): GradingRun | undefined {
    if (command === "rubric.gradeFile") {
      return this.explorer.begin(uri, caseIds);
    }
    return command === "rubric.gradeCase" && caseId ? this.explorer.begin(uri, [caseId]) : undefined;
  }

  private async run(
    client: RubricClient,
    order: GradingCommand,
    token: vscode.CancellationToken,
    run: GradingRun | undefined,
    progress?: Progress,
  ): Promise<Graded | undefined> {
    const judge = order.argument.judge ?? this.judge();
    const argument = judge ? { ...order.argument, judge } : order.argument;
    try {
      const graded = await executeLong<Graded>(client, order.command, argument, token, progress);
      for (const result of graded.results) {
        run?.show(result);
      }
      this.graded.fire(graded);
      void this.tell(graded, argument.uri);
      return graded;
    } catch (error) {
      const caseId = missingAnswer(error);
      if (caseId === undefined || argument.answer !== undefined) {
        run?.refuse(error instanceof Error ? error.message : String(error));
        void refused(error);
        return undefined;
      }
      const answer = await askForAnswer(caseId, (error as Error).message);
      if (answer === undefined) {
        return undefined;
      }
      const answered = { ...argument, answer, answers: { [caseId]: answer } };
      return this.run(client, { ...order, argument: answered }, token, run, progress);
    }
  }

  private async tell({ results, stopped, run }: Graded, uri: string): Promise<void> {
    const sentence = gradingSentence(results, stopped);
    const offers = results.length > 0 ? [SHOW_REPORT] : [];
    if ((await vscode.window.showInformationMessage(sentence, ...offers)) === SHOW_REPORT) {
      await vscode.commands.executeCommand("rubric.showReport", { uri, run });
    }
  }
}

/** Return a source whose token is cancelled as soon as one of the given ones is. */
function whenAny(...tokens: vscode.CancellationToken[]): vscode.CancellationTokenSource {
  const source = new vscode.CancellationTokenSource();
  for (const token of tokens) {
    token.onCancellationRequested(() => source.cancel());
  }
  return source;
}

/** Return the case for which there is no answer, where that is what the server says. */
function missingAnswer(error: unknown): string | undefined {
  const data: unknown = error instanceof ResponseError ? error.data : undefined;
  const told = data as { reason?: string; caseId?: string } | null | undefined;
  return told?.reason === "no-answer" ? (told.caseId ?? "") : undefined;
}
