//! Arguments that are resource names or paths.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, EnvironmentError};
use crate::gitops::cluster_named;
use crate::input::{Input, find_sources};
use crate::insight::catalog::{self, Catalog, LocatedResource, ResourceArgument, is_kind, is_path, suggested_kind};
use crate::insight::source_map;
use crate::source::{SourceId, Sources};

/// Argument that is either a path or the name of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SubjectArgument {
    Path(PathBuf),
    Resource(String),
}

/// Returns the entry point of a cluster, or `None` if `text` begins with a kind or no cluster has this name.
fn named_cluster(text: &str) -> Option<PathBuf> {
    let kind = text.split('/').next().unwrap_or_default();
    (!is_kind(kind)).then(|| cluster_named(text)).flatten()
}

impl SubjectArgument {
    /// Parses an argument. It is a path if it looks like a path, exists, or is the name of a cluster. Otherwise, it is
    /// a resource.
    pub(super) fn parse(argument: &OsStr) -> Self {
        let path = Path::new(argument);
        match argument.to_str() {
            None => SubjectArgument::Path(path.to_owned()),
            Some(text) if is_path(text) => SubjectArgument::Path(path.to_owned()),
            Some(text) if !path.exists() => match named_cluster(text) {
                Some(entry) => SubjectArgument::Path(entry),
                None => SubjectArgument::Resource(text.to_owned()),
            },
            Some(_) => SubjectArgument::Path(path.to_owned()),
        }
    }

    /// Parses several arguments. A kind may be followed by names, as in kubectl.
    pub(super) fn parse_all(arguments: &[OsString]) -> Vec<Self> {
        let mut subjects = Vec::new();
        let mut arguments = arguments.iter().peekable();
        while let Some(argument) = arguments.next() {
            let Some(kind) = argument.to_str().filter(|text| is_kind(text)) else {
                subjects.push(Self::parse(argument));
                continue;
            };
            // A path after the first name is an input.
            let mut is_first = true;
            let mut takes_name = |next: &&OsString| {
                let takes_name = next.to_str().is_some_and(is_name) && (is_first || !Path::new(next).exists());
                is_first = false;
                takes_name
            };
            let names = std::iter::from_fn(|| arguments.next_if(&mut takes_name)?.to_str());
            let named: Vec<_> = names.map(|name| SubjectArgument::Resource(format!("{kind}/{name}"))).collect();
            match named.is_empty() {
                true => subjects.push(Self::parse(argument)),
                false => subjects.extend(named),
            }
        }
        subjects
    }

    /// Splits arguments into inputs and resources. An existing file is an input. Any other argument is a resource if it
    /// starts with a kind, even a misspelled one, or if it is a single word. Therefore, if the user forgets the kind,
    /// the error is about resources.
    pub(super) fn operands(arguments: &[OsString]) -> (Vec<OsString>, Vec<Self>) {
        let exists = |argument: &OsString| argument == "-" || Path::new(argument).exists();
        let (mut paths, other_arguments): (Vec<_>, Vec<_>) = arguments.iter().cloned().partition(exists);
        let mut resources = Vec::new();
        for subject in Self::parse_all(&other_arguments) {
            match subject {
                SubjectArgument::Path(path) => paths.push(path.into()),
                SubjectArgument::Resource(text) if text.contains('/') && !nearly_begins_with_kind(&text) => {
                    paths.push(text.into())
                }
                resource @ SubjectArgument::Resource(_) => resources.push(resource),
            }
        }
        (paths, resources)
    }

    /// Splits arguments into subjects and inputs. If at least one argument is a resource and no flag sets the inputs,
    /// paths are inputs, as for `check`. Otherwise, all arguments are subjects.
    pub(super) fn split(arguments: &[OsString], has_inputs: bool) -> (Vec<Self>, Vec<OsString>) {
        let all_subjects = Self::parse_all(arguments);
        let is_input = |subject: &Self| match subject {
            SubjectArgument::Path(_) => true,
            SubjectArgument::Resource(text) => text.contains('/') && !nearly_begins_with_kind(text),
        };
        if has_inputs || all_subjects.iter().all(is_input) {
            return (all_subjects, Vec::new());
        }
        let (inputs, subjects): (Vec<_>, Vec<_>) = all_subjects.into_iter().partition(is_input);
        let path = |input| match input {
            SubjectArgument::Path(path) => path.into(),
            SubjectArgument::Resource(text) => text.into(),
        };
        (subjects, inputs.into_iter().map(path).collect())
    }

    /// Returns the argument as an input, or `None` if it is not a path.
    pub(super) fn as_input(&self) -> Option<Input> {
        match self {
            SubjectArgument::Path(path) => Some(Input::from(path.clone().into_os_string())),
            SubjectArgument::Resource(_) => None,
        }
    }

    /// Returns the argument as a resource name, or `None` if it is a path.
    pub(super) fn as_resource(&self) -> Option<&str> {
        match self {
            SubjectArgument::Path(_) => None,
            SubjectArgument::Resource(text) => Some(text),
        }
    }

    /// Returns the resources that the arguments refer to, without duplicates, in the order of the arguments.
    ///
    /// # Errors
    ///
    /// Returns a finding for each argument that matches no resource.
    pub(super) fn find_all<'d>(
        subjects: &[Self],
        catalog: &Catalog<'_, 'd>,
        sources: &Sources,
    ) -> Result<Result<Vec<LocatedResource<'d>>, Vec<Diagnostic>>, EnvironmentError> {
        let mut located: Vec<LocatedResource<'d>> = Vec::new();
        let mut seen_resources = BTreeSet::new();
        let mut unknown_findings = Vec::new();
        for subject in subjects {
            match subject.find(catalog, sources)? {
                Ok(targets) => {
                    located.extend(targets.into_iter().filter(|target| seen_resources.insert(target.object)))
                }
                Err(diagnostic) => unknown_findings.push(*diagnostic),
            }
        }
        Ok(if unknown_findings.is_empty() { Ok(located) } else { Err(unknown_findings) })
    }

    /// Returns the resources that this argument refers to, or a finding if there are none.
    pub(super) fn find<'d>(
        &self,
        catalog: &Catalog<'_, 'd>,
        sources: &Sources,
    ) -> Result<Result<Vec<LocatedResource<'d>>, Box<Diagnostic>>, EnvironmentError> {
        match self {
            SubjectArgument::Path(path) => {
                let files = files(sources, path)?;
                let mut objects = catalog.in_sources(&files);
                let built_resources =
                    catalog.iter().filter(|located| sources.is_built_from(located.root.span(), &files));
                objects.extend(built_resources.copied());
                Ok(Ok(objects))
            }
            SubjectArgument::Resource(_) => Ok(self.target(catalog).and_then(|target| catalog.find(&target))),
        }
    }

    /// Parses the argument as a resource.
    ///
    /// # Errors
    ///
    /// Returns a finding if the argument is a path or is malformed. It suggests resources from `catalog`.
    pub(super) fn target(&self, catalog: &Catalog<'_, '_>) -> Result<ResourceArgument<'_>, Box<Diagnostic>> {
        let text = self.as_resource().unwrap_or_default();
        ResourceArgument::parse(text).ok_or_else(|| {
            let mistake = match begins_with_kind(text) {
                true => catalog::malformed_argument(text),
                false => catalog::unknown_kind(text),
            };
            Box::new(catalog.suggest(text, mistake))
        })
    }
}

/// Returns the sources below a path.
///
/// # Errors
///
/// Returns an error if the path does not exist, or if objects are built but no build reads the path.
pub(super) fn files(sources: &Sources, path: &Path) -> Result<Vec<SourceId>, EnvironmentError> {
    let files = find_sources(sources, path)?;
    let is_built = sources.iter().any(|(_, source)| !source.origins.is_empty());
    match is_built && files.is_empty() {
        true => Err(EnvironmentError::invalid_content(path, "no build of the input reads it")),
        false => Ok(files),
    }
}

/// Whether an argument that could be the name of an agent is an input instead: it looks like a path or exists, or it is
/// the name of a cluster.
pub(super) fn is_input(argument: &str) -> bool {
    source_map::is_path(argument) || Path::new(argument).exists() || named_cluster(argument).is_some()
}

/// Whether an argument that follows a kind is a name, rather than a path or another resource.
fn is_name(text: &str) -> bool {
    !is_path(text) && !text.contains('/') && !is_kind(text)
}

fn begins_with_kind(text: &str) -> bool {
    text.split('/').next().is_some_and(is_kind)
}

/// Whether an argument starts with a kind, even a misspelled one.
fn nearly_begins_with_kind(text: &str) -> bool {
    let word = text.split('/').next().unwrap_or_default();
    is_kind(word) || suggested_kind(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_kinds_with_the_names_after_them() {
        for (arguments, expected) in [
            (&["smon", "checkout"][..], &["smon/checkout"][..]),
            (&["smon", "a", "b", "probe/c"], &["smon/a", "smon/b", "probe/c"]),
            (&["smon", "a", "src"], &["smon/a", "src"]),
            (&["probe", "smon", "src"], &["probe", "smon/src"]),
            (&["podlogs"], &["podlogs"]),
            (&["smon", "a", "./src"], &["smon/a", "./src"]),
            (&["smon", "./src"], &["smon", "./src"]),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            let expected: Vec<_> = expected.iter().map(|text| SubjectArgument::parse(OsStr::new(text))).collect();
            assert_eq!(SubjectArgument::parse_all(&arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn distinguishes_paths_and_resources() {
        let path = |text: &str| SubjectArgument::Path(PathBuf::from(text));
        let resource = |text: &str| SubjectArgument::Resource(text.to_owned());
        for (text, expected) in [
            ("probe/web", resource("probe/web")),
            ("./probe/web", path("./probe/web")),
            ("-", path("-")),
            ("probe/web.yaml", path("probe/web.yaml")),
            ("src", path("src")),
            ("src/cli", path("src/cli")),
            ("servicemonitr/web", resource("servicemonitr/web")),
        ] {
            assert_eq!(SubjectArgument::parse(OsStr::new(text)), expected, "{text}");
        }
    }

    #[test]
    fn paths_after_resources_are_inputs() {
        for (arguments, has_inputs, subjects, paths) in [
            (&["smon/a", "src"][..], false, &["smon/a"][..], &["src"][..]),
            (&["smon", "a", "gone/dir"], false, &["smon/a"], &["gone/dir"]),
            (&["smon/a", "src"], true, &["smon/a", "src"], &[]),
            (&["src", "src/cli"], false, &["src", "src/cli"], &[]),
            (&["smon", "svcmon/b"], false, &["smon", "svcmon/b"], &[]),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            let expected: Vec<_> = subjects.iter().map(|text| SubjectArgument::parse(OsStr::new(text))).collect();
            let paths: Vec<_> = paths.iter().map(OsString::from).collect();
            assert_eq!(SubjectArgument::split(&arguments, has_inputs), (expected, paths), "{arguments:?}");
        }
    }

    #[test]
    fn operands_are_inputs_or_resources() {
        let arguments =
            ["src", "-", "smon/a", "gone/dir", "cm", "x", "a.yaml", "agent", "svcmon/b"].map(OsString::from);
        let (paths, resources) = SubjectArgument::operands(&arguments);
        assert_eq!(paths, ["src", "-", "gone/dir", "a.yaml"]);
        let expected = ["smon/a", "cm/x", "agent", "svcmon/b"].map(|text| SubjectArgument::Resource(text.to_owned()));
        assert_eq!(resources, expected);
        // An existing file is treated as an input even if it comes after a kind.
        let (paths, resources) = SubjectArgument::operands(&["cm", "src"].map(OsString::from));
        assert_eq!(paths, ["src"]);
        assert_eq!(resources, [SubjectArgument::Resource("cm".to_owned())]);
    }
}
