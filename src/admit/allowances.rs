//! Annotations on resources that allow certain findings.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::severity::{ALLOW_ANNOTATION, Allowance, Setting};
use crate::yaml::{DocumentObject, Node, for_each_object};

/// Collects allowances from the object at `root` or, for a list, from the list and its items.
pub fn collect_allowances(root: Node<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
    for_each_object(root, &mut |object| collect_from_object(object, out, diagnostics));
}

fn collect_from_object(object: DocumentObject<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
    let root = object.root();
    let annotations = root.at("metadata.annotations");
    let Some(value) = annotations.and_then(|node| node.get(ALLOW_ANNOTATION)) else {
        return;
    };
    let names = value.as_str().unwrap_or_default().split(',').map(str::trim);
    for name in names.filter(|name| !name.is_empty()) {
        match Setting::allowable_code(name) {
            Ok(code) => out.push(Allowance {
                code,
                resource: root.span(),
                span: value.span(),
                is_from_list: matches!(object, DocumentObject::List(_)),
            }),
            Err(error) => diagnostics.push(error.label(value.span(), "").path(Allowance::path())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::testing;

    #[test]
    fn collects_allowances_from_lists_and_items() {
        let text = "apiVersion: v1\nkind: List\nmetadata: {annotations: {agentctl.dev/allow: paused-agent}}\n\
                    items:\n- apiVersion: v1\n  kind: Secret\n  metadata: {annotations: {agentctl.dev/allow: \
                    duplicate-scrape}}\n";
        let documents = testing::documents(text);
        let (mut allowances, mut diagnostics) = (Vec::new(), Vec::new());
        collect_allowances(documents[0].root(), &mut allowances, &mut diagnostics);
        let codes: Vec<_> = allowances.iter().map(|allowance| allowance.code).collect();
        assert_eq!(codes, [Code::PausedAgent, Code::DuplicateScrape]);
        assert!(allowances[0].resource.end >= allowances[1].resource.end);
        assert_eq!(diagnostics, []);
    }
}
