// The Test Explorer: eval files with their cases and results, also shown in the gutter.

import * as vscode from "vscode";
import type { Position } from "vscode-languageclient/node";
import type { EvalDocuments } from "../evalDocuments";
import { EVAL_FILE_GLOB, mayBeEvalFile } from "../evalFiles";
import type { Graded, GradedNotification, ListedTest, ListedTests } from "../protocol";
import type { RubricClient } from "../server/client";
import type { Server } from "../server/server";
import { debounced } from "./debounce";
import { GradingRun } from "./gradingRun";
import { selectedCases } from "./selectedCases";

/** The outcome of grading a file: results, or an error, or neither where the user cancelled. */
export interface FileOutcome {
  readonly graded?: Graded;
  readonly uri?: string;
  readonly error?: unknown;
}

/** The actions of the grader that the Test Explorer calls. */
export interface GradingActions {
  /** Grade some cases of a file, or all of them. */
  gradeCases(uri: vscode.Uri, caseIds: readonly string[] | undefined, run: GradingRun): Promise<FileOutcome>;
  /** Notify the user of the outcomes of a run. */
  notify(outcomes: readonly FileOutcome[]): void;
}

const EXCLUDED = "**/node_modules/**";
const IS_EXCLUDED = /\/node_modules(\/|$)/;
// Milliseconds after the last keystroke until the cases are listed again.
const DELAY = 400;
// With more new paths than this, one search replaces looking at each of them.
const MAX_PATHS = 20;

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("rubric", "Rubric");
  private readonly running = new Set<GradingRun>();
  private readonly subscriptions: vscode.Disposable[] = [this.controller];

  constructor(
    private readonly server: Server,
    private readonly documents: EvalDocuments,
    private readonly grades: GradingActions,
  ) {
    this.controller.resolveHandler = async (item) => (item ? this.openAndList(item) : void (await this.findFiles()));
    this.controller.refreshHandler = () => this.refresh();
    this.controller.createRunProfile("Grade", vscode.TestRunProfileKind.Run, (request, token) =>
      this.runRequest(request, token),
    );
    const listLater = debounced(DELAY, (document: vscode.TextDocument) => void this.list(document));
    const listAgain = debounced(DELAY, (key: string) => void this.listAgain(key));
    const created: vscode.Uri[] = [];
    const findLater = debounced(DELAY, () => void this.findInside(created.splice(0)));
    const changes = vscode.workspace.createFileSystemWatcher(EVAL_FILE_GLOB, true, false, true);
    // The editor reports a moved or deleted folder once, not each file in it.
    const moves = vscode.workspace.createFileSystemWatcher("**", false, true, false);
    this.subscriptions.push(
      ...[changes, moves],
      changes.onDidChange((uri) => listAgain(uri.toString())),
      moves.onDidCreate((uri) => {
        if (mayBeEvalFile(uri.path, "")) {
          void this.add(uri);
        } else if (!IS_EXCLUDED.test(uri.path)) {
          created.push(uri);
          findLater("created");
        }
      }),
      moves.onDidDelete((uri) => this.remove(uri)),
      documents.onDidFind((document) => void this.list(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => listLater(document)),
      server.onDidStart(() => this.listOpen()),
    );
  }

  /** Start a test run that shows the grading of some cases, or of all cases of the file. */
  begin(uri: vscode.Uri, caseIds: readonly string[] | undefined): GradingRun {
    const file = this.fileItem(uri);
    const items = caseIds ? caseIds.map((id) => this.caseItem(file, id)) : [file];
    const request = new vscode.TestRunRequest(items);
    return this.track(uri, this.controller.createTestRun(request, file.label), items);
  }

  /** Return the tests that are made of the one at a position, or of an id: none, one or several. */
  async testsAt(client: RubricClient, uri: vscode.Uri, at: Position | string): Promise<readonly ListedTest[]> {
    const document = await vscode.workspace.openTextDocument(uri);
    const tests = (await testsOf(client, document)) ?? [];
    if (typeof at === "string") {
      return tests.filter(({ caseId, testId }) => caseId === at || testId === at);
    }
    return tests.filter(({ range }) => range.start.line <= at.line && at.line <= range.end.line);
  }

  /** Update the test runs of a file from a notification of the server. */
  update(notification: GradedNotification): void {
    const uri = vscode.Uri.parse(notification.uri).toString();
    for (const run of this.running) {
      if (run.uri.toString() === uri) {
        notification.cases.forEach(({ result }) => run.take(result));
      }
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Return the test item of a case, created if necessary. */
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
    const all: FileOutcome[] = [];
    try {
      for (const [file, cases] of selectedCases(
        request.include ?? itemsOf(this.controller.items),
        request.exclude ?? [],
      )) {
        if (token.isCancellationRequested || !file.uri) {
          break;
        }
        const outcome = await this.runFile(run, file, file.uri, cases);
        all.push(outcome);
        // A file that cannot be graded does not affect the others, but stopping stops all of them.
        if (outcome.graded?.stopped ?? outcome.error === undefined) {
          break;
        }
      }
    } finally {
      run.end();
      this.grades.notify(all);
    }
  }

  private async runFile(
    run: vscode.TestRun,
    file: vscode.TestItem,
    uri: vscode.Uri,
    cases: readonly vscode.TestItem[] | undefined,
  ): Promise<FileOutcome> {
    const tracked = this.track(uri, run, cases ?? [file]);
    try {
      return await this.grades.gradeCases(
        uri,
        cases?.map((item) => item.label),
        tracked,
      );
    } finally {
      tracked.close();
    }
  }

  /**
   * Find the eval files of the workspace by their names, and those that the server recognises by their content. Return
   * the ids of all that were found, undefined if the server was not asked.
   */
  private async findFiles({ startsServer = false } = {}): Promise<Set<string> | undefined> {
    const named = await vscode.workspace.findFiles(EVAL_FILE_GLOB, EXCLUDED);
    const found = new Set(named.map((uri) => this.fileItem(uri).id));
    // Opening the Test Explorer for another language does not start the server.
    if (!startsServer && named.length === 0 && !this.server.wasStarted) {
      return undefined;
    }
    const client = await (startsServer ? this.server.ensureStarted() : this.server.ready());
    if (!client || client.isOver) {
      return undefined;
    }
    this.listOpen();
    const { files } = await client.execute<{ files: string[] }>({ command: "rubric.listFiles", argument: {} });
    for (const address of files) {
      found.add(this.fileItem(vscode.Uri.parse(address)).id);
    }
    return found;
  }

  /** Search for files and cases again. */
  private async refresh(): Promise<void> {
    // Files that are created during the search stay.
    const before = itemsOf(this.controller.items);
    const found = await this.findFiles({ startsServer: true });
    for (const file of before) {
      if (!file.uri || (found && !found.has(file.id)) || !(await exists(file.uri))) {
        this.controller.items.delete(file.id);
      } else if (file.children.size > 0) {
        await this.openAndList(file);
      }
    }
    // An open file that no search finds, such as one of another folder, can still be run.
    this.listOpen();
  }

  /** List an eval file that is new on the disk. */
  private async add(uri: vscode.Uri): Promise<void> {
    if (!IS_EXCLUDED.test(uri.path)) {
      this.fileItem(uri);
      // It may still be open from before it was deleted.
      await Promise.all(openAt(uri).map((document) => this.list(document)));
    }
  }

  /** List the eval files of new folders. Hundreds are created at once when a package is installed. */
  private async findInside(created: readonly vscode.Uri[]): Promise<void> {
    const isOneFolder = created.length <= MAX_PATHS && (await Promise.all(created.map(isFolder))).includes(true);
    if (created.length > MAX_PATHS || isOneFolder) {
      const named = await vscode.workspace.findFiles(EVAL_FILE_GLOB, EXCLUDED);
      named.forEach((uri) => this.fileItem(uri));
    }
  }

  /** Remove the items of a deleted file or folder. */
  private remove(uri: vscode.Uri): void {
    for (const { id } of itemsOf(this.controller.items)) {
      if (id === uri.toString() || id.startsWith(`${uri}/`)) {
        this.controller.items.delete(id);
      }
    }
  }

  /** List the cases of a file that changed on disk, if they were listed before and the file is not open. */
  private async listAgain(key: string): Promise<void> {
    const file = this.controller.items.get(key);
    if (file?.uri && file.children.size > 0 && openAt(file.uri).length === 0) {
      await this.openAndList(file);
    }
  }

  private listOpen(): void {
    for (const document of this.documents.open()) {
      void this.list(document);
    }
  }

  private async openAndList(file: vscode.TestItem): Promise<void> {
    if (!file.uri) {
      return;
    }
    file.busy = true;
    try {
      await this.list(await vscode.workspace.openTextDocument(file.uri));
    } catch (error) {
      if (await exists(file.uri)) {
        throw error;
      }
      this.controller.items.delete(file.id);
    } finally {
      file.busy = false;
    }
  }

  /** List the cases of an open document, if it is an eval file. */
  private async list(document: vscode.TextDocument): Promise<void> {
    if (
      !this.server.wasStarted ||
      document.isClosed ||
      document.uri.scheme !== "file" ||
      !this.documents.has(document)
    ) {
      return;
    }
    const client = await this.server.ready();
    if (!client || client.isOver) {
      return;
    }
    const version = document.version;
    const tests = await testsOf(client, document);
    if (!tests || document.version !== version) {
      return;
    }
    // The editor keeps the document of a deleted file for a while.
    const isListed = this.controller.items.get(document.uri.toString()) !== undefined;
    if (!isListed && (tests.length === 0 || !(await exists(document.uri)))) {
      return;
    }
    const file = this.fileItem(document.uri);
    const placed = tests.map(({ caseId, selectionRange }) =>
      this.caseItem(file, caseId, client.protocol2CodeConverter.asRange(selectionRange)),
    );
    file.children.replace(placed);
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

function itemsOf(collection: vscode.TestItemCollection): vscode.TestItem[] {
  return [...collection].map(([, item]) => item);
}

/** Return the open document of a file, if any. */
function openAt(uri: vscode.Uri): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => document.uri.toString() === uri.toString());
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await typeOf(uri)) !== undefined;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  return (await typeOf(uri)) === vscode.FileType.Directory;
}

/** Return the type of a path, undefined if it does not exist. */
async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => undefined,
  );
}

/**
 * Return the tests of a document as the server grades them: one test of the text may be several. Return undefined if it
 * does not know, or has listed an older text.
 */
async function testsOf(
  client: RubricClient,
  document: vscode.TextDocument,
): Promise<readonly ListedTest[] | undefined> {
  const argument = { uri: client.code2ProtocolConverter.asUri(document.uri) };
  try {
    const { version, tests } = await client.execute<ListedTests>({ command: "rubric.listTests", argument });
    return version === document.version ? tests : undefined;
  } catch {
    // The document was closed meanwhile.
    return undefined;
  }
}
