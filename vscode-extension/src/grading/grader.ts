// Grading on behalf of the user: who judges, what the answer is, how far it has come, and what came of it.

import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";
import type { GradeArgument, Graded } from "../protocol";
import type { Came, Explorer } from "../testing/explorer";
import type { GradingRun } from "../testing/gradingRun";
import type { RubricClient } from "../server/client";
import { Progress, executeLong } from "../server/longCommand";
import type { Server } from "../server/server";
import { whenAny } from "../whenAny";
import { askForAnswer } from "./answer";
import { gradingSentence } from "./outcomes";
import { plainMessage } from "./plainMessage";
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
  async grade({ command, argument }: GradingCommand): Promise<Graded | undefined> {
    const client = await this.ready();
    if (!client) {
      return undefined;
    }
    const uri = vscode.Uri.parse(argument.uri);
    // For what is shown alone: the server knows better which case a position is in, above all of two with one id.
    const caseId =
      argument.caseId ?? (argument.position && (await this.explorer.caseAt(client, uri, argument.position)));
    const title = command === "rubric.gradeFile" ? vscode.workspace.asRelativePath(uri) : caseId;
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
    return vscode.window.withProgress({ ...options, title: `Grading ${title ?? ""}` }, async (progress, token) => {
      const run = this.begin(command, uri, caseId, argument.caseIds);
      const stop = whenAny(token, ...(run ? [run.token] : []));
      try {
        const came = await this.run(client, { command, argument }, stop.token, run, progress);
        this.tell([came]);
        return came.graded;
      } finally {
        stop.dispose();
        run?.end();
      }
    });
  }

  /** Grade some cases of a file for the Test Explorer, which shows the progress itself. */
  async gradeCases(uri: vscode.Uri, caseIds: readonly string[] | undefined, run: GradingRun): Promise<Came> {
    const client = await this.ready();
    if (!client) {
      return {};
    }
    const address = client.code2ProtocolConverter.asUri(uri);
    const single = caseIds?.length === 1 ? caseIds[0] : undefined;
    const order: GradingCommand = single
      ? { command: "rubric.gradeCase", argument: { uri: address, caseId: single } }
      : { command: "rubric.gradeFile", argument: { uri: address, ...(caseIds ? { caseIds } : {}) } };
    return this.run(client, order, run.token, run);
  }

  /** Tell the user what came of a grading, or of one file after the other. */
  tell(came: readonly Came[]): void {
    const graded = came.flatMap((each) => each.graded ?? []);
    if (graded.length > 0) {
      void this.tellResults(graded, came.length === 1 ? came[0]?.uri : undefined);
    }
    // One message is enough: the Test Explorer has that of each file.
    const wrong = came.find((each) => each.error !== undefined);
    if (wrong) {
      void refused(wrong.error);
    }
  }

  /** Return the client, where grading is allowed. */
  private async ready(): Promise<RubricClient | undefined> {
    if (!vscode.workspace.isTrusted) {
      void refused(new Error(UNTRUSTED));
      return undefined;
    }
    return this.server.wanted();
  }

  /** Begin to show a grading in the Test Explorer. What has no file and what is one criterion only is not shown there. */
  private begin(
    command: GradingCommand["command"],
    uri: vscode.Uri,
    caseId: string | undefined,
    caseIds: readonly string[] | undefined,
  ): GradingRun | undefined {
    if (uri.scheme !== "file") {
      return undefined;
    }
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
  ): Promise<Came> {
    const judge = order.argument.judge ?? this.judge();
    const argument = judge ? { ...order.argument, judge } : order.argument;
    try {
      const graded = await executeLong<Graded>(client, order.command, argument, token, progress);
      for (const result of graded.results) {
        run?.show(result);
      }
      this.graded.fire(graded);
      return { graded, uri: argument.uri };
    } catch (error) {
      const caseId = missingAnswer(error);
      if (caseId === undefined || argument.answer !== undefined) {
        run?.refuse(plainMessage(error));
        return { error };
      }
      const answer = await askForAnswer(caseId, (error as Error).message, token);
      if (answer === undefined) {
        return {};
      }
      const answered = { ...argument, answer, answers: { [caseId]: answer } };
      return this.run(client, { ...order, argument: answered }, token, run, progress);
    }
  }

  /** Tell what came of gradings in one sentence; that of one file offers its report. */
  private async tellResults(graded: readonly Graded[], uri: string | undefined): Promise<void> {
    const results = graded.flatMap((each) => each.results);
    const stopped = graded.some((each) => each.stopped);
    const offers = results.length > 0 && uri !== undefined ? [SHOW_REPORT] : [];
    const sentence = gradingSentence(results, stopped);
    if ((await vscode.window.showInformationMessage(sentence, ...offers)) === SHOW_REPORT) {
      await vscode.commands.executeCommand("rubric.showReport", { uri, run: graded[0]?.run });
    }
  }
}

/** Return the case for which there is no answer, where that is what the server says. */
function missingAnswer(error: unknown): string | undefined {
  const data: unknown = error instanceof ResponseError ? error.data : undefined;
  const told = data as { reason?: string; caseId?: string } | null | undefined;
  return told?.reason === "no-answer" ? (told.caseId ?? "") : undefined;
}
