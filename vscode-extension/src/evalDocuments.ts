// The open documents that may be eval files. A document is searched once, after that only its changes.

import * as vscode from "vscode";
import { LANGUAGES, mayBeEvalFile } from "./evalFiles";

const SCHEMES: readonly string[] = ["file", "untitled"];

export class EvalDocuments implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, boolean>();
  private readonly found = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly subscriptions: vscode.Disposable[] = [this.found];

  /** Fires when an open document is recognised as one: when it is opened or edited. */
  readonly onDidFind = this.found.event;

  constructor() {
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => this.has(document)),
      // A change of language closes and opens the same document object.
      vscode.workspace.onDidCloseTextDocument((document) => this.known.delete(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.onChange(event)),
    );
  }

  /** Return whether an open document may be an eval file. */
  has(document: vscode.TextDocument): boolean {
    let known = this.known.get(document);
    if (known === undefined) {
      known =
        SCHEMES.includes(document.uri.scheme) &&
        LANGUAGES.includes(document.languageId) &&
        (mayBeEvalFile(document.uri.path, "") || mayBeEvalFile("", document.getText()));
      this.note(document, known);
    }
    return known;
  }

  /** Return the open ones. */
  open(): vscode.TextDocument[] {
    return vscode.workspace.textDocuments.filter((document) => this.has(document));
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private onChange({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (!LANGUAGES.includes(document.languageId) || this.has(document)) {
      return;
    }
    const lines = contentChanges.map(({ range, text }) => `${document.lineAt(range.start.line).text}\n${text}`);
    if (lines.some((line) => mayBeEvalFile("", line))) {
      this.note(document, true);
    }
  }

  private note(document: vscode.TextDocument, known: boolean): void {
    this.known.set(document, known);
    if (known) {
      this.found.fire(document);
    }
  }
}
