// The language server: started when there is an eval file, started again when the user wants it, ended with the editor.

import * as path from "node:path";
import * as vscode from "vscode";
import { ServerOptions, State } from "vscode-languageclient/node";
import { DID_CHANGE_TRUST } from "../protocol";
import { whenAny } from "../whenAny";
import { RubricClient } from "./client";
import { Search, canImport, findPython, isSet, onDidChangeEnvironment } from "./findPython";
import { Probed, explainMissing, explainUngraded } from "./interpreters";

const CHOOSE = "Choose Python";
const LOG = "Show Log";
const TURNED_OFF = "Rubric is turned off; set `rubric.enable` to use it.";
// A change of these needs another process.
const RESTARTING = ["rubric.interpreter", "rubric.importStrategy", "rubric.enable"];

/** Something that must be set up on each client before it starts, such as the answer to a request of the server. */
export type Preparation = (client: RubricClient) => void;

export class Server implements vscode.Disposable {
  private starting: Promise<RubricClient | undefined> | undefined;
  // What the last start came to; undefined until it has come to something.
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

  /** Fires when a client is ready, at the first start and at each one after it. */
  readonly onDidStart = this.started.event;

  constructor(
    private readonly folder: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.status.name = "Rubric";
    this.tell("Not started", vscode.LanguageStatusSeverity.Information);
    this.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (this.starting && RESTARTING.some((name) => event.affectsConfiguration(name))) {
          void this.restart();
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.trust()),
    );
  }

  /** Set something up on this client and on each one that follows. */
  prepare(preparation: Preparation): void {
    this.preparations.push(preparation);
  }

  /** Answer a request of the server. It is called off by the server, or because the server is gone. */
  answer<P, R>(method: string, handler: (params: P, token: vscode.CancellationToken) => Promise<R>): void {
    this.prepare((client) =>
      client.onRequest(method, async (params: P, token: vscode.CancellationToken) => {
        const stop = whenAny(token, client.gone);
        try {
          return await handler(params, stop.token);
        } finally {
          stop.dispose();
        }
      }),
    );
  }

  /** Take a notification of the server. */
  take<P>(method: string, handler: (params: P) => void): void {
    this.prepare((client) => client.onNotification(method, handler));
  }

  /** Return the client, started if it has to be; undefined where it cannot be, which the user has been told. */
  ready(): Promise<RubricClient | undefined> {
    return (this.starting ??= this.start());
  }

  /** Return the client for what the user wants done now: a server that could not start or is gone is started again. */
  async wanted(): Promise<RubricClient | undefined> {
    if (!isTurnedOn()) {
      void vscode.window.showInformationMessage(TURNED_OFF);
      return undefined;
    }
    if (this.outcome === "failed" || this.outcome?.isOver) {
      await this.restart();
    }
    return this.ready();
  }

  /** Whether anybody asked for the server yet. */
  get wasAskedFor(): boolean {
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

  /** End the server, and wait for it. */
  async stop(): Promise<void> {
    const before = this.starting;
    this.starting = undefined;
    this.outcome = undefined;
    await this.end(before);
  }

  /** End what was started. A server that hangs is left to the client, which ends its process a little later. */
  private async end(starting: Promise<RubricClient | undefined> | undefined): Promise<void> {
    const client = await starting?.catch(() => undefined);
    client?.letGo();
    try {
      if (client?.state === State.Starting) {
        // One that comes back from a crash cannot be ended before it is there.
        await client.start();
      }
      await client?.dispose();
    } catch (error) {
      this.log.warn(`The server did not end by itself: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async start(): Promise<RubricClient | undefined> {
    if (!isTurnedOn()) {
      this.tell("Turned off", vscode.LanguageStatusSeverity.Information);
      return undefined;
    }
    this.tell("Starting", vscode.LanguageStatusSeverity.Information);
    this.status.busy = true;
    let client: RubricClient | undefined;
    try {
      return (client = await this.startClient());
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      this.tell("Cannot start", vscode.LanguageStatusSeverity.Error);
      void this.offer("The language server of Rubric cannot start; its log tells why.", LOG, "rubric.showLog");
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
    // A process that crashes comes back a few times, and then no more: the user sees at each moment how it stands.
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.tell(`Python ${python.version}`, vscode.LanguageStatusSeverity.Information);
      } else if (newState !== State.Starting) {
        this.tell("Not running", vscode.LanguageStatusSeverity.Error);
      }
    });
    await client.start();
    this.started.fire(client);
    return client;
  }

  /** Notice when another environment is chosen in the Python extension, unless the setting decides. */
  private listenToEnvironment(): void {
    this.environment?.dispose();
    this.environment = isSet() ? undefined : onDidChangeEnvironment(() => this.followEnvironment());
  }

  /** Follow changes one after the other: the Python extension may tell of one choice several times. */
  private followEnvironment(): void {
    this.following = this.following.then(() => this.restartWithOtherPython()).catch((error) => this.log.error(error));
  }

  /** Start anew with another Python; a change that leads to the same one must not interrupt a grading. */
  private async restartWithOtherPython(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const { chosen } = await findPython(this.bundled("start.py"), this.folder);
    if (chosen?.probed?.executable !== this.executable) {
      await this.restart();
    }
  }

  /** Return how the server is run with a Python; undefined where it cannot be, which the user has been told. */
  private async serverOptions(python: Probed): Promise<ServerOptions | undefined> {
    const options = { cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? this.folder };
    const own = vscode.workspace.getConfiguration("rubric").get("importStrategy") === "fromEnvironment";
    if (!own) {
      if (!python.grades) {
        void this.offer(explainUngraded(python), CHOOSE, "rubric.chooseInterpreter");
      }
      // Nothing that is installed for this Python, and no variable of the environment, reaches the server.
      const isolated = ["-I", "-S", "-X", "utf8", this.bundled("start.py"), "--stdio"];
      return { command: python.executable, args: isolated, options };
    }
    if (!(await canImport(python.executable, "rubric_server", this.folder))) {
      this.tell("Not installed", vscode.LanguageStatusSeverity.Error);
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
    this.tell("No Python", vscode.LanguageStatusSeverity.Error);
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

  private tell(state: string, severity: vscode.LanguageStatusSeverity): void {
    this.status.text = state;
    this.status.detail = "Rubric language server";
    this.status.severity = severity;
    this.status.command = { command: "rubric.showLog", title: LOG };
  }

  private bundled(name: string): string {
    return path.join(this.folder, "bundled", name);
  }
}

function isTurnedOn(): boolean {
  return vscode.workspace.getConfiguration("rubric").get("enable", true);
}
