// Searches for a Python: asks the Python extension, then probes each candidate.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { Candidate, Finding, best, candidates, readProbe } from "./interpreters";

const PYTHON_EXTENSION = "ms-python.python";
// Milliseconds to wait for a Python or for the Python extension.
const TIMEOUT = 15_000;

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export interface Search {
  readonly chosen: Finding | undefined;
  readonly findings: readonly Finding[];
}

/** Search for the Python that runs the server. `start` is the script that probes a Python. */
export async function findPython(start: string, folder: string, { ignoreSetting = false } = {}): Promise<Search> {
  const setting = ignoreSetting ? "" : chosenInSettings();
  const fromExtension = setting || !vscode.workspace.isTrusted ? undefined : await environmentOfPythonExtension();
  const findings: Finding[] = [];
  for (const candidate of candidates(setting, fromExtension, process.platform)) {
    const probed = readProbe(await run(candidate, ["-I", "-S", start, "--probe"], folder));
    findings.push(probed ? { candidate, probed } : { candidate });
    if (probed?.fits && probed.grades) {
      break;
    }
  }
  return { chosen: best(findings), findings };
}

/** Return whether a Python can import an installed module. */
export async function canImport(executable: string, module: string, folder: string): Promise<boolean> {
  const candidate: Candidate = { command: executable, arguments: [], origin: "setting" };
  return (await run(candidate, ["-I", "-c", `import ${module}; print("yes")`], folder)).trim() === "yes";
}

/** Return whether the settings name a Python. */
export function isSet(): boolean {
  return chosenInSettings() !== "";
}

/** Call a function when the environment of the Python extension changes, if the extension is active. */
export function onDidChangeEnvironment(changed: () => void): vscode.Disposable | undefined {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  // The exports of an extension cannot be read before it is active.
  const environments = extension?.isActive ? extension.exports?.environments : undefined;
  return environments?.onDidChangeActiveEnvironmentPath(changed);
}

function chosenInSettings(): string {
  return vscode.workspace.getConfiguration("rubric").get<string>("interpreter", "").trim();
}

async function environmentOfPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  if (!extension) {
    return undefined;
  }
  const asked = (async () => {
    const environments = (await extension.activate())?.environments;
    const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return (path && (await environments?.resolveEnvironment(path)))?.executable.uri?.fsPath;
  })();
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT, undefined));
  // An error of the other extension leaves the other candidates.
  return Promise.race([asked.catch(() => undefined), timeout]);
}

function run(candidate: Candidate, options: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve) => {
    // Run in our own folder: Windows prefers a program of the same name in the current folder.
    execFile(
      candidate.command,
      [...candidate.arguments, ...options],
      { cwd: folder, timeout: TIMEOUT, windowsHide: true },
      (error, output) => resolve(error ? "" : output),
    );
  });
}
