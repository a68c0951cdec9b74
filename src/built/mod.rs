//! Places in what kustomize built → the places to edit: in the patch that set a field, in the file of the resource, or in the
//! kustomization.

mod field;
mod files;
mod kustomization;
mod object;
mod patch;

use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::{Origin, Source, Sources, Span};

use self::field::Field;
use self::files::Files;
use self::object::Built;

/// Moves the places of findings in built texts to the files that the fields come from. A fix of a built text would be lost with the
/// next build.
pub fn trace(diagnostics: &mut [Diagnostic], sources: &Sources) {
    let is_built = |span: Span| {
        sources
            .get(span.source)
            .is_some_and(|source| !source.origins.is_empty())
    };
    let is_kept = |fix: &Fix| !fix.edits.iter().any(|edit: &Edit| is_built(edit.span));
    let files = Files::new(sources);
    for found in diagnostics {
        let also = found.also.iter_mut().map(|also| &mut also.label);
        for label in found.labels.iter_mut().chain(also).filter(|label| is_built(label.span)) {
            label.span = files.trace(label.span).unwrap_or(label.span);
        }
        found.fix = found.fix.take().filter(is_kept);
    }
}

/// What a document of a built text was made from.
fn origin(source: &Source, start: usize) -> Option<&Origin> {
    let behind = source.origins.partition_point(|origin| origin.start <= start);
    source.origins.get(behind.checked_sub(1)?)
}

impl Files<'_> {
    /// The place that a place in a built text comes from.
    fn trace(&self, span: Span) -> Option<Span> {
        let (source, root) = self.document(span)?;
        let origin = origin(source, span.start as usize)?;
        let object = Built { root, origin };
        let field = Field::at(root, span);
        let patched = || self.patched(&object, &field);
        let written = || self.written(&object, &field);
        // The last one that sets a value counts; a collection is where it first came from.
        let exact = match field.is_collection() {
            true => written().or_else(patched),
            false => patched().or_else(written),
        };
        exact.or_else(|| self.nearest(&object, &field))
    }

    /// The place in a patch that sets the field; the last one that is applied.
    fn patched(&self, object: &Built<'_>, field: &Field<'_>) -> Option<Span> {
        let mut files = object.origin.transformed_in.iter().rev();
        files.find_map(|file| kustomization::patched(self, file, object, field))
    }

    /// The field in the file of the resource.
    fn written(&self, object: &Built<'_>, field: &Field<'_>) -> Option<Span> {
        let resource = self.resource(object)?;
        field.find(resource)
    }

    /// What comes near a field that no file has as it was built: what generates or changes it, the nearest field of the resource that
    /// exists, or the kustomization.
    fn nearest(&self, object: &Built<'_>, field: &Field<'_>) -> Option<Span> {
        let file = &object.origin.file;
        let generated = || kustomization::generated(self.root(file)?, object, field);
        let mut files = object.origin.transformed_in.iter().rev();
        let mut transformed = || files.find_map(|file| kustomization::transformed(self.root(file)?, field));
        let closest = || Some(field.closest(self.resource(object)?));
        let outermost = || kustomization::entry(self.root(file)?);
        generated()
            .or_else(&mut transformed)
            .or_else(closest)
            .or_else(outermost)
    }
}
