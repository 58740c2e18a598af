// The Test Explorer: eval files with their cases, and what became of them. The marks in the gutter come with it.

import * as vscode from "vscode";
import {
  DocumentSymbol,
  DocumentSymbolRequest,
  Position,
  SymbolKind,
  WorkspaceSymbolRequest,
} from "vscode-languageclient/node";
import type { EvalDocuments } from "../evalDocuments";
import { EVAL_FILE_GLOB } from "../evalFiles";
import { outcomeOf } from "../grading/outcomes";
import type { GradedNotification, Result } from "../protocol";
import type { RubricClient } from "../server/client";
import type { Server } from "../server/server";
import { debounced } from "./debounce";

/** Has some cases of a file graded, all of them where none is named; ends when they are. */
export type GradeCases = (uri: vscode.Uri, caseIds: readonly string[] | undefined, run: GradingRun) => Promise<void>;

const LEFT_OUT = "**/node_modules/**";
// After the last keystroke, so many milliseconds until the cases are looked for again.
const PAUSE = 400;

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("rubric", "Rubric");
  private readonly running = new Set<GradingRun>();
  private readonly subscriptions: vscode.Disposable[] = [this.controller];

  constructor(
    private readonly server: Server,
    private readonly documents: EvalDocuments,
    private readonly grade: GradeCases,
  ) {
    this.controller.resolveHandler = (item) => (item ? this.openAndList(item) : this.findFiles());
    this.controller.refreshHandler = () => this.findFiles();
    this.controller.createRunProfile("Grade", vscode.TestRunProfileKind.Run, (request, token) =>
      this.runRequest(request, token),
    );
    const listLater = debounced(PAUSE, (document: vscode.TextDocument) => void this.list(document));
    const watcher = vscode.workspace.createFileSystemWatcher(EVAL_FILE_GLOB, false, true, false);
    this.subscriptions.push(
      watcher,
      watcher.onDidCreate((uri) => this.fileItem(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      documents.onDidFind((document) => void this.list(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => listLater(document)),
      server.onDidStart(() => this.listOpen()),
    );
  }

  /** Begin to show a grading of some cases, all of the file where none is named. */
  begin(uri: vscode.Uri, caseIds: readonly string[] | undefined): GradingRun {
    const file = this.fileItem(uri);
    const items = caseIds ? caseIds.map((id) => this.caseItem(file, id)) : [file];
    const request = new vscode.TestRunRequest(items);
    return this.track(uri, this.controller.createTestRun(request, file.label), items);
  }

  /** Return the case at a place, where there is one. */
  async caseAt(client: RubricClient, uri: vscode.Uri, { line }: Position): Promise<string | undefined> {
    const cases = await casesOf(client, uri);
    return cases.find(({ range }) => range.start.line <= line && line <= range.end.line)?.name;
  }

  /** Show what the server tells of a grading. */
  take(told: GradedNotification): void {
    const uri = vscode.Uri.parse(told.uri).toString();
    for (const run of this.running) {
      if (run.uri.toString() === uri) {
        told.cases.forEach(({ result }) => run.show(result));
      }
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Return the item of a case, made if it has to be. */
  caseItem(file: vscode.TestItem, id: string, range?: vscode.Range): vscode.TestItem {
    const key = `${file.id}#${id}`;
    let item = file.children.get(key);
    if (!item) {
      item = this.controller.createTestItem(key, id, file.uri);
      file.children.add(item);
    }
    if (range) {
      item.range = range;
    }
    return item;
  }

  private track(uri: vscode.Uri, run: vscode.TestRun, items: readonly vscode.TestItem[]): GradingRun {
    const file = this.fileItem(uri);
    const tracked = new GradingRun(
      uri,
      run,
      (id) => this.caseItem(file, id),
      () => this.running.delete(tracked),
    );
    this.running.add(tracked);
    tracked.enqueue(items);
    return tracked;
  }

  private async runRequest(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      for (const [file, cases] of this.wanted(request)) {
        if (token.isCancellationRequested || !file.uri) {
          break;
        }
        const tracked = this.track(file.uri, run, cases ?? [file]);
        await this.grade(
          file.uri,
          cases?.map((item) => item.label),
          tracked,
        );
        tracked.close();
      }
    } finally {
      run.end();
    }
  }

  /** Return the files of a request with the cases that are wanted of them; undefined means all. */
  private wanted(request: vscode.TestRunRequest): Map<vscode.TestItem, vscode.TestItem[] | undefined> {
    const excluded = new Set(request.exclude);
    const wanted = new Map<vscode.TestItem, vscode.TestItem[] | undefined>();
    for (const item of request.include ?? itemsOf(this.controller.items)) {
      const file = item.parent ?? item;
      const cases = item.parent ? [item] : itemsOf(item.children);
      const left = cases.filter((each) => !excluded.has(each));
      if (!excluded.has(file) && !excluded.has(item)) {
        const isWhole = !item.parent && left.length === cases.length;
        wanted.set(file, isWhole ? undefined : [...(wanted.get(file) ?? []), ...left]);
      }
    }
    return wanted;
  }

  /** Find the eval files of the workspace: by their names, and those that the server recognises by their content. */
  private async findFiles(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(EVAL_FILE_GLOB, LEFT_OUT)) {
      this.fileItem(uri);
    }
    const client = await this.server.ready();
    const symbols = await client?.sendRequest(WorkspaceSymbolRequest.method, { query: "" });
    for (const symbol of (symbols as { location: { uri: string } }[] | null | undefined) ?? []) {
      this.fileItem(vscode.Uri.parse(symbol.location.uri));
    }
    this.listOpen();
  }

  private listOpen(): void {
    for (const document of this.documents.open()) {
      void this.list(document);
    }
  }

  private async openAndList(file: vscode.TestItem): Promise<void> {
    if (file.uri) {
      file.busy = true;
      await this.list(await vscode.workspace.openTextDocument(file.uri));
      file.busy = false;
    }
  }

  /** List the cases of an open document, where it is an eval file. */
  private async list(document: vscode.TextDocument): Promise<void> {
    if (
      !this.server.wasAskedFor ||
      document.isClosed ||
      document.uri.scheme !== "file" ||
      !this.documents.has(document)
    ) {
      return;
    }
    const client = await this.server.ready();
    const version = document.version;
    const cases = client && (await casesOf(client, document.uri));
    if (!cases || document.version !== version) {
      return;
    }
    if (cases.length === 0 && !this.controller.items.get(document.uri.toString())) {
      return;
    }
    const file = this.fileItem(document.uri);
    // Of two cases with one id, which is a problem of its own, the first counts.
    const first = new Map([...cases].reverse().map((each) => [each.name, each]));
    const items = [...first.values()].map(({ name, selectionRange }) =>
      this.caseItem(file, name, client.protocol2CodeConverter.asRange(selectionRange)),
    );
    file.children.replace(items);
  }

  private fileItem(uri: vscode.Uri): vscode.TestItem {
    const key = uri.toString();
    let item = this.controller.items.get(key);
    if (!item) {
      item = this.controller.createTestItem(key, vscode.workspace.asRelativePath(uri), uri);
      item.canResolveChildren = true;
      this.controller.items.add(item);
    }
    return item;
  }
}

/** One grading of cases of one file, as the Test Explorer shows it. */
export class GradingRun {
  private readonly waiting = new Set<vscode.TestItem>();
  private readonly done = new Set<string>();

  constructor(
    readonly uri: vscode.Uri,
    private readonly run: vscode.TestRun,
    private readonly itemOf: (caseId: string) => vscode.TestItem,
    private readonly closed: () => void,
  ) {}

  /** Cancelled when the user stops the run. */
  get token(): vscode.CancellationToken {
    return this.run.token;
  }

  /** Show that these wait to be graded. */
  enqueue(items: readonly vscode.TestItem[]): void {
    for (const item of items) {
      const cases = itemsOf(item.children);
      for (const each of cases.length > 0 ? cases : [item]) {
        this.run.enqueued(each);
        this.run.started(each);
        this.waiting.add(each);
      }
    }
  }

  /** Show a result, unless it has been shown already. */
  show(result: Result): void {
    const item = this.itemOf(result.eval_id);
    if (this.done.has(item.id)) {
      return;
    }
    this.done.add(item.id);
    const outcome = outcomeOf(result);
    this.run.appendOutput(`${result.eval_id}: ${outcome.summary}\r\n`, undefined, item);
    if (outcome.state === "passed") {
      this.run.passed(item, result.duration_ms);
      return;
    }
    const texts = outcome.failures.length > 0 ? outcome.failures : [outcome.summary];
    const messages = texts.map((text) => messageAt(text, item));
    this.run[outcome.state](item, messages, result.duration_ms);
  }

  /** Show that the cases that still wait cannot be graded. */
  refuse(why: string): void {
    for (const item of this.waiting) {
      if (!this.done.has(item.id)) {
        this.run.errored(item, messageAt(why, item));
      }
    }
  }

  /** Take no more results. */
  close(): void {
    this.closed();
  }

  /** End the run as a whole. */
  end(): void {
    this.closed();
    this.run.end();
  }
}

/** Return a message that stands at the case; what was said of a criterion is a hint of the server behind it. */
function messageAt(text: string, item: vscode.TestItem): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  if (item.uri && item.range) {
    message.location = new vscode.Location(item.uri, item.range);
  }
  return message;
}

function itemsOf(collection: vscode.TestItemCollection): vscode.TestItem[] {
  return [...collection].map(([, item]) => item);
}

async function casesOf(client: RubricClient, uri: vscode.Uri): Promise<DocumentSymbol[]> {
  const params = { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) } };
  const symbols = await client.sendRequest<DocumentSymbol[] | null>(DocumentSymbolRequest.method, params);
  const all = (symbols ?? []).flatMap((symbol) => [symbol, ...(symbol.children ?? [])]);
  return all.filter(({ kind }) => kind === SymbolKind.Class);
}
