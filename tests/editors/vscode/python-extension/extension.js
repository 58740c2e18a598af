// Stands in for the Python extension, with the part of its interface by which others learn what was chosen.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const changed = new vscode.EventEmitter();

exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: (folder) => ({ id: "chosen", path: path.join(folder.fsPath, "chosen-python") }),
    resolveEnvironment: async (environment) => ({
      executable: { uri: vscode.Uri.file(fs.readFileSync(environment.path, "utf8").trim()) },
    }),
    onDidChangeActiveEnvironmentPath: changed.event,
  },
});
