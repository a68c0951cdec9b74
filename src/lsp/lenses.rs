//! What is shown above each resource of a file: how many others select it, and how many targets come from it.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{CodeLens, CodeLensParams, Command};
use serde_json::{Value, json};

use super::answer::Answers;
use crate::api::{ObjectRef, Relation};
use crate::diagnostic::FieldPath;
use crate::insight::links::selections;
use crate::insight::targets::counts;

impl Answers<'_> {
    pub(super) fn lenses(&self, params: &CodeLensParams) -> Value {
        let Some(id) = self.source(&params.text_document.uri) else {
            return Value::Null;
        };
        self.resolved(|input| {
            let mut parents: BTreeMap<ObjectRef<'_>, BTreeSet<ObjectRef<'_>>> = BTreeMap::new();
            for selection in selections(input.graph()) {
                parents.entry(selection.object).or_default().insert(selection.by);
            }
            let here = input.catalogue().in_sources(&[id]);
            let objects = input.objects();
            let wanted = here.iter().map(|located| located.object).collect();
            let counts = match objects.is_empty() {
                true => BTreeMap::new(),
                false => counts(input.hierarchies, &input.cluster(&objects), &wanted),
            };
            let lenses = here.iter().flat_map(|located| {
                let object = &located.object;
                let place = FieldPath::of("metadata.name").locate(located.root);
                let selected = Relation::to(object.kind).map(|relation| {
                    let count = parents.get(object).map_or(0, BTreeSet::len);
                    format!("selected by {count} {}", relation.parent.counted(count))
                });
                let targets = counts.get(object).map(|count| count.words()).unwrap_or_default();
                selected.into_iter().chain(targets).map(move |title| (place, title))
            });
            let lenses: Vec<_> = lenses.collect();
            let ranges = self.places.ranges(lenses.iter().map(|(place, _)| *place));
            let lenses = lenses.into_iter().map(|(place, title)| CodeLens {
                range: ranges.get(place),
                command: Some(Command::new(title, String::new(), None)),
                data: None,
            });
            json!(lenses.collect::<Vec<_>>())
        })
    }
}
