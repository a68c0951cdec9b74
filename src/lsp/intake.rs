//! The messages of the editor, in the order in which they come.

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
use super::text::changed;
use super::uri::{real, to_path};
use super::workspace::Document;
use crate::input::SETTINGS_FILE;

/// Takes messages until the editor says goodbye.
pub(super) fn take_messages(connection: &Connection, inbox: &Inbox, editor: Editor) {
    let intake = Intake {
        connection,
        inbox,
        editor,
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => match connection.handle_shutdown(&request) {
                Ok(false) => inbox.ask(request),
                // Whether it kept to the protocol to the end or not.
                Ok(true) | Err(_) => break,
            },
            Message::Notification(one) if one.method == notification::Exit::METHOD => break,
            Message::Notification(one) => intake.take(one),
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
    /// One that is malformed is passed over.
    fn take(&self, Notification { method, params }: Notification) {
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
                self.inbox.change(|workspace| workspace.is_reset |= is_settings);
            }
            notification::Cancel::METHOD => self.cancel(&params),
            _ => {}
        }
    }

    fn did_open(&self, params: Value) {
        if let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(params)
            && let Some(path) = to_path(&text_document.uri)
        {
            let document = Document {
                uri: text_document.uri,
                version: text_document.version,
                text: text_document.text.into(),
            };
            self.inbox
                .change(|workspace| drop(workspace.open.insert(real(&path), document)));
        }
    }

    fn did_change(&self, params: Value) {
        let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
            return;
        };
        let Some(path) = to_path(&params.text_document.uri).map(|path| real(&path)) else {
            return;
        };
        self.inbox.change(|workspace| {
            let Some(document) = workspace.open.get_mut(&path) else {
                return;
            };
            let mut text = document.text.to_string();
            for change in params.content_changes {
                text = match change.range {
                    Some(range) => changed(&text, range, &change.text, self.editor.encoding),
                    None => change.text,
                };
            }
            (document.version, document.text) = (params.text_document.version, text.into());
        });
    }

    fn did_close(&self, params: Value) {
        if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
            let path = to_path(&text_document.uri).map(|path| real(&path));
            self.inbox.change(|workspace| {
                let by_path = path.and_then(|path| workspace.open.remove(&path));
                if by_path.is_none() {
                    // Its file is gone, and so is the way to it.
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
            self.send(Response::new_err(id, code, "cancelled".to_owned()));
        }
    }

    /// Where nobody takes a message, nobody sends the next one either.
    fn send(&self, message: impl Into<Message>) {
        _ = self.connection.sender.send(message.into());
    }
}

pub(super) fn paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let paths = folders.iter().filter_map(|folder| to_path(&folder.uri));
    paths.map(|path| real(&path)).collect()
}

/// Asks the editor to tell when files of the workspace change without it.
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
