//! JSON Schema of `agentctl.yaml`, based on the settable flags and the codes.

use clap::{Arg, Command};
use serde_json::{Map, Value, json};

use super::form::{help, words};
use super::limit::LIMITS;
use super::rules::is_limit;
use super::settable::Settable;
use crate::diagnostic::Code;

/// Returns the schema. Only flags of `root` and its subcommands can be set.
pub fn settings_schema(mut root: Command) -> Value {
    root.build();
    let flags = Settable::new(&root, &root).into_args();
    let flags: Map<_, _> = flags.filter_map(|arg| Some((arg.get_long()?.to_owned(), flag(arg)))).collect();
    let codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let levels: Map<_, _> = codes.iter().chain(&["warnings"]).map(|code| ((*code).to_owned(), level(code))).collect();
    let pattern = |what: &str| json!({ "type": "string", "description": format!("{what}; `*` matches anything") });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "agentctl.yaml",
        "description": "Settings of agentctl for a directory and its subdirectories",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": {
            "inputs": {
                "description": "Files and directories to read if the command line lists none",
                "type": ["string", "array", "null"],
                "items": { "type": "string" },
            },
            "flags": {
                "description": "Flags of the commands that compile resources, as on the command line",
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": flags,
            },
            "severity": {
                "description": "Severity of findings, by code",
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": levels,
            },
            "exceptions": {
                "description": "Findings to accept in third-party resources",
                "type": ["array", "null"],
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["code", "reason"],
                    "properties": {
                        "code": { "enum": codes, "description": "Code of the finding" },
                        "kind": pattern("Kind of the resource"),
                        "namespace": pattern("Namespace of the resource"),
                        "name": pattern("Name of the resource"),
                        "file": pattern("File of the resource, as shown in findings"),
                        "reason": { "type": "string", "minLength": 1, "description": "Reason to accept the finding" },
                    },
                },
            },
        },
    })
}

fn level(code: &str) -> Value {
    let summary = Code::parse(code).map_or("All warnings that are not listed here", Code::summary);
    json!({ "enum": ["deny", "warn", "allow"], "description": summary })
}

/// Returns the schema of a flag's value: a boolean, one of the allowed values, or a string, list or mapping.
fn flag(arg: &Arg) -> Value {
    let (help, words) = (help(arg), words(arg));
    match (arg.get_action().takes_values(), words.is_empty()) {
        (false, _) => json!({ "type": ["boolean", "null"], "description": help }),
        (true, false) => json!({ "enum": words, "description": help }),
        _ if is_limit(arg) => limits(&help),
        (true, true) => json!({ "type": ["string", "integer", "array", "object", "null"], "description": help }),
    }
}

/// Returns the schema of limits: a mapping from limits to values, or `NAME=VALUE` as on the command line.
fn limits(help: &str) -> Value {
    let limit = |(_, name, what): (_, &str, &str)| {
        let value = json!({ "type": ["string", "integer"], "description": format!("Maximum: {what}") });
        (name.to_owned(), value)
    };
    json!({
        "type": ["object", "string", "array", "null"],
        "description": help,
        "additionalProperties": false,
        "properties": LIMITS.map(limit).into_iter().collect::<Map<_, _>>(),
    })
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::super::rules::Effect;
    use super::*;

    #[test]
    fn flag_schemas_match_the_accepted_values() {
        let arg = || Arg::new("x").long("x").help("Does it");
        for (arg, expected) in [
            (arg().action(ArgAction::SetTrue), json!({"type": ["boolean", "null"], "description": "Does it"})),
            (arg().value_parser(["a", "b"]), json!({"enum": ["a", "b"], "description": "Does it"})),
            (arg(), json!({"type": ["string", "integer", "array", "object", "null"], "description": "Does it"})),
        ] {
            assert_eq!(flag(&arg), expected);
        }
    }

    #[test]
    fn schema_lists_every_limit() {
        let schema = flag(&Arg::new("limit").long("limit").help("Sets it").add(Effect::Lowers));
        let names = schema["properties"].as_object().unwrap().keys();
        assert_eq!(names.len(), LIMITS.len());
        assert_eq!(schema["properties"]["depth"]["type"], json!(["string", "integer"]));
    }

    #[test]
    fn describes_levels_by_the_code_summary() {
        for (code, summary) in
            [("duplicate-key", Code::DuplicateKey.summary()), ("warnings", "All warnings that are not listed here")]
        {
            assert_eq!(level(code), json!({"enum": ["deny", "warn", "allow"], "description": summary}));
        }
    }

    #[test]
    fn schema_contains_only_flags_of_compiling_commands() {
        let compiling_command = Command::new("check").args([
            Arg::new("agent_selector").long("agent-selector").add(Effect::Harmless),
            Arg::new("strict").long("strict").action(ArgAction::SetTrue).add(Effect::Harmless),
            Arg::new("unknown").long("unknown"),
        ]);
        let other_command = Command::new("init").arg(Arg::new("full").long("full").add(Effect::Harmless));
        let schema = settings_schema(Command::new("x").subcommands([compiling_command, other_command]));
        let flags = schema["properties"]["flags"]["properties"].as_object().unwrap();
        assert_eq!(flags.keys().collect::<Vec<_>>(), ["agent-selector", "strict"]);
        let levels = schema["properties"]["severity"]["properties"].as_object().unwrap();
        assert_eq!(levels.len(), Code::ALL.len() + 1);
    }
}
