// A language model for tests. `scripted-model.json` in the workspace holds its replies, one for each call, the last one
// for ever; the reply `wait` says nothing until it is cancelled. What it was asked is written to `scripted-model.log`.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

let calls = 0;

function inWorkspace(name) {
  return path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, name);
}

function note(entry) {
  fs.appendFileSync(inWorkspace("scripted-model.log"), `${JSON.stringify(entry)}\n`);
}

function textOf(message) {
  return message.content.map((part) => part.value ?? "").join("");
}

const provider = {
  provideLanguageModelChatInformation() {
    const limits = { maxInputTokens: 100000, maxOutputTokens: 10000 };
    return [{ id: "scripted-1", name: "Scripted One", family: "one", version: "1", ...limits, capabilities: {} }];
  },
  async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
    const replies = JSON.parse(fs.readFileSync(inWorkspace("scripted-model.json"), "utf8"));
    const reply = replies[Math.min(calls++, replies.length - 1)];
    note({ asked: messages.map(textOf) });
    if (reply === "wait") {
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      note({ cancelled: true });
      throw new vscode.CancellationError();
    }
    for (const piece of reply.match(/[\s\S]{1,40}/g)) {
      progress.report(new vscode.LanguageModelTextPart(piece));
    }
  },
  async provideTokenCount(_model, text) {
    return Math.ceil((typeof text === "string" ? text : textOf(text)).length / 4);
  },
};

exports.activate = (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("scripted", provider));
};
