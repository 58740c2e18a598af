// A question to a judge as a conversation with a model.

import type { JudgeRequest } from "../protocol";

export interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Return what to say to a model: the question, and after each reply that could not be used, what was wrong with it. */
export function conversationOf(request: JudgeRequest): Said[] {
  // The editor's models take no system message of ours, so it stands at the start of the first one.
  const question: Said = { role: "user", text: `${request.system}\n\n${request.user}` };
  const repairs = (request.earlier ?? []).flatMap(({ reply, complaint }): Said[] => [
    { role: "assistant", text: reply },
    { role: "user", text: complaint },
  ]);
  return [question, ...repairs];
}
