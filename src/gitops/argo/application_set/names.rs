//! Functions that Argo CD adds to templates (`template_functions.go`).

use crate::gitops::object::read_objects;
use crate::go::case::to_lower;
use crate::go::sprig;
use crate::go::template::{Call, Failure, Function, Functions, ListKind, MapKind, Outcome, TemplateValue, builtin};
use crate::yaml::{LibraryStyle, write};

/// Functions for goTemplate: Go's functions, Sprig's functions except those that read the environment, and Argo CD's
/// functions.
pub const FUNCTIONS: Functions = Functions { is_known, find };

const ARGO_FUNCTIONS: &[Function] = &[
    Function { name: "normalize", parameters: "s", run: |call| call.text_result(normalize(call.text(0))) },
    Function { name: "slugify", parameters: "a*", run: slugify },
    Function { name: "toYaml", parameters: "a", run: to_yaml },
    Function { name: "fromYaml", parameters: "s", run: |call| from_yaml(call, true) },
    Function { name: "fromYamlArray", parameters: "s", run: |call| from_yaml(call, false) },
];

fn find(name: &str) -> Option<Function> {
    let argo_function = ARGO_FUNCTIONS.iter().find(|function| function.name == name).copied();
    // Sprig's functions replace Go's functions of the same name.
    argo_function.or_else(|| sprig::function(name)).or_else(|| builtin(name))
}

fn is_known(name: &str) -> bool {
    /// Functions of Go templates that are not supported.
    const UNSUPPORTED_FUNCTIONS: [&str; 4] = ["call", "html", "js", "urlquery"];
    find(name).is_some() || sprig::is_unsupported(name) || UNSUPPORTED_FUNCTIONS.contains(&name)
}

/// Returns the reason why an ApplicationSet with an unsupported template is skipped.
pub fn unsupported_reason(predicate: &str) -> String {
    format!("a template {predicate}, which is not supported")
}

/// Converts a string to a DNS name (`SanitizeName`).
pub fn normalize(name: &str) -> String {
    const MAX_LENGTH: usize = 253;
    let lowercase = to_lower(name);
    let is_valid = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '.');
    let valid_name: String = lowercase.chars().map(|c| if is_valid(c) { c } else { '-' }).take(MAX_LENGTH).collect();
    valid_name.trim_matches(['-', '.']).to_owned()
}

/// Port of `SlugifyName`. The optional arguments are the maximum length, and whether to cut at a word boundary.
fn slugify(call: &mut Call<'_>) -> Outcome {
    let [options @ .., name] = call.arguments.as_slice() else {
        return call.text_result("");
    };
    let type_error = || Failure::error("interface conversion: an argument of slugify has the wrong type");
    let max_length = match options.first() {
        None => 50,
        Some(TemplateValue::Int(length)) => usize::try_from(*length).unwrap_or_default(),
        Some(_) => return Err(type_error()),
    };
    let truncates_at_word = match options.get(1) {
        None => true,
        Some(TemplateValue::Bool(cuts)) => *cuts,
        Some(_) => return Err(type_error()),
    };
    let name = normalize(name.as_text().ok_or_else(type_error)?);
    match truncates_at_word {
        true => call.text_result(truncate_slug(&slug(&name), max_length)),
        false => call.text_result(slug(name.get(..max_length).unwrap_or(&name))),
    }
}

/// Port of `slug.Make` for a DNS name.
fn slug(name: &str) -> String {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut slug = String::new();
    for c in name.chars() {
        let c = if is_valid(c) { c } else { '-' };
        if c != '-' || !slug.ends_with('-') {
            slug.push(c);
        }
    }
    slug.trim_matches(['-', '_']).to_owned()
}

/// Cuts a slug at the last dash before the maximum length, or at the maximum length if it is a single word
/// (`smartTruncate`).
fn truncate_slug(slug: &str, max_length: usize) -> &str {
    if max_length == 0 || slug.len() <= max_length {
        return slug;
    }
    let dash = slug.match_indices('-').map(|(at, _)| at).take_while(|at| *at <= max_length).last();
    slug.get(..dash.unwrap_or(max_length)).unwrap_or(slug)
}

fn to_yaml(call: &mut Call<'_>) -> Outcome {
    call.visit(call.get(0))?;
    let text = write(&call.get(0).to_json().into(), LibraryStyle::Kubernetes);
    call.text_result(text.strip_suffix('\n').unwrap_or(&text))
}

fn from_yaml(call: &mut Call<'_>, is_mapping: bool) -> Outcome {
    call.spend(call.text(0).len())?;
    let documents = read_objects(call.text(0)).map_err(Failure::Error)?;
    match documents.first() {
        None if is_mapping => TemplateValue::map(MapKind::Any, Default::default()),
        None => TemplateValue::list(ListKind::Any, Vec::new()),
        Some(value) if value.is_object() == is_mapping && value.is_array() != is_mapping => {
            TemplateValue::from_json(value)
        }
        Some(_) => Err(Failure::error("error unmarshaling JSON: the value has another type")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_names() {
        for (name, expected) in
            [("Front_Page", "front-page"), ("-.a.-", "a"), ("Größe", "gr--e"), ("", ""), ("a b.c", "a-b.c")]
        {
            assert_eq!(normalize(name), expected, "{name}");
        }
        assert_eq!(normalize(&"a".repeat(300)).len(), 253);
    }
}
