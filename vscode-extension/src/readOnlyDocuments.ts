// Read-only documents: prompts, comparisons, the answer that a person judges.

import * as vscode from "vscode";

const SCHEME = "rubric";

/** A document that is shown. */
export interface ShownDocument {
  close(): Promise<void>;
}

export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** Show a text as the active editor, beside it, or below it, where no quick pick covers it. */
  async show(name: string, text: string, where: "front" | "beside" | "below" = "front"): Promise<ShownDocument> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    if (where === "below") {
      await vscode.commands.executeCommand("workbench.action.newGroupBelow");
    }
    const viewColumn = where === "beside" ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: where !== "front", preview: true });
    return { close: () => close(uri) };
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

async function close(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs, true);
}
