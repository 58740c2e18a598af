// Long-running commands of the server, with progress and cancellation.

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ProgressType, WorkDoneProgressCancelNotification, WorkDoneProgressReport } from "vscode-languageclient/node";
import type { RubricClient } from "./client";

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

const PROGRESS = new ProgressType<WorkDoneProgressReport>();

/** Execute a command. After cancellation the server still returns the partial result. */
export async function executeWithProgress<T>(
  client: RubricClient,
  command: string,
  argument: object,
  token: vscode.CancellationToken,
  progress?: Progress,
): Promise<T> {
  const workDoneToken = `rubric-vscode-${randomUUID()}`;
  let percentage = 0;
  const subscriptions = [
    token.onCancellationRequested(() =>
      client.sendNotification(WorkDoneProgressCancelNotification.type, { token: workDoneToken }),
    ),
    client.onProgress(PROGRESS, workDoneToken, (report) => {
      const increment = (report.percentage ?? percentage) - percentage;
      percentage += increment;
      progress?.report({ message: report.message ?? "", increment });
    }),
  ];
  try {
    return await client.execute<T>({ command, argument, workDoneToken });
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
  }
}
