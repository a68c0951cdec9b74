//! Queue of messages between the thread that receives them from the editor and the thread that does the work.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lsp_server::{Request, RequestId};

use super::workspace::OpenDocument;

/// Pause after which a change is considered complete, because editors send a message for every keystroke.
const PAUSE: Duration = Duration::from_millis(40);

/// Workspace as the editor sees it.
#[derive(Clone, Default)]
pub(super) struct Workspace {
    pub(super) roots: Vec<PathBuf>,
    /// Open documents by path.
    pub(super) open: BTreeMap<PathBuf, OpenDocument>,
    /// Whether folders or settings have changed.
    pub(super) is_reset: bool,
    /// Whether files may have changed on disk.
    pub(super) is_saved: bool,
}

/// Next action of the worker.
pub(super) enum WorkItem {
    /// Check a new state of the workspace. The version identifies the state.
    Check(Workspace, u64),
    /// Answer a request about the current workspace.
    Answer(Request),
    /// Reject a request about an earlier state.
    Reject(RequestId),
    /// End the session.
    End,
}

/// Outcome of a request once its answer is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestOutcome {
    Answered,
    /// A document changed before the answer was ready.
    Outdated,
    /// The editor canceled the request and has already received a response.
    Canceled,
}

pub(super) struct Inbox {
    state: Mutex<InboxState>,
    news: Condvar,
    /// Number of changes so far.
    changes: AtomicU64,
}

struct InboxState {
    workspace: Workspace,
    /// Time of the last unprocessed change.
    changed: Option<Instant>,
    /// Pending requests, each with the version in which it was sent.
    requests: VecDeque<(u64, Request)>,
    /// Request that is being answered.
    running: Option<RequestId>,
    is_over: bool,
}

impl Inbox {
    pub(super) fn new(roots: Vec<PathBuf>) -> Self {
        let workspace = Workspace { roots, ..Workspace::default() };
        Self {
            state: Mutex::new(InboxState {
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

    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the session continues and nothing has changed since `version`.
    pub(super) fn is_current(&self, version: u64) -> bool {
        self.changes.load(Ordering::SeqCst) == version
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Workspace)) {
        let mut state = self.lock();
        change(&mut state.workspace);
        state.changed = Some(Instant::now());
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.news.notify_one();
    }

    pub(super) fn add_request(&self, request: Request) {
        let version = self.changes.load(Ordering::SeqCst);
        self.lock().requests.push_back((version, request));
        self.news.notify_one();
    }

    /// Cancels a request. Returns whether the request was still unanswered.
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

    /// Waits for work. A change is complete after a pause, or as soon as a request arrives.
    pub(super) fn next(&self) -> WorkItem {
        let mut state = self.lock();
        loop {
            let version = self.changes.load(Ordering::SeqCst);
            if state.is_over {
                return WorkItem::End;
            }
            let outdated_request = state.requests.iter().position(|(asked, _)| *asked < version);
            if let Some((_, request)) = outdated_request.and_then(|place| state.requests.remove(place)) {
                return WorkItem::Reject(request.id);
            }
            let is_asked = !state.requests.is_empty();
            let remaining = state.changed.map(|changed| remaining_pause(changed, Instant::now(), is_asked));
            state = match remaining {
                Some(remaining) if !remaining.is_zero() => {
                    let waited = self.news.wait_timeout(state, remaining);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    state.changed = None;
                    let workspace = state.workspace.clone();
                    (state.workspace.is_reset, state.workspace.is_saved) = (false, false);
                    return WorkItem::Check(workspace, version);
                }
                None => match state.requests.pop_front() {
                    Some((_, request)) => {
                        state.running = Some(request.id.clone());
                        return WorkItem::Answer(request);
                    }
                    None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
                },
            };
        }
    }

    /// Ends the work on the current request, which began at `version`.
    pub(super) fn finish(&self, version: u64) -> RequestOutcome {
        match self.lock().running.take() {
            None => RequestOutcome::Canceled,
            Some(_) if self.is_current(version) => RequestOutcome::Answered,
            Some(_) => RequestOutcome::Outdated,
        }
    }
}

/// Returns how long to wait for further edits before a change counts as complete. A pending request ends the wait.
fn remaining_pause(changed: Instant, now: Instant, is_asked: bool) -> Duration {
    if is_asked { Duration::ZERO } else { PAUSE.saturating_sub(now.saturating_duration_since(changed)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: i32) -> Request {
        Request::new(id.into(), "x".to_owned(), ())
    }

    fn checked_version(inbox: &Inbox) -> u64 {
        match inbox.next() {
            WorkItem::Check(_, version) => version,
            _ => panic!(),
        }
    }

    #[test]
    fn last_change_is_checked_before_later_requests() {
        let inbox = Inbox::new(Vec::new());
        let first = checked_version(&inbox);
        inbox.change(|workspace| workspace.is_reset = true);
        inbox.add_request(request(1));
        assert!(!inbox.is_current(first));
        inbox.change(|workspace| workspace.roots.push("a".into()));
        inbox.add_request(request(2));
        assert!(matches!(inbox.next(), WorkItem::Reject(id) if id == 1.into()));
        let WorkItem::Check(workspace, version) = inbox.next() else { panic!() };
        assert!(workspace.is_reset && workspace.roots.len() == 1 && inbox.is_current(version));
        assert!(matches!(inbox.next(), WorkItem::Answer(request) if request.id == 2.into()));
        assert_eq!(inbox.finish(version), RequestOutcome::Answered);
        inbox.change(|workspace| assert!(!workspace.is_reset));
        checked_version(&inbox);
        inbox.end();
        assert!(matches!(inbox.next(), WorkItem::End));
    }

    #[test]
    fn checks_changes_after_a_pause() {
        let (changed, tick) = (Instant::now(), Duration::from_millis(1));
        let remaining = |after, is_asked| remaining_pause(changed, changed + after, is_asked);
        assert_eq!(remaining(Duration::ZERO, false), PAUSE);
        assert_eq!(remaining(PAUSE - tick, false), tick);
        assert_eq!([remaining(PAUSE, false), remaining(2 * PAUSE, false)], [Duration::ZERO; 2]);
        assert_eq!(remaining(Duration::ZERO, true), Duration::ZERO);
        let inbox = Inbox::new(Vec::new());
        let first = checked_version(&inbox);
        inbox.change(|_| {});
        assert_eq!(checked_version(&inbox), first + 1);
    }

    #[test]
    fn cancels_waiting_and_running_requests() {
        let inbox = Inbox::new(Vec::new());
        let version = checked_version(&inbox);
        for id in 1..4 {
            inbox.add_request(request(id));
        }
        assert!(inbox.cancel(&2.into()) && !inbox.cancel(&2.into()));
        assert!(matches!(inbox.next(), WorkItem::Answer(request) if request.id == 1.into()));
        assert!(inbox.cancel(&1.into()));
        assert_eq!(inbox.finish(version), RequestOutcome::Canceled);
        assert!(matches!(inbox.next(), WorkItem::Answer(request) if request.id == 3.into()));
        inbox.change(|_| {});
        assert_eq!(inbox.finish(version), RequestOutcome::Outdated);
    }
}
