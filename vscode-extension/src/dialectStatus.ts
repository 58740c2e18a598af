// Shows the dialect of the active eval file among the language status items.

import * as vscode from "vscode";
import { DialectNotification } from "./protocol";

export class DialectStatus implements vscode.Disposable {
  private readonly known = new Map<string, DialectNotification>();
  private readonly item = vscode.languages.createLanguageStatusItem("rubric.dialect", []);
  private readonly subscriptions: vscode.Disposable[] = [
    this.item,
    vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    vscode.workspace.onDidCloseTextDocument((document) => this.known.delete(document.uri.toString())),
  ];

  constructor() {
    this.item.name = "Rubric dialect";
  }

  /** Remember the dialect of a document. */
  update(notification: DialectNotification): void {
    this.known.set(vscode.Uri.parse(notification.uri).toString(), notification);
    this.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    const found = document && this.known.get(document.uri.toString());
    // An item without a selector is not shown.
    this.item.selector = found ? { language: document.languageId } : [];
    this.item.text = found?.title ?? "";
    this.item.detail = found?.reason ?? "";
  }
}
