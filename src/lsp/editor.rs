//! The editor: what it can do, and the way to it.

use std::error::Error;

use lsp_server::{Connection, Message, Notification};
use lsp_types::ClientCapabilities;
use serde_json::Value;

use super::text::Encoding;

pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// What the editor can do.
#[derive(Clone, Copy)]
pub(super) struct Editor {
    pub(super) encoding: Encoding,
    /// Whether it shows findings that nobody asked for.
    pub(super) takes_findings: bool,
    pub(super) asks_for_findings: bool,
    /// Whether it tells when files change, if it is told which.
    pub(super) can_watch: bool,
}

impl Editor {
    pub(super) fn of(capabilities: &ClientCapabilities) -> Self {
        let general = capabilities.general.as_ref();
        let document = capabilities.text_document.as_ref();
        let watched = capabilities
            .workspace
            .as_ref()
            .and_then(|workspace| workspace.did_change_watched_files);
        let asks = document.is_some_and(|document| document.diagnostic.is_some());
        let takes = document.is_some_and(|document| document.publish_diagnostics.is_some());
        Self {
            encoding: Encoding::of(general.and_then(|general| general.position_encodings.as_deref())),
            takes_findings: takes || !asks,
            asks_for_findings: asks,
            can_watch: watched.and_then(|watched| watched.dynamic_registration) == Some(true),
        }
    }
}

/// The way to the editor.
#[derive(Clone, Copy)]
pub(super) struct Out<'c>(&'c Connection);

impl<'c> Out<'c> {
    pub(super) fn to(connection: &'c Connection) -> Self {
        Self(connection)
    }

    pub(super) fn send(self, message: impl Into<Message>) -> Result<(), Failure> {
        Ok(self.0.sender.send(message.into())?)
    }

    pub(super) fn notify(self, method: &str, params: &impl serde::Serialize) -> Result<(), Failure> {
        let params: Value = serde_json::to_value(params)?;
        self.send(Notification {
            method: method.to_owned(),
            params,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_editor_gets_findings_and_is_asked_to_watch_as_it_can() {
        let watched =
            |dynamic: Value| json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": dynamic}}});
        for (capabilities, takes, asks, watches) in [
            (json!({}), true, false, false),
            (json!({"textDocument": {"publishDiagnostics": {}}}), true, false, false),
            (json!({"textDocument": {"diagnostic": {}}}), false, true, false),
            (
                json!({"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}),
                true,
                true,
                false,
            ),
            (watched(json!(true)), true, false, true),
            (watched(json!(false)), true, false, false),
            (watched(Value::Null), true, false, false),
            (json!({"workspace": {}}), true, false, false),
        ] {
            let editor = Editor::of(&serde_json::from_value(capabilities.clone()).unwrap());
            let found = (editor.takes_findings, editor.asks_for_findings, editor.can_watch);
            assert_eq!(found, (takes, asks, watches), "{capabilities}");
        }
    }
}
