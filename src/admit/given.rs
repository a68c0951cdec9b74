//! Namespace flags that have no effect on the input.

use std::collections::BTreeSet;

use super::document::AdmittedDocument;
use super::objects::read_object_ref;
use super::walk::AdmitOptions;
use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic};

/// Returns findings for namespace flags that have no effect on the input.
pub fn unused_flags(documents: &[AdmittedDocument<'_>], options: &AdmitOptions) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let in_namespaces = documents.iter().map(|admitted| admitted.contents.in_namespaces);
    let (namespaced_objects, objects_without_namespace) =
        in_namespaces.fold((0, 0), |(all, nowhere), (a, b)| (all + a, nowhere + b));
    if options.given.namespace && namespaced_objects > 0 && objects_without_namespace == 0 {
        let message = format!(
            "`--namespace {}` has no effect: every resource in the input sets its namespace",
            options.namespace
        );
        let help =
            "remove the flag: it sets the namespace only for resources that have none, and does not select resources";
        findings.push(Diagnostic::new(Code::UnusedFlag, message).help(help));
    }
    if options.given.namespace_labels {
        findings.extend(unused_labels(documents, options));
    }
    findings
}

/// Returns findings for namespaces in `--namespace-labels` whose labels are never used.
fn unused_labels(documents: &[AdmittedDocument<'_>], options: &AdmitOptions) -> Vec<Diagnostic> {
    let objects = documents.iter().flat_map(AdmittedDocument::objects);
    let (mut labeled_namespaces, mut used_namespaces) = (BTreeSet::new(), BTreeSet::new());
    for (kind, root) in objects {
        let object = read_object_ref(kind, root, &options.namespace);
        match kind {
            Kind::Namespace => labeled_namespaces.insert(object.name),
            _ => used_namespaces.insert(object.namespace),
        };
    }
    let problem = |namespace: &str| {
        let labels = format!("the labels for `{namespace}` in `--namespace-labels` have no effect");
        let diagnostic = |reason| Diagnostic::new(Code::UnusedFlag, format!("{labels}: {reason}"));
        if labeled_namespaces.contains(namespace) {
            Some(diagnostic("the input defines this Namespace").help("set the labels in its manifest"))
        } else if used_namespaces.contains(namespace) {
            None
        } else {
            Some(diagnostic("no resource in the input is in that namespace").help("correct the namespace"))
        }
    };
    let namespaces = options.namespace_labels.keys();
    namespaces.filter_map(|namespace| problem(namespace)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admit::{NamespaceFlags, admit_document};
    use crate::testing;

    #[test]
    fn reports_flags_without_effect() {
        let secret = |meta: &str| format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s{meta}}}\n---\n");
        let namespace = |name: &str| format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n---\n");
        let labels = |reason: &str| format!("the labels for `b` in `--namespace-labels` have no effect: {reason}");
        let expected_message = "`--namespace a` has no effect: every resource in the input sets its namespace";
        for (text, by_namespace, by_labels) in [
            (String::new(), None, Some(labels("no resource in the input is in that namespace"))),
            (secret(""), None, Some(labels("no resource in the input is in that namespace"))),
            (secret(", namespace: b"), Some(expected_message), None),
            (secret(", namespace: b") + &secret(""), None, None),
            (
                secret(", namespace: b") + &namespace("b"),
                Some(expected_message),
                Some(labels("the input defines this Namespace")),
            ),
            (namespace("c"), None, Some(labels("no resource in the input is in that namespace"))),
        ] {
            let messages = |namespace, namespace_labels| {
                let options = AdmitOptions {
                    namespace: "a".to_owned(),
                    namespace_labels: [("b".to_owned(), Default::default())].into_iter().collect(),
                    given: NamespaceFlags { namespace, namespace_labels },
                    ..AdmitOptions::default()
                };
                let documents = testing::documents(&text).into_iter();
                let admit = |document| admit_document(document, true, &options, |_, _| false, &mut Vec::new());
                let findings = unused_flags(&documents.map(admit).collect::<Vec<_>>(), &options);
                findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
            };
            assert_eq!(messages(false, false), [""; 0], "{text}");
            assert_eq!(messages(true, false), Vec::from_iter(by_namespace), "{text}");
            assert_eq!(messages(false, true), Vec::from_iter(by_labels), "{text}");
        }
    }
}
