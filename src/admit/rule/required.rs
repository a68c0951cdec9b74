//! `required`: a field must be there. One that is `null` was dropped, so it counts as missing.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

pub(in crate::admit) fn check(schema: &Schema, node: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for name in &schema.required {
        let field = schema.properties.get(name);
        if field.is_some_and(|field| field.default.is_some()) {
            continue;
        }
        match node.entry(name) {
            None => out.push(diagnostics::missing_field(name, field, at)),
            Some(entry) if entry.value.is_null() => out.push(diagnostics::null_field(entry, field, at)),
            Some(_) => {}
        }
    }
}
