// The page that a person reads while judging: the answer first, then what it is judged by.

import type { JudgeRequest } from "../protocol";

/** Return the page as Markdown. The texts stand in fences that none of them can close. */
export function answerPage(request: JudgeRequest): string {
  const parts = [
    section("Answer", request.answer),
    section("Expected", request.expectedOutcome),
    request.reference ? section("Reference", request.reference) : "",
    section("Task", request.task),
  ];
  return `# ${request.caseId}, ${request.evaluator}\n\n${parts.filter(Boolean).join("\n")}`;
}

function section(title: string, text: string): string {
  const fence = "`".repeat(Math.max(3, ...runsOf(text).map((run) => run + 1)));
  return `## ${title}\n\n${fence}text\n${text}\n${fence}\n`;
}

/** Return how long the runs of backticks in a text are. */
function runsOf(text: string): number[] {
  return [...text.matchAll(/`+/g)].map(([run]) => run.length);
}
