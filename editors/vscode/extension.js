// Starts `agentctl lsp` for the YAML and JSON files of the workspace.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const settings = workspace.getConfiguration("agentctl");
  const overlay = settings.get("kustomize");
  const flags = [...settings.get("flags"), ...(overlay ? [`--kustomize=${overlay}`] : [])];
  const server = { command: settings.get("path"), args: ["lsp", "--", ...flags] };
  const files = "**/*.{yaml,yml,json}";
  client = new LanguageClient("agentctl", "agentctl", server, {
    documentSelector: [{ scheme: "file", pattern: files }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher(files) },
  });
  await client.start();
};

exports.deactivate = () => client?.stop();
