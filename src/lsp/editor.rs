//! The editor: its capabilities and the connection to it.

use std::error::Error;

use lsp_server::{Connection, Message, Notification};
use lsp_types::ClientCapabilities;
use serde_json::Value;

use super::text::Encoding;

pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// Capabilities of the editor.
#[derive(Clone, Copy)]
pub(super) struct Editor {
    pub(super) encoding: Encoding,
    /// Whether the editor accepts findings that it has not requested.
    pub(super) accepts_findings: bool,
    pub(super) requests_findings: bool,
    /// Whether the editor can watch files on request.
    pub(super) can_watch: bool,
}

impl Editor {
    pub(super) fn new(capabilities: &ClientCapabilities) -> Self {
        let general = capabilities.general.as_ref();
        let document = capabilities.text_document.as_ref();
        let watch_capability = capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
        let supports_pull = document.is_some_and(|document| document.diagnostic.is_some());
        let supports_push = document.is_some_and(|document| document.publish_diagnostics.is_some());
        Self {
            encoding: Encoding::negotiate(general.and_then(|general| general.position_encodings.as_deref())),
            accepts_findings: supports_push || !supports_pull,
            requests_findings: supports_pull,
            can_watch: watch_capability.and_then(|watched| watched.dynamic_registration) == Some(true),
        }
    }
}

/// Sender of messages to the editor.
#[derive(Clone, Copy)]
pub(super) struct Client<'c>(&'c Connection);

impl<'c> Client<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self(connection)
    }

    pub(super) fn send(self, message: impl Into<Message>) -> Result<(), Failure> {
        Ok(self.0.sender.send(message.into())?)
    }

    pub(super) fn notify(self, method: &str, params: &impl serde::Serialize) -> Result<(), Failure> {
        let params: Value = serde_json::to_value(params)?;
        self.send(Notification { method: method.to_owned(), params })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_editor_capabilities() {
        let watch_capability =
            |dynamic: Value| json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": dynamic}}});
        for (capabilities, supports_push, supports_pull, watches) in [
            (json!({}), true, false, false),
            (json!({"textDocument": {"publishDiagnostics": {}}}), true, false, false),
            (json!({"textDocument": {"diagnostic": {}}}), false, true, false),
            (json!({"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}), true, true, false),
            (watch_capability(json!(true)), true, false, true),
            (watch_capability(json!(false)), true, false, false),
            (watch_capability(Value::Null), true, false, false),
            (json!({"workspace": {}}), true, false, false),
        ] {
            let editor = Editor::new(&serde_json::from_value(capabilities.clone()).unwrap());
            let actual = (editor.accepts_findings, editor.requests_findings, editor.can_watch);
            assert_eq!(actual, (supports_push, supports_pull, watches), "{capabilities}");
        }
    }
}
