// A model of the editor as judge, through its language model interface: who has one there needs no key.

import * as vscode from "vscode";
import type { JudgeReply, JudgeRequest } from "../protocol";

const CHOSEN = "rubric.editorModel";
const WHY = "Rubric asks it to judge an answer by the criteria of an eval file.";

export class LanguageModelJudge {
  constructor(private readonly state: vscode.Memento) {}

  /** Return the models that the editor offers. */
  async models(): Promise<vscode.LanguageModelChat[]> {
    return vscode.lm.selectChatModels();
  }

  /** Use this model from now on, in this workspace. */
  async choose(model: vscode.LanguageModelChat): Promise<void> {
    await this.state.update(CHOSEN, model.id);
  }

  /** Ask the model, and take what it says as it is: the server sees whether it is a judgement. */
  async judge(request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> {
    const model = await this.model();
    const messages = conversationOf(request).map(({ role, text }) =>
      role === "user" ? vscode.LanguageModelChatMessage.User(text) : vscode.LanguageModelChatMessage.Assistant(text),
    );
    const response = await model.sendRequest(messages, { justification: WHY }, token);
    let text = "";
    for await (const part of response.text) {
      text += part;
    }
    return { text, model: `${model.vendor}/${model.family}` };
  }

  private async model(): Promise<vscode.LanguageModelChat> {
    const models = await this.models();
    const chosen = models.find((model) => model.id === this.state.get(CHOSEN)) ?? models[0];
    if (!chosen) {
      throw new Error("This editor offers no language model; install an extension that does, or choose another judge.");
    }
    return chosen;
  }
}

interface Message {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Return the messages for a model: the question, and after each reply that was invalid, what was wrong with it. */
export function conversationOf(request: JudgeRequest): Message[] {
  // The editor's models take no system message of ours, so it stands at the start of the first one.
  const question: Message = { role: "user", text: `${request.system}\n\n${request.user}` };
  const repairs = request.earlier.flatMap(({ reply, complaint }): Message[] => [
    { role: "assistant", text: reply },
    { role: "user", text: complaint },
  ]);
  return [question, ...repairs];
}
