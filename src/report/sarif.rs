//! `sarif`: one document of the Static Analysis Results Interchange Format 2.1.0.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::origin::origin;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Label, ObjectKey};
use crate::printable;
use crate::source::{Place, Sources};

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let run = Run {
        column_kind: "unicodeCodePoints",
        tool: json!({ "driver": {
            "name": "agentctl",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": codes.iter().map(|&code| rule(code)).collect::<Value>(),
        }}),
        results: Results {
            diagnostics,
            codes,
            sources,
        },
    };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        runs: [run],
        version: "2.1.0",
    };
    // Strings and numbers have a form in JSON: this cannot fail.
    let text = serde_json::to_string_pretty(&log).unwrap_or_default();
    printable::json(text + "\n")
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.summary() },
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": code.severity().as_str() },
    })
}

/// The document. Keys are in the order of the alphabet.
#[derive(Serialize)]
struct Log<'d> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [Run<'d>; 1],
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'d> {
    column_kind: &'static str,
    results: Results<'d>,
    tool: Value,
}

/// Results that are made when they are written: there may be thousands.
struct Results<'d> {
    diagnostics: &'d [&'d Diagnostic],
    codes: Vec<Code>,
    sources: &'d Sources,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.diagnostics.iter().map(|diagnostic| self.of(diagnostic)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[Change<'d>; 1]>,
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    locations: Option<[Location<'d>; 1]>,
    message: Message<'d>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'d>>,
    rule_id: &'static str,
    rule_index: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[Logical; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'d>>,
    physical_location: Physical,
}

/// Which resource and field, in the words of SARIF.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

#[derive(Serialize)]
struct Message<'d> {
    text: Cow<'d, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

/// A fix that is what was meant: viewers apply it without asking.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'d> {
    artifact_changes: Vec<ArtifactChange<'d>>,
    description: Message<'d>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'d> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'d> {
    deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted_content: Option<Message<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    end_column: u32,
    end_line: u32,
    start_column: u32,
    start_line: u32,
}

impl<'d> Results<'d> {
    fn of(&self, diagnostic: &'d Diagnostic) -> Finding<'d> {
        let text = match &diagnostic.help {
            Some(help) => format!("{}\nhelp: {help}", diagnostic.message).into(),
            None => Cow::Borrowed(diagnostic.message.as_str()),
        };
        let mut places = diagnostic.labels.iter().filter_map(|label| self.location(label));
        let primary = places.next().map(|primary| Location {
            // The primary place is what the message is about: its own words would repeat it.
            message: None,
            logical_locations: logical(diagnostic.resource.as_ref(), diagnostic.path.as_ref()),
            ..primary
        });
        let also = diagnostic.also.iter().filter_map(|also| {
            Some(Location {
                logical_locations: logical(also.resource.as_ref(), also.path.as_ref()),
                ..self.location(&also.label)?
            })
        });
        Finding {
            fixes: diagnostic
                .fix
                .as_ref()
                .filter(|fix| fix.is_certain())
                .and_then(|fix| self.fix(fix))
                .map(|fix| [fix]),
            level: diagnostic.severity.as_str(),
            locations: primary.map(|primary| [self.opened(primary, diagnostic)]),
            message: Message { text },
            related_locations: places.chain(also).collect(),
            rule_id: diagnostic.code.as_str(),
            rule_index: self.codes.binary_search(&diagnostic.code).unwrap_or_default(),
        }
    }

    fn fix(&self, fix: &'d Fix) -> Option<Change<'d>> {
        let change = |edits: &'d [Edit]| {
            let place = self.sources.place(edits.first()?.span)?;
            let replacements = edits.iter().map(|edit| self.replacement(edit)).collect::<Option<_>>()?;
            Some(ArtifactChange {
                artifact_location: Artifact { uri: uri(place.file) },
                replacements,
            })
        };
        let by_file = fix.edits.chunk_by(|a, b| a.span.source == b.span.source);
        Some(Change {
            artifact_changes: by_file.map(change).collect::<Option<_>>()?,
            description: Message {
                text: Cow::Borrowed(&fix.title),
            },
        })
    }

    fn replacement(&self, edit: &'d Edit) -> Option<Replacement<'d>> {
        let text = Cow::Borrowed(edit.text.as_str());
        Some(Replacement {
            deleted_region: region(self.sources.place(edit.span)?),
            inserted_content: (!text.is_empty()).then_some(Message { text }),
        })
    }

    /// The file that can be opened where a built text is none, as a whole.
    fn opened(&self, location: Location<'d>, diagnostic: &Diagnostic) -> Location<'d> {
        let made_from = origin(diagnostic, self.sources).filter(|made_from| made_from.is_built);
        match made_from {
            Some(made_from) => Location {
                physical_location: Physical {
                    artifact_location: Artifact {
                        uri: uri(made_from.file),
                    },
                    region: START,
                },
                ..location
            },
            None => location,
        }
    }

    fn location(&self, label: &'d Label) -> Option<Location<'d>> {
        let place = self.sources.place(label.span)?;
        let text = Cow::Borrowed(label.text.as_str());
        Some(Location {
            logical_locations: None,
            message: (!text.is_empty()).then_some(Message { text }),
            physical_location: Physical {
                artifact_location: Artifact { uri: uri(place.file) },
                region: region(place),
            },
        })
    }
}

/// The first character of a file.
const START: Region = Region {
    end_column: 1,
    end_line: 1,
    start_column: 1,
    start_line: 1,
};

fn region(place: Place<'_>) -> Region {
    Region {
        end_column: place.end.column,
        end_line: place.end.line,
        start_column: place.start.column,
        start_line: place.start.line,
    }
}

fn logical(resource: Option<&ObjectKey>, path: Option<&String>) -> Option<[Logical; 1]> {
    let fully_qualified_name = match (resource, path) {
        (Some(resource), Some(path)) => format!("{resource}#{path}"),
        (Some(resource), None) => resource.to_string(),
        (None, Some(path)) => path.clone(),
        (None, None) => return None,
    };
    Some([Logical { fully_qualified_name }])
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
