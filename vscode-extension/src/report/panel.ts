// The report of the server in a webview panel.

import * as vscode from "vscode";
import { showError } from "../grading/showError";
import type { Server } from "../server/server";
import { Theme, withPolicy } from "./page";

interface Report {
  readonly html: string;
  readonly title: string;
}

export interface ReportArgument {
  readonly uri?: string;
  readonly run?: number;
}

export class ReportPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: ReportArgument = {};
  private report: Report | undefined;
  private readonly themes = vscode.window.onDidChangeActiveColorTheme(() => this.fill());

  constructor(
    private readonly server: Server,
    private readonly icon: vscode.Uri,
  ) {}

  /** Show the report of a run, by default of the last one. */
  async show(argument: ReportArgument): Promise<void> {
    const client = await this.server.ensureStarted();
    const report = client && (await this.fetch(argument));
    if (report === undefined) {
      return;
    }
    if (report === null) {
      void vscode.window.showInformationMessage("Nothing has been graded yet. Grade a case first.");
      return;
    }
    this.shown = argument;
    this.panel ??= this.open();
    this.fill(report);
    this.panel.reveal(undefined, false);
  }

  /** Update an open report after another grading. */
  async refresh(): Promise<void> {
    const { uri } = this.shown;
    const report = this.panel ? await this.fetch(uri ? { uri } : {}) : null;
    if (report) {
      this.fill(report);
    }
  }

  dispose(): void {
    this.themes.dispose();
    this.panel?.dispose();
  }

  private open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel("rubric.report", "Rubric report", vscode.ViewColumn.Beside, {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: false,
      enableFindWidget: true,
      localResourceRoots: [],
    });
    panel.iconPath = this.icon;
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }

  private fill(report = this.report): void {
    this.report = report;
    if (this.panel && report) {
      this.panel.title = report.title;
      this.panel.webview.html = withPolicy(report.html, theme());
    }
  }

  /** Return the report, null if nothing was graded, undefined after an error. */
  private async fetch(argument: ReportArgument): Promise<Report | null | undefined> {
    const client = await this.server.ready();
    try {
      return await client?.execute<Report | null>({ command: "rubric.showReport", argument });
    } catch (error) {
      void showError(error);
      return undefined;
    }
  }
}

function theme(): Theme {
  const { ColorThemeKind } = vscode;
  const dark = [ColorThemeKind.Dark, ColorThemeKind.HighContrast];
  return dark.includes(vscode.window.activeColorTheme.kind) ? "dark" : "light";
}
