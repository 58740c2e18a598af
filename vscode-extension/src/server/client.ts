// The client of the language server: what it is told about this editor, and which texts it is told of.

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
import { TracedObject, nameOf, writable } from "./trace";

const DOCUMENTS = [
  { scheme: "file", language: "yaml" },
  { scheme: "untitled", language: "yaml" },
  { scheme: "file", language: "jsonl" },
  { scheme: "file", pattern: "**/*.jsonl" },
  { scheme: "file", pattern: "**/{rubric,pyproject}.toml" },
];

/** A command of the server with its one argument. */
export interface CommandCall {
  readonly command: string;
  readonly argument: unknown;
  readonly workDoneToken?: string;
}

/** The client. The commands of the server are registered once by the extension, not at each start of the server. */
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
        this.letGo();
      }
    });
    // The library writes this form where somebody sets it up by hand, and has no other way to filter it.
    Object.assign(this, { traceObject: (data: TracedObject) => this.trace(nameOf(data)) });
  }

  /** Cancelled when the process that runs now is gone, or has to go. After a crash the same client has another one. */
  get gone(): vscode.CancellationToken {
    return this.process.token;
  }

  /** Whether the process is gone for good. */
  get isOver(): boolean {
    return this.state === State.Stopped || this.state === State.StartFailed;
  }

  /** Wait no more for the process, and call off what it asked for: nobody else does where it crashes or hangs. */
  letGo(): void {
    const before = this.process;
    this.process = new vscode.CancellationTokenSource();
    before.cancel();
    before.dispose();
  }

  override trace(message: string, data?: unknown): void {
    super.trace(message, writable(message, data));
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method) {
      return;
    }
    super.registerFeature(feature);
  }

  /** Leave it to the end of the process what is done about it: what is written to one that is gone fails before that. */
  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return { error: () => ({ action: ErrorAction.Continue, handled: true }), closed: () => usual.closed() };
  }

  /** Have a command done by the server. */
  execute<T>({ command, argument, workDoneToken }: CommandCall, token?: CancellationToken): Promise<T> {
    const params = { command, arguments: [argument], ...(workDoneToken ? { workDoneToken } : {}) };
    // A token that is not there must not be passed: it would become one more parameter.
    const answered = token
      ? this.sendRequest<T>(ExecuteCommandRequest.method, params, token)
      : this.sendRequest<T>(ExecuteCommandRequest.method, params);
    return unlessGone(answered, this.gone);
  }
}

/** Return what is promised, or fail when the process goes: the answer of one that hangs would be waited for for ever. */
async function unlessGone<T>(answered: Promise<T>, gone: vscode.CancellationToken): Promise<T> {
  let listener: vscode.Disposable | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const rejected = new ResponseError(ErrorCodes.PendingResponseRejected, "The server is gone.");
    listener = gone.onCancellationRequested(() => reject(rejected));
  });
  try {
    return await Promise.race([answered, failed]);
  } finally {
    listener?.dispose();
  }
}

function options(log: vscode.LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: DOCUMENTS,
    outputChannel: log,
    initializationOptions: () => ({ trusted: vscode.workspace.isTrusted }),
    // Where the server is gone, the editor says so once and offers the log; it does not come up again and again.
    connectionOptions: { maxRestartCount: 3 },
    diagnosticPullOptions: { onChange: true, onSave: true, onTabs: false },
  };
}
