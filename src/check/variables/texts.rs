//! Strings that contain variables.

use memchr::memchr_iter;

use crate::api::ResourceHeader;
use crate::check::strings::{ResourceString, for_each_string};

/// Calls `pass` for each string with a dollar sign in a resource.
pub fn for_each_text<'t>(head: &ResourceHeader<'t>, pass: &mut dyn FnMut(&ResourceString<'t, '_>)) {
    let raw = head.root.raw();
    // The dollar sign or what follows it may be escaped.
    if raw.contains("$(") || raw.contains("${") || raw.contains('\\') {
        for_each_string(head, &|text| text.contains('$'), pass);
    }
}

/// Whether a string contains a variable that the config-reloader or the agent replaces. References such as `${1}` do
/// not count.
pub fn may_have_variable(text: &str) -> bool {
    let mut dollars = memchr_iter(b'$', text.as_bytes());
    dollars.any(|at| match text.as_bytes().get(at + 1) {
        Some(b'(') => true,
        Some(b'{') => text.as_bytes().get(at + 2).is_none_or(|first| !first.is_ascii_digit()),
        _ => false,
    })
}

/// Whether a regular expression contains a capture group with this name.
pub fn names_a_group(name: &str, regex: Option<&str>) -> bool {
    regex.is_some_and(|regex| regex.contains(&format!("<{name}>")))
}
