//! Lookups with the `--type`, `--of` and `--line` flags.

use std::ffi::OsStr;
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use crate::api::ObjectRef;
use crate::cli::subject::{SubjectArgument, files};
use crate::cli::terminal::table;
use crate::diagnostic::{Diagnostic, EnvironmentError};
use crate::insight::catalog::{Catalog, LocatedResource};
use crate::insight::referrers::Referrers;
use crate::insight::source_map::{InputLines, TracedPart};
use crate::plan::ConfigKind;
use crate::printable::Text;
use crate::source::{Source, SourceId, Sources};

/// Input that arguments are looked up in.
pub(super) struct LookupInput<'i, 'd> {
    pub(super) sources: &'d Sources,
    pub(super) referrers: Referrers<'i, 'd>,
    pub(super) catalog: &'i Catalog<'i, 'd>,
}

impl<'d> LookupInput<'_, 'd> {
    /// Resolves an argument to a line in a file, or to all resources with the given path or name.
    pub(super) fn lines(
        &self,
        argument: &str,
    ) -> Result<Result<Vec<InputLines<'d>>, Box<Diagnostic>>, EnvironmentError> {
        if let Some((file, line)) = file_and_line(argument) {
            let files = self.files(file)?;
            if !files.is_empty() && files.iter().all(|(_, source)| source.line(line).is_none()) {
                return Err(line_not_found(file, line));
            }
            let lines = files.iter().map(|(id, source)| InputLines::Line {
                file: &source.name,
                line,
                otherwise: self.resources_at(*id, source, line),
            });
            return Ok(Ok(lines.collect()));
        }
        let located = SubjectArgument::parse(OsStr::new(argument)).find(self.catalog, self.sources)?;
        Ok(located.map(|located| located.iter().flat_map(|located| self.resource(located.object)).collect()))
    }

    /// Returns the sources named `file`, or otherwise the sources below the path `file`.
    fn files(&self, file: &str) -> Result<Vec<(SourceId, &'d Source)>, EnvironmentError> {
        let named_sources: Vec<_> = self.sources.iter().filter(|(_, source)| source.name == file).collect();
        if !named_sources.is_empty() {
            return Ok(named_sources);
        }
        let ids_below = files(self.sources, Path::new(file))?;
        Ok(ids_below.into_iter().filter_map(|id| Some((id, self.sources.get(id)?))).collect())
    }

    /// Returns the lines of each resource whose YAML contains `line` or, if there is none, of each resource built from
    /// the file.
    fn resources_at(&self, id: SourceId, source: &Source, line: u32) -> Vec<InputLines<'d>> {
        let is_around = |located: &&LocatedResource<'d>| {
            let place = self.sources.location(located.root.span());
            place.is_some_and(|place| place.file == source.name && (place.start.line..=place.end.line).contains(&line))
        };
        let mut enclosing: Vec<_> = self.catalog.iter().filter(is_around).collect();
        if enclosing.is_empty() {
            let is_built = |located: &&LocatedResource<'d>| self.sources.is_built_from(located.root.span(), &[id]);
            enclosing = self.catalog.iter().filter(is_built).collect();
        }
        enclosing.into_iter().flat_map(|located| self.resource(located.object)).collect()
    }

    /// Returns a resource's lines, and the lines of the fields that refer to the resource.
    fn resource(&self, object: ObjectRef<'d>) -> Vec<InputLines<'d>> {
        let references = self.referrers.find(&object).into_iter().map(|r| InputLines::Reference(r.object, r.field));
        std::iter::once(InputLines::Resource(object)).chain(references).collect()
    }
}

fn file_and_line(argument: &str) -> Option<(&str, u32)> {
    let (file, line) = argument.rsplit_once(':')?;
    Some((file, line.parse().ok().filter(|_| !file.is_empty())?))
}

/// Returns the error for a line that does not exist.
pub(super) fn line_not_found(file: &str, line: u32) -> EnvironmentError {
    EnvironmentError::invalid_content(file, format!("line {line} does not exist"))
}

/// Returns a table with one row per entry.
pub(super) fn text(entries: &[TracedPart<'_>]) -> Text {
    if entries.is_empty() {
        return Text::default();
    }
    let header = ["TYPE", "LINES", "PART", "SOURCE", "RESOURCE", "FIELD"].map(str::to_owned);
    let rows = entries.iter().map(|TracedPart { config, source }| {
        let not_set = if source.is_set { "" } else { " (not set)" };
        [
            config.part.as_str().to_owned(),
            range(config.line, config.end_line),
            or_dot(&config.path).to_owned(),
            format!("{}:{}", source.file, range(source.line, source.end_line)),
            source.resource.to_string(),
            format!("{}{not_set}", or_dot(&source.path)),
        ]
    });
    table(std::iter::once(header).chain(rows).collect())
}

/// JSON output of a lookup.
#[derive(Serialize)]
pub(super) struct LookupAnswer<'e, 'd> {
    /// Agent, as `namespace/name`.
    pub(super) agent: String,
    pub(super) entries: &'e [TracedPart<'d>],
}

fn range(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Returns `path`, or `.` if it is empty.
fn or_dot(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// Type of an agent's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ConfigType {
    /// For the StatefulSets that scrape metrics
    Metrics,
    /// For the DaemonSet that reads logs
    Logs,
    /// For integrations: in the Deployment if there is one, otherwise in the DaemonSet
    Integrations,
    /// For integrations in the Deployment
    IntegrationsDeploy,
    /// For integrations in the DaemonSet, on all nodes
    IntegrationsDs,
}

impl ConfigType {
    /// Whether the type includes this configuration.
    pub(super) fn includes(self, part: ConfigKind) -> bool {
        part.as_str().starts_with(&self.name())
    }

    /// Returns the type's name on the command line.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_number_follows_the_last_colon() {
        for (argument, expected) in [
            ("a.yaml:24", Some(("a.yaml", 24))),
            ("C:\\a.yaml:3", Some(("C:\\a.yaml", 3))),
            ("a.yaml", None),
            ("a.yaml:", None),
            (":3", None),
            ("a.yaml:-3", None),
            ("probe/web", None),
        ] {
            assert_eq!(file_and_line(argument), expected, "{argument}");
        }
    }

    #[test]
    fn every_configuration_kind_has_a_type() {
        let deploy = ConfigKind::Integrations { all_nodes: false };
        let all = ConfigKind::Integrations { all_nodes: true };
        for (part, expected) in [
            (ConfigKind::Metrics, vec![ConfigType::Metrics]),
            (ConfigKind::Logs, vec![ConfigType::Logs]),
            (deploy, vec![ConfigType::Integrations, ConfigType::IntegrationsDeploy]),
            (all, vec![ConfigType::Integrations, ConfigType::IntegrationsDs]),
        ] {
            let types = ConfigType::value_variants().iter().copied();
            let types: Vec<_> = types.filter(|wanted| wanted.includes(part)).collect();
            assert_eq!(types, expected);
            assert!(types.iter().any(|one| one.name() == part.as_str()));
        }
    }
}
