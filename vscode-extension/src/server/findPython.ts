// Looks for a Python: asks the Python extension, then runs each candidate once and lets it tell what it is.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { Candidate, Finding, best, candidates, readProbe } from "./interpreters";

const PYTHON_EXTENSION = "ms-python.python";
// A Python that says nothing for so long is not one to work with; neither is an extension.
const PATIENCE = 15_000;

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

/** Look for the Python that runs the server; `start` is the script that can tell what a Python is. */
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

/** Tell whether a Python can import a module that is installed for it. */
export async function canImport(executable: string, module: string, folder: string): Promise<boolean> {
  const candidate: Candidate = { command: executable, arguments: [], origin: "setting" };
  return (await run(candidate, ["-I", "-c", `import ${module}; print("yes")`], folder)).trim() === "yes";
}

/** Tell whether the settings say which Python runs the server. */
export function isSet(): boolean {
  return chosenInSettings() !== "";
}

/** Call back when the user chooses another environment in the Python extension, where that is there and active. */
export function onDidChangeEnvironment(changed: () => void): vscode.Disposable | undefined {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  // What an extension exports cannot be asked for before it is active.
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
  const enough = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined));
  // Whatever goes wrong in the other extension, there are further places to look at.
  return Promise.race([asked.catch(() => undefined), enough]);
}

function run(candidate: Candidate, options: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve) => {
    // The folder is the extension's own: on Windows a program of the same name in the current one would be taken.
    execFile(
      candidate.command,
      [...candidate.arguments, ...options],
      { cwd: folder, timeout: PATIENCE, windowsHide: true },
      (error, output) => resolve(error ? "" : output),
    );
  });
}
