//! Worker that checks the workspace whenever it changes, and answers requests about it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::{LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri, notification};

use super::answer::{Answer, Answers};
use super::checker::{CheckedWorkspace, OpenWorkspace, WorkspaceChecker};
use super::diagnostics::Locations;
use super::editor::{Client, Editor, Failure};
use super::inbox::{Inbox, RequestOutcome, WorkItem, Workspace};
use super::text::Encoding;
use super::workspace::OpenFiles;
use crate::compile::CompileOptions;
use crate::diagnostic::apply;
use crate::diagnostic::{Diagnostic, Warned};
use crate::input::built;
use crate::printable::printable;
use crate::report::presentable;
use crate::source::Sources;

pub(super) struct Worker<'c> {
    inbox: &'c Inbox,
    out: Client<'c>,
    encoding: Encoding,
    accepts_findings: bool,
    files: OpenFiles,
    /// Number of the workspace state that is being checked.
    number: u64,
    /// Findings that the editor currently shows, by file.
    published: BTreeMap<String, Vec<lsp_types::Diagnostic>>,
    /// Messages without a location in a file, as last sent to the editor.
    logged: Vec<String>,
}

impl<'c> Worker<'c> {
    pub(super) fn new(inbox: &'c Inbox, out: Client<'c>, editor: &Editor) -> Self {
        Self {
            inbox,
            out,
            encoding: editor.encoding,
            accepts_findings: editor.accepts_findings,
            files: OpenFiles::default(),
            number: 0,
            published: BTreeMap::new(),
            logged: Vec::new(),
        }
    }

    /// Checks the workspace and answers requests until the session ends.
    pub(super) fn run(&mut self, open: OpenWorkspace<'_>) -> Result<(), Failure> {
        let mut next = self.wait(&mut Self::empty_answer)?;
        while let Some(workspace) = next {
            // A change in settings requires a new checker.
            next = match open(&workspace.roots) {
                Ok(checker) => self.check_with(&checker, workspace)?,
                Err(problem) => {
                    self.show(problem)?;
                    self.wait_for_reset()?
                }
            };
        }
        Ok(())
    }

    /// Checks the workspace with the same settings whenever it changes. Returns the workspace once its settings differ,
    /// or `None` when the session ends.
    fn check_with(
        &mut self,
        checker: &WorkspaceChecker,
        mut workspace: Workspace,
    ) -> Result<Option<Workspace>, Failure> {
        loop {
            let Some(loaded) = self.load(checker, workspace)? else {
                return self.wait_for_reset();
            };
            let (inbox, number) = (self.inbox, self.number);
            let is_wanted = || inbox.is_current(number);
            let CheckedWorkspace { sources, findings: all_findings, find } = (checker.check)(loaded, &is_wanted);
            let mut current = Vec::new();
            if is_wanted() {
                current = editor_findings(all_findings.clone(), &sources);
                self.log(self.locations(&sources).without_file(&current))?;
                self.publish(&sources, &current)?;
            }
            let tried_findings = OnceCell::new();
            let try_all = || {
                let fix_result = apply::try_fixes(&sources, all_findings.clone(), |sources| find(sources, &is_wanted));
                editor_findings(fix_result.findings, &sources)
            };
            let next = self.wait(&mut |worker, Request { method, params, .. }| {
                let answers = Answers {
                    places: worker.locations(&sources),
                    findings: &current,
                    tried_findings: &|| tried_findings.get_or_init(try_all),
                    options: &checker.options,
                };
                answers.answer(method, params.clone())
            })?;
            match next {
                Some(next) if !next.is_reset => workspace = next,
                next => return Ok(next),
            }
        }
    }

    /// Reads the workspace. If this fails, shows the error and returns `None`.
    fn load(&mut self, checker: &WorkspaceChecker, workspace: Workspace) -> Result<Option<Warned<Sources>>, Failure> {
        let is_saved = workspace.is_saved || workspace.is_reset;
        self.files.open = workspace.open;
        match self.files.load(checker, is_saved) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(problem) => {
                self.show(problem.to_string())?;
                Ok(None)
            }
        }
    }

    /// Clears all findings and waits for a different state of the workspace, because the current state cannot be
    /// checked.
    fn wait_for_reset(&mut self) -> Result<Option<Workspace>, Failure> {
        self.publish(&Sources::default(), &[])?;
        let next = self.wait(&mut Self::empty_answer)?;
        Ok(next)
    }

    /// Answers a request as if the workspace were empty.
    fn empty_answer(&self, Request { method, params, .. }: &Request) -> Option<Answer> {
        let sources = Sources::default();
        let answers = Answers {
            places: self.locations(&sources),
            findings: &[],
            tried_findings: &|| &[],
            options: &CompileOptions::default(),
        };
        answers.answer(method, params.clone())
    }

    /// Answers requests until the workspace changes, and returns the new workspace. Returns `None` when the session
    /// ends.
    fn wait(
        &mut self,
        answer: &mut dyn FnMut(&Self, &Request) -> Option<Answer>,
    ) -> Result<Option<Workspace>, Failure> {
        loop {
            match self.inbox.next() {
                WorkItem::End => return Ok(None),
                WorkItem::Check(workspace, number) => {
                    self.number = number;
                    return Ok(Some(workspace));
                }
                WorkItem::Reject(id) => {
                    self.reject(id, ErrorCode::ContentModified, "the document changed before the answer was ready")?
                }
                WorkItem::Answer(request) => {
                    let answer = answer(self, &request);
                    match self.inbox.finish(self.number) {
                        RequestOutcome::Canceled => {}
                        RequestOutcome::Outdated => {
                            self.reject(
                                request.id,
                                ErrorCode::ContentModified,
                                "the document changed before the answer was ready",
                            )?;
                        }
                        RequestOutcome::Answered => match answer {
                            Some(Ok(result)) => self.out.send(Response::new_ok(request.id, result))?,
                            Some(Err(problem)) => self.reject(request.id, ErrorCode::InvalidParams, problem)?,
                            None => self.reject(request.id, ErrorCode::MethodNotFound, "unknown method")?,
                        },
                    }
                }
            }
        }
    }

    fn reject(&self, id: RequestId, code: ErrorCode, why: &str) -> Result<(), Failure> {
        self.out.send(Response::new_err(id, code as i32, why.to_owned()))
    }

    fn locations<'s>(&'s self, sources: &'s Sources) -> Locations<'s> {
        Locations { sources, files: &self.files, encoding: self.encoding }
    }

    /// Sends the editor the findings for every file whose findings have changed.
    fn publish(&mut self, sources: &Sources, findings: &[Diagnostic]) -> Result<(), Failure> {
        let now = self.locations(sources).by_file(findings);
        if !self.accepts_findings {
            return Ok(());
        }
        let cleared = self.published.keys().filter(|uri| !now.contains_key(*uri));
        let cleared: Vec<_> = cleared.map(|uri| (uri.clone(), Vec::new())).collect();
        let is_new = |(uri, findings): &(&String, &Vec<_>)| self.published.get(*uri) != Some(*findings);
        let changed_findings = now.iter().filter(is_new);
        let changed_findings: Vec<_> =
            changed_findings.map(|(uri, findings)| (uri.clone(), findings.clone())).collect();
        for (uri, diagnostics) in cleared.into_iter().chain(changed_findings) {
            let uri: Uri = uri.parse()?;
            let document = self.files.open.values().find(|document| document.uri == uri);
            let params =
                PublishDiagnosticsParams { version: document.map(|document| document.version), uri, diagnostics };
            self.out.notify(notification::PublishDiagnostics::METHOD, &params)?;
        }
        self.published = now;
        Ok(())
    }

    /// Logs messages without a location in a file, if they are new.
    fn log(&mut self, messages: Vec<String>) -> Result<(), Failure> {
        for message in messages.iter().filter(|message| !self.logged.contains(message)) {
            let params = LogMessageParams { typ: MessageType::ERROR, message: printable_lines(message) };
            self.out.notify(notification::LogMessage::METHOD, &params)?;
        }
        self.logged = messages;
        Ok(())
    }

    /// Shows the user why the workspace cannot be checked, unless that problem was also the last one shown.
    fn show(&mut self, problem: String) -> Result<(), Failure> {
        if !self.logged.contains(&problem) {
            let params = ShowMessageParams { typ: MessageType::ERROR, message: printable_lines(&problem) };
            self.out.notify(notification::ShowMessage::METHOD, &params)?;
        }
        self.logged = vec![problem];
        Ok(())
    }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Returns the findings in the form that editors display, located in the files that the user edits.
fn editor_findings(mut findings: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    built::trace(&mut findings, sources);
    presentable(findings)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::thread;
    use std::time::Duration;

    use lsp_server::{Connection, Message};
    use serde_json::json;

    use super::*;
    use crate::diagnostic::Code;
    use crate::input::{Input, ReadLimits};
    use crate::lsp::uri::from_path;
    use crate::lsp::workspace::OpenDocument;
    use crate::source::Span;

    /// Returns a finding for each marker word in the sources. The finding for `wrong_word` has a location; the one for
    /// `nowhere` does not.
    fn check(loaded: Warned<Sources>) -> CheckedWorkspace {
        let sources = loaded.output;
        let find = |sources: &Sources| {
            let words = sources.iter().flat_map(|(id, source)| {
                let finding = Diagnostic::new(Code::NotAnObject, "m").label(Span::new(id, 0, 1), "");
                let wrong_word = source.text.contains("wrong").then_some(finding);
                let nowhere = source.text.contains("nowhere").then(|| Diagnostic::new(Code::NoInput, "a\nb"));
                wrong_word.into_iter().chain(nowhere)
            });
            words.collect::<Vec<_>>()
        };
        CheckedWorkspace { findings: find(&sources), sources, find: Box::new(move |sources, _| find(sources)) }
    }

    fn checker(roots: &[PathBuf]) -> Result<WorkspaceChecker, String> {
        Ok(WorkspaceChecker {
            inputs: vec![Input::Path(roots.first().ok_or("no folder")?.clone())],
            reading: ReadLimits::default(),
            options: CompileOptions::default(),
            check: Box::new(|loaded, _| check(loaded)),
        })
    }

    /// Formats a message as one line. A finding is represented by its code, and a file is followed by the version that
    /// the editor sent.
    fn line(message: Message) -> String {
        let message = json!(message);
        let params = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let uri = params["uri"].as_str().unwrap();
                let codes = params["diagnostics"].as_array().unwrap().iter().map(|codes| &codes["code"]);
                format!("{} {} {}", &uri[uri.len() - 6..], params["version"], json!(codes.collect::<Vec<_>>()))
            }
            Some(method) => format!("{method} {}", params["message"]),
            None => format!("answer {} {}", message["error"]["code"], message["result"]["items"][0]["code"]),
        }
    }

    /// A change, and the messages sent to the editor up to and including the answer with the findings in `a.yaml`.
    type Step<'s> = (Box<dyn Fn(&mut Workspace) + 's>, Vec<String>);

    #[test]
    fn sends_only_changed_findings_to_the_editor() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        let path = |name: &str| folder.join(name);
        fs::write(path("a.yaml"), "wrong").unwrap();
        fs::write(path("b.yaml"), "fine").unwrap();
        let open = |workspace: &mut Workspace, name: &str, version, text: &str| {
            let uri = from_path(&path(name)).unwrap();
            let text = text.into();
            drop(workspace.open.insert(path(name), OpenDocument { uri, version, text }));
        };
        let settings = |workspace: &mut Workspace, roots: &[&Path]| {
            workspace.roots = roots.iter().map(|root| root.to_path_buf()).collect();
            workspace.is_reset = true;
        };
        let (a, b) = (r#"["not-an-object"]"#, "[]");
        let log = "window/logMessage";
        let show = "window/showMessage";
        let (clean, wrong) = ("answer null null", r#"answer null "not-an-object""#);
        let steps: Vec<Step<'_>> = vec![
            (Box::new(|_| {}), vec![format!("{show} \"no folder\""), clean.into()]),
            (Box::new(|workspace| settings(workspace, &[])), vec![clean.into()]),
            (Box::new(|workspace| settings(workspace, &[&folder])), vec![format!("a.yaml null {a}"), wrong.into()]),
            (Box::new(|_| {}), vec![wrong.into()]),
            (Box::new(|workspace| open(workspace, "b.yaml", 7, "wrong")), vec![format!("b.yaml 7 {a}"), wrong.into()]),
            (Box::new(|workspace| open(workspace, "a.yaml", 3, "fine")), vec![format!("a.yaml 3 {b}"), clean.into()]),
            (
                Box::new(|workspace| workspace.open.clear()),
                vec![format!("b.yaml null {b}"), format!("a.yaml null {a}"), wrong.into()],
            ),
            (
                Box::new(|workspace| open(workspace, "b.yaml", 8, "nowhere")),
                vec![format!("{log} \"a\\\\nb\""), wrong.into()],
            ),
            (Box::new(|workspace| open(workspace, "b.yaml", 9, "nowhere still")), vec![wrong.into()]),
            (Box::new(|workspace| workspace.open.clear()), vec![wrong.into()]),
            (
                Box::new(|workspace| open(workspace, "b.yaml", 1, "nowhere")),
                vec![format!("{log} \"a\\\\nb\""), wrong.into()],
            ),
            (
                Box::new(|workspace| {
                    fs::remove_dir_all(&folder).unwrap();
                    workspace.is_reset = true;
                }),
                vec![
                    format!("{show} \"cannot read `{}`: No such file or directory (os error 2)\"", folder.display()),
                    format!("a.yaml null {b}"),
                    clean.into(),
                ],
            ),
        ];
        let (server, editor) = Connection::memory();
        let inbox = Inbox::new(Vec::new());
        let capabilities = Editor::new(&lsp_types::ClientCapabilities::default());
        let request_params = json!({"textDocument": {"uri": from_path(&path("a.yaml"))}});
        let messages: Vec<_> = thread::scope(|scope| {
            scope.spawn(|| Worker::new(&inbox, Client::new(&server), &capabilities).run(&checker).unwrap());
            let messages = steps.iter().enumerate().map(|(number, (change, _))| {
                if number > 0 {
                    inbox.change(change);
                }
                inbox.add_request(Request::new(1.into(), "textDocument/diagnostic".to_owned(), &request_params));
                let mut messages = Vec::new();
                while let Ok(message) = editor.receiver.recv_timeout(Duration::from_secs(60)) {
                    let is_last = matches!(message, Message::Response(_));
                    messages.push(line(message));
                    if is_last {
                        break;
                    }
                }
                messages
            });
            let messages = messages.collect();
            inbox.end();
            messages
        });
        let expected: Vec<_> = steps.into_iter().map(|(_, expected)| expected).collect();
        assert_eq!(messages, expected);
    }
}
