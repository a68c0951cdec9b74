//! Masking of secrets in a component: arguments that Alloy treats as secret, and strings whose user-defined names
//! suggest a secret. Values that are read from files are not masked.

use super::catalog::{ArgumentSpec, BodySpec, FILE, spec};
use super::syntax::{Body, Expression, Statement};
use crate::secrecy::{MASK, SecretKeys, contains_credential, contains_secret, is_named_secret, mask_url};

/// Masks the secrets in the body called `name`. Returns whether there are any secrets. `is_free` specifies whether the
/// body has user-defined keys and strings that may themselves be configurations.
pub fn mask(name: &str, body: &mut Body<'_>, is_free: bool, keys: &mut SecretKeys) -> bool {
    let is_masked = false;
    let mut mask = Mask { is_free, is_masked, keys };
    mask.body(spec(name), body);
    mask.is_masked
}

struct Mask<'k> {
    keys: &'k mut SecretKeys,
    is_free: bool,
    is_masked: bool,
}

impl Mask<'_> {
    fn body(&mut self, spec: Option<&BodySpec>, body: &mut Body<'_>) {
        let has_secret_name = |own: &str| is_named_secret(own, |name| body.attribute(name)?.text());
        let secret_names: Vec<_> = body.0.iter().map(|statement| has_secret_name(statement.name())).collect();
        for (statement, has_secret_name) in body.0.iter_mut().zip(secret_names) {
            let argument = spec.and_then(|spec| spec.argument_for(statement.name()));
            match statement {
                Statement::Attribute(name, value) => {
                    let is_alloy_secret = argument.is_some_and(|argument| argument.is_secret);
                    let is_secret = has_secret_name || is_alloy_secret || self.keys.is_secret(name);
                    self.expression(value, is_secret);
                }
                Statement::Block(block) => {
                    self.body(argument.and_then(ArgumentSpec::spec), &mut block.body);
                }
                // The lines of relabeling rules are masked when they are formatted.
                Statement::Lines(..) => {}
            }
        }
    }

    /// Masks a value that may be entirely secret.
    fn expression(&mut self, value: &mut Expression<'_>, is_secret: bool) {
        match value {
            Expression::String(text) => {
                if let Some(masked_text) = self.mask_text(text, is_secret) {
                    *value = masked_text.into();
                    self.is_masked = true;
                }
            }
            Expression::Number(_) if is_secret => {
                *value = Expression::Name(MASK);
                self.is_masked = true;
            }
            Expression::Object(entries) => {
                for (key, value) in entries {
                    let is_secret = is_secret || self.keys.is_secret(key);
                    self.expression(value, is_secret);
                }
            }
            Expression::Call("encoding.from_json", items) => {
                let was_free_form = std::mem::replace(&mut self.is_free, true);
                items.iter_mut().for_each(|item| self.expression(item, is_secret));
                self.is_free = was_free_form;
            }
            Expression::List(items) | Expression::Sum(items) | Expression::Call("coalesce" | "array.concat", items)
                if !items.iter().any(reads_a_file) =>
            {
                items.iter_mut().for_each(|item| self.expression(item, is_secret));
            }
            _ => {}
        }
    }

    fn mask_text(&self, text: &str, is_secret: bool) -> Option<String> {
        if is_secret {
            return (!text.is_empty()).then(|| MASK.to_owned());
        }
        let may_hold_secrets = || self.is_free && (text.contains('\n') || text.starts_with('{'));
        match contains_secret(text) {
            true => Some(mask_url(text, MASK).unwrap_or_else(|| MASK.to_owned())),
            false => (may_hold_secrets() && contains_credential(text, true)).then(|| MASK.to_owned()),
        }
    }
}

/// Whether a value is the content of a file, which is not part of the configuration.
fn reads_a_file(value: &Expression<'_>) -> bool {
    match value {
        Expression::Export(kind, ..) => *kind == FILE,
        Expression::List(items) | Expression::Call(_, items) | Expression::Sum(items) => items.iter().any(reads_a_file),
        Expression::Object(entries) => entries.iter().any(|(_, value)| reads_a_file(value)),
        Expression::Index(value, _) => reads_a_file(value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::component;
    use super::super::syntax::Block;
    use super::*;

    fn mask_text(name: &'static str, mut body: Body<'static>, is_free: bool) -> String {
        mask(name, &mut body, is_free, &mut SecretKeys::default());
        let mut text = String::new();
        component(&mut text, &Block::new("x", "", body));
        text
    }

    #[test]
    fn masks_only_secret_arguments() {
        let file = || Expression::Export(FILE, "f".into(), "content");
        let body = Body::new()
            .with("token", "hunter2")
            .with("server", "https://me:hunter2@host/?token=hunter2&x=y")
            .with("password", Expression::Sum(vec![file(), "$".into()]))
            .with("node_meta", Expression::map([("a", "b"), ("api_key", "hunter2")]))
            .with("tags", Expression::texts(["{token=\"not one\"}"]));
        let text = mask_text("discovery.consul", body, false);
        assert!(!text.contains("hunter2"), "{text}");
        for public_text in ["a       = \"b\"", "f.content + \"$\"", "x=y", "not one", "https://***@host"] {
            assert!(text.contains(public_text), "{public_text} in {text}");
        }
    }

    #[test]
    fn does_not_mask_values_read_from_files() {
        let file = || Expression::Export(FILE, "f".into(), "content");
        let other_export = || Expression::Export("remote.http", "f".into(), "content");
        let list = |items: Vec<Expression<'static>>| Expression::List(items);
        let split = |value| Expression::Call("string.split", vec![value, "$".into()]);
        let first_part = |value| Expression::Index(Box::new(split(value)), vec![Expression::Number(0.0)]);
        let object = |value| Expression::Object(vec![("a".into(), value)]);
        for (value, expected) in [
            (list(vec![file(), "x".into()]), "[local.file.f.content, \"x\"]"),
            (list(vec![other_export(), "x".into()]), "[remote.http.f.content, \"***\"]"),
            (
                Expression::Sum(vec![first_part(file()), "$".into()]),
                "string.split(local.file.f.content, \"$\")[0] + \"$\"",
            ),
            (
                Expression::Sum(vec![first_part(other_export()), "$".into()]),
                "string.split(remote.http.f.content, \"$\")[0] + \"***\"",
            ),
            (
                Expression::Call("coalesce", vec![list(vec![file()]), "x".into()]),
                "coalesce([local.file.f.content], \"x\")",
            ),
            (Expression::Call("coalesce", vec!["x".into(), "".into()]), "coalesce(\"***\", \"\")"),
            (Expression::Call("array.concat", vec![list(vec!["x".into()])]), "array.concat([\"***\"])"),
            (Expression::Sum(vec![Expression::Sum(vec![file()]), "x".into()]), "local.file.f.content + \"x\""),
            (list(vec![object(file()), "x".into()]), "[{\n\t\ta = local.file.f.content,\n\t}, \"x\"]"),
            (list(vec![object("y".into()), "x".into()]), "[{\n\t\ta = \"***\",\n\t}, \"***\"]"),
            (Expression::Number(5.0), "***"),
            (Expression::Bool(true), "true"),
            (Expression::Call("encoding.from_json", vec!["{}".into()]), "encoding.from_json(\"***\")"),
        ] {
            let actual = mask_text("discovery.consul", Body::new().with("token", value), false);
            assert_eq!(actual, format!("x {{\n\ttoken = {expected}\n}}\n"));
        }
    }

    #[test]
    fn masks_secrets_in_embedded_configurations() {
        let json = |text: &'static str| Expression::Call("encoding.from_json", vec![text.into()]);
        for (value, is_free, is_masked) in [
            ("modules:\n  password: hunter2".into(), true, true),
            ("modules:\n  password: hunter2".into(), false, false),
            ("{password: hunter2}".into(), true, true),
            ("password: hunter2".into(), true, false),
            ("{modules: hunter2}".into(), true, false),
            (json("{\"password\": \"hunter2\"}"), false, true),
            (json("{\"modules\": \"hunter2\"}"), false, false),
        ] {
            for is_after in [false, true] {
                let mut body = Body::new();
                if is_after {
                    body = body.with("first", json("{}"));
                }
                let text = mask_text("prometheus.exporter.blackbox", body.with("config", value.clone()), is_free);
                assert_eq!(!text.contains("hunter2"), is_masked, "{value:?} {is_free}");
            }
        }
    }

    #[test]
    fn masks_and_reports_secrets_in_blocks() {
        let actual = |body: Body<'static>| {
            let mut body = body;
            mask("prometheus.scrape", &mut body, false, &mut SecretKeys::default())
        };
        let block = |name, value: &'static str| Body::new().with_block("basic_auth", Body::new().with(name, value));
        for (body, expected) in [
            (Body::new(), false),
            (block("password_file", "/me"), false),
            (block("password", "hunter2"), true),
            (block("password", ""), false),
            (Body::new().with("bearer_token", Expression::Number(5.0)), true),
            (Body::new().with_lines("rule", "rule { }\n"), false),
        ] {
            assert_eq!(actual(body.clone()), expected, "{body:?}");
        }
    }

    #[test]
    fn masks_values_of_labels_named_like_secrets() {
        let rule = |label: &'static str| Body::new().with("replacement", "hunter2").with("target_label", label);
        assert!(!mask_text("relabel.Config", rule("__param_token"), false).contains("hunter2"));
        assert!(mask_text("relabel.Config", rule("__param_module"), false).contains("hunter2"));
    }
}
