// The page that a person reads while judging: the answer first, then what it is judged by.

import type { JudgeRequest } from "../protocol";

/** Return the page as plain text, so that the answer stands there as it is. */
export function answerPage(request: JudgeRequest): string {
  const sections: [string, string | null][] = [
    [`Answer to ${request.caseId}`, request.answer],
    ["What a good answer achieves", request.expectedOutcome],
    ["A reference", request.reference],
    ["The task", request.task],
  ];
  return sections
    .flatMap(([title, text]) => (text ? [`${title}\n${"─".repeat(title.length)}\n${text}\n`] : []))
    .join("\n");
}
