//! Parts of a repository that are skipped.

use std::fmt;

use crate::printable::format_count;

/// Kind of object or file that is skipped or only partly read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipKind {
    /// HelmRelease of Flux, whose objects Helm installs.
    HelmRelease,
    /// Chart that an Application or a kustomization needs.
    Chart,
    /// Source other than this repository: another repository, a bucket or an artifact.
    ForeignSource,
    /// Base or component that kustomize would fetch.
    RemoteBase,
    /// Kustomization or Application for a cluster other than the entry point's.
    OtherCluster,
    /// Flux Kustomization that is suspended.
    Suspended,
    /// Unsupported generator or template function of an ApplicationSet.
    Generator,
    /// Source that needs a plugin or Jsonnet.
    Plugin,
    /// File that is not valid YAML.
    File,
    /// Source of variables whose values are replaced with placeholders.
    Variables,
    /// Object that is applied more than once.
    Repeated,
}

impl SkipKind {
    /// Formats a count with the noun for this kind, such as `2 HelmReleases`.
    fn format_count(self, count: usize) -> String {
        let noun = match self {
            Self::OtherCluster => {
                let builds = format_count(count, "build");
                return format!("{builds} for other clusters");
            }
            Self::HelmRelease => "HelmRelease",
            Self::Chart => "chart",
            Self::ForeignSource => "foreign source",
            Self::RemoteBase => "remote base",
            Self::Suspended => "suspended Kustomization",
            Self::Generator => "unsupported generator",
            Self::Plugin => "plugin source",
            Self::File => "invalid file",
            Self::Variables => "source of variables",
            Self::Repeated => "repeated object",
        };
        format_count(count, noun)
    }

    /// Whether skipping an object of this kind means that objects are missing.
    fn is_unread(self) -> bool {
        !matches!(self, Self::Variables | Self::Repeated)
    }
}

/// Reason why an object or file is skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    pub kind: SkipKind,
    /// Reason in lowercase and without a period. It never contains a secret value.
    pub text: String,
}

impl Reason {
    pub fn new(kind: SkipKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// Object or file that a cluster receives but that is skipped, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skipped {
    /// The object as `KIND/NAMESPACE/NAME`, followed by the number of one of its sources if the reason concerns only
    /// that source.
    pub object: String,
    pub reason: Reason,
}

impl Skipped {
    pub fn new(object: impl fmt::Display, reason: Reason) -> Self {
        Self { object: object.to_string(), reason }
    }

    /// Whether skipping this object means that objects are missing.
    pub fn is_unread(&self) -> bool {
        self.reason.kind.is_unread()
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason.text)
    }
}

/// Counts unread objects by kind, such as `81 HelmReleases, 1 foreign source`. Returns an empty string if everything is
/// read.
pub fn count_unread(skipped: &[Skipped]) -> String {
    let mut kinds: Vec<_> =
        skipped.iter().filter(|skipped| skipped.is_unread()).map(|skipped| skipped.reason.kind).collect();
    kinds.sort_unstable();
    let counts = kinds.chunk_by(PartialEq::eq).filter_map(|same| Some(same.first()?.format_count(same.len())));
    counts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_skipped_objects_by_reason() {
        let skipped_object = |kind| Skipped::new("x", Reason::new(kind, "y"));
        let skipped_objects =
            [SkipKind::ForeignSource, SkipKind::HelmRelease, SkipKind::Repeated, SkipKind::HelmRelease];
        assert_eq!(count_unread(&skipped_objects.map(skipped_object)), "2 HelmReleases, 1 foreign source");
        assert_eq!(count_unread(&[skipped_object(SkipKind::Variables)]), "");
    }
}
