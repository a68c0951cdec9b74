//! Allowances: what the author of a resource says is meant as it stands.

use std::collections::BTreeMap;

use super::setting::Setting;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use crate::yaml::{Found, Node, each_object};

/// The annotation that holds codes, separated by commas.
pub const ALLOW_ANNOTATION: &str = "agentctl.dev/allow";

/// A code that is not reported for one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Which rule.
    pub code: Code,
    /// The text of the resource.
    pub resource: Span,
    /// The place of the allowance.
    pub place: Span,
    /// Whether the resource is a list, which allows it for its items.
    pub of_list: bool,
}

impl Allowance {
    /// The allowances in the annotations of an object, or of a list, where they are for every item, and of its items.
    pub fn collect(root: Node<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
        each_object(root, &mut |found| Self::of_object(found, out, diagnostics));
    }

    fn of_object(found: Found<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
        let root = found.root();
        let annotations = root.at("metadata.annotations");
        let Some(value) = annotations.and_then(|node| node.get(ALLOW_ANNOTATION)) else {
            return;
        };
        let names = value.as_str().unwrap_or_default().split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            match Setting::allowed(name) {
                Ok(code) => out.push(Allowance {
                    code,
                    resource: root.span(),
                    place: value.span(),
                    of_list: matches!(found, Found::List(_)),
                }),
                Err(error) => diagnostics.push(error.label(value.span(), "").path(path())),
            }
        }
    }

    /// It allows nothing.
    pub(super) fn unused(&self) -> Diagnostic {
        let message = format!("`{}` is allowed, but not found in this resource", self.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.place, "")
            .path(path())
            .help("take the code out of the annotation")
    }

    fn key(&self) -> (Code, SourceId, u32) {
        (self.code, self.resource.source, self.resource.start)
    }
}

/// What is allowed of each code, by where the resource starts, with where it ends and whether anything was found in it.
type ByPlace = BTreeMap<(Code, SourceId, u32), (u32, bool)>;

/// The allowances of top-level objects, and of those in lists.
pub(super) struct Allowed {
    objects: ByPlace,
    lists: ByPlace,
}

impl Allowed {
    pub(super) fn new(allowances: &[Allowance]) -> Self {
        let those = |of_list| {
            let those = allowances.iter().filter(move |a| a.of_list == of_list);
            those.map(|a| (a.key(), (a.resource.end, false))).collect()
        };
        Self {
            objects: those(false),
            lists: those(true),
        }
    }

    /// Whether a resource allows what was found in it, which is noted.
    pub(super) fn covers(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(Span { source, start, .. }) = diagnostic.primary().map(|label| label.span) else {
            return false;
        };
        let (first, last) = ((diagnostic.code, source, 0), (diagnostic.code, source, start));
        let mut covered = false;
        for places in [&mut self.objects, &mut self.lists] {
            let above = places.range_mut(first..=last).rev().map(|(_, found)| found);
            // One may end where the next one starts.
            for (_, used) in above.take_while(|(end, _)| start <= *end) {
                *used = true;
                covered = true;
            }
        }
        covered
    }

    /// Whether an allowance allowed anything.
    pub(super) fn is_used(&self, allowance: &Allowance) -> bool {
        let places = match allowance.of_list {
            true => &self.lists,
            false => &self.objects,
        };
        places.get(&allowance.key()).is_some_and(|&(_, used)| used)
    }
}

fn path() -> String {
    format!("metadata.annotations[{ALLOW_ANNOTATION}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn a_list_allows_for_its_items_and_they_for_themselves() {
        let text = "apiVersion: v1\nkind: List\nmetadata: {annotations: {agentctl.dev/allow: paused-agent}}\n\
                    items:\n- apiVersion: v1\n  kind: Secret\n  metadata: {annotations: {agentctl.dev/allow: \
                    duplicate-scrape}}\n";
        let id = Sources::default().add(Source::new("x.yaml", "", true));
        let documents = read(id, text, &Limits::default()).output;
        let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
        Allowance::collect(documents[0].root(), &mut found, &mut diagnostics);
        let codes: Vec<_> = found.iter().map(|allowance| allowance.code).collect();
        assert_eq!(codes, [Code::PausedAgent, Code::DuplicateScrape]);
        assert!(found[0].resource.end >= found[1].resource.end);
        assert_eq!(diagnostics, []);
    }
}
