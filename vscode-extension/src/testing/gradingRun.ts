// A test run that shows the grading of cases of one file.

import * as vscode from "vscode";
import { outcomeOf } from "../grading/outcomes";
import type { Result } from "../protocol";

export class GradingRun {
  private readonly waiting = new Set<vscode.TestItem>();
  // The outcome shown for each case, as text, to recognise an equal one.
  private readonly shown = new Map<string, string>();

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

  /** Mark items as running. */
  enqueue(items: readonly vscode.TestItem[]): void {
    for (const item of items) {
      const cases = [...item.children].map(([, each]) => each);
      for (const each of cases.length > 0 ? cases : [item]) {
        this.run.enqueued(each);
        this.run.started(each);
        this.waiting.add(each);
      }
    }
  }

  /** Show a result from a notification, which may belong to another grading of the same file. */
  take(result: Result): void {
    if (result.partial) {
      // Some criteria give no result for the whole case.
      return;
    }
    const item = this.itemOf(result.eval_id);
    const isAwaited = this.waiting.has(item) || (item.parent !== undefined && this.waiting.has(item.parent));
    if (isAwaited && !this.shown.has(item.id)) {
      this.show(result);
    }
  }

  /** Show a result of this grading, replacing an earlier one. */
  show(result: Result): void {
    const item = this.itemOf(result.eval_id);
    const outcome = outcomeOf(result);
    const text = JSON.stringify(outcome);
    if (this.shown.get(item.id) === text) {
      return;
    }
    this.shown.set(item.id, text);
    this.run.appendOutput(`${result.eval_id}: ${outcome.summary}\r\n`, undefined, item);
    if (outcome.state === "passed") {
      this.run.passed(item, result.duration_ms);
      return;
    }
    const texts = outcome.failures.length > 0 ? outcome.failures : [outcome.summary];
    const messages = texts.map((text) => messageAt(text, item));
    this.run[outcome.state](item, messages, result.duration_ms);
  }

  /** Mark the cases without a result as errors. */
  fail(message: string): void {
    for (const item of this.waiting) {
      if (!this.shown.has(item.id)) {
        this.run.errored(item, messageAt(message, item));
      }
    }
  }

  /** Stop listening for results. */
  close(): void {
    this.closed();
  }

  /** End the test run. */
  end(): void {
    this.closed();
    this.run.end();
  }
}

/** Return a message at the case. The server shows judgements of criteria as inlay hints. */
function messageAt(text: string, item: vscode.TestItem): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  if (item.uri && item.range) {
    message.location = new vscode.Location(item.uri, item.range);
  }
  return message;
}
