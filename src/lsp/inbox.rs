//! What the editor sent, between the thread that takes its messages and the one that works.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lsp_server::{Request, RequestId};

use super::workspace::Document;

/// So much silence ends a change: an editor sends a message for each key.
const SILENCE: Duration = Duration::from_millis(40);

/// The workspace as the editor has it.
#[derive(Clone, Default)]
pub(super) struct Workspace {
    pub(super) roots: Vec<PathBuf>,
    /// The documents that are open, by their paths.
    pub(super) open: BTreeMap<PathBuf, Document>,
    /// Whether folders or settings are others than before.
    pub(super) is_reset: bool,
}

/// What is to be done next.
pub(super) enum Work {
    /// The workspace is another one: the number says which.
    Check(Workspace, u64),
    /// A request about the workspace as it is now.
    Answer(Request),
    /// A request about one that is gone.
    Refuse(RequestId),
    /// The editor has ended the session.
    End,
}

/// What is to be said to a request that was worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Answered,
    /// The texts are others by now.
    Outdated,
    /// It was cancelled, which the editor knows.
    Cancelled,
}

pub(super) struct Inbox {
    state: Mutex<State>,
    news: Condvar,
    /// Number of changes so far.
    changes: AtomicU64,
}

struct State {
    workspace: Workspace,
    /// When it changed, until somebody takes it.
    changed: Option<Instant>,
    /// Requests that wait, each with the number of changes before it.
    requests: VecDeque<(u64, Request)>,
    /// The request that is worked on.
    running: Option<RequestId>,
    is_over: bool,
}

impl Inbox {
    pub(super) fn new(roots: Vec<PathBuf>) -> Self {
        let workspace = Workspace {
            roots,
            ..Workspace::default()
        };
        Self {
            state: Mutex::new(State {
                workspace,
                changed: Some(Instant::now()),
                requests: VecDeque::new(),
                running: None,
                is_over: false,
            }),
            news: Condvar::new(),
            changes: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing changed since this number, and the session goes on.
    pub(super) fn is_current(&self, number: u64) -> bool {
        self.changes.load(Ordering::SeqCst) == number
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Workspace)) {
        let mut state = self.lock();
        change(&mut state.workspace);
        state.changed = Some(Instant::now());
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.news.notify_one();
    }

    pub(super) fn ask(&self, request: Request) {
        let number = self.changes.load(Ordering::SeqCst);
        self.lock().requests.push_back((number, request));
        self.news.notify_one();
    }

    /// Forgets a request; whether it was still waiting for its answer.
    pub(super) fn cancel(&self, id: &RequestId) -> bool {
        let mut state = self.lock();
        let waiting = state.requests.len();
        state.requests.retain(|(_, request)| request.id != *id);
        let is_running = state.running.take_if(|running| running == id).is_some();
        is_running || state.requests.len() < waiting
    }

    pub(super) fn end(&self) {
        self.lock().is_over = true;
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.news.notify_one();
    }

    /// Waits for work. A change is over when nothing more comes, or when a request asks about it.
    pub(super) fn next(&self) -> Work {
        let mut state = self.lock();
        loop {
            let number = self.changes.load(Ordering::SeqCst);
            if state.is_over {
                return Work::End;
            }
            let outdated = state.requests.iter().position(|(of, _)| *of < number);
            if let Some((_, request)) = outdated.and_then(|place| state.requests.remove(place)) {
                return Work::Refuse(request.id);
            }
            let left = state.changed.map(|changed| SILENCE.saturating_sub(changed.elapsed()));
            state = match left {
                Some(left) if !left.is_zero() && state.requests.is_empty() => {
                    let waited = self.news.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    state.changed = None;
                    let workspace = state.workspace.clone();
                    state.workspace.is_reset = false;
                    return Work::Check(workspace, number);
                }
                None => match state.requests.pop_front() {
                    Some((_, request)) => {
                        state.running = Some(request.id.clone());
                        return Work::Answer(request);
                    }
                    None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
                },
            };
        }
    }

    /// Ends the work on the request that is worked on, which began behind so many changes.
    pub(super) fn finish(&self, number: u64) -> Outcome {
        match self.lock().running.take() {
            None => Outcome::Cancelled,
            Some(_) if self.is_current(number) => Outcome::Answered,
            Some(_) => Outcome::Outdated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: i32) -> Request {
        Request::new(id.into(), "x".to_owned(), ())
    }

    fn checked(inbox: &Inbox) -> u64 {
        match inbox.next() {
            Work::Check(_, number) => number,
            _ => panic!(),
        }
    }

    #[test]
    fn the_last_change_wins_and_comes_before_its_requests() {
        let inbox = Inbox::new(Vec::new());
        let first = checked(&inbox);
        inbox.change(|workspace| workspace.is_reset = true);
        inbox.ask(request(1));
        assert!(!inbox.is_current(first));
        inbox.change(|workspace| workspace.roots.push("a".into()));
        inbox.ask(request(2));
        assert!(matches!(inbox.next(), Work::Refuse(id) if id == 1.into()));
        let Work::Check(workspace, number) = inbox.next() else {
            panic!()
        };
        assert!(workspace.is_reset && workspace.roots.len() == 1 && inbox.is_current(number));
        assert!(matches!(inbox.next(), Work::Answer(request) if request.id == 2.into()));
        assert_eq!(inbox.finish(number), Outcome::Answered);
        inbox.change(|workspace| assert!(!workspace.is_reset));
        checked(&inbox);
        inbox.end();
        assert!(matches!(inbox.next(), Work::End));
    }

    #[test]
    fn a_change_is_over_when_nothing_more_comes() {
        let start = Instant::now();
        let inbox = Inbox::new(Vec::new());
        checked(&inbox);
        assert!(start.elapsed() >= SILENCE);
        let start = Instant::now();
        inbox.change(|_| {});
        checked(&inbox);
        assert!(start.elapsed() >= SILENCE);
    }

    #[test]
    fn a_request_is_cancelled_while_it_waits_and_while_it_runs() {
        let inbox = Inbox::new(Vec::new());
        let number = checked(&inbox);
        for id in 1..4 {
            inbox.ask(request(id));
        }
        assert!(inbox.cancel(&2.into()) && !inbox.cancel(&2.into()));
        assert!(matches!(inbox.next(), Work::Answer(request) if request.id == 1.into()));
        assert!(inbox.cancel(&1.into()));
        assert_eq!(inbox.finish(number), Outcome::Cancelled);
        assert!(matches!(inbox.next(), Work::Answer(request) if request.id == 3.into()));
        inbox.change(|_| {});
        assert_eq!(inbox.finish(number), Outcome::Outdated);
    }
}
