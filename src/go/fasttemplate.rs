//! Templates for github.com/valyala/fasttemplate with the tags `{{` and `}}`, as ApplicationSets expand them.

use std::borrow::Cow;

/// Error for a template tag that is not closed.
#[derive(Debug, PartialEq, Eq)]
pub struct UnclosedTag;

/// Replaces each tag if `value` returns a value for the tag's name, and keeps all other tags. A string in which no line
/// contains a complete tag is left unchanged (`Render.Replace` in Argo CD).
///
/// # Errors
///
/// Fails if the last tag is not closed.
pub fn expand<'v>(template: &str, value: impl Fn(&str) -> Option<&'v str>) -> Result<Cow<'_, str>, UnclosedTag> {
    let has_tag = |line: &str| line.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}"));
    if !template.split('\n').any(has_tag) {
        return Ok(Cow::Borrowed(template));
    }
    let mut result = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (tag, after_tag) = after.split_once("}}").ok_or(UnclosedTag)?;
        result.push_str(before);
        match value(tag.trim()).filter(|_| !tag.trim().is_empty()) {
            Some(value) => result.push_str(value),
            None => result.extend(["{{", tag, "}}"]),
        }
        rest = after_tag;
    }
    result.push_str(rest);
    Ok(Cow::Owned(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_known_tags() {
        let value = |name: &str| match name {
            "name" => Some("blue"),
            "path[1]" => Some("{{name}}"),
            "values.x" | "" => Some("y"),
            _ => None,
        };
        for (template, expected) in [
            ("plain {{", Ok("plain {{")),
            ("{{name}}-{{ name }}-{{\tname\n}}", Ok("blue-blue-blue")),
            ("{{\nname\n}}", Ok("{{\nname\n}}")),
            ("{{unknown}} {{}} {{ }} {{name}}", Ok("{{unknown}} {{}} {{ }} blue")),
            ("{{path[1]}}{{values.x}}", Ok("{{name}}y")),
            ("{{{name}}}", Ok("{{{name}}}")),
            ("{{ {{name}} }}", Ok("{{ {{name}} }}")),
            ("{{name}} {{name", Err(UnclosedTag)),
            ("}} {{name}}", Ok("}} blue")),
        ] {
            assert_eq!(expand(template, value).as_deref(), expected.as_deref().map_err(|_| &UnclosedTag), "{template}");
        }
    }
}
