//! A session with an editor, from initialization to shutdown.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use lsp_server::{Connection, ErrorCode, Message, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::{Initialize, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, DiagnosticOptions, DiagnosticServerCapabilities, InitializeParams,
    InitializeResult, OneOf, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities, notification,
};

use super::checker::OpenWorkspace;
use super::editor::{Client, Editor, Failure};
use super::inbox::Inbox;
use super::intake::{paths, take_messages};
use super::uri::{canonical_path, to_path};
use super::worker::Worker;

/// Serves an editor until it ends the session.
///
/// # Errors
///
/// Returns an error if the connection breaks or the editor violates the protocol.
pub fn serve(connection: &Arc<Connection>, open: OpenWorkspace<'_>) -> Result<(), Failure> {
    let (id, params) = wait_for_initialization(connection)?;
    let editor = Editor::new(&params.capabilities);
    let result = InitializeResult {
        capabilities: capabilities(&editor),
        server_info: Some(ServerInfo {
            name: "agentctl".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    let out = Client::new(connection);
    out.send(Response::new_ok(id, serde_json::to_value(result)?))?;
    let inbox = Arc::new(Inbox::new(roots(&params)));
    let (messages, shared_inbox) = (Arc::clone(connection), Arc::clone(&inbox));
    // The thread is not joined, because receiving may still block after sending to the editor has failed.
    thread::spawn(move || take_messages(&messages, &shared_inbox, editor));
    Worker::new(&inbox, out, &editor).run(open)
}

/// Waits for the initialization request. Requests that arrive before it are rejected.
fn wait_for_initialization(connection: &Connection) -> Result<(RequestId, InitializeParams), Failure> {
    let out = Client::new(connection);
    for message in &connection.receiver {
        match message {
            Message::Request(Request { id, method, params }) if method == Initialize::METHOD => {
                return Ok((id, serde_json::from_value(params)?));
            }
            Message::Request(Request { id, .. }) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                out.send(Response::new_err(id, code, "the session is not initialized".to_owned()))?;
            }
            Message::Notification(one) if one.method == notification::Exit::METHOD => break,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Err("the editor did not initialize the session".into())
}

/// Returns the workspace folders.
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = paths(params.workspace_folders.as_deref().unwrap_or_default());
    #[expect(deprecated, reason = "older editors set only this field")]
    let root = params.root_uri.as_ref().and_then(to_path);
    match folders.is_empty() {
        true => root.iter().map(|path| canonical_path(path)).collect(),
        false => folders,
    }
}

fn capabilities(editor: &Editor) -> ServerCapabilities {
    // An editor that supports both ways of receiving findings would show each finding twice.
    let is_asked = editor.requests_findings && !editor.accepts_findings;
    ServerCapabilities {
        position_encoding: Some(editor.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        hover_provider: Some(true.into()),
        document_symbol_provider: Some(OneOf::Left(true)),
        diagnostic_provider: is_asked.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("agentctl".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: false,
                ..DiagnosticOptions::default()
            })
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn announces_capabilities() {
        for (editor_capabilities, encoding, is_asked) in [
            (json!({}), "utf-16", false),
            (json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}}), "utf-8", false),
            (json!({"textDocument": {"diagnostic": {}}}), "utf-16", true),
            (json!({"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}), "utf-16", false),
        ] {
            let editor = Editor::new(&serde_json::from_value(editor_capabilities.clone()).unwrap());
            let mut expected = json!({
                "positionEncoding": encoding,
                "textDocumentSync": {"openClose": true, "change": 2, "save": true},
                "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
                "definitionProvider": true, "referencesProvider": true, "hoverProvider": true, "documentSymbolProvider": true,
                "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
            });
            if is_asked {
                expected["diagnosticProvider"] =
                    json!({"identifier": "agentctl", "interFileDependencies": true, "workspaceDiagnostics": false});
            }
            assert_eq!(json!(capabilities(&editor)), expected, "{editor_capabilities}");
        }
    }

    #[test]
    fn workspace_folders_override_the_root() {
        let folder = json!({"uri": "file:///nowhere/a", "name": "a"});
        for (params, expected) in [
            (json!({}), &[][..]),
            (json!({"rootUri": "file:///nowhere/b"}), &["/nowhere/b"]),
            (json!({"rootUri": "untitled:b"}), &[]),
            (json!({"workspaceFolders": [folder]}), &["/nowhere/a"]),
            (json!({"workspaceFolders": [folder], "rootUri": "file:///nowhere/b"}), &["/nowhere/a"]),
            (json!({"workspaceFolders": [], "rootUri": "file:///nowhere/b"}), &["/nowhere/b"]),
        ] {
            let mut all_params = params.clone();
            all_params["capabilities"] = json!({});
            let actual = roots(&serde_json::from_value(all_params).unwrap());
            assert_eq!(actual, expected.iter().map(PathBuf::from).collect::<Vec<_>>(), "{params}");
        }
    }
}
