//! Checks the workspace whenever it changes, and answers requests about it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::{LogMessageParams, MessageType, PublishDiagnosticsParams, Uri, notification};

use super::answer::{Answer, Answers};
use super::checker::{Checked, Checker, Open};
use super::diagnostics::Places;
use super::editor::{Editor, Failure, Out};
use super::inbox::{Inbox, Outcome, Work, Workspace};

use super::text::Encoding;
use super::workspace::Files;
use crate::diagnostic::{Diagnostic, Warned};
use crate::fix;
use crate::printable::printable;
use crate::report::presentable;
use crate::source::Sources;

pub(super) struct Worker<'c> {
    inbox: &'c Inbox,
    out: Out<'c>,
    encoding: Encoding,
    takes_findings: bool,
    files: Files,
    /// The workspace that is checked.
    number: u64,
    /// What the editor shows, by file.
    published: BTreeMap<String, Vec<lsp_types::Diagnostic>>,
    /// What it was told last that has no place in a file.
    logged: Vec<String>,
}

impl<'c> Worker<'c> {
    pub(super) fn new(inbox: &'c Inbox, out: Out<'c>, editor: &Editor) -> Self {
        Self {
            inbox,
            out,
            encoding: editor.encoding,
            takes_findings: editor.takes_findings,
            files: Files::default(),
            number: 0,
            published: BTreeMap::new(),
            logged: Vec::new(),
        }
    }

    /// Works until the session ends.
    pub(super) fn run(&mut self, open: Open<'_>) -> Result<(), Failure> {
        let mut next = self.wait(&mut |_, _| None)?;
        while let Some(workspace) = next {
            // Other settings are another compilation.
            next = match open(&workspace.roots) {
                Ok(checker) => self.check_with(&checker, workspace)?,
                Err(problem) => {
                    self.log(vec![problem])?;
                    self.wait_for_reset()?
                }
            };
        }
        Ok(())
    }

    /// Checks with the same settings, again and again. Returns the workspace that has others; nothing at the end.
    fn check_with(&mut self, checker: &Checker, mut workspace: Workspace) -> Result<Option<Workspace>, Failure> {
        loop {
            let Some(loaded) = self.load(checker, workspace)? else {
                return self.wait_for_reset();
            };
            let (inbox, number) = (self.inbox, self.number);
            let is_wanted = || inbox.is_current(number);
            let Checked {
                sources,
                found: all,
                find,
            } = (checker.check)(loaded, &is_wanted);
            let mut found = Vec::new();
            if is_wanted() {
                found = presentable(all.clone());
                self.publish(&sources, &found)?;
            }
            let tried = OnceCell::new();
            let try_all = || presentable(fix::tried(&sources, all.clone(), |sources| find(sources, &is_wanted)));
            let next = self.wait(&mut |worker, Request { method, params, .. }| {
                let answers = Answers {
                    places: worker.places(&sources),
                    found: &found,
                    tried: &|| tried.get_or_init(try_all),
                    options: &checker.options,
                };
                answers.to(method, params.clone())
            })?;
            match next {
                Some(next) if !next.is_reset => workspace = next,
                next => return Ok(next),
            }
        }
    }

    /// Reads the workspace; nothing where that fails, which the editor is told.
    fn load(&mut self, checker: &Checker, workspace: Workspace) -> Result<Option<Warned<Sources>>, Failure> {
        self.files.open = workspace.open;
        match self.files.load(checker) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(problem) => {
                self.log(vec![problem.to_string()])?;
                Ok(None)
            }
        }
    }

    /// Waits for any other workspace, where this one cannot be checked.
    fn wait_for_reset(&mut self) -> Result<Option<Workspace>, Failure> {
        self.publish(&Sources::default(), &[])?;
        let next = self.wait(&mut |_, _| None)?;
        Ok(next)
    }

    /// Answers requests until there is another workspace; returns nothing at the end.
    fn wait(
        &mut self,
        answer: &mut dyn FnMut(&Self, &Request) -> Option<Answer>,
    ) -> Result<Option<Workspace>, Failure> {
        loop {
            match self.inbox.next() {
                Work::End => return Ok(None),
                Work::Check(workspace, number) => {
                    self.number = number;
                    return Ok(Some(workspace));
                }
                Work::Refuse(id) => self.refuse(id, ErrorCode::ContentModified, "the texts are others by now")?,
                Work::Answer(request) => {
                    let answer = answer(self, &request);
                    match self.inbox.finish(self.number) {
                        Outcome::Cancelled => {}
                        Outcome::Outdated => {
                            self.refuse(request.id, ErrorCode::ContentModified, "the texts are others by now")?;
                        }
                        Outcome::Answered => match answer {
                            Some(Ok(result)) => self.out.send(Response::new_ok(request.id, result))?,
                            Some(Err(problem)) => self.refuse(request.id, ErrorCode::InvalidParams, problem)?,
                            None => self.refuse(request.id, ErrorCode::MethodNotFound, "unknown method")?,
                        },
                    }
                }
            }
        }
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) -> Result<(), Failure> {
        self.out.send(Response::new_err(id, code as i32, why.to_owned()))
    }

    fn places<'s>(&'s self, sources: &'s Sources) -> Places<'s> {
        Places {
            sources,
            files: &self.files,
            encoding: self.encoding,
        }
    }

    /// Tells the editor what is other than what it shows.
    fn publish(&mut self, sources: &Sources, found: &[Diagnostic]) -> Result<(), Failure> {
        let places = self.places(sources);
        let now = places.by_file(found);
        self.log(places.without_file(found))?;
        if !self.takes_findings {
            return Ok(());
        }
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
            self.out.notify(notification::PublishDiagnostics::METHOD, &params)?;
        }
        self.published = now;
        Ok(())
    }

    /// Tells the editor what has no place in a file, once.
    fn log(&mut self, messages: Vec<String>) -> Result<(), Failure> {
        for message in messages.iter().filter(|message| !self.logged.contains(message)) {
            let params = LogMessageParams {
                typ: MessageType::ERROR,
                message: message.lines().map(printable).collect::<Vec<_>>().join("\n"),
            };
            self.out.notify(notification::LogMessage::METHOD, &params)?;
        }
        self.logged = messages;
        Ok(())
    }
}
