// Lets the user choose the Python that runs the server.

import * as vscode from "vscode";
import { findPython } from "./findPython";
import { MIN_VERSION } from "./interpreters";

interface Item extends vscode.QuickPickItem {
  readonly path?: string;
}

/** Let the user choose, and store the choice in the settings. A change of these restarts the server. */
export async function chooseInterpreter(start: string, folder: string, restart: () => Promise<void>): Promise<void> {
  const browse: Item = { label: "$(folder) Browse…", detail: `Any Python ${MIN_VERSION} or newer` };
  const { findings } = await findPython(start, folder, { ignoreSetting: true });
  const found = findings.flatMap(({ candidate, probed }): Item[] =>
    probed?.fits
      ? [
          {
            label: `Python ${probed.version}`,
            description: candidate.origin,
            detail: probed.executable,
            path: probed.executable,
          },
        ]
      : [],
  );
  const automatic: Item = {
    label: "$(search) Automatic",
    detail: "Default: search for a Python at each start",
    path: "",
  };
  const picked = await vscode.window.showQuickPick([browse, automatic, ...found], {
    title: "Choose the Python for the Rubric language server",
  });
  const path = picked === browse ? await openFile() : picked?.path;
  if (path !== undefined) {
    const before = interpreter();
    const settings = vscode.workspace.getConfiguration("rubric");
    await settings.update("interpreter", path || undefined, targetOf(settings));
    if (interpreter() === before) {
      // The same choice does not change the settings, but the Python may work now.
      await restart();
    }
  }
}

function interpreter(): string | undefined {
  return vscode.workspace.getConfiguration("rubric").get<string>("interpreter");
}

async function openFile(): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: "Use", title: "Python" })) ?? [];
  return uri?.fsPath;
}

/** Return the workspace if it has a value, which would override that of the user, else the user. */
function targetOf(settings: vscode.WorkspaceConfiguration): vscode.ConfigurationTarget {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  return settings.inspect("interpreter")?.workspaceValue === undefined ? Global : Workspace;
}
