// Writes as JSON what the YAML language server shows for a file with the settings from docs/editors.md.
// usage: node schema.cjs FILE SERVER SETTINGS.json
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-languageserver-protocol/node");
const protocol = require("vscode-languageserver-protocol");

const [file, program, recipe] = process.argv.slice(2).map((argument) => path.resolve(argument));
const uri = pathToFileURL(file).href;
const folder = { uri: pathToFileURL(process.cwd()).href, name: "w" };
// An editor sends the server only the settings under `yaml`.
const yaml = {};
for (const [name, value] of Object.entries(JSON.parse(fs.readFileSync(recipe, "utf8")))) yaml[name.replace(/^yaml\./, "")] = value;
const server = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "inherit"], cwd: process.cwd() });
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));

async function main() {
  const shown = new Promise((resolve) => {
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => {
      if (found.uri === uri) resolve(found.diagnostics);
    });
  });
  connection.onRequest(protocol.ConfigurationRequest.type, ({ items }) => items.map(({ section }) => (section === "yaml" ? yaml : {})));
  connection.onRequest(protocol.RegistrationRequest.type, () => null);
  connection.listen();
  await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder.uri,
    workspaceFolders: [folder],
    capabilities: { workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: { dynamicRegistration: true } } },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  await connection.sendNotification(protocol.DidChangeConfigurationNotification.type, { settings: { yaml } });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const text = fs.readFileSync(file, "utf8");
  const document = { uri, languageId: "yaml", version: 1, text };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: document });
  const found = await shown;
  console.log(JSON.stringify({ shown: found.map((one) => ({ line: one.range.start.line + 1, message: one.message })) }));
}

setTimeout(() => process.exit(2), 30000);
main().then(() => process.exit(0), (problem) => {
  console.error(problem);
  process.exit(1);
});
