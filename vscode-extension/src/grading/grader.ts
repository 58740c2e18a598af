// Grading: passes the judge and the answer to the server, shows progress and results.

import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";
import type { GradeArgument, Graded } from "../protocol";
import type { FileOutcome, Explorer } from "../testing/explorer";
import type { GradingRun } from "../testing/gradingRun";
import type { RubricClient } from "../server/client";
import { Progress, executeWithProgress } from "../server/progressCommand";
import type { Server } from "../server/server";
import { anyCancelled } from "../anyCancelled";
import { askForAnswer } from "./answer";
import { gradingSummary } from "./outcomes";
import { errorMessage } from "./errors";
import { showError } from "./showError";

const SHOW_REPORT = "Show Report";

export interface GradingCommand {
  readonly command: "rubric.gradeCase" | "rubric.gradeFile" | "rubric.gradeCriterion";
  readonly argument: GradeArgument;
}

export class Grader {
  private readonly graded = new vscode.EventEmitter<Graded>();

  /** Fires when a grading ends. */
  readonly onDidGrade = this.graded.event;

  constructor(
    private readonly server: Server,
    private readonly explorer: Explorer,
    private readonly judge: () => string | undefined,
  ) {}

  /** Grade with a progress notification, for code lenses and the command palette. */
  async grade({ command, argument }: GradingCommand): Promise<Graded | undefined> {
    const client = await this.server.ensureStarted();
    if (!client) {
      return undefined;
    }
    const uri = vscode.Uri.parse(argument.uri);
    // Only to show them: the server resolves the position itself, also between two tests with the same id.
    const at = argument.caseId ?? argument.position;
    const tests = at === undefined ? [] : await this.explorer.testsAt(client, uri, at);
    const caseId = argument.caseId ?? tests[0]?.testId;
    const title = command === "rubric.gradeFile" ? vscode.workspace.asRelativePath(uri) : caseId;
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
    return vscode.window.withProgress({ ...options, title: `Grading ${title ?? ""}` }, async (progress, token) => {
      const caseIds = tests.length > 0 ? tests.map((test) => test.caseId) : caseId ? [caseId] : [];
      const run = this.begin(command, uri, caseIds, argument.caseIds);
      const stop = anyCancelled(token, ...(run ? [run.token] : []));
      try {
        const outcome = await this.run(client, { command, argument }, stop.token, run, progress);
        this.notify([outcome]);
        return outcome.graded;
      } finally {
        stop.dispose();
        run?.end();
      }
    });
  }

  /** Grade some cases of a file for the Test Explorer, which shows the progress itself. */
  async gradeCases(uri: vscode.Uri, caseIds: readonly string[] | undefined, run: GradingRun): Promise<FileOutcome> {
    const client = await this.server.ensureStarted();
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

  /** Notify the user of the outcome of a grading, or of one for each file. */
  notify(outcomes: readonly FileOutcome[]): void {
    const graded = outcomes.flatMap((each) => each.graded ?? []);
    if (graded.length > 0) {
      void this.notifyResults(graded, outcomes.length === 1 ? outcomes[0]?.uri : undefined);
    }
    // One error message is enough: the Test Explorer shows those of each file.
    const wrong = outcomes.find((each) => each.error !== undefined);
    if (wrong) {
      void showError(wrong.error);
    }
  }

  /** Start a test run for a grading, except for unsaved documents and single criteria. */
  private begin(
    command: GradingCommand["command"],
    uri: vscode.Uri,
    ofCase: readonly string[],
    ofFile: readonly string[] | undefined,
  ): GradingRun | undefined {
    if (uri.scheme !== "file") {
      return undefined;
    }
    if (command === "rubric.gradeFile") {
      return this.explorer.begin(uri, ofFile);
    }
    return command === "rubric.gradeCase" && ofCase.length > 0 ? this.explorer.begin(uri, ofCase) : undefined;
  }

  private async run(
    client: RubricClient,
    order: GradingCommand,
    token: vscode.CancellationToken,
    run: GradingRun | undefined,
    progress?: Progress,
  ): Promise<FileOutcome> {
    const judge = order.argument.judge ?? this.judge();
    const argument = judge ? { ...order.argument, judge } : order.argument;
    try {
      const graded = await executeWithProgress<Graded>(client, order.command, argument, token, progress);
      for (const result of graded.results) {
        run?.show(result);
      }
      this.graded.fire(graded);
      return { graded, uri: argument.uri };
    } catch (error) {
      const caseId = missingAnswer(error);
      if (caseId === undefined || argument.answer !== undefined) {
        run?.fail(errorMessage(error));
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

  /** Show a summary; that of one file has a button for its report. */
  private async notifyResults(graded: readonly Graded[], uri: string | undefined): Promise<void> {
    const results = graded.flatMap((each) => each.results);
    const stopped = graded.some((each) => each.stopped);
    const offers = results.length > 0 && uri !== undefined ? [SHOW_REPORT] : [];
    const sentence = gradingSummary(results, stopped);
    if ((await vscode.window.showInformationMessage(sentence, ...offers)) === SHOW_REPORT) {
      await vscode.commands.executeCommand("rubric.showReport", { uri, run: graded[0]?.run });
    }
  }
}

/** Return the case that has no answer, if that is the error of the server. */
function missingAnswer(error: unknown): string | undefined {
  const data: unknown = error instanceof ResponseError ? error.data : undefined;
  const details = data as { reason?: string; caseId?: string } | null | undefined;
  return details?.reason === "no-answer" ? (details.caseId ?? "") : undefined;
}
