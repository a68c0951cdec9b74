//! A fix that can be applied, and what decides whether it stays.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::diagnostic::{Code, Diagnostic, Edit};
use crate::source::SourceId;

/// A certain fix of a finding. Texts are held as numbers, since an input can have a hundred thousand fixes.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The fix, wherever in the text it is.
    pub(super) promise: u64,
    pub(super) subject: Subject,
    /// The code with the field, without the numbers of items and the keys of maps.
    pub(super) shape: u64,
    pub(super) edits: Vec<Edit>,
}

impl Candidate {
    /// The fix of a finding, if it is certain.
    pub(super) fn new(found: &Diagnostic) -> Option<Self> {
        let promise = promise(found)?;
        let path = found.path.as_deref().unwrap_or_default();
        let steps: Vec<_> = path.split('[').map(|step| step.rsplit(']').next()).collect();
        Some(Self {
            promise,
            subject: Subject::new(found),
            shape: digest(&(found.code, steps)),
            edits: found.fix.as_ref()?.edits.clone(),
        })
    }

    /// The sources that the fix changes.
    pub(super) fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.edits.iter().map(|edit| edit.span.source)
    }
}

/// A certain fix of a finding that may be joined with others.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) promise: u64,
    /// Digests of the edits.
    pub(super) edits: Vec<u64>,
}

impl Part {
    /// The fix of a finding, if it is certain.
    pub(super) fn new(found: &Diagnostic) -> Option<Self> {
        let promise = promise(found)?;
        let edits = found.fix.as_ref()?.edits.iter().map(digest).collect();
        Some(Self { promise, edits })
    }
}

/// The field that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) field: u64,
    /// The code with the mapping around the field, if a fix can give the field another name.
    pub(super) sibling: Option<u64>,
}

impl Subject {
    pub(super) fn new(found: &Diagnostic) -> Self {
        let resource = &found.resource;
        let parent = found.path.as_deref().and_then(|path| path.rsplit_once('.'));
        let is_value = matches!(
            found.code,
            Code::WrongType | Code::PatternMismatch | Code::UnsupportedValue
        );
        let sibling = parent.filter(|_| !is_value);
        Self {
            field: digest(&(resource, &found.path)),
            sibling: sibling.map(|(parent, _)| digest(&(found.code, resource, parent))),
        }
    }
}

/// A certain fix of a finding, wherever in the text it is.
pub(super) fn promise(found: &Diagnostic) -> Option<u64> {
    let fix = found.fix.as_ref().filter(|fix| fix.is_certain())?;
    let source = fix.edits.first().map(|edit| edit.span.source);
    Some(digest(&(source, &found.resource, &found.path, &fix.title)))
}

/// A number that stands for a value.
pub(super) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
