// Talks to `agentctl lsp` with the library that VS Code's clients use, and writes what they would show as JSON.
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-languageserver-protocol/node");
const protocol = require("vscode-languageserver-protocol");

const file = path.resolve(process.argv[2]);
const server = spawn(process.env.AGENTCTL, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const uri = pathToFileURL(file).href;
const folder = { uri: pathToFileURL(path.dirname(file)).href, name: "w" };

// Applies edits to an ASCII string, from the last edit to the first.
function applied(text, edits) {
  const offset = ({ line, character }) => text.split("\n").slice(0, line).join("\n").length + (line > 0) + character;
  const sorted = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  return sorted.reduce((whole, { range, newText }) => whole.slice(0, offset(range.start)) + newText + whole.slice(offset(range.end)), text);
}

async function main() {
  let shown = [];
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => {
    if (found.uri === uri) shown = found.diagnostics;
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder.uri,
    workspaceFolders: [folder],
    capabilities: {},
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const text = fs.readFileSync(file, "utf8");
  const document = { uri, languageId: "yaml", version: 1, text };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: document });
  const lines = text.split("\n").length;
  const range = { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } };
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });
  const result = {
    encoding: capabilities.positionEncoding,
    shown: shown.map((found) => ({ line: found.range.start.line + 1, code: found.code })),
    actions: actions.map((action) => action.title),
  };
  // From the reference to the key.
  const line = text.split("\n").findIndex((one) => one.includes("key: password}"));
  const position = { line, character: text.split("\n")[line].indexOf("key: password}") };
  const [definition] = await connection.sendRequest(protocol.DefinitionRequest.type, { textDocument: { uri }, position });
  result.jumped = text.split("\n")[definition.range.start.line];
  // Every safe fix.
  const { edit } = actions.find((action) => action.kind === "source.fixAll");
  const fixed = applied(text, edit.changes[uri]);
  const changed = new Promise((resolve) => {
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => found.uri === uri && resolve(found.diagnostics));
  });
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: fixed }],
  });
  result.text = fixed;
  result.left = (await changed).map((found) => found.code);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  console.log(JSON.stringify(result));
}

main().then(() => process.exit(0), (problem) => {
  console.error(problem);
  process.exit(1);
});
