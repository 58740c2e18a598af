// Asks the user for the answer to grade if none is recorded and no target gives one.

import * as vscode from "vscode";

interface AnswerSource extends vscode.QuickPickItem {
  find(): Promise<string | undefined>;
}

/** Ask for the answer to a case. Return undefined if the user cancels or gives no text. */
export async function askForAnswer(
  caseId: string,
  why: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const title = `Where is the answer to ${caseId}?`;
  const options = { title, placeHolder: why, ignoreFocusOut: true };
  const source = await vscode.window.showQuickPick(answerSources(caseId, token), options, token);
  const answer = await source?.find();
  if (token.isCancellationRequested) {
    return undefined;
  }
  if (answer !== undefined && answer.trim() === "") {
    void vscode.window.showWarningMessage("The answer is empty. Nothing was graded.");
    return undefined;
  }
  return answer;
}

function answerSources(caseId: string, token: vscode.CancellationToken): AnswerSource[] {
  const selected = selectedText();
  const selection: AnswerSource[] = selected
    ? [{ label: "$(selection) The selected text", detail: firstLine(selected), find: async () => selected }]
    : [];
  return [
    ...selection,
    { label: "$(clippy) The clipboard", find: async () => vscode.env.clipboard.readText() },
    { label: "$(file) A file…", find: readFile },
    { label: "$(edit) Type it", find: async () => typeIt(caseId, token) },
  ];
}

function selectedText(): string | undefined {
  return vscode.window.visibleTextEditors
    .map(({ document, selection }) => document.getText(selection))
    .find((text) => text.trim() !== "");
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

async function readFile(): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: "Grade", title: "The answer" })) ?? [];
  return uri && new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function typeIt(caseId: string, token: vscode.CancellationToken): Promise<string | undefined> {
  return vscode.window.showInputBox({ title: `Answer to ${caseId}`, ignoreFocusOut: true }, token);
}
