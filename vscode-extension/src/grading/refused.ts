// What the server would not do, as the user reads it.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import { missingVariable } from "./missingVariable";
import { plainMessage } from "./plainMessage";

const TRUST = "Manage Workspace Trust";
const SET_SECRET = "Set Secret";

/** Show why something was not done, with a way out where there is one. What the user called off needs no message. */
export async function refused(error: unknown): Promise<void> {
  if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
    return;
  }
  const message = plainMessage(error);
  const variable = missingVariable(message);
  const offers = vscode.workspace.isTrusted ? (variable ? [SET_SECRET] : []) : [TRUST];
  const picked = await vscode.window.showErrorMessage(message, ...offers);
  if (picked === TRUST) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  } else if (picked === SET_SECRET) {
    await vscode.commands.executeCommand("rubric.setSecret", variable);
  }
}
