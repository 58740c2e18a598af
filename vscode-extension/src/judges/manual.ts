// The person in front of the editor as judge: quick picks, one after the other, with a way back and a way out.

import * as vscode from "vscode";
import type { JudgeReply, JudgeRequest } from "../protocol";
import type { ReadOnlyDocuments } from "../readOnlyDocuments";
import { answerPage } from "./answerPage";
import { Decision, Step, describe, judgementOf, stepsOf } from "./steps";

/** What a person can do instead of deciding. */
type Move = "back" | "stop" | "skip";

const STOP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-stop"), tooltip: "Stop judging" };
const SKIP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-step-over"), tooltip: "Skip this case" };
const REASON: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("comment"), tooltip: "Decide, with a reason" };

const MOVES = new Map<vscode.QuickInputButton, Move>([
  [STOP, "stop"],
  [SKIP, "skip"],
]);
const GO_ON = "Go On";
const STOP_JUDGING = "Stop Judging";

interface Item extends vscode.QuickPickItem {
  readonly decision?: boolean | number | string;
}

export class ManualJudge {
  // One question at a time, however many cases are graded at once.
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly documents: ReadOnlyDocuments) {}

  /** Ask the person everything, when the questions before it are answered. */
  judge(request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> {
    const asked = this.last.then(() => this.ask(request, token));
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask(request: JudgeRequest, token: vscode.CancellationToken): Promise<JudgeReply> {
    const steps = stepsOf(request);
    if (steps.length === 0) {
      return { skipped: true, reason: "Criteria are proposed by a model; choose one as judge." };
    }
    if (token.isCancellationRequested) {
      return { stopped: true };
    }
    const page = await this.documents.show(`Answer to ${request.caseId}`, answerPage(request), "below");
    try {
      return await this.decideAll(request, steps, token);
    } finally {
      await page.close();
    }
  }

  private async decideAll(
    request: JudgeRequest,
    steps: readonly Step[],
    token: vscode.CancellationToken,
  ): Promise<JudgeReply> {
    const decisions: Decision[] = [];
    let place = 0;
    for (;;) {
      const step = steps[place];
      const said = step
        ? await decide(request, steps, place, decisions[place], token)
        : await confirm(request, steps, decisions, token);
      if (said === "stop") {
        return { stopped: true };
      }
      if (said === "skip") {
        return { skipped: true, reason: "The person who judges skipped it." };
      }
      if (said === "done") {
        return { judgement: judgementOf(request, steps, decisions) };
      }
      if (said === "back") {
        place = Math.max(place - 1, 0);
      } else if (typeof said === "number") {
        place = said;
      } else {
        decisions[place] = said;
        // Going back to one thing does not mean deciding all that follows again.
        place = decisions.length === steps.length ? steps.length : place + 1;
      }
    }
  }
}

/** Ask for a decision on one step. */
async function decide(
  request: JudgeRequest,
  steps: readonly Step[],
  place: number,
  earlier: Decision | undefined,
  token: vscode.CancellationToken,
): Promise<Decision | Move> {
  const step = steps[place] as Step;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = `${request.caseId}: ${step.id}`;
  picker.step = place + 1;
  picker.totalSteps = steps.length;
  picker.placeholder = [step.text, step.gate].filter(Boolean).join(" · ");
  picker.buttons = place > 0 ? [vscode.QuickInputButtons.Back, SKIP, STOP] : [SKIP, STOP];
  picker.items = itemsOf(step);
  picker.canSelectMany = step.kind === "findings";
  const before = picker.items.filter((item) => isDecided(item, earlier));
  picker.activeItems = before.slice(0, 1);
  if (picker.canSelectMany) {
    picker.selectedItems = before;
  }
  const said = await shown(picker, token);
  if (typeof said === "string") {
    return said;
  }
  const value =
    step.kind === "findings"
      ? said.items.map((item) => item.decision as string)
      : (said.items[0]?.decision as boolean | number | undefined);
  if (value === undefined) {
    return "stop";
  }
  if (!said.withReason) {
    return earlier?.reasoning && earlier.value === value ? earlier : { value };
  }
  const reasoning = await vscode.window.showInputBox(
    {
      title: `${request.caseId}: ${step.id}`,
      prompt: `Why ${describe(step, { value })}?`,
      value: earlier?.reasoning ?? "",
      ignoreFocusOut: true,
    },
    token,
  );
  if (reasoning === undefined) {
    // Whoever wanted to give a reason and then did not has not decided.
    return token.isCancellationRequested ? "stop" : decide(request, steps, place, earlier ?? { value }, token);
  }
  return reasoning ? { value, reasoning } : { value };
}

/** Show what was decided. A number is the place to go back to. */
async function confirm(
  request: JudgeRequest,
  steps: readonly Step[],
  decisions: readonly Decision[],
  token: vscode.CancellationToken,
): Promise<Move | "done" | number> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = `${request.caseId}: all decided`;
  picker.placeholder = "Press Enter if this stands, or choose what to change.";
  picker.buttons = [vscode.QuickInputButtons.Back, SKIP, STOP];
  const decided = steps.map((step, place): Item => {
    const decision = decisions[place] as Decision;
    const item = { label: step.id, description: describe(step, decision), decision: place };
    return decision.reasoning ? { ...item, detail: decision.reasoning } : item;
  });
  picker.items = [{ label: "$(check) This stands", alwaysShow: true }, separator("Change"), ...decided];
  const said = await shown(picker, token);
  if (typeof said === "string") {
    return said;
  }
  const chosen = said.items[0]?.decision;
  return typeof chosen === "number" ? chosen : "done";
}

interface Picked {
  readonly items: readonly Item[];
  readonly withReason: boolean;
}

/** Show a picker until something is picked or the person wants something else. */
async function shown(picker: vscode.QuickPick<Item>, token: vscode.CancellationToken): Promise<Picked | Move> {
  // A look at the answer in the editor must not end the judging.
  picker.ignoreFocusOut = true;
  const subscriptions: vscode.Disposable[] = [picker];
  try {
    for (;;) {
      const said = await new Promise<Picked | Move | "hidden">((resolve) => {
        const accepted = (): readonly Item[] => (picker.canSelectMany ? picker.selectedItems : picker.activeItems);
        subscriptions.push(
          picker.onDidAccept(() => {
            // Nothing matches what was typed, so nothing was chosen.
            if (picker.canSelectMany || accepted().length > 0) {
              resolve({ items: accepted(), withReason: false });
            }
          }),
          picker.onDidTriggerItemButton(({ item }) => resolve({ items: [item], withReason: true })),
          picker.onDidTriggerButton((button) => resolve(MOVES.get(button) ?? "back")),
          picker.onDidHide(() => resolve("hidden")),
          token.onCancellationRequested(() => resolve("stop")),
        );
        if (token.isCancellationRequested) {
          resolve("stop");
        }
        picker.show();
      });
      if (said !== "hidden") {
        return said;
      }
      if (!(await wantsToGoOn(picker.title ?? "", token))) {
        return "stop";
      }
    }
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
  }
}

/** Ask whether to go on: Escape hides a picker, but so does every other one that the person opens meanwhile. */
async function wantsToGoOn(title: string, token: vscode.CancellationToken): Promise<boolean> {
  const cancelled = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  const asked = vscode.window.showInformationMessage(`Judging waits at ${title}.`, GO_ON, STOP_JUDGING);
  return (await Promise.race([asked, cancelled])) === GO_ON;
}

function itemsOf(step: Step): Item[] {
  if (step.kind === "check") {
    return [
      { label: "Met", decision: true, buttons: [REASON] },
      { label: "Not met", decision: false, buttons: [REASON] },
    ];
  }
  if (step.kind === "findings") {
    return step.entries.map(({ id, expectedOutcome }) => ({ label: id, detail: expectedOutcome, decision: id }));
  }
  return step.choices.flatMap(({ value, band }, place): Item[] => {
    const item: Item = { label: String(value), decision: value, buttons: [REASON] };
    const isNew = band && band !== step.choices[place - 1]?.band;
    const described = band ? { ...item, description: band.expectedOutcome } : item;
    return isNew ? [separator(`${band.minimum} to ${band.maximum}`), described] : [described];
  });
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function isDecided(item: Item, earlier: Decision | undefined): boolean {
  if (!earlier || item.decision === undefined) {
    return false;
  }
  return Array.isArray(earlier.value) ? earlier.value.includes(item.decision) : earlier.value === item.decision;
}
