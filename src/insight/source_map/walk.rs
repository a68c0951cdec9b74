//! Traversal of a configuration's parts in output order, each with its source field.

use std::ops::Range;
use std::rc::Rc;

use super::field::ResourceField;
use super::lines::SequenceLines;
use super::map::Event;
use super::traced::Traced;
use crate::insight::catalog::Catalog;
use crate::output::agent::PartSource;
use crate::plan::ConfigKind;
use crate::source::Sources;
use crate::yaml::Step;

/// A traversal that calls `pass` with each part of a configuration.
pub(super) struct Walk<'w, 'd> {
    pub(super) catalog: &'w Catalog<'w, 'd>,
    pub(super) sources: &'d Sources,
    pub(super) part: ConfigKind,
    /// Previous origin and its field, cached because consecutive parts often share an origin.
    pub(super) previous_source: Option<(PartSource<'w>, Option<Rc<ResourceField<'d>>>)>,
    pub(super) pass: &'w mut dyn FnMut(Event<'_, 'd>),
}

/// Context of a part that contains other parts.
#[derive(Default)]
pub(super) struct ParentPart<'d> {
    /// Number of steps in the part's path.
    pub(super) depth: usize,
    pub(super) field: Option<Rc<ResourceField<'d>>>,
    /// For a list, the source field of its last item.
    pub(super) last_item_field: Option<Rc<ResourceField<'d>>>,
}

impl<'w, 'd> Walk<'w, 'd> {
    /// Returns a part's source field, and whether the part needs a comment. The field is that of the part's origin or,
    /// if the part has no origin, the result of calling `refine` with the field of the containing part.
    pub(super) fn field(
        &mut self,
        origin: Option<PartSource<'w>>,
        enclosing: Option<&mut ParentPart<'d>>,
        is_item: bool,
        refine: impl FnOnce(&Rc<ResourceField<'d>>) -> Option<Rc<ResourceField<'d>>>,
    ) -> (Option<Rc<ResourceField<'d>>>, bool) {
        let source_field = origin.and_then(|origin| self.source_field(origin));
        match (&source_field, enclosing) {
            (None, enclosing) => (enclosing.and_then(|enclosing| refine(enclosing.field.as_ref()?)), false),
            (Some(_), Some(list)) if is_item => {
                let needs_comment = list.last_item_field != source_field;
                list.last_item_field.clone_from(&source_field);
                (source_field, needs_comment)
            }
            (Some(_), enclosing) => {
                let needs_comment = enclosing.is_none_or(|enclosing| enclosing.field != source_field);
                (source_field, needs_comment)
            }
        }
    }

    fn source_field(&mut self, origin: PartSource<'w>) -> Option<Rc<ResourceField<'d>>> {
        match &self.previous_source {
            Some((before, field)) if *before == origin => field.clone(),
            _ => {
                let field = ResourceField::from_source(origin, self.catalog).map(Rc::new);
                self.previous_source = Some((origin, field.clone()));
                field
            }
        }
    }

    /// Calls `pass` with the part at `bytes`. `path` is the path of the part relative to `base`.
    pub(super) fn part(
        &mut self,
        lines: &mut SequenceLines<'_>,
        bytes: &Range<usize>,
        (field, needs_comment): (&ResourceField<'d>, bool),
        (base, path): (&str, &[Step<'_>]),
    ) {
        let is_open = lines.has_open_end(bytes.end);
        (self.pass)(Event::Part(&Traced {
            lines,
            bytes,
            is_open,
            needs_comment,
            field,
            base,
            path,
            sources: self.sources,
            part: self.part,
        }));
    }
}
