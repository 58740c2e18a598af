// The answer to the server when it asks this editor to judge.

import * as vscode from "vscode";
import type { JudgeReply, JudgeRequest } from "../protocol";
import type { LanguageModelJudge } from "./languageModel";
import type { ManualJudge } from "./manual";

/** Return the function that answers: with the person, or with a model of the editor. */
export function answerAsJudge(person: ManualJudge, models: LanguageModelJudge) {
  const judges = { manual: person, editor: models };
  return (request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> =>
    judges[request.judge].judge(request, token);
}
