// Shows errors to the user. Apart from errors.ts, which tests import without the language client.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import { errorMessage, missingVariable } from "./errors";

const TRUST = "Manage Workspace Trust";
const SET_SECRET = "Set Secret";

/** Show an error, with a button that helps where there is one. What the user cancelled needs no message. */
export async function showError(error: unknown): Promise<void> {
  if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
    return;
  }
  const message = errorMessage(error);
  const variable = missingVariable(message);
  const buttons = vscode.workspace.isTrusted ? (variable ? [SET_SECRET] : []) : [TRUST];
  const picked = await vscode.window.showErrorMessage(message, ...buttons);
  if (picked === TRUST) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  } else if (picked === SET_SECRET) {
    await vscode.commands.executeCommand("rubric.setSecret", variable);
  }
}
