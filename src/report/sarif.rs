//! The `sarif` format: one SARIF 2.1.0 document.

use std::fmt::Write;

use serde_json::{Value, json};

use super::lines::other_locations;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, ObjectKey};
use crate::printable;
use crate::source::{Location, Sources};

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "tool": { "driver": {
                "name": "agentctl",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|&code| rule(code)).collect::<Value>(),
            }},
            "results": diagnostics.iter().map(|finding| result(finding, &codes, sources)).collect::<Value>(),
        }],
    });
    printable::json(format!("{log:#}\n"))
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.summary() },
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": code.severity().as_str() },
    })
}

/// Removes the null fields from an object.
fn object(mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

fn result(diagnostic: &Diagnostic, codes: &[Code], sources: &Sources) -> Value {
    let text = match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let text = match diagnostic.found_in.as_slice() {
        [] => text,
        names => format!("{text}\nin {}", names.join(", ")),
    };
    let primary = diagnostic.primary().and_then(|label| {
        let place = physical(sources.location(label.span)?);
        // The logical location is the subject of the message. The label's text is omitted, because it would repeat the
        // message.
        let logical = logical(diagnostic.resource.as_ref(), diagnostic.path.as_deref());
        Some(json!([object(json!({ "physicalLocation": place, "logicalLocations": logical }))]))
    });
    let related = other_locations(diagnostic).filter_map(|(label, resource, path)| {
        Some(object(json!({
            "physicalLocation": physical(sources.location(label.span)?),
            "message": message(&label.text),
            "logicalLocations": logical(resource, path),
        })))
    });
    let related: Vec<_> = related.collect();
    // Fixes that are not certain are omitted, because viewers apply fixes without asking.
    let fix = diagnostic.fix.as_ref().filter(|fix| fix.is_certain());
    object(json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.binary_search(&diagnostic.code).ok(),
        "level": diagnostic.severity.as_str(),
        "message": { "text": text },
        "locations": primary,
        "relatedLocations": (!related.is_empty()).then_some(related),
        "fixes": fix.and_then(|fix| changes(fix, sources)),
    }))
}

fn changes(fix: &Fix, sources: &Sources) -> Option<Value> {
    let replacement = |edit: &Edit| {
        Some(object(json!({
            "deletedRegion": region(sources.location(edit.span)?),
            "insertedContent": message(&edit.text),
        })))
    };
    let change = |edits: &[Edit]| {
        let file = sources.location(edits.first()?.span)?.file;
        let replacements: Option<Value> = edits.iter().map(replacement).collect();
        Some(json!({ "artifactLocation": { "uri": uri(file) }, "replacements": replacements? }))
    };
    let by_file = fix.edits.chunk_by(|a, b| a.span.source == b.span.source);
    let changes: Option<Value> = by_file.map(change).collect();
    Some(json!([{ "artifactChanges": changes?, "description": { "text": fix.title } }]))
}

fn message(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": text }))
}

fn physical(place: Location<'_>) -> Value {
    json!({ "artifactLocation": { "uri": uri(place.file) }, "region": region(place) })
}

fn region(Location { start, end, .. }: Location<'_>) -> Value {
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// Returns the resource and field as a SARIF logical location.
fn logical(resource: Option<&ObjectKey>, path: Option<&str>) -> Option<Value> {
    let name = match (resource, path) {
        (Some(resource), Some(path)) => format!("{resource}#{path}"),
        (Some(resource), None) => resource.to_string(),
        (None, Some(path)) => path.to_owned(),
        (None, None) => return None,
    };
    Some(json!([{ "fullyQualifiedName": name }]))
}

/// Returns a relative reference, or a `file:` URI if the path is absolute.
fn uri(file: &str) -> String {
    let mut out = String::new();
    if file.starts_with('/') {
        out.push_str("file://");
    }
    for &byte in file.strip_prefix("./").unwrap_or(file).as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printable::Screen;
    use crate::report::{MessageFormat, render, sample};

    #[test]
    fn escapes_paths_as_uris() {
        for (file, expected) in
            [("./a b.yaml", "a%20b.yaml"), ("/tmp/é.yaml", "file:///tmp/%C3%A9.yaml"), ("<stdin>", "%3Cstdin%3E")]
        {
            assert_eq!(uri(file), expected);
        }
    }

    #[test]
    fn includes_only_safe_fixes() {
        let sources = sample::sources();
        let [first, second] = [(0, "kind"), (1, "Probe")].map(|(file, word)| sample::span(&sources, file, word));
        let fix = Fix::certain(
            "mend `x`",
            vec![
                Edit::replace(first, "a"),
                Edit::replace(first.with(first.end, first.end + 1), ""),
                Edit::replace(second, "b"),
            ],
        );
        let result = |fix| {
            let actual = [Diagnostic::new(Code::NoInput, "m").fix_if(Some(fix))];
            let text = render(MessageFormat::Sarif, &actual, &sources, Screen::default());
            let log: Value = serde_json::from_str(&text).unwrap();
            log["runs"][0]["results"][0].clone()
        };
        let region = |line: u32, from: u32, to: u32| json!({ "startLine": line, "startColumn": from, "endLine": line, "endColumn": to });
        let expected = json!([{
            "artifactChanges": [
                {
                    "artifactLocation": { "uri": "a%2Cb/one.yaml" },
                    "replacements": [
                        { "deletedRegion": region(1, 1, 5), "insertedContent": { "text": "a" } },
                        { "deletedRegion": region(1, 5, 6) },
                    ],
                },
                {
                    "artifactLocation": { "uri": "two.yaml" },
                    "replacements": [{ "deletedRegion": region(1, 7, 12), "insertedContent": { "text": "b" } }],
                },
            ],
            "description": { "text": "mend `x`" },
        }]);
        assert_eq!(result(fix.clone())["fixes"], expected);
        assert_eq!(result(fix.likely()).get("fixes"), None);
    }

    #[test]
    fn writes_one_sarif_document() {
        let sources = sample::sources();
        let text = render(MessageFormat::Sarif, &sample::diagnostics(&sources), &sources, Screen::default());
        let log: Value = serde_json::from_str(&text).unwrap();
        let expected = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "agentctl",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": [
                        {
                            "id": "duplicate-resource",
                            "shortDescription": { "text": Code::DuplicateResource.summary() },
                            "help": { "text": Code::DuplicateResource.page(), "markdown": Code::DuplicateResource.page() },
                            "defaultConfiguration": { "level": "error" },
                        },
                        {
                            "id": "no-input",
                            "shortDescription": { "text": Code::NoInput.summary() },
                            "help": { "text": Code::NoInput.page(), "markdown": Code::NoInput.page() },
                            "defaultConfiguration": { "level": "error" },
                        },
                        {
                            "id": "paused-agent",
                            "shortDescription": { "text": Code::PausedAgent.summary() },
                            "help": { "text": Code::PausedAgent.page(), "markdown": Code::PausedAgent.page() },
                            "defaultConfiguration": { "level": "warning" },
                        },
                    ],
                }},
                "columnKind": "unicodeCodePoints",
                "results": [
                    {
                        "ruleId": "duplicate-resource",
                        "ruleIndex": 0,
                        "level": "error",
                        "message": { "text": "`y` is defined twice\nhelp: rename one, \"y\" & so on" },
                        "locations": [{
                            "physicalLocation": {
                                "artifactLocation": { "uri": "a%2Cb/one.yaml" },
                                "region": { "startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 12 },
                            },
                            "logicalLocations": [{ "fullyQualifiedName": "Probe/default/y#metadata.name" }],
                        }],
                        "relatedLocations": [{
                            "physicalLocation": {
                                "artifactLocation": { "uri": "two.yaml" },
                                "region": { "startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 12 },
                            },
                            "message": { "text": "second" },
                        }],
                    },
                    {
                        "ruleId": "paused-agent",
                        "ruleIndex": 2,
                        "level": "warning",
                        "message": { "text": "`x` is odd: 100%" },
                        "locations": [{
                            "physicalLocation": {
                                "artifactLocation": { "uri": "a%2Cb/one.yaml" },
                                "region": { "startLine": 5, "startColumn": 1, "endLine": 5, "endColumn": 9 },
                            },
                        }],
                    },
                    {
                        "ruleId": "no-input",
                        "ruleIndex": 1,
                        "level": "error",
                        "message": { "text": "`<dir>` is\nempty" },
                    },
                ],
            }],
        });
        assert_eq!(log, expected);
        assert!(text.ends_with("}\n"));
    }
}
