// The user as judge: fills in the form of the server in quick picks, one after the other.

import * as vscode from "vscode";
import type { Decision, FormChoice, FormItem, JudgeForm, JudgeReply, JudgeRequest } from "../protocol";
import type { ReadOnlyDocuments } from "../readOnlyDocuments";

/** What the user can do instead of deciding. */
type Move = "back" | "stop" | "skip";

const STOP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-stop"), tooltip: "Stop judging" };
const SKIP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-step-over"), tooltip: "Skip this case" };
const REASON: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("comment"),
  tooltip: "Choose and give a reason",
};

const MOVES = new Map<vscode.QuickInputButton, Move>([
  [STOP, "stop"],
  [SKIP, "skip"],
]);
const CONTINUE = "Continue";
const STOP_JUDGING = "Stop Judging";

interface Item extends vscode.QuickPickItem {
  readonly choice?: FormChoice;
  /** The item of the form to go back to. */
  readonly place?: number;
}

export class ManualJudge {
  // One form at a time, even if several cases are graded in parallel.
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly documents: ReadOnlyDocuments) {}

  /** Let the user fill in the form, after those before it. */
  judge(request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> {
    const asked = this.last.then(() => this.ask(request, token));
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask({ form, caseId }: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> {
    if (token.isCancellationRequested) {
      return { stopped: true };
    }
    if (!form) {
      throw new Error("The question has no form for a person.");
    }
    const page = await this.documents.show(`Answer to ${caseId}`, pageText(form), "below");
    try {
      return await decideAll(caseId, form.items, token);
    } finally {
      await page.close();
    }
  }
}

/** Return the sections of a form as plain text, so that the answer is shown as it is. */
export function pageText(form: JudgeForm): string {
  return form.sections.map(({ title, text }) => `${title}\n${"─".repeat(title.length)}\n${text}\n`).join("\n");
}

async function decideAll(
  caseId: string,
  items: readonly FormItem[],
  token: vscode.CancellationToken,
): Promise<JudgeReply> {
  const decisions: Decision[] = [];
  let place = 0;
  for (;;) {
    const reply =
      place < items.length
        ? await decide(caseId, items, place, decisions[place], token)
        : await confirm(caseId, items, decisions, token);
    if (reply === "stop") {
      return { stopped: true };
    }
    if (reply === "skip") {
      return { skipped: true };
    }
    if (reply === "done") {
      return { decisions };
    }
    if (reply === "back") {
      place = Math.max(place - 1, 0);
    } else if (typeof reply === "number") {
      place = reply;
    } else {
      decisions[place] = reply;
      // A changed decision does not discard the later ones.
      place = decisions.length === items.length ? items.length : place + 1;
    }
  }
}

/** Ask for a decision on one item of the form. */
async function decide(
  caseId: string,
  items: readonly FormItem[],
  place: number,
  earlier: Decision | undefined,
  token: vscode.CancellationToken,
): Promise<Decision | Move> {
  const item = items[place] as FormItem;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = `${caseId}: ${item.id}`;
  picker.step = place + 1;
  picker.totalSteps = items.length;
  picker.placeholder = [item.text, item.gate].filter(Boolean).join(" · ");
  picker.buttons = place > 0 ? [vscode.QuickInputButtons.Back, SKIP, STOP] : [SKIP, STOP];
  picker.items = rowsOf(item);
  picker.activeItems = picker.items.filter(({ choice }) => choice && choice.value === earlier?.value);
  const reply = await shown(picker, token);
  if (typeof reply === "string") {
    return reply;
  }
  const choice = reply.item.choice as FormChoice;
  const value = choice.value;
  if (!reply.withReason) {
    return earlier?.reasoning && earlier.value === value ? earlier : { value };
  }
  const reasoning = await vscode.window.showInputBox(
    {
      title: `${caseId}: ${item.id}`,
      prompt: `Why ${choice.label}?`,
      value: earlier?.reasoning ?? "",
      ignoreFocusOut: true,
    },
    token,
  );
  if (reasoning === undefined) {
    // Closing the input box for the reason cancels the decision.
    return token.isCancellationRequested ? "stop" : decide(caseId, items, place, earlier ?? { value }, token);
  }
  return reasoning ? { value, reasoning } : { value };
}

/** Show the decisions. Return the index of the one to change, if one is chosen. */
async function confirm(
  caseId: string,
  items: readonly FormItem[],
  decisions: readonly Decision[],
  token: vscode.CancellationToken,
): Promise<Move | "done" | number> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = `${caseId}: all decided`;
  picker.placeholder = "Press Enter to keep these decisions, or choose one to change it.";
  picker.buttons = [vscode.QuickInputButtons.Back, SKIP, STOP];
  const decided = items.map(({ id, choices }, place): Item => {
    const { value, reasoning } = decisions[place] as Decision;
    const label = choices.find((choice) => choice.value === value)?.label ?? String(value);
    return { label: id, description: label, place, ...(reasoning ? { detail: reasoning } : {}) };
  });
  picker.items = [{ label: "$(check) Keep", alwaysShow: true }, separator("Change"), ...decided];
  const reply = await shown(picker, token);
  return typeof reply === "string" ? reply : (reply.item.place ?? "done");
}

interface Picked {
  readonly item: Item;
  readonly withReason: boolean;
}

/** Show a picker until a row or a button is chosen. */
async function shown(picker: vscode.QuickPick<Item>, token: vscode.CancellationToken): Promise<Picked | Move> {
  // The user may focus the editor to read the answer.
  picker.ignoreFocusOut = true;
  const subscriptions: vscode.Disposable[] = [picker];
  try {
    for (;;) {
      const reply = await new Promise<Picked | Move | "hidden">((resolve) => {
        subscriptions.push(
          picker.onDidAccept(() => {
            const [item] = picker.activeItems;
            // No row is active if none matches the filter.
            if (item) {
              resolve({ item, withReason: false });
            }
          }),
          picker.onDidTriggerItemButton(({ item }) => resolve({ item, withReason: true })),
          picker.onDidTriggerButton((button) => resolve(MOVES.get(button) ?? "back")),
          picker.onDidHide(() => resolve("hidden")),
          token.onCancellationRequested(() => resolve("stop")),
        );
        if (token.isCancellationRequested) {
          resolve("stop");
        }
        picker.show();
      });
      if (reply !== "hidden") {
        return reply;
      }
      if (!(await wantsToContinue(picker.title ?? "", token))) {
        return "stop";
      }
    }
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
  }
}

/** Ask whether to continue: Escape hides a picker, but so does opening another one. */
async function wantsToContinue(title: string, token: vscode.CancellationToken): Promise<boolean> {
  const cancelled = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  const asked = vscode.window.showInformationMessage(`Judging is paused at ${title}.`, CONTINUE, STOP_JUDGING);
  return (await Promise.race([asked, cancelled])) === CONTINUE;
}

/** Return the choices of an item as rows, with a separator before each score range. */
function rowsOf({ choices }: FormItem): Item[] {
  return choices.flatMap((choice, place): Item[] => {
    const { label, scoreRange, meaning } = choice;
    const capitalised = label.charAt(0).toUpperCase() + label.slice(1);
    const row: Item = { label: capitalised, description: meaning, choice, buttons: [REASON] };
    const isNewRange = scoreRange && scoreRange !== choices[place - 1]?.scoreRange;
    return isNewRange ? [separator(scoreRange), row] : [row];
  });
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
