//! Fixes that are certain and can be applied, and the keys that identify them.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::diagnostic::{Code, Diagnostic, Edit};
use crate::source::SourceId;

/// A finding's certain fix. Digests are stored instead of strings, because an input can have a hundred thousand fixes.
#[derive(Clone, Debug)]
pub(super) struct FixCandidate {
    /// Key that identifies the fix even if its position changes.
    pub(super) fix_key: u64,
    pub(super) subject: FixSubject,
    /// Digest of the code and the field, without list indexes and map keys.
    pub(super) shape: u64,
    pub(super) edits: Vec<Edit>,
}

impl FixCandidate {
    /// Returns the finding's fix, or `None` if there is no fix or the fix is not certain.
    pub(super) fn new(finding: &Diagnostic) -> Option<Self> {
        let fix_key = fix_key(finding)?;
        let path = finding.path.as_deref().unwrap_or_default();
        let steps: Vec<_> = path.split('[').map(|step| step.rsplit(']').next()).collect();
        Some(Self {
            fix_key,
            subject: FixSubject::new(finding),
            shape: digest(&(finding.code, steps)),
            edits: finding.fix.as_ref()?.edits.clone(),
        })
    }

    /// Returns the sources that the fix changes.
    pub(super) fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.edits.iter().map(|edit| edit.span.source)
    }
}

/// A finding's certain fix, which may have been combined with other fixes.
#[derive(Debug)]
pub(super) struct FixPart {
    pub(super) fix_key: u64,
    /// Digests of the fix's edits.
    pub(super) edits: Vec<u64>,
}

impl FixPart {
    /// Returns the finding's fix, or `None` if there is no fix or the fix is not certain.
    pub(super) fn new(finding: &Diagnostic) -> Option<Self> {
        let fix_key = fix_key(finding)?;
        let edits = finding.fix.as_ref()?.edits.iter().map(digest).collect();
        Some(Self { fix_key, edits })
    }
}

/// Field that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FixSubject {
    pub(super) field: u64,
    /// Digest of the finding's code and the field's parent, or `None` if a fix cannot rename the field.
    pub(super) sibling: Option<u64>,
}

impl FixSubject {
    pub(super) fn new(finding: &Diagnostic) -> Self {
        let resource = &finding.resource;
        let parent = finding.path.as_deref().and_then(|path| path.rsplit_once('.'));
        let is_value = matches!(finding.code, Code::WrongType | Code::PatternMismatch | Code::UnsupportedValue);
        let sibling = parent.filter(|_| !is_value);
        Self {
            field: digest(&(resource, &finding.path)),
            sibling: sibling.map(|(parent, _)| digest(&(finding.code, resource, parent))),
        }
    }
}

/// Returns the key that identifies a finding's certain fix even if the fix's position changes. Returns `None` if the
/// finding has no certain fix.
pub(super) fn fix_key(finding: &Diagnostic) -> Option<u64> {
    let fix = finding.fix.as_ref().filter(|fix| fix.is_certain())?;
    let source = fix.edits.first().map(|edit| edit.span.source);
    Some(digest(&(source, &finding.resource, &finding.path, &fix.title)))
}

pub(super) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
