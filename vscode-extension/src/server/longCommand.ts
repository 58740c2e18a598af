// Commands of the server that take their time: they tell how far they have come, and can be stopped.

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ProgressType, WorkDoneProgressCancelNotification, WorkDoneProgressReport } from "vscode-languageclient/node";
import type { RubricClient } from "./client";

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

const PROGRESS = new ProgressType<WorkDoneProgressReport>();

/** Have a command done. Cancelling it stops the work and keeps what was done by then, so there is an answer still. */
export async function executeLong<T>(
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
    client.onProgress(PROGRESS, workDoneToken, (told) => {
      const increment = (told.percentage ?? percentage) - percentage;
      percentage += increment;
      progress?.report({ message: told.message ?? "", increment });
    }),
  ];
  try {
    return await client.execute<T>({ command, argument, workDoneToken });
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
  }
}
