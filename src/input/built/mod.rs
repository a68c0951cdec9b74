//! Traces positions in kustomize's output to the files to edit: a patch that sets the field, the file of the resource, or the
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

/// Moves the labels of findings in build output to the files that the fields come from. Fixes of build output are removed, since the
/// next build would discard them.
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

/// Returns the origin of a document in build output.
fn origin(source: &Source, start: usize) -> Option<&Origin> {
    let behind = source.origins.partition_point(|origin| origin.start <= start);
    source.origins.get(behind.checked_sub(1)?)
}

impl Files<'_> {
    /// Returns the origin of a span in build output.
    fn trace(&self, span: Span) -> Option<Span> {
        let (source, root) = self.document(span)?;
        let origin = origin(source, span.start as usize)?;
        let object = Built { root, origin };
        let field = Field::at(root, span);
        let patched = || self.patched(&object, &field);
        let written = || self.written(&object, &field);
        // The last patch that sets a value counts, but a collection comes from its first file.
        let exact = match field.is_collection() {
            true => written().or_else(patched),
            false => patched().or_else(written),
        };
        exact.or_else(|| self.nearest(&object, &field))
    }

    /// Returns the span in the last patch that sets the field.
    fn patched(&self, object: &Built<'_>, field: &Field<'_>) -> Option<Span> {
        let mut files = object.origin.transformed_in.iter().rev();
        files.find_map(|file| kustomization::patched(self, file, object, field))
    }

    /// Returns the span of the field in the file of the resource.
    fn written(&self, object: &Built<'_>, field: &Field<'_>) -> Option<Span> {
        let resource = self.resource(object)?;
        field.find(resource)
    }

    /// Returns the span closest to a field that no file contains as built: the generator or transformer, the nearest existing field of
    /// the resource, or the kustomization.
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
