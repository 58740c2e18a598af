// The client of the language server: what it is told about this editor, and which texts it is told of.

import * as vscode from "vscode";
import {
  CancellationToken,
  DynamicFeature,
  ExecuteCommandRequest,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  StaticFeature,
} from "vscode-languageclient/node";
import { CAPABILITIES } from "../protocol";

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
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method) {
      return;
    }
    super.registerFeature(feature);
  }

  /** Have a command done by the server. */
  execute<T>({ command, argument, workDoneToken }: CommandCall, token?: CancellationToken): Promise<T> {
    const params = { command, arguments: [argument], ...(workDoneToken ? { workDoneToken } : {}) };
    // A token that is not there must not be passed: it would become one more parameter.
    return token
      ? this.sendRequest<T>(ExecuteCommandRequest.method, params, token)
      : this.sendRequest<T>(ExecuteCommandRequest.method, params);
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
