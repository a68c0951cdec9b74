//! Documents → the objects of aggregation.

use super::api_service::{ApiService, Undecodable};
use super::diagnostics;
use super::external_name::ExternalName;
use super::kind::AggregateKind;
use super::service::Service;
use crate::diagnostic::{Diagnostic, Warned};
use crate::yaml::{Document, Found, Node, each_object};

/// Everything the aggregator would know, in the order in which it was read.
#[derive(Clone, Default)]
pub struct Registry<'d> {
    /// Who answers for which group and version.
    pub api_services: Vec<ApiService<'d>>,
    /// Hosts outside.
    pub external_names: Vec<ExternalName<'d>>,
    /// Core Services.
    pub services: Vec<Service<'d>>,
}

impl Registry<'_> {
    /// Whether nothing of the input takes part in aggregation; a core Service alone does not.
    pub fn is_empty(&self) -> bool {
        self.api_services.is_empty() && self.external_names.is_empty()
    }
}

/// Decodes what the documents hold. An object that does not decode is reported and left out.
pub(super) fn read<'d>(
    documents: impl IntoIterator<Item = &'d Document<'d>>,
    namespace: &'d str,
) -> Warned<Registry<'d>> {
    let mut reader = Reader {
        namespace,
        registry: Registry::default(),
        diagnostics: Vec::new(),
        of_services: Vec::new(),
    };
    for document in documents {
        each_object(document.root(), &mut |found| {
            if let Found::Object {
                root,
                api_version,
                kind,
            } = found
                && let Some(kind) = AggregateKind::of(api_version, kind)
            {
                reader.object(kind, api_version, root);
            }
        });
    }
    if !reader.registry.is_empty() {
        reader.diagnostics.append(&mut reader.of_services);
    }
    Warned {
        output: reader.registry,
        diagnostics: reader.diagnostics,
    }
}

struct Reader<'d> {
    namespace: &'d str,
    registry: Registry<'d>,
    diagnostics: Vec<Diagnostic>,
    /// What is wrong with core Services: of no concern where nothing leads to one.
    of_services: Vec<Diagnostic>,
}

impl<'d> Reader<'d> {
    fn object(&mut self, kind: AggregateKind, api_version: &str, root: Node<'d>) {
        if api_version != kind.api_version() {
            let diagnostic = diagnostics::unserved_version(kind, api_version, root);
            return self.diagnostics.push(diagnostic);
        }
        match kind {
            AggregateKind::ApiService => self.api_service(root),
            AggregateKind::ExternalName => match ExternalName::decode(root, self.namespace) {
                Ok(external) => self.registry.external_names.push(external),
                Err(error) => self.diagnostics.push(diagnostics::wrong_type(kind, root, &error)),
            },
            AggregateKind::Service => match Service::decode(root, self.namespace) {
                Ok(service) => self.registry.services.push(service),
                Err(error) => self.of_services.push(diagnostics::wrong_type(kind, root, &error)),
            },
        }
    }

    fn api_service(&mut self, root: Node<'d>) {
        match ApiService::decode(root) {
            Ok(service) => self.registry.api_services.push(service),
            Err(Undecodable::Bundle) => self.diagnostics.push(diagnostics::bundle_not_base64(root)),
            Err(Undecodable::Type(error)) => {
                let diagnostic = diagnostics::wrong_type(AggregateKind::ApiService, root, &error);
                self.diagnostics.push(diagnostic);
            }
        }
    }
}
