// What the server would not do, as the user reads it.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";

const TRUST = "Manage Workspace Trust";

/** Show why something was not done. What the user called off needs no message. */
export async function refused(error: unknown): Promise<void> {
  if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  const offers = vscode.workspace.isTrusted ? [] : [TRUST];
  if ((await vscode.window.showErrorMessage(message, ...offers)) === TRUST) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}
