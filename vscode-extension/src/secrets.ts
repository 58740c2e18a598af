// Keys and other secrets, in the editor's secret storage. The server asks for those that a judge or a target needs.

import * as vscode from "vscode";

const PREFIX = "rubric.secret.";
// The names alone: the storage cannot tell which secrets it has.
const NAMES = "rubric.secretNames";
const USUAL = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AZURE_OPENAI_API_KEY"];

export class Secrets {
  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly state: vscode.Memento,
  ) {}

  /** Return the secrets of these names, as far as there are any. */
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

  /** Ask for a value, and for its name where that is not known, and keep them. */
  async set(known?: string): Promise<void> {
    const name = known ?? (await this.askName());
    if (!name) {
      return;
    }
    const value = await vscode.window.showInputBox({
      title: `Value of ${name}`,
      prompt: "Kept in the secret storage of the editor; used where the environment does not have it.",
      password: true,
      ignoreFocusOut: true,
    });
    if (value) {
      await this.storage.store(PREFIX + name, value);
      await this.state.update(NAMES, [...new Set([...this.names(), name])].sort());
      void vscode.window.setStatusBarMessage(`Rubric keeps ${name}.`, 5000);
    }
  }

  /** Ask which secret to forget, and forget it. */
  async clear(): Promise<void> {
    const names = this.names();
    if (names.length === 0) {
      void vscode.window.showInformationMessage("Rubric keeps no secret.");
      return;
    }
    const name = await vscode.window.showQuickPick(names, { title: "Forget which secret?" });
    if (name) {
      await this.storage.delete(PREFIX + name);
      await this.state.update(
        NAMES,
        names.filter((each) => each !== name),
      );
      void vscode.window.setStatusBarMessage(`Rubric has forgotten ${name}.`, 5000);
    }
  }

  private names(): string[] {
    return this.state.get<string[]>(NAMES, []);
  }

  private async askName(): Promise<string | undefined> {
    const other = "Another name…";
    const known = [...new Set([...this.names(), ...USUAL])];
    const picked = await vscode.window.showQuickPick([...known, other], { title: "Name of the secret" });
    if (picked !== other) {
      return picked;
    }
    return vscode.window.showInputBox({
      title: "Name of another secret",
      prompt: "As the environment variable is called.",
      validateInput: (text) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? undefined : "Letters, digits and _ only."),
    });
  }
}
