// API keys and other secrets in the editor's secret storage. The server requests those that a judge or a target needs.

import * as vscode from "vscode";

const PREFIX = "rubric.secret.";
// The secret storage cannot list its keys, so the names are kept separately.
const NAMES = "rubric.secretNames";
const COMMON = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AZURE_OPENAI_API_KEY"];

export class Secrets {
  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly state: vscode.Memento,
  ) {}

  /** Return the stored secrets among these names. */
  async find(names: readonly string[]): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of names) {
      const value = await this.storage.get(PREFIX + name);
      if (value !== undefined) {
        found[name] = value;
      }
    }
    return found;
  }

  /** Ask for a value, and for its name if it is not given, and store them. */
  async set(known?: string): Promise<void> {
    const name = known ?? (await this.askName());
    if (!name) {
      return;
    }
    const value = await vscode.window.showInputBox({
      title: `Value of ${name}`,
      prompt: "Stored in the secret storage of the editor. Used if the environment variable is not set.",
      password: true,
      ignoreFocusOut: true,
    });
    if (value) {
      await this.storage.store(PREFIX + name, value);
      await this.state.update(NAMES, [...new Set([...this.names(), name])].sort());
      void vscode.window.setStatusBarMessage(`Stored the secret ${name}.`, 5000);
    }
  }

  /** Ask which secret to delete, and delete it. */
  async clear(): Promise<void> {
    const names = this.names();
    if (names.length === 0) {
      void vscode.window.showInformationMessage("No secrets are stored.");
      return;
    }
    const name = await vscode.window.showQuickPick(names, { title: "Which secret should be deleted?" });
    if (name) {
      await this.storage.delete(PREFIX + name);
      await this.state.update(
        NAMES,
        names.filter((each) => each !== name),
      );
      void vscode.window.setStatusBarMessage(`Deleted the secret ${name}.`, 5000);
    }
  }

  private names(): string[] {
    return this.state.get<string[]>(NAMES, []);
  }

  private async askName(): Promise<string | undefined> {
    const other = "Another name…";
    const known = [...new Set([...this.names(), ...COMMON])];
    const picked = await vscode.window.showQuickPick([...known, other], { title: "Name of the secret" });
    if (picked !== other) {
      return picked;
    }
    return vscode.window.showInputBox({
      title: "Name of the secret",
      prompt: "The name of the environment variable.",
      validateInput: (text) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? undefined : "Letters, digits and _ only."),
    });
  }
}
