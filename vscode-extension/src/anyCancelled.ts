// Combines cancellation tokens.

import * as vscode from "vscode";

/** Return a source whose token is cancelled as soon as one of the given ones is. */
export function anyCancelled(...tokens: readonly vscode.CancellationToken[]): vscode.CancellationTokenSource {
  const source = new vscode.CancellationTokenSource();
  for (const token of tokens) {
    if (token.isCancellationRequested) {
      source.cancel();
    }
    token.onCancellationRequested(() => source.cancel());
  }
  return source;
}
