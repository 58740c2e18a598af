// Starts, restarts and stops the language server, and shows its status.

import * as path from "node:path";
import * as vscode from "vscode";
import { ServerOptions, State } from "vscode-languageclient/node";
import { DID_CHANGE_TRUST } from "../protocol";
import { anyCancelled } from "../anyCancelled";
import { RubricClient } from "./client";
import { Search, canImport, findPython, isSet, onDidChangeEnvironment } from "./findPython";
import { Probed, explainMissing, explainNoGrading } from "./interpreters";

const CHOOSE = "Choose Python";
const LOG = "Show Log";
const DISABLED = "Rubric is disabled. Set `rubric.enable` to use it.";
// A change of these settings restarts the server.
const RESTART_SETTINGS = ["rubric.interpreter", "rubric.importStrategy", "rubric.enable"];

/** Sets up a client before it starts, such as with a request handler. */
export type Preparation = (client: RubricClient) => void;

export class Server implements vscode.Disposable {
  private starting: Promise<RubricClient | undefined> | undefined;
  // The outcome of the last start, undefined while it is starting.
  private outcome: RubricClient | "failed" | undefined;
  private executable: string | undefined;
  private environment: vscode.Disposable | undefined;
  private following: Promise<void> = Promise.resolve();
  private readonly preparations: Preparation[] = [];
  private readonly started = new vscode.EventEmitter<RubricClient>();
  private readonly status = vscode.languages.createLanguageStatusItem("rubric.server", [
    { language: "yaml" },
    { language: "jsonl" },
  ]);
  private readonly subscriptions: vscode.Disposable[] = [this.started, this.status];

  /** Fires when a client is ready, also after a restart. */
  readonly onDidStart = this.started.event;

  constructor(
    private readonly folder: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.status.name = "Rubric";
    this.showStatus("Not started", vscode.LanguageStatusSeverity.Information);
    this.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (this.starting && RESTART_SETTINGS.some((name) => event.affectsConfiguration(name))) {
          void this.restart();
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.trust()),
    );
  }

  /** Set up each client that is started. */
  prepare(preparation: Preparation): void {
    this.preparations.push(preparation);
  }

  /** Handle a request of the server. It is cancelled by the server, or when the server ends. */
  answer<P, R>(method: string, handler: (params: P, token: vscode.CancellationToken) => Promise<R>): void {
    this.prepare((client) =>
      client.onRequest(method, async (params: P, token: vscode.CancellationToken) => {
        const stop = anyCancelled(token, client.gone);
        try {
          return await handler(params, stop.token);
        } finally {
          stop.dispose();
        }
      }),
    );
  }

  /** Handle a notification of the server. */
  take<P>(method: string, handler: (params: P) => void): void {
    this.prepare((client) => client.onNotification(method, handler));
  }

  /** Return the client, started if necessary; undefined if it cannot start, which was reported to the user. */
  ready(): Promise<RubricClient | undefined> {
    return (this.starting ??= this.start());
  }

  /** Return the client for a command of the user: a server that failed or ended is restarted. */
  async ensureStarted(): Promise<RubricClient | undefined> {
    if (!isEnabled()) {
      void vscode.window.showInformationMessage(DISABLED);
      return undefined;
    }
    if (this.outcome === "failed" || this.outcome?.isOver) {
      await this.restart();
    }
    return this.ready();
  }

  /** Whether the server was started. */
  get wasStarted(): boolean {
    return this.starting !== undefined;
  }

  async restart(): Promise<void> {
    const before = this.starting;
    this.outcome = undefined;
    this.starting = (async () => {
      await this.end(before);
      return this.start();
    })();
    await this.starting;
  }

  dispose(): void {
    this.environment?.dispose();
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  /** Stop the server and wait for its end. */
  async stop(): Promise<void> {
    const before = this.starting;
    this.starting = undefined;
    this.outcome = undefined;
    await this.end(before);
  }

  /** Stop a client. It kills the process of a server that hangs. */
  private async end(starting: Promise<RubricClient | undefined> | undefined): Promise<void> {
    const client = await starting?.catch(() => undefined);
    client?.disconnect();
    try {
      if (client?.state === State.Starting) {
        // A client that restarts after a crash cannot be stopped before it runs.
        await client.start();
      }
      await client?.dispose();
    } catch (error) {
      this.log.warn(`The server did not stop: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async start(): Promise<RubricClient | undefined> {
    if (!isEnabled()) {
      this.showStatus("Disabled", vscode.LanguageStatusSeverity.Information);
      return undefined;
    }
    this.showStatus("Starting", vscode.LanguageStatusSeverity.Information);
    this.status.busy = true;
    let client: RubricClient | undefined;
    try {
      return (client = await this.startClient());
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      this.showStatus("Cannot start", vscode.LanguageStatusSeverity.Error);
      void this.offer("The Rubric language server cannot start. See its log.", LOG, "rubric.showLog");
      return undefined;
    } finally {
      this.outcome = client ?? "failed";
      this.status.busy = false;
    }
  }

  private async startClient(): Promise<RubricClient | undefined> {
    const search = await findPython(this.bundled("start.py"), this.folder);
    this.listenToEnvironment();
    const python = search.chosen?.probed;
    this.executable = python?.executable;
    if (!python) {
      this.complain(search);
      return undefined;
    }
    this.log.info(`Python ${python.version}: ${python.executable} (${search.chosen?.candidate.origin})`);
    const server = await this.serverOptions(python);
    if (!server) {
      return undefined;
    }
    const client = new RubricClient(server, this.log);
    for (const preparation of this.preparations) {
      preparation(client);
    }
    // A process that crashes is restarted a few times; the status shows whether it runs.
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.showStatus(`Python ${python.version}`, vscode.LanguageStatusSeverity.Information);
      } else if (newState !== State.Starting) {
        this.showStatus("Not running", vscode.LanguageStatusSeverity.Error);
      }
    });
    await client.start();
    this.started.fire(client);
    return client;
  }

  /** Listen for changes of the environment in the Python extension, unless the setting names a Python. */
  private listenToEnvironment(): void {
    this.environment?.dispose();
    this.environment = isSet() ? undefined : onDidChangeEnvironment(() => this.followEnvironment());
  }

  /** Handle changes one after the other: the Python extension may report one several times. */
  private followEnvironment(): void {
    this.following = this.following.then(() => this.restartWithOtherPython()).catch((error) => this.log.error(error));
  }

  /** Restart if the Python is another one. A restart with the same one would interrupt grading. */
  private async restartWithOtherPython(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const { chosen } = await findPython(this.bundled("start.py"), this.folder);
    if (chosen?.probed?.executable !== this.executable) {
      await this.restart();
    }
  }

  /** Return the command that starts the server; undefined if it is not installed, which was reported to the user. */
  private async serverOptions(python: Probed): Promise<ServerOptions | undefined> {
    const options = { cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? this.folder };
    const own = vscode.workspace.getConfiguration("rubric").get("importStrategy") === "fromEnvironment";
    if (!own) {
      if (!python.grades) {
        void this.offer(explainNoGrading(python), CHOOSE, "rubric.chooseInterpreter");
      }
      // Isolated from installed packages and environment variables.
      const isolated = ["-I", "-S", "-X", "utf8", this.bundled("start.py"), "--stdio"];
      return { command: python.executable, args: isolated, options };
    }
    if (!(await canImport(python.executable, "rubric_server", this.folder))) {
      this.showStatus("Not installed", vscode.LanguageStatusSeverity.Error);
      const install = `${python.executable} -m pip install rubric-lsp`;
      void this.offer(
        `rubric-lsp is not installed for ${python.executable}. Run \`${install}\`, or set \`rubric.importStrategy\` to \`useBundled\`.`,
        CHOOSE,
        "rubric.chooseInterpreter",
      );
      return undefined;
    }
    return { command: python.executable, args: ["-I", "-X", "utf8", "-m", "rubric_server.main", "--stdio"], options };
  }

  private complain(search: Search): void {
    const message = explainMissing(search.findings);
    this.log.error(message);
    this.showStatus("No Python", vscode.LanguageStatusSeverity.Error);
    void this.offer(message, CHOOSE, "rubric.chooseInterpreter");
  }

  private async offer(message: string, button: string, command: string): Promise<void> {
    if ((await vscode.window.showErrorMessage(message, button)) === button) {
      await vscode.commands.executeCommand(command);
    }
  }

  private async trust(): Promise<void> {
    const client = await this.starting?.catch(() => undefined);
    await client?.sendNotification(DID_CHANGE_TRUST, { trusted: true });
  }

  private showStatus(state: string, severity: vscode.LanguageStatusSeverity): void {
    this.status.text = state;
    this.status.detail = "Rubric language server";
    this.status.severity = severity;
    this.status.command = { command: "rubric.showLog", title: LOG };
  }

  private bundled(name: string): string {
    return path.join(this.folder, "bundled", name);
  }
}

function isEnabled(): boolean {
  return vscode.workspace.getConfiguration("rubric").get("enable", true);
}
