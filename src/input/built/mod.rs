//! Tracing of positions in kustomize's output to the parts of files to edit: a patch that sets the field, the resource,
//! or the kustomization.

mod edit;
mod field;
mod files;
mod generator;
mod kustomization;
mod object;
mod owner;
mod patch;

use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Label, MASK, is_disjoint};
use crate::source::{BuildTranslation, CopiedValues, DocumentOrigin, Source, SourceId, Sources, Span, hide_copied};
use crate::yaml::Node;

use self::field::FieldPosition;
use self::files::{BuildFiles, ParsedFiles};
use self::object::BuiltObject;

/// Maximum number of objects through which a value is traced. Several objects are possible, because a Kustomization can
/// create another Kustomization.
const MAX_DEPTH: usize = 10;

/// Moves the labels and fixes of findings in build output to the files that the fields come from. Removes a fix if the
/// file spells the text to change differently. Masks Secret values that a build copied.
pub fn trace(diagnostics: &mut [Diagnostic], sources: &Sources) {
    let copied_values: Vec<_> = sources.copied_values().collect();
    for finding in diagnostics {
        if !copied_values.is_empty() {
            hide_copied_values(finding, &copied_values);
        }
        // The user must edit the generator's value, not the fields that refer to it.
        let literal_index = finding.labels.iter().position(|label| sources.is_generated(label.span));
        if let Some(labels) = literal_index.and_then(|literal_index| finding.labels.get_mut(..=literal_index)) {
            labels.rotate_right(1);
        }
        if let Some(label) = finding.labels.first_mut() {
            add_owner(label, sources);
        }
        let occurrence_spans = finding.other_occurrences.iter_mut().map(|occurrence_spans| &mut occurrence_spans.label);
        for label in finding.labels.iter_mut().chain(occurrence_spans) {
            label.span = match finding.code {
                Code::GitopsRetyped => sources.to_edit_expression(label.span),
                _ => sources.to_edit(label.span),
            };
        }
        finding.fix = finding.fix.take().and_then(|fix| translate_fix(fix, sources));
    }
}

/// Masks values of Secrets that a build copied to other objects, and quoted parts of such values.
fn hide_copied_values(finding: &mut Diagnostic, copied: &[&CopiedValues]) {
    let hide = |text: &str| hide_copied(copied.iter().copied(), text, MASK);
    let mut values = Vec::new();
    for text in finding.texts_mut() {
        values.extend(text.split('`').filter(|part| hide(part).is_some()).map(str::to_owned));
    }
    let is_part = |text: &str| text.len() > 1 && values.iter().any(|value| value.contains(text));
    for text in finding.texts_mut() {
        let masked_text = hide(text).unwrap_or_else(|| text.clone());
        let masked_parts =
            masked_text.split('`').enumerate().map(|(index, part)| match index % 2 == 1 && is_part(part) {
                true => MASK,
                false => part,
            });
        *text = masked_parts.collect::<Vec<_>>().join("`");
    }
}

/// Adds the name of the object that the label's source was built for, such as a Flux Kustomization.
fn add_owner(label: &mut Label, sources: &Sources) {
    if let Some(source) = sources.get(label.span.source).filter(|source| source.owner.is_some()) {
        let before = if label.text.is_empty() { "" } else { "; " };
        label.text.push_str(&format!("{before}applied by {}", source.name.trim_matches(['<', '>'])));
    }
}

/// Returns a fix with edits for the files to edit, or `None` if the files spell the text to change differently.
pub fn translate_fix(fix: Fix, sources: &Sources) -> Option<Fix> {
    if !fix.edits.iter().any(|edit| sources.is_built(edit.span)) {
        return Some(fix);
    }
    let edits = fix.edits.into_iter().map(|Edit { span, text }| {
        let span = if sources.is_built(span) { sources.edit_span(span, &text)? } else { span };
        Some(Edit { span, text })
    });
    let mut edits: Vec<_> = edits.collect::<Option<_>>()?;
    edits.sort();
    is_disjoint(&edits).then_some(Fix { edits, ..fix })
}

/// Returns the mapping from spans in build output to spans in the files that the output was built from.
pub fn translation() -> Box<dyn BuildTranslation> {
    Box::new(Translation(ParsedFiles::new()))
}

struct Translation(ParsedFiles);

impl BuildTranslation for Translation {
    fn translate(&self, sources: &Sources, span: Span, is_value: bool) -> Option<Span> {
        self.0.with_sources(sources).trace(span, is_value, 0)
    }

    fn edit_span(&self, sources: &Sources, span: Span, text: &str) -> Option<Span> {
        self.0.with_sources(sources).source_edit_span(span, text)
    }

    fn is_generated(&self, sources: &Sources, span: Span) -> bool {
        self.0.with_sources(sources).literal(span).is_some()
    }

    fn is_built_from(&self, sources: &Sources, object: Span, files: &[SourceId]) -> bool {
        self.0.with_sources(sources).is_made_of(object, files) == Some(true)
    }
}

/// Returns the origin of a document in build output.
fn origin(source: &Source, start: usize) -> Option<&DocumentOrigin> {
    let next = source.origins.partition_point(|origin| origin.start <= start);
    source.origins.get(next.checked_sub(1)?)
}

impl BuildFiles<'_> {
    /// Returns the literal or file in a generator that provides the value at a span.
    fn literal(&self, span: Span) -> Option<Span> {
        let (source, root) = self.document(span)?;
        let origin = origin(source, span.start as usize)?;
        let object = BuiltObject::new(root, origin);
        self.generator_span(&object, &FieldPosition::at_span(root, span, self.sources))
    }

    /// Returns the literal, file or variable in a generator that provides the value of a field.
    fn generator_span(&self, object: &BuiltObject<'_>, field: &FieldPosition<'_>) -> Option<Span> {
        let mut files = object.origin.transformed_in.iter().rev().chain([&object.origin.file]);
        files.find_map(|file| generator::value(*self, file, object, field))
    }

    /// Whether an object comes from one of the files, or `None` if its origin is unknown.
    fn is_made_of(&self, object: Span, files: &[SourceId]) -> Option<bool> {
        let (source, root) = self.document(object)?;
        let origin = origin(source, object.start as usize)?;
        let object = BuiltObject::new(root, origin);
        let is_in_files = |name: &String| self.id(name).is_some_and(|id| files.contains(&id));
        let mut kustomizations = origin.transformed_in.iter();
        let is_generated =
            |file: &String| generator::read_files(*self, file, &object).iter().any(|id| files.contains(id));
        let is_patched = |file: &String| kustomization::is_patched_in(self, file, &object, files) || is_generated(file);
        let is_from_files = is_in_files(&origin.file) || is_generated(&origin.file);
        Some(is_from_files || kustomizations.any(|file| is_in_files(file) || is_patched(file)))
    }

    /// Returns the origin of a span in build output. The span may cover a field with its value. If `is_value` is set, a
    /// variable is traced to its value. `depth` is the number of objects that have already been traced.
    fn trace(&self, span: Span, is_value: bool, depth: usize) -> Option<Span> {
        let (source, root) = self.document(span)?;
        if let Some((key, value)) = field::entry_spans(root, span) {
            let (key, value) = (self.trace(key, is_value, depth)?, self.trace(value, is_value, depth)?);
            let is_single_scalar = key.source == value.source && key.start <= value.start;
            return Some(if is_single_scalar { key.with(key.start, value.end) } else { value });
        }
        let origin = origin(source, span.start as usize)?;
        let object = BuiltObject::new(root, origin);
        let field = FieldPosition::at_span(root, span, self.sources);
        let owner = source.owner.as_ref();
        let options = owner.and_then(|owner| self.options(owner));
        let patched_span = || self.patch_span(options, &object.with_known_names(), &field);
        let written_span = || self.field_span(&object, &field);
        let possibly_patched_span = || self.patch_span(options, &object, &field);
        // A value is traced to the last patch that sets it, but a collection is traced to the file in which it first
        // appears.
        let exact_span = match field.is_collection() {
            true => written_span().or_else(patched_span),
            false => patched_span().or_else(written_span),
        };
        let source_span =
            exact_span.or_else(possibly_patched_span).or_else(|| self.nearest_span(options, &object, &field))?;
        let source_span = owner
            .filter(|_| is_value && !field.is_key)
            .and_then(|owner| self.variable(owner, source_span))
            .unwrap_or(source_span);
        // An owner may itself be in build output.
        match self.sources.is_built(source_span) && depth < MAX_DEPTH {
            true => self.trace(source_span, is_value, depth + 1),
            false => Some(source_span),
        }
    }

    /// Returns the span of the field in the last patch that sets it. `options` is the part of the owner with the fields
    /// of a kustomization.
    fn patch_span(
        &self,
        options: Option<Node<'_>>,
        object: &BuiltObject<'_>,
        field: &FieldPosition<'_>,
    ) -> Option<Span> {
        let inline_span = options.and_then(|options| kustomization::patch_span(self, None, options, object, field));
        let mut files = object.origin.transformed_in.iter().rev();
        inline_span.or_else(|| {
            files.find_map(|file| kustomization::patch_span(self, Some(file), self.root(file)?, object, field))
        })
    }

    /// Returns the span of the field in the resource's file.
    fn field_span(&self, object: &BuiltObject<'_>, field: &FieldPosition<'_>) -> Option<Span> {
        let resource = self.resource(object)?;
        field.find(resource)
    }

    /// Returns the closest span for a field that no file contains in its built form: the generator or transformer, the
    /// nearest existing field in the resource, or the kustomization.
    fn nearest_span(
        &self,
        options: Option<Node<'_>>,
        object: &BuiltObject<'_>,
        field: &FieldPosition<'_>,
    ) -> Option<Span> {
        let file = &object.origin.file;
        let generated = || self.generator_span(object, field).or_else(|| generator::name(*self, file, object));
        let files = object.origin.transformed_in.iter().rev();
        let mut roots = options.into_iter().chain(files.filter_map(|file| self.root(file)));
        let mut transformed_span = || roots.find_map(|root| kustomization::assigned_span(root, object, field));
        let closest_span = || Some(field.closest_span(self.resource(object)?));
        let entry_span = || kustomization::entry(self.root(file)?);
        // Transformers also add labels and annotations to generated objects.
        let metadata = field.is_metadata().then(&mut transformed_span).flatten();
        metadata.or_else(generated).or_else(transformed_span).or_else(closest_span).or_else(entry_span)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn masks_copied_values_and_their_quoted_parts() {
        let mut sources = Sources::default();
        let mut source = Source::new("<kustomize .>", "a: token(x\n", true);
        source.copied = CopiedValues::new(&BTreeMap::from([("token(x".to_owned(), "key".to_owned())]));
        let span = Span::new(sources.add(source), 3, 10);
        let message = "`token(x` is not a valid regular expression: `(x` has no closing `)`";
        let finding = Diagnostic::new(Code::InvalidRegex, message).help("not token(x").label(span, "`token(xy`");
        let mut finding = [finding, Diagnostic::new(Code::InvalidRegex, "`(x` is valid")];
        trace(&mut finding, &sources);
        let [masked_finding, other_finding] = finding;
        assert_eq!(masked_finding.message, "`***` is not a valid regular expression: `***` has no closing `)`");
        assert_eq!(
            (masked_finding.help.as_deref(), other_finding.message.as_str()),
            (Some("not ***"), "`(x` is valid")
        );
        assert_eq!(masked_finding.labels.first().map(|label| label.text.as_str()), Some("`***y`"));
    }

    #[test]
    fn shows_quoted_characters_of_copied_values() {
        let keys = [("one secret".to_owned(), "key".to_owned())].into_iter().collect();
        let values = CopiedValues::new(&keys).unwrap();
        let mut finding = Diagnostic::new(Code::InvalidUrl, "`one secret` has `secret` after `o`, not secret");
        hide_copied_values(&mut finding, &[&values]);
        assert_eq!(finding.message, format!("`{MASK}` has `{MASK}` after `o`, not secret"));
    }
}
