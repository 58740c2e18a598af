// Choosing the Python that runs the server: from those that can be found, or any file.

import * as vscode from "vscode";
import { findPython } from "./findPython";
import { OLDEST } from "./interpreters";

interface Item extends vscode.QuickPickItem {
  readonly path?: string;
}

/** Let the user choose, and keep the choice in the settings. A change of these starts the server anew, as `restart` does. */
export async function chooseInterpreter(start: string, folder: string, restart: () => Promise<void>): Promise<void> {
  const browse: Item = { label: "$(folder) Another one…", detail: `Any Python ${OLDEST} or newer` };
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
  const automatic: Item = { label: "$(search) Look for one each time", detail: "The default", path: "" };
  const picked = await vscode.window.showQuickPick([browse, automatic, ...found], {
    title: "Which Python runs the language server of Rubric?",
  });
  const path = picked === browse ? await openFile() : picked?.path;
  if (path !== undefined) {
    const before = interpreter();
    const settings = vscode.workspace.getConfiguration("rubric");
    await settings.update("interpreter", path || undefined, targetOf(settings));
    if (interpreter() === before) {
      // The same Python may work now, and whoever chooses it again wants to see that.
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

/** Return where the choice is written: over that of the workspace, which would hide any other, else for the user. */
function targetOf(settings: vscode.WorkspaceConfiguration): vscode.ConfigurationTarget {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  return settings.inspect("interpreter")?.workspaceValue === undefined ? Global : Workspace;
}
