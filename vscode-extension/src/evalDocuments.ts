// The open texts that may be eval files. A large text is looked through once; after that only what is typed.

import * as vscode from "vscode";
import { LANGUAGES, mayBeEvalFile } from "./evalFiles";

const SCHEMES: readonly string[] = ["file", "untitled"];

export class EvalDocuments implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, boolean>();
  private readonly found = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly subscriptions: vscode.Disposable[] = [this.found];

  /** Fires when an open text turns out to be one: when it is opened, or while it is typed. */
  readonly onDidFind = this.found.event;

  constructor() {
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => this.has(document)),
      // A text that gets another language is closed and opened again, as the same object.
      vscode.workspace.onDidCloseTextDocument((document) => this.known.delete(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.lookAt(event)),
    );
  }

  /** Tell whether an open text may be an eval file. */
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

  /** Return those that are open now. */
  open(): vscode.TextDocument[] {
    return vscode.workspace.textDocuments.filter((document) => this.has(document));
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private lookAt({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
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
