//! Flags that specify the aggregator's configuration.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::admit::collect_allowances;
use crate::aggregate::{AggregateOptions, Registry, RemoteServices, compile};
use crate::cli::args::{InputArgs, LimitArgs, SeverityArgs, TimeArg, namespace, parse_time};
use crate::cli::session::{Outcome, Session};
use crate::diagnostic::severity::Policy;
use crate::diagnostic::{Diagnostic, EnvironmentError, has_errors};
use crate::input::{Input, load_file};
use crate::source::{SourceId, Sources, Span};
use crate::yaml::{Document, Limits, read};

/// Flags for the manifests and the aggregator's own settings.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct AggregateInput {
    #[command(flatten)]
    input: InputArgs,

    /// File with the aggregator's remote services
    ///
    /// It is the aggregator's setting remote_services_file.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    remote_services: Option<PathBuf>,

    #[command(flatten)]
    aggregation: AggregationArgs,

    #[command(flatten)]
    policy: SeverityArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Flags that affect how manifests and remote services are compiled.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Aggregation")]
pub(super) struct AggregationArgs {
    /// Namespace for objects without one
    ///
    /// The default is `default`.
    #[arg(short, long, value_name = "NAMESPACE", default_value = "default", hide_default_value = true, value_parser = namespace)]
    namespace: String,

    /// Namespace for ExternalNames generated from remote services
    #[arg(long, hide_short_help = true, value_name = "NAMESPACE", default_value = "default", value_parser = namespace, requires = "remote_services")]
    external_names_namespace: String,

    /// CA certificates for remote services
    ///
    /// It is the aggregator's setting apiservice_ca_bundle_file.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "remote_services")]
    ca_bundle: Option<PathBuf>,

    /// Check that CA bundles are valid at this time
    ///
    /// Accepts a date (YYYY-MM-DD), a time such as 2026-03-01T12:00:00Z, or now.
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    at: Option<TimeArg>,
}

impl AggregateInput {
    /// Compiles the input, reports the findings, and calls `then` with the registry unless there is an error.
    pub(super) fn compile<T>(&self, session: &Session, then: impl FnOnce(&Registry<'_>) -> Outcome<T>) -> Outcome<T> {
        self.compile_checked(session, |_| None, then)
    }

    /// Compiles the input as [`Self::compile`] does. If there are no errors, also reports the finding that `check`
    /// returns, which differs by command.
    pub(super) fn compile_checked<T>(
        &self,
        session: &Session,
        check: impl FnOnce(&Registry<'_>) -> Option<Diagnostic>,
        then: impl FnOnce(&Registry<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        let (reading, limits) = (self.limits.reading(), self.limits.limits());
        let mut diagnostics = Vec::new();
        let mut sources = session.load(&self.inputs(), &reading)?.report_to(&mut diagnostics);
        let whole_sources = sources.iter().filter(|(_, source)| source.is_complete);
        let manifests: Vec<_> = whole_sources.map(|(id, _)| id).collect();
        let mut add = |path: &Option<PathBuf>| -> Result<_, EnvironmentError> {
            let source = path.as_deref().map(|path| load_file(path, &reading)).transpose()?;
            Ok(source.map(|source| sources.add(source)))
        };
        let (remote, bundle) = (add(&self.remote_services)?, add(&self.aggregation.ca_bundle)?);
        let policy = self.policy.policy(Policy::default(), session, &mut sources);
        let policy = policy.report_to(&mut diagnostics);
        let manifests = read_documents(&sources, manifests, &limits, &mut diagnostics);
        let mut allowances = Vec::new();
        for document in &manifests {
            collect_allowances(document.root(), &mut allowances, &mut diagnostics);
        }
        let documents = read_documents(&sources, remote, &limits, &mut diagnostics);
        let bundle = bundle.and_then(|id| Some((sources.get(id)?.text.as_bytes(), Span::new(id, 0, 0))));
        let services = remote.map(|_| RemoteServices {
            documents: &documents,
            namespace: &self.aggregation.external_names_namespace,
            ca_bundle: bundle,
        });
        let options = AggregateOptions {
            namespace: &self.aggregation.namespace,
            certificate_time: self.aggregation.at.map(TimeArg::time),
        };
        let registry = compile(&manifests, services.as_ref(), &options).report_to(&mut diagnostics);
        let mut diagnostics = policy.apply(diagnostics, &allowances, &|span| span);
        if !has_errors(&diagnostics) {
            diagnostics.extend(check(&registry));
        }
        session.accept(&diagnostics, &sources)?;
        then(&registry)
    }

    /// Returns these settings for the other side of a comparison, with `path` as the only input and without remote
    /// services.
    pub(super) fn against(&self, path: OsString) -> Self {
        Self {
            input: InputArgs::from_path(path),
            remote_services: None,
            aggregation: AggregationArgs { ca_bundle: None, ..self.aggregation.clone() },
            ..self.clone()
        }
    }

    /// Returns the inputs that contain manifests, or no inputs if only remote services are given.
    pub(super) fn inputs(&self) -> Vec<Input> {
        match self.remote_services.is_some() && !self.input.is_given() {
            true => Vec::new(),
            false => self.input.inputs(),
        }
    }
}

fn read_documents<'s>(
    sources: &'s Sources,
    ids: impl IntoIterator<Item = SourceId>,
    limits: &Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Document<'s>> {
    let mut documents = Vec::new();
    for (id, source) in ids.into_iter().filter_map(|id| Some((id, sources.get(id)?))) {
        documents.extend(read(id, &source.text, limits).report_to(diagnostics));
    }
    documents
}
