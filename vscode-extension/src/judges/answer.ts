// The answer to the server when it asks this editor to judge.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import type { JudgeReply, JudgeRequest } from "../protocol";
import type { LanguageModelJudge } from "./languageModel";
import type { ManualJudge } from "./manual";

/** Return the function that answers: with the person, or with a model of the editor. */
export function answerAsJudge(person: ManualJudge, models: LanguageModelJudge) {
  const judges = { manual: person, editor: models };
  return async (request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> => {
    try {
      return await judges[request.judge].judge(request, token);
    } catch (error) {
      // Any other error would reach the user behind the name of the request.
      throw new ResponseError(LSPErrorCodes.RequestFailed, error instanceof Error ? error.message : String(error));
    }
  };
}
