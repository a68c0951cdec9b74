//! `agentctl config`: an agent's configuration, and where its parts come from.

mod lookup;

use clap::{Args, ValueEnum};

use lookup::ConfigType;

use super::args::{AgentArgs, CompileArgs, WholeInputArgs};
use super::completion;
use super::outcome::{ExitStatus, Outcome, Stop};
use super::session::Session;
use crate::api::ObjectRef;
use crate::diagnostic::{Diagnostic, EnvironmentError, Severity};
use crate::insight::catalog::{Catalog, LocatedResource};
use crate::insight::referrers::Referrers;
use crate::insight::resolved::ResolvedInput;
use crate::insight::source_map::{InputLines, SourceMap, TracedPart, diagnostics};
use crate::plan::{ConfigKind, SecretRepresentation};
use crate::resolve::Hierarchy;

/// Print an agent's configuration, or show where its parts come from
///
/// Prints the `agent.yml` of one GrafanaAgent as `render` writes it into a Secret, or `config.alloy` with --target alloy.
/// Secret values in it are shown as ***, as in `diff`; with --show-secrets, the exact bytes are printed. Line numbers are the
/// same either way.
///
/// --source-map adds a comment line before each scrape job, rule, receiver, pipeline stage and the like, with the file, line,
/// resource and field that it comes from. In a list, a comment applies up to the next one. "(not set)" marks a field that has
/// an effect because it is not set.
///
/// --line finds the source of a line in the configuration, counted without comments. --of finds the lines that come from a
/// source, in all of the agent's configurations unless --type selects one. -o json writes the whole table, or only the
/// entries that were found; each has two locations, `config` and `source`.
///
/// Mistakes in the input are shown only if they prevent rendering; `agentctl check` shows all.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl config -f manifests/
  agentctl config monitoring/agent manifests/ --type logs
  agentctl config agent -f manifests/ --source-map
  kubectl kustomize overlays/prod | agentctl config -
  agentctl config agent -f manifests/ --target alloy --source-map
  agentctl config agent -f manifests/ --show-secrets > agent.yml
  agentctl config agent -f manifests/ --line 42
  agentctl config agent -f manifests/ --of manifests/shop.yaml:24
  agentctl config agent -f manifests/ --of servicemonitor/shop/checkout
  agentctl config agent -f manifests/ -o json")]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    agent: AgentArgs,

    /// Type of configuration to print
    ///
    /// By default, the first of these types that the agent has.
    #[arg(long, value_name = "TYPE", help_heading = "Output")]
    r#type: Option<ConfigType>,

    #[command(flatten)]
    input: WholeInputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: ConfigFormat,

    /// Add comments that show where each part comes from
    #[arg(long, help_heading = "Output")]
    source_map: bool,

    /// Show secret values
    #[arg(long, help_heading = "Output")]
    show_secrets: bool,

    /// Show where this line of the configuration comes from
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["source_map", "of"], help_heading = "Output",
        value_parser = clap::value_parser!(u32).range(1..))]
    line: Option<u32>,

    /// Show what comes from a FILE:LINE, path or resource
    #[arg(
        long,
        value_name = "SOURCE",
        conflicts_with = "source_map",
        help_heading = "Output",
        add = completion::resources_and_files()
    )]
    of: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConfigFormat {
    /// The configuration, or a table of the parts that --line or --of finds
    Text,
    /// Origins of all parts, as one object
    Json,
}

/// An agent's configurations, as selected by the flags.
struct ShownConfigurations<'m, 'd> {
    agent: ObjectRef<'d>,
    /// Source maps of the configurations. Never empty.
    maps: Vec<SourceMap<'m, 'd>>,
    /// Types of the agent's other configurations.
    other_kinds: Vec<&'static str>,
    /// File name of the configuration.
    file: &'static str,
}

impl ConfigArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        let inputs = self.input.inputs_with(&self.agent.paths());
        self.compile.resolve(&inputs, session, |input| self.answer(&input, session))
    }

    fn answer(&self, input: &ResolvedInput<'_>, session: &Session) -> Outcome {
        let mut findings = input.errors();
        let catalog = input.catalog();
        let choice = self.agent.find(&catalog, input, &mut findings);
        let configurations =
            choice.and_then(|(agent, hierarchy)| self.maps(agent, hierarchy, &catalog, input, &mut findings));
        findings.retain(|diagnostic| diagnostic.severity == Severity::Error);
        session.accept(&findings, input.sources)?;
        let lookup = lookup::LookupInput {
            sources: input.sources,
            referrers: Referrers::new(input.resources, input.hierarchies),
            catalog: &catalog,
        };
        self.show(&configurations.ok_or(Stop::Reported)?, &lookup, session)
    }

    /// Returns the source maps of the requested configurations: all configurations of the type if `--of` is set, and
    /// otherwise only the first one.
    fn maps<'m, 'd>(
        &self,
        agent: LocatedResource<'d>,
        hierarchy: &'d Hierarchy<'d, 'd>,
        catalog: &'m Catalog<'m, 'd>,
        input: &ResolvedInput<'d>,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<ShownConfigurations<'m, 'd>> {
        let target = &input.options.render.manifest.target;
        let is_wanted = |part: &ConfigKind| self.r#type.is_none_or(|wanted_kinds| wanted_kinds.includes(*part));
        let (mut wanted_kinds, mut other_kinds): (Vec<_>, Vec<_>) =
            ConfigKind::non_empty_kinds(hierarchy).into_iter().partition(is_wanted);
        if self.of.is_none() {
            other_kinds.extend(wanted_kinds.drain(1.min(wanted_kinds.len())..));
        }
        let other_kinds: Vec<_> = other_kinds.into_iter().map(ConfigKind::as_str).collect();
        if wanted_kinds.is_empty() {
            let wanted_kinds = self.r#type.map(ConfigType::name).unwrap_or_default();
            findings.push(diagnostics::no_configuration(&agent, &wanted_kinds, &other_kinds));
            return None;
        }
        let maps = wanted_kinds.into_iter().map(|part| {
            let map = SourceMap::new(hierarchy, part, catalog, input.sources, target);
            findings.extend(map.diagnostics);
            map.output
        });
        Some(ShownConfigurations { agent: agent.object, maps: maps.collect(), other_kinds, file: target.file() })
    }

    fn show<'d>(
        &self,
        shown: &ShownConfigurations<'_, 'd>,
        input: &lookup::LookupInput<'_, 'd>,
        session: &Session,
    ) -> Outcome {
        let entries = match (self.line, self.of.as_deref()) {
            (Some(line), _) => Some(shown.parts_at_line(line)?),
            (None, Some(of)) => match input.lines(of)? {
                Ok(lines) => Some(shown.parts_made_from(&lines)),
                Err(unknown) => return Ok(session.report(&[*unknown], input.sources)),
            },
            (None, None) if self.output == ConfigFormat::Text => None,
            (None, None) => {
                let entries_of_maps = shown.maps.iter().map(SourceMap::entries);
                entries_of_maps.reduce(|mut all, more| {
                    all.extend(more);
                    all
                })
            }
        };
        match (self.output, &entries) {
            (ConfigFormat::Json, Some(entries)) => {
                let ObjectRef { namespace, name, .. } = shown.agent;
                let agent = format!("{namespace}/{name}");
                session.json(&lookup::LookupAnswer { agent, entries })
            }
            (_, None) => self.print_configuration(shown, session),
            (ConfigFormat::Text, Some(entries)) => session.show(&lookup::text(entries)),
        }?;
        self.note(shown, entries.as_ref(), session);
        Ok(ExitStatus::Success)
    }

    /// Prints the configurations: unchanged if `--show-secrets` is set, otherwise masked and escaped.
    fn print_configuration(&self, shown: &ShownConfigurations<'_, '_>, session: &Session) -> Outcome {
        let secrets = match self.show_secrets {
            true => SecretRepresentation::Values,
            false => SecretRepresentation::Masked,
        };
        session.show_pieces(self.show_secrets, |print| {
            let mut hides_values = false;
            for map in &shown.maps {
                hides_values |= match self.source_map {
                    true => map.for_each_commented_text(secrets, print),
                    false => map.for_each_text(secrets, print),
                };
            }
            if hides_values {
                session.note("secret values are masked as ***; pass --show-secrets to show them");
            }
        })
    }

    /// Prints a note if nothing was found, or a note that lists the other configurations if no type was requested.
    fn note(&self, shown: &ShownConfigurations<'_, '_>, entries: Option<&Vec<TracedPart<'_>>>, session: &Session) {
        let names: Vec<_> = shown.maps.iter().map(|map| map.part.as_str()).collect();
        if let (Some(of), Some([])) = (&self.of, entries.map(Vec::as_slice)) {
            let names = names.join(", ");
            session.note(&format!("nothing in the configuration of {} ({names}) comes from {of}", shown.agent));
        }
        let is_chosen = self.r#type.is_some_and(|wanted| names == [wanted.name()]);
        if !is_chosen && !shown.other_kinds.is_empty() && self.of.is_none() {
            session.note(&format!(
                "this is the {} configuration; {} also has {}: choose one with --type",
                names.join(", "),
                shown.agent,
                shown.other_kinds.join(", ")
            ));
        }
    }
}

impl<'d> ShownConfigurations<'_, 'd> {
    fn parts_at_line(&self, line: u32) -> Result<Vec<TracedPart<'d>>, EnvironmentError> {
        let parts: Vec<_> = self.maps.iter().filter_map(|map| map.part_at_line(line)).collect();
        match parts.is_empty() {
            true => Err(lookup::line_not_found(self.file, line)),
            false => Ok(parts),
        }
    }

    fn parts_made_from(&self, lines: &[InputLines<'_>]) -> Vec<TracedPart<'d>> {
        let maps = self.maps.iter();
        maps.flat_map(|map| map.parts_made_from(lines)).collect()
    }
}
