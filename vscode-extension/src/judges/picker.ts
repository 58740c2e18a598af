// The judge in the status bar, chosen there and stored for the workspace.

import * as vscode from "vscode";
import type { EvalDocuments } from "../evalDocuments";
import { showError } from "../grading/showError";
import type { Judges } from "../protocol";
import type { Server } from "../server/server";
import { JudgeChoice, judgeChoices } from "./choices";
import type { LanguageModelJudge } from "./languageModel";

const CHOSEN = "rubric.judge";

/** The chosen judge. `label` is shown in the status bar. */
interface Chosen {
  readonly judge: string;
  readonly label: string;
}

type Item = JudgeChoice & vscode.QuickPickItem;

export class JudgePicker implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("rubric.judge", vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[] = [this.item];

  constructor(
    private readonly server: Server,
    private readonly state: vscode.Memento,
    private readonly models: LanguageModelJudge,
    private readonly documents: EvalDocuments,
  ) {
    this.item.name = "Rubric Judge";
    this.item.command = "rubric.chooseJudge";
    this.subscriptions.push(
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      documents.onDidFind(() => this.update()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()),
    );
    this.update();
  }

  /** The chosen judge, undefined for the one of the project. */
  get judge(): string | undefined {
    return this.state.get<Chosen>(CHOSEN)?.judge;
  }

  /** Let the user choose a judge. */
  async choose(): Promise<void> {
    const client = await this.server.ensureStarted();
    if (!client) {
      return;
    }
    const uri = vscode.window.activeTextEditor?.document.uri;
    // Only a file belongs to a project, whose judges may differ from those of the workspace.
    const argument = uri?.scheme === "file" ? { uri: client.code2ProtocolConverter.asUri(uri) } : {};
    try {
      const judges = await client.execute<Judges>({ command: "rubric.listJudges", argument });
      const picked = await this.pick(judges);
      if (picked) {
        await this.take(picked, await this.models.models());
      }
    } catch (error) {
      void showError(error);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Show the judges. Models that an extension adds later are added to the list. */
  private async pick(judges: Judges): Promise<Item | undefined> {
    const picker = vscode.window.createQuickPick<Item>();
    picker.title = "Choose a judge";
    const fill = async (): Promise<void> => {
      picker.items = judgeChoices(judges, await this.models.models());
    };
    const subscriptions: vscode.Disposable[] = [picker, vscode.lm.onDidChangeChatModels(() => void fill())];
    try {
      await fill();
      return await new Promise((resolve) => {
        subscriptions.push(
          picker.onDidAccept(() => resolve(picker.activeItems[0])),
          picker.onDidHide(() => resolve(undefined)),
        );
        picker.show();
      });
    } finally {
      vscode.Disposable.from(...subscriptions).dispose();
    }
  }

  private async take(picked: JudgeChoice, models: readonly vscode.LanguageModelChat[]): Promise<void> {
    const model = models.find(({ id }) => id === picked.model);
    if (model) {
      await this.models.choose(model);
    }
    if (picked.judge === "") {
      const name = await vscode.window.showInputBox({ title: "Judge", prompt: picked.description });
      await this.keep(name ? { judge: name, label: name } : this.state.get<Chosen>(CHOSEN));
    } else {
      await this.keep(picked.judge ? { judge: picked.judge, label: picked.label } : undefined);
    }
  }

  private async keep(chosen: Chosen | undefined): Promise<void> {
    await this.state.update(CHOSEN, chosen);
    this.update();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const isOurs = document !== undefined && this.documents.has(document);
    void vscode.commands.executeCommand("setContext", "rubric.isEvalFile", isOurs);
    if (!isOurs || !vscode.workspace.isTrusted) {
      this.item.hide();
      return;
    }
    const chosen = this.state.get<Chosen>(CHOSEN);
    this.item.text = `$(law) ${chosen?.label ?? "Judge"}`;
    this.item.tooltip = chosen ? `Rubric judge: ${chosen.label}` : "Rubric judge: the default of the project";
    this.item.show();
  }
}
