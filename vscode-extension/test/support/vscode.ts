// Stands in for the editor in tests of parts that speak to it. What a person would do is done by calling `fire`.

type Listener<T> = (value: T) => unknown;

export class Disposable {
  constructor(private readonly end: () => void) {}

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }

  dispose(): void {
    this.end();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };

  fire(value: T): void {
    [...this.listeners].forEach((listener) => listener(value));
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event };

  cancel(): void {
    if (!this.token.isCancellationRequested) {
      this.token.isCancellationRequested = true;
      this.cancelled.fire();
    }
  }

  dispose(): void {
    this.cancelled.dispose();
  }
}

export class ThemeIcon {
  constructor(readonly id: string) {}
}

export class TestMessage {
  constructor(readonly message: string) {}
}

export const QuickInputButtons = { Back: {} };
export const QuickPickItemKind = { Separator: -1 };

interface Row {
  readonly label: string;
}

/** A quick pick with what a person can do to it. */
export class QuickPick {
  title = "";
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  canSelectMany = false;
  isShown = false;
  readonly accepted = new EventEmitter<void>();
  readonly itemButton = new EventEmitter<{ item: Row }>();
  private readonly hidden = new EventEmitter<void>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidTriggerItemButton = this.itemButton.event;
  readonly onDidTriggerButton = new EventEmitter<unknown>().event;
  readonly onDidHide = this.hidden.event;

  show(): void {
    this.isShown = true;
  }

  dispose(): void {
    this.isShown = false;
    this.hidden.fire();
  }

  /** Press Enter on the row of a label. */
  pick(label: string): void {
    this.activeItems = this.items.filter((item) => item.label === label);
    this.accepted.fire();
  }
}

/** The quick picks that came up, the last one at the end. */
export const pickers: QuickPick[] = [];
/** What a person types into the next input boxes; undefined is Escape. */
export const typed: (string | undefined)[] = [];

export const window = {
  createQuickPick(): QuickPick {
    const picker = new QuickPick();
    pickers.push(picker);
    return picker;
  },
  showInputBox: async (): Promise<string | undefined> => typed.shift(),
  showInformationMessage: async (): Promise<undefined> => undefined,
};

export const opened = new EventEmitter<unknown>();
export const closed = new EventEmitter<unknown>();

export const workspace = {
  onDidOpenTextDocument: opened.event,
  onDidCloseTextDocument: closed.event,
  onDidChangeTextDocument: new EventEmitter<unknown>().event,
  textDocuments: [],
};

/** Let everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
