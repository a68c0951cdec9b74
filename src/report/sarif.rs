//! `sarif`: one document of the Static Analysis Results Interchange Format 2.1.0.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::diagnostic::{Code, Diagnostic, Label, ObjectKey};
use crate::printable;
use crate::source::Sources;

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, &codes, sources))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "agentctl",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|&code| rule(code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
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

fn result(diagnostic: &Diagnostic, codes: &[Code], sources: &Sources) -> Value {
    let message = match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.binary_search(&diagnostic.code).unwrap_or_default(),
        "level": diagnostic.severity.as_str(),
        "message": { "text": message },
    });
    let Some(members) = result.as_object_mut() else {
        return result;
    };
    let mut places = diagnostic.labels.iter().filter_map(|label| location(label, sources));
    if let Some(mut primary) = places.next() {
        if let Some(location) = primary.as_object_mut() {
            // The primary place is what the message is about: its own words would repeat it.
            location.remove("message");
            let logical = logical(diagnostic.resource.as_ref(), diagnostic.path.as_ref());
            location.extend(logical.map(|value| ("logicalLocations".to_owned(), value)));
        }
        members.insert("locations".to_owned(), json!([primary]));
    }
    let also = diagnostic.also.iter().filter_map(|also| {
        let mut location = location(&also.label, sources)?;
        let logical = logical(also.resource.as_ref(), also.path.as_ref());
        let logical = logical.map(|value| ("logicalLocations".to_owned(), value));
        location.as_object_mut()?.extend(logical);
        Some(location)
    });
    let related: Vec<_> = places.chain(also).collect();
    if !related.is_empty() {
        members.insert("relatedLocations".to_owned(), related.into());
    }
    result
}

/// Which resource and field, in the words of SARIF.
fn logical(resource: Option<&ObjectKey>, path: Option<&String>) -> Option<Value> {
    let name = match (resource, path) {
        (Some(resource), Some(path)) => format!("{resource}#{path}"),
        (Some(resource), None) => resource.to_string(),
        (None, Some(path)) => path.clone(),
        (None, None) => return None,
    };
    Some(json!([{ "fullyQualifiedName": name }]))
}

fn location(label: &Label, sources: &Sources) -> Option<Value> {
    let place = sources.place(label.span)?;
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(place.file) },
            "region": {
                "startLine": place.start.line,
                "startColumn": place.start.column,
                "endLine": place.end.line,
                "endColumn": place.end.column,
            },
        },
    });
    if !label.text.is_empty() {
        let members = location.as_object_mut()?;
        members.insert("message".to_owned(), json!({ "text": label.text }));
    }
    Some(location)
}

/// A relative reference, or a `file:` URI where the path is absolute.
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
    fn paths_become_references() {
        for (file, expected) in [
            ("./a b.yaml", "a%20b.yaml"),
            ("/tmp/é.yaml", "file:///tmp/%C3%A9.yaml"),
            ("<stdin>", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(file), expected);
        }
    }

    #[test]
    fn one_document() {
        let sources = sample::sources();
        let text = render(
            MessageFormat::Sarif,
            &sample::diagnostics(&sources),
            &sources,
            Screen::default(),
        );
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
