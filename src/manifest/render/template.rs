//! Configurations as External Secrets templates, which insert the values (engine v2: Go's text/template with Sprig
//! functions, `toYaml` and `fromYaml`).

use std::collections::BTreeSet;

use crate::output::agent::{self, JOB_INDENT, SecretSection};
use crate::plan::{ConfigKind, Plan};
use crate::resolve::AssetKey;

/// Template that writes a value as the operator does, if the value fits on one line. A value without spaces, or one too
/// short to be wrapped, has the same form in every YAML style. Other values are written as JSON, which is equivalent.
const VALUE: &str = "{{- define \"value\" }}{{ if regexMatch `^([!-~]*|[ -~]{1,70})$` . }}{{ toYaml . }}{{ else }}{{ toJson . }}\
                     {{ end }}{{ end -}}\n";

/// Text of a template, and the keys of its values.
pub(super) type Template<'d> = (String, Vec<AssetKey<'d>>);

/// Returns the configurations of a plan that contain secret values, as templates.
pub(super) fn templates<'d>(plan: &Plan<'d>) -> Vec<(ConfigKind, Template<'d>)> {
    let templates = plan.parts.iter().map(|part| (*part, template(plan, *part)));
    templates.filter(|(_, (_, values))| !values.is_empty()).collect()
}

fn template<'d>(plan: &Plan<'d>, part: ConfigKind) -> Template<'d> {
    let mut out = VALUE.to_owned();
    let mut used_keys = BTreeSet::new();
    agent::for_each_section(plan, part, &mut |section| match section {
        SecretSection::Lines(text, secrets) => {
            let mut written = 0;
            for (bytes, source) in secrets {
                let key = agent::key(*source).filter(|key| plan.secrets.bytes(key).is_some());
                if let (Some(key), Some(text_before)) = (key, text.get(written..bytes.start)) {
                    let key = key.sanitized_key();
                    escape(text_before, &mut out);
                    out.push_str(&format!("{{{{ template \"value\" .{key} }}}}"));
                    used_keys.insert(key);
                    written = bytes.end;
                }
            }
            escape(text.get(written..).unwrap_or_default(), &mut out);
        }
        SecretSection::JobsOf(key) => {
            out.push_str(&jobs(&key.sanitized_key(), JOB_INDENT));
            out.push('\n');
            used_keys.insert(key.sanitized_key());
        }
    });
    let keys = plan.secrets.iter().map(|(key, _)| *key);
    let used_assets = keys.filter(|key| used_keys.contains(&key.sanitized_key())).collect();
    (out, used_assets)
}

/// Returns a template for an indented list of jobs. If the value is not a list, the template fails, so the Secret keeps
/// its contents.
fn jobs(key: &str, indent: usize) -> String {
    format!(
        "{{{{- $jobs := .{key} | trimPrefix \"---\\n\" | indent 2 | printf \"jobs:\\n%s\" | fromYaml }}}}\
         {{{{- if or (hasKey $jobs \"Error\") (and $jobs.jobs (not (kindIs \"slice\" $jobs.jobs))) }}}}\
         {{{{ fail \"{key} is not a list of scrape jobs\" }}}}{{{{ end }}}}\
         {{{{- with $jobs.jobs }}}}{{{{ toYaml . | nindent {indent} }}}}{{{{ end }}}}"
    )
}

/// Writes literal text. Braces are escaped, because a brace immediately before an action would become part of the
/// action.
fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, braces) = rest.split_at(at);
        let after = braces.trim_start_matches('{');
        let count = braces.len() - after.len();
        out.push_str(before);
        match count > 1 || after.is_empty() {
            true => out.push_str(&format!("{{{{ \"{}\" }}}}", "{".repeat(count))),
            false => out.push('{'),
        }
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_braces() {
        let escape_text = |text| {
            let mut out = String::new();
            escape(text, &mut out);
            out
        };
        assert_eq!(escape_text("a {b} ${1} }}"), "a {b} ${1} }}");
        assert_eq!(escape_text("{{ .Value }}"), "{{ \"{{\" }} .Value }}");
        assert_eq!(escape_text("{{{x{"), "{{ \"{{{\" }}x{{ \"{\" }}");
    }
}
