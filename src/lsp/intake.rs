//! Receiver of messages from the editor.

use std::path::PathBuf;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::{RegisterCapability, Request as _};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, WorkspaceFolder, notification,
};
use serde_json::{Value, json};

use super::editor::Editor;
use super::inbox::Inbox;
use super::text::apply_change;
use super::uri::{canonical_path, to_path};
use super::workspace::OpenDocument;
use crate::input::SETTINGS_FILE;

/// Receives messages until the editor ends the session.
pub(super) fn take_messages(connection: &Connection, inbox: &Inbox, editor: Editor) {
    let intake = Intake { connection, inbox, editor };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => match connection.handle_shutdown(&request) {
                Ok(false) => inbox.add_request(request),
                // The editor is ending the session, even if it violates the protocol in doing so.
                Ok(true) | Err(_) => break,
            },
            Message::Notification(one) if one.method == notification::Exit::METHOD => break,
            Message::Notification(one) => intake.handle(one),
            Message::Response(_) => {}
        }
    }
    inbox.end();
}

struct Intake<'i> {
    connection: &'i Connection,
    inbox: &'i Inbox,
    editor: Editor,
}

impl Intake<'_> {
    /// Handles a notification. Malformed notifications are ignored.
    fn handle(&self, Notification { method, params }: Notification) {
        match method.as_str() {
            notification::Initialized::METHOD if self.editor.can_watch => self.send(watch()),
            notification::DidOpenTextDocument::METHOD => self.did_open(params),
            notification::DidChangeTextDocument::METHOD => self.did_change(params),
            notification::DidCloseTextDocument::METHOD => self.did_close(params),
            notification::DidChangeWorkspaceFolders::METHOD => self.did_change_folders(params),
            notification::DidSaveTextDocument::METHOD
            | notification::DidChangeWatchedFiles::METHOD
            | notification::DidRenameFiles::METHOD
            | notification::DidDeleteFiles::METHOD
            | notification::DidCreateFiles::METHOD => {
                let is_settings = params.to_string().contains(SETTINGS_FILE);
                self.inbox.change(|workspace| {
                    workspace.is_reset |= is_settings;
                    workspace.is_saved = true;
                });
            }
            notification::Cancel::METHOD => self.cancel(&params),
            _ => {}
        }
    }

    fn did_open(&self, params: Value) {
        if let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(params)
            && let Some(path) = to_path(&text_document.uri)
        {
            let document = OpenDocument {
                uri: text_document.uri,
                version: text_document.version,
                text: text_document.text.into(),
            };
            self.inbox.change(|workspace| {
                workspace.open.insert(canonical_path(&path), document);
                workspace.is_saved = true;
            });
        }
    }

    fn did_change(&self, params: Value) {
        let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
            return;
        };
        let Some(path) = to_path(&params.text_document.uri).map(|path| canonical_path(&path)) else {
            return;
        };
        self.inbox.change(|workspace| {
            let Some(document) = workspace.open.get_mut(&path) else {
                return;
            };
            let mut text = document.text.to_string();
            for change in params.content_changes {
                text = match change.range {
                    Some(range) => apply_change(&text, range, &change.text, self.editor.encoding),
                    None => change.text,
                };
            }
            (document.version, document.text) = (params.text_document.version, text.into());
        });
    }

    fn did_close(&self, params: Value) {
        if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
            let path = to_path(&text_document.uri).map(|path| canonical_path(&path));
            self.inbox.change(|workspace| {
                let by_path = path.and_then(|path| workspace.open.remove(&path));
                if by_path.is_none() {
                    // If the file was removed, its path can no longer be resolved.
                    workspace.open.retain(|_, document| document.uri != text_document.uri);
                }
            });
        }
    }

    fn did_change_folders(&self, params: Value) {
        if let Ok(DidChangeWorkspaceFoldersParams { event }) = serde_json::from_value(params) {
            let (removed, added) = (paths(&event.removed), paths(&event.added));
            self.inbox.change(|workspace| {
                workspace.roots.retain(|root| !removed.contains(root));
                workspace.roots.extend(added);
                workspace.is_reset = true;
            });
        }
    }

    fn cancel(&self, params: &Value) {
        let id = params.get("id").cloned().unwrap_or_default();
        if let Ok(id) = serde_json::from_value::<RequestId>(id)
            && self.inbox.cancel(&id)
        {
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Response::new_err(id, code, "canceled".to_owned()));
        }
    }

    /// Sends a message. Errors are ignored: if nobody receives messages, the session is about to end.
    fn send(&self, message: impl Into<Message>) {
        _ = self.connection.sender.send(message.into());
    }
}

pub(super) fn paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let paths = folders.iter().filter_map(|folder| to_path(&folder.uri));
    paths.map(|path| canonical_path(&path)).collect()
}

/// Returns a request that asks the editor to watch the workspace's files.
fn watch() -> Request {
    let watchers = json!({ "watchers": [{ "globPattern": "**/*.{yaml,yml,json}" }] });
    let registration = json!({
        "id": "files",
        "method": notification::DidChangeWatchedFiles::METHOD,
        "registerOptions": watchers,
    });
    let params = json!({ "registrations": [registration] });
    Request::new("files".to_owned().into(), RegisterCapability::METHOD.to_owned(), params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::ClientCapabilities;

    use crate::lsp::inbox::WorkItem;

    fn notification(method: &str, params: Value) -> Notification {
        Notification::new(method.to_owned(), params)
    }

    /// Returns the methods and error codes of the messages sent to the editor.
    fn sent_messages(editor: &Connection) -> Vec<String> {
        let messages = editor.receiver.try_iter();
        let formatted = messages.map(|message| match message {
            Message::Request(request) => request.method,
            Message::Notification(one) => one.method,
            Message::Response(response) => format!("{:?}", response.response_result.map_err(|error| error.code)),
        });
        formatted.collect()
    }

    #[test]
    fn notifications_update_the_workspace() {
        let uri = |name: &str| json!({"uri": format!("file:///nowhere/{name}"), "version": 1, "languageId": "yaml", "text": "ab\ncd"});
        let range = |[line, character, end_line, end]: [u32; 4]| json!({"start": {"line": line, "character": character}, "end": {"line": end_line, "character": end}});
        let changes = json!([{"range": range([0, 1, 1, 1]), "text": "é"}, {"range": range([0, 0, 0, 1]), "text": "x"}]);
        let (x_params, link_params) = (json!({"textDocument": uri("x")}), json!({"textDocument": uri("link")}));
        let change = |name, changes| json!({"textDocument": uri(name), "contentChanges": changes});
        let (server, editor) = Connection::memory();
        let inbox = Inbox::new(vec!["/nowhere/a".into(), "/nowhere/b".into()]);
        // This document was opened through a symlink that has since been removed.
        let linked = OpenDocument { uri: "file:///nowhere/link".parse().unwrap(), version: 7, text: "l".into() };
        inbox.change(|workspace| drop(workspace.open.insert("/nowhere/real".into(), linked)));
        let intake = Intake { connection: &server, inbox: &inbox, editor: Editor::new(&ClientCapabilities::default()) };
        let mut number = 1;
        for (method, params, is_news, expected) in [
            ("initialized", json!({}), false, "a b; real 7 l"),
            ("textDocument/didOpen", x_params.clone(), true, "a b; real 7 l; x 1 ab\ncd"),
            (
                "textDocument/didOpen",
                json!({"textDocument": {"uri": "untitled:x"}}),
                false,
                "a b; real 7 l; x 1 ab\ncd",
            ),
            ("textDocument/didChange", change("x", changes), true, "a b; real 7 l; x 1 xéd"),
            ("textDocument/didChange", change("y", json!([{"text": "z"}])), true, "a b; real 7 l; x 1 xéd"),
            ("textDocument/didChange", json!({}), false, "a b; real 7 l; x 1 xéd"),
            ("textDocument/didClose", link_params, true, "a b; x 1 xéd"),
            ("textDocument/didClose", json!({"textDocument": uri("y")}), true, "a b; x 1 xéd"),
            ("textDocument/didClose", x_params.clone(), true, "a b"),
            ("textDocument/didClose", json!({}), false, "a b"),
            ("textDocument/didSave", x_params.clone(), true, "a b"),
            ("textDocument/didSave", json!({"textDocument": uri("agentctl.yaml")}), true, "a b reset"),
            ("workspace/didChangeWatchedFiles", json!({"changes": []}), true, "a b"),
            ("workspace/didRenameFiles", json!({"files": []}), true, "a b"),
            ("workspace/didDeleteFiles", json!({"files": []}), true, "a b"),
            ("workspace/didCreateFiles", json!({"files": [{"uri": "file:///agentctl.yaml"}]}), true, "a b reset"),
            (
                "workspace/didChangeWorkspaceFolders",
                json!({"event": {"removed": [{"uri": "file:///nowhere/a", "name": ""}], "added": [{"uri": "file:///nowhere/c", "name": ""}]}}),
                true,
                "b c reset",
            ),
            ("workspace/didChangeWorkspaceFolders", json!({}), false, "b c"),
            ("$/cancelRequest", json!({"id": 1}), false, "b c"),
            ("$/setTrace", json!({"value": "agentctl.yaml"}), false, "b c"),
        ] {
            intake.handle(notification(method, params.clone()));
            number += u64::from(is_news);
            assert!(inbox.is_current(number), "{method} {params}");
            let mut workspace_text = String::new();
            inbox.change(|workspace| {
                let name = |path: &PathBuf| path.strip_prefix("/nowhere").unwrap().display().to_string();
                workspace_text = workspace.roots.iter().map(name).collect::<Vec<_>>().join(" ");
                workspace_text.push_str(if std::mem::take(&mut workspace.is_reset) { " reset" } else { "" });
                for (path, document) in &workspace.open {
                    workspace_text.push_str(&format!("; {} {} {}", name(path), document.version, document.text));
                }
            });
            number += 1;
            assert_eq!(workspace_text, expected, "{method} {params}");
        }
        assert_eq!(sent_messages(&editor), [""; 0]);
        // A pending request that is canceled still receives a response. An editor that can watch files is asked to do
        // so.
        inbox.add_request(Request::new(1.into(), "x".to_owned(), ()));
        intake.handle(notification("$/cancelRequest", json!({"id": 1})));
        let can_watch = Editor { can_watch: true, ..intake.editor };
        Intake { editor: can_watch, ..intake }.handle(notification("initialized", json!({})));
        assert_eq!(sent_messages(&editor), ["Err(-32800)", "client/registerCapability"]);
    }

    #[test]
    fn receives_messages_until_the_session_ends() {
        let request = |method: &str| Message::from(Request::new(1.into(), method.to_owned(), ()));
        let notify = |method| Message::from(notification(method, Value::Null));
        let response = Message::from(Response::new_ok(1.into(), ()));
        for (messages, left, is_asked) in [
            (vec![], 0, false),
            (vec![response, notify("x"), request("x"), notify("exit"), notify("x")], 1, true),
            (vec![request("shutdown"), notify("exit"), notify("x"), notify("x")], 2, false),
            (vec![request("shutdown"), notify("x"), notify("x")], 1, false),
        ] {
            let (server, editor) = Connection::memory();
            for message in messages {
                editor.sender.send(message).unwrap();
            }
            let Connection { sender, receiver: _sent } = editor;
            drop(sender);
            let inbox = Inbox::new(Vec::new());
            take_messages(&server, &inbox, Editor::new(&ClientCapabilities::default()));
            assert_eq!(server.receiver.len(), left);
            assert!(matches!(inbox.next(), WorkItem::End));
            assert_eq!(inbox.cancel(&1.into()), is_asked);
        }
    }
}
