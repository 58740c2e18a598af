// Handles the request `rubric/judge`.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import type { JudgeReply, JudgeRequest } from "../protocol";
import type { LanguageModelJudge } from "./languageModel";
import type { ManualJudge } from "./manual";

/** Return a handler that asks the person, or a model of the editor. */
export function judgeRequestHandler(person: ManualJudge, models: LanguageModelJudge) {
  const judges = { manual: person, editor: models };
  return async (request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> => {
    try {
      return await judges[request.judge].judge(request, token);
    } catch (error) {
      // The library would put the name of the request before the message of any other error.
      throw new ResponseError(LSPErrorCodes.RequestFailed, error instanceof Error ? error.message : String(error));
    }
  };
}
