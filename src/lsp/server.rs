//! Messages, in the order in which they come.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, InitializeResult, OneOf,
    PublishDiagnosticsParams, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities, notification,
};
use serde_json::Value;

use super::answer::Answers;
use super::checker::{Checker, Open};
use super::diagnostics::Places;
use super::text::{Encoding, changed};
use super::uri::{real, to_path};
use super::workspace::{Document, Files};
use crate::compile::kept::{Kept, Texts};
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::SETTINGS_FILE;
use crate::report::presentable;
use crate::source::Sources;

/// So much silence ends a change: an editor sends a message for each key.
const SILENCE: Duration = Duration::from_millis(40);

type Failure = Box<dyn Error + Send + Sync>;

/// Serves an editor until it says goodbye.
///
/// # Errors
/// A connection that breaks, or an editor that does not keep to the protocol.
pub fn serve(connection: &Connection, open: Open<'_>) -> Result<(), Failure> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let general = params.capabilities.general.as_ref();
    let encoding = Encoding::of(general.and_then(|general| general.position_encodings.as_deref()));
    let result = InitializeResult {
        capabilities: capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "agentctl".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let mut server = Server {
        connection,
        open,
        encoding,
        roots: roots(&params),
        checker: None,
        files: Files::default(),
        requests: VecDeque::new(),
        is_changed: true,
        published: BTreeMap::new(),
        sources: Sources::default(),
        found: Vec::new(),
    };
    server.run()
}

/// The folders of the workspace.
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let folders: Vec<_> = folders.filter_map(to_path).map(|path| real(&path)).collect();
    #[expect(deprecated, reason = "editors that know no other field")]
    let root = params.root_uri.as_ref().and_then(to_path);
    match folders.is_empty() {
        true => root.iter().map(|path| real(path)).collect(),
        false => folders,
    }
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
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
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
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

struct Server<'c> {
    connection: &'c Connection,
    open: Open<'c>,
    encoding: Encoding,
    roots: Vec<PathBuf>,
    /// None where the settings cannot be read.
    checker: Option<Box<dyn Checker>>,
    files: Files,
    /// Requests that wait for their answers.
    requests: VecDeque<Request>,
    /// Whether the texts are others than those of the findings.
    is_changed: bool,
    /// What the editor shows, by file.
    published: BTreeMap<String, Vec<lsp_types::Diagnostic>>,
    sources: Sources,
    found: Vec<Diagnostic>,
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        self.reopen()?;
        let mut loaded = self.load()?;
        loop {
            let texts = Texts::of(&loaded.output);
            let mut kept = Kept::new(&texts);
            // Other settings are another compilation.
            let mut is_same = true;
            while is_same && kept.fits(&loaded.output) {
                self.compile(loaded, &mut kept)?;
                match self.wait()? {
                    None => return Ok(()),
                    Some(has_settings) => is_same = !has_settings,
                }
                if !is_same {
                    self.reopen()?;
                }
                loaded = self.load()?;
            }
        }
    }

    /// Reads the settings.
    fn reopen(&mut self) -> Result<(), Failure> {
        self.checker = match (self.open)(&self.roots) {
            Ok(checker) => Some(checker),
            Err(problem) => {
                self.log(&problem)?;
                None
            }
        };
        Ok(())
    }

    fn load(&mut self) -> Result<Warned<Sources>, Failure> {
        let loaded = self.checker.as_deref().map(|checker| self.files.load(checker));
        match loaded {
            Some(Ok(loaded)) => return Ok(loaded),
            Some(Err(problem)) => self.log(&problem.to_string())?,
            None => {}
        }
        Ok(Warned {
            output: Sources::default(),
            diagnostics: Vec::new(),
        })
    }

    fn compile(&mut self, loaded: Warned<Sources>, kept: &mut Kept<'_>) -> Result<(), Failure> {
        self.is_changed = false;
        let Some(checker) = self.checker.as_deref() else {
            return Ok(());
        };
        let checked = checker.check(loaded, kept);
        self.sources = checked.output;
        self.found = presentable(checked.diagnostics);
        self.publish()
    }

    /// Tells the editor what is other than what it shows.
    fn publish(&mut self) -> Result<(), Failure> {
        let now = self.places().by_file(&self.found);
        let gone = self.published.keys().filter(|uri| !now.contains_key(*uri));
        let gone: Vec<_> = gone.map(|uri| (uri.clone(), Vec::new())).collect();
        let is_new = |(uri, found): &(&String, &Vec<_>)| self.published.get(*uri) != Some(*found);
        let changed = now.iter().filter(is_new);
        let changed: Vec<_> = changed.map(|(uri, found)| (uri.clone(), found.clone())).collect();
        for (uri, diagnostics) in gone.into_iter().chain(changed) {
            let uri: Uri = uri.parse()?;
            let document = self.files.open.values().find(|document| document.uri == uri);
            let params = PublishDiagnosticsParams {
                version: document.map(|document| document.version),
                uri,
                diagnostics,
            };
            self.notify(notification::PublishDiagnostics::METHOD, &params)?;
        }
        self.published = now;
        Ok(())
    }

    fn places(&self) -> Places<'_> {
        Places {
            sources: &self.sources,
            files: &self.files,
            encoding: self.encoding,
        }
    }

    /// Answers requests and takes changes until they are over. Returns whether settings are among them; nothing at the end.
    fn wait(&mut self) -> Result<Option<bool>, Failure> {
        let mut has_settings = false;
        loop {
            let message = match (self.is_changed, self.requests.is_empty()) {
                (true, true) => self.connection.receiver.recv_timeout(SILENCE).ok(),
                // A request is about the texts as they are when it comes.
                (_, false) => self.connection.receiver.try_recv().ok(),
                (false, true) => match self.connection.receiver.recv() {
                    Ok(message) => Some(message),
                    Err(_) => return Ok(None),
                },
            };
            match message {
                Some(Message::Request(request)) if self.connection.handle_shutdown(&request)? => return Ok(None),
                Some(Message::Request(request)) => self.requests.push_back(request),
                Some(Message::Notification(notification)) if notification.method == "exit" => return Ok(None),
                Some(Message::Notification(notification)) => has_settings |= self.take(notification)?,
                Some(Message::Response(_)) => {}
                None if self.is_changed => return Ok(Some(has_settings)),
                None => self.answer()?,
            }
        }
    }

    /// Takes a notification. Returns whether it is about the settings. One that is malformed is passed over.
    fn take(&mut self, Notification { method, params }: Notification) -> Result<bool, Failure> {
        let is_settings = params.to_string().contains(SETTINGS_FILE);
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => self.did_open(params),
            notification::DidChangeTextDocument::METHOD => self.did_change(params),
            notification::DidCloseTextDocument::METHOD => self.did_close(params),
            notification::DidChangeWorkspaceFolders::METHOD => self.did_change_folders(params),
            notification::DidSaveTextDocument::METHOD
            | notification::DidChangeWatchedFiles::METHOD
            | notification::DidRenameFiles::METHOD
            | notification::DidDeleteFiles::METHOD
            | notification::DidCreateFiles::METHOD => {
                self.is_changed = true;
                return Ok(is_settings);
            }
            notification::Cancel::METHOD => self.cancel(&params)?,
            _ => {}
        }
        Ok(method == notification::DidChangeWorkspaceFolders::METHOD)
    }

    fn did_open(&mut self, params: Value) {
        if let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(params)
            && let Some(path) = to_path(&text_document.uri)
        {
            let document = Document::new(text_document.uri, text_document.version, text_document.text);
            self.files.open.insert(real(&path), document);
            self.is_changed = true;
        }
    }

    fn did_change(&mut self, params: Value) {
        let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
            return;
        };
        let path = to_path(&params.text_document.uri).map(|path| real(&path));
        let Some(document) = path.and_then(|path| self.files.open.get_mut(&path)) else {
            return;
        };
        let mut text = std::mem::take(&mut document.text);
        for change in params.content_changes {
            text = match change.range {
                Some(range) => changed(&text, range, &change.text, self.encoding),
                None => change.text,
            };
        }
        document.change(params.text_document.version, text);
        self.is_changed = true;
    }

    fn did_close(&mut self, params: Value) {
        if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
            let path = to_path(&text_document.uri).map(|path| real(&path));
            let by_path = path.and_then(|path| self.files.open.remove(&path));
            if by_path.is_none() {
                // Its file is gone, and so is the way to it.
                self.files.open.retain(|_, document| document.uri != text_document.uri);
            }
            self.is_changed = true;
        }
    }

    fn did_change_folders(&mut self, params: Value) {
        if let Ok(DidChangeWorkspaceFoldersParams { event }) = serde_json::from_value(params) {
            let paths = |folders: Vec<lsp_types::WorkspaceFolder>| -> Vec<_> {
                let paths = folders.iter().filter_map(|folder| to_path(&folder.uri));
                paths.map(|path| real(&path)).collect()
            };
            let (removed, added) = (paths(event.removed), paths(event.added));
            self.roots.retain(|root| !removed.contains(root));
            self.roots.extend(added);
            self.is_changed = true;
        }
    }

    fn cancel(&mut self, params: &Value) -> Result<(), Failure> {
        let id = params.get("id").cloned().unwrap_or_default();
        let Ok(id) = serde_json::from_value::<RequestId>(id) else {
            return Ok(());
        };
        let waiting = self.requests.len();
        self.requests.retain(|request| request.id != id);
        if self.requests.len() < waiting {
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Response::new_err(id, code, "cancelled".to_owned()))?;
        }
        Ok(())
    }

    /// Answers the first request.
    fn answer(&mut self) -> Result<(), Failure> {
        let Some(Request { id, method, params }) = self.requests.pop_front() else {
            return Ok(());
        };
        let options = self.checker.as_deref().map(Checker::options).unwrap_or_default();
        let answers = Answers {
            places: self.places(),
            found: &self.found,
            options: &options,
        };
        let response = match answers.to(&method, params) {
            Some(Ok(result)) => Response::new_ok(id, result),
            Some(Err(problem)) => Response::new_err(id, ErrorCode::InvalidParams as i32, problem),
            None => Response::new_err(id, ErrorCode::MethodNotFound as i32, "unknown method".to_owned()),
        };
        self.send(response)
    }

    /// Tells the editor why nothing can be checked.
    fn log(&self, problem: &str) -> Result<(), Failure> {
        let params = lsp_types::LogMessageParams {
            typ: lsp_types::MessageType::ERROR,
            message: crate::printable::printable(problem).into_owned(),
        };
        self.notify(notification::LogMessage::METHOD, &params)
    }

    fn notify(&self, method: &str, params: &impl serde::Serialize) -> Result<(), Failure> {
        let params = serde_json::to_value(params)?;
        let message = Notification {
            method: method.to_owned(),
            params,
        };
        Ok(self.connection.sender.send(message.into())?)
    }

    fn send(&self, response: Response) -> Result<(), Failure> {
        Ok(self.connection.sender.send(response.into())?)
    }
}
