// A model of the editor as judge, through the language model API. It needs no API key.

import * as vscode from "vscode";
import type { JudgeReply, JudgeRequest } from "../protocol";

const CHOSEN = "rubric.editorModel";
const WHY = "Rubric uses it to judge an answer by the criteria of an eval file.";

export class LanguageModelJudge {
  constructor(private readonly state: vscode.Memento) {}

  /** Return the models of the editor. */
  async models(): Promise<vscode.LanguageModelChat[]> {
    return vscode.lm.selectChatModels();
  }

  /** Use this model from now on, in this workspace. */
  async choose(model: vscode.LanguageModelChat): Promise<void> {
    await this.state.update(CHOSEN, model.id);
  }

  /** Ask the model and return its reply, which the server validates. */
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
      throw new Error(
        "The editor has no language model. Install an extension that provides one, or choose another judge.",
      );
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
  // The API has no system messages, so ours is the start of the first message.
  const question: Message = { role: "user", text: `${request.system}\n\n${request.user}` };
  const repairs = request.earlier.flatMap(({ reply, complaint }): Message[] => [
    { role: "assistant", text: reply },
    { role: "user", text: complaint },
  ]);
  return [question, ...repairs];
}
