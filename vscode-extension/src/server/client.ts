// The language client: its capabilities, documents and error handling.

import * as vscode from "vscode";
import {
  CancellationToken,
  DynamicFeature,
  ErrorAction,
  ErrorCodes,
  ErrorHandler,
  ExecuteCommandRequest,
  LanguageClient,
  LanguageClientOptions,
  ResponseError,
  ServerOptions,
  State,
  StaticFeature,
} from "vscode-languageclient/node";
import { CAPABILITIES } from "../protocol";
import { TracedObject, nameOf, loggable } from "./trace";

const DOCUMENTS = [
  { scheme: "file", language: "yaml" },
  { scheme: "untitled", language: "yaml" },
  { scheme: "file", language: "jsonl" },
  { scheme: "file", pattern: "**/*.jsonl" },
  { scheme: "file", pattern: "**/{rubric,pyproject}.toml" },
  { scheme: "file", pattern: "**/promptfooconfig*.json" },
];

/** A command of the server with its one argument. */
export interface CommandCall {
  readonly command: string;
  readonly argument: unknown;
  readonly workDoneToken?: string;
}

/** The language client. The extension registers the commands once, not at each start of the server. */
export class RubricClient extends LanguageClient {
  private process = new vscode.CancellationTokenSource();

  constructor(server: ServerOptions, log: vscode.LogOutputChannel) {
    super("rubric", "Rubric", server, options(log));
    this.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), rubric: CAPABILITIES };
      },
      initialize: () => undefined,
      getState: () => ({ kind: "static" }),
      clear: () => undefined,
    });
    this.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        this.disconnect();
      }
    });
    // The library has no other way to filter the trace format for tools.
    Object.assign(this, { traceObject: (data: TracedObject) => this.trace(nameOf(data)) });
  }

  /** Cancelled when the present process ends or must end. After a crash the same client gets a new token. */
  get gone(): vscode.CancellationToken {
    return this.process.token;
  }

  /** Whether the process has ended and is not restarted. */
  get isOver(): boolean {
    return this.state === State.Stopped || this.state === State.StartFailed;
  }

  /** Cancel the requests from and to the process. Nothing else does so when it crashes or hangs. */
  disconnect(): void {
    const before = this.process;
    this.process = new vscode.CancellationTokenSource();
    before.cancel();
    before.dispose();
  }

  override trace(message: string, data?: unknown): void {
    super.trace(message, loggable(message, data));
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method) {
      return;
    }
    super.registerFeature(feature);
  }

  /** Ignore write errors of a process that has ended: its end is handled separately. */
  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return { error: () => ({ action: ErrorAction.Continue, handled: true }), closed: () => usual.closed() };
  }

  /** Execute a command of the server. */
  execute<T>({ command, argument, workDoneToken }: CommandCall, token?: CancellationToken): Promise<T> {
    const params = { command, arguments: [argument], ...(workDoneToken ? { workDoneToken } : {}) };
    // An undefined token must not be passed: it would become another parameter.
    const response = token
      ? this.sendRequest<T>(ExecuteCommandRequest.method, params, token)
      : this.sendRequest<T>(ExecuteCommandRequest.method, params);
    return untilDisconnected(response, this.gone);
  }
}

/** Return the response, or fail when the process ends: one that hangs would never respond. */
async function untilDisconnected<T>(response: Promise<T>, gone: vscode.CancellationToken): Promise<T> {
  let listener: vscode.Disposable | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const rejected = new ResponseError(ErrorCodes.PendingResponseRejected, "The server is gone.");
    listener = gone.onCancellationRequested(() => reject(rejected));
  });
  try {
    return await Promise.race([response, failed]);
  } finally {
    listener?.dispose();
  }
}

function options(log: vscode.LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: DOCUMENTS,
    outputChannel: log,
    initializationOptions: () => ({ trusted: vscode.workspace.isTrusted }),
    // After three restarts the editor shows an error and offers the log.
    connectionOptions: { maxRestartCount: 3 },
    diagnosticPullOptions: { onChange: true, onSave: true, onTabs: false },
  };
}
