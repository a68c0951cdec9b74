//! Flags of the command line about namespaces that change nothing for the input.

use std::collections::BTreeSet;

use super::document::AdmittedDocument;
use super::objects::object_of;
use super::walk::Options;
use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic};

/// The flags among those given that change nothing.
pub fn unused_flags(documents: &[AdmittedDocument<'_>], options: &Options) -> Vec<Diagnostic> {
    let mut unused = Vec::new();
    let in_namespaces = documents.iter().map(|admitted| admitted.contents.in_namespaces);
    let (all, nowhere) = in_namespaces.fold((0, 0), |(all, nowhere), (a, b)| (all + a, nowhere + b));
    if options.given.namespace && all > 0 && nowhere == 0 {
        let message = format!(
            "`--namespace {}` has no effect: every resource in the input sets its namespace",
            options.namespace
        );
        let help = "remove the flag: it is the namespace of resources that set none, and selects nothing";
        unused.push(Diagnostic::new(Code::UnusedFlag, message).help(help));
    }
    if options.given.namespace_labels {
        unused.extend(unused_labels(documents, options));
    }
    unused
}

/// The namespaces with labels that nothing looks at.
fn unused_labels(documents: &[AdmittedDocument<'_>], options: &Options) -> Vec<Diagnostic> {
    let objects = documents.iter().flat_map(AdmittedDocument::objects);
    let (mut described, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (kind, root) in objects {
        let object = object_of(kind, root, &options.namespace);
        match kind {
            Kind::Namespace => described.insert(object.name),
            _ => used.insert(object.namespace),
        };
    }
    let problem = |namespace: &str| {
        let labels = format!("the labels of `{namespace}` in `--namespace-labels` have no effect");
        let diagnostic = |reason| Diagnostic::new(Code::UnusedFlag, format!("{labels}: {reason}"));
        if described.contains(namespace) {
            Some(diagnostic("the input has its Namespace").help("set the labels there"))
        } else if used.contains(namespace) {
            None
        } else {
            Some(diagnostic("no resource in the input is in that namespace").help("correct the namespace"))
        }
    };
    let namespaces = options.namespace_labels.keys();
    namespaces.filter_map(|namespace| problem(namespace)).collect()
}
