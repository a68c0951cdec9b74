//! A configuration as a template of External Secrets, which puts the values in (engine v2: Go's text/template with the
//! functions of Sprig, `toYaml` and `fromYaml`).

use std::collections::BTreeSet;

use crate::plan::{Part, Plan};
use crate::resolve::{AssetKey, AssetKind, Hierarchy};
use crate::target::agent;

/// Writes a value as the operator does where it is one line: what has no spaces, or is too short for a line break, looks the
/// same in every style of YAML. Everything else is JSON, which means the same.
const VALUE: &str = "{{- define \"value\" }}{{ if regexMatch `^([!-~]*|[ -~]{1,70})$` . }}{{ toYaml . }}{{ else }}{{ toJson . }}\
                     {{ end }}{{ end -}}\n";

/// What a list of scrape jobs is before the mark.
const JOBS: &str = "- job_name: ";

/// The text of a template, and the keys of the values in it.
pub(super) type Template<'d> = (String, Vec<AssetKey<'d>>);

/// The configurations of a hierarchy that hold values of Secrets, as templates.
pub(super) fn templates<'d>(hierarchy: &Hierarchy<'_, 'd>) -> Vec<(Part, Template<'d>)> {
    let keys: Vec<_> = hierarchy.secrets.iter().map(|(key, _)| *key).collect();
    let keys = keys
        .into_iter()
        .filter(|key| key.kind == AssetKind::Secret)
        .collect::<Vec<_>>();
    let (mut mark, mut texts) = marked(hierarchy, 0);
    // A text of the input may look like a mark.
    for number in 1.. {
        let (other_mark, other_texts) = marked(hierarchy, number);
        if !other_texts.iter().any(|(_, text)| text.contains(&mark)) {
            break;
        }
        (mark, texts) = (other_mark, other_texts);
    }
    let templates = texts.iter().map(|(part, text)| (*part, template(text, &mark, &keys)));
    templates.filter(|(_, (_, values))| !values.is_empty()).collect()
}

fn marked(hierarchy: &Hierarchy<'_, '_>, number: usize) -> (String, Vec<(Part, String)>) {
    let mark = format!("agentctl-{number}-");
    let hierarchy = hierarchy.marked(&mark);
    let plan = Plan::new(&hierarchy, &Part::of(&hierarchy), &mut Vec::new());
    let texts = plan.parts.iter().map(|part| (*part, agent::text(&plan, *part)));
    let texts = texts.collect();
    (mark, texts)
}

fn template<'d>(text: &str, mark: &str, keys: &[AssetKey<'d>]) -> Template<'d> {
    let mut out = VALUE.to_owned();
    let mut used = BTreeSet::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark) {
        let Some((key, after)) = after.split_once('-') else {
            break;
        };
        used.insert(key);
        let line = before.rfind('\n').map_or(before, |end| before.split_at(end + 1).1);
        match line
            .strip_suffix(JOBS)
            .filter(|indent| indent.bytes().all(|byte| byte == b' '))
        {
            Some(indent) => {
                escape(before.strip_suffix(line).unwrap_or_default(), &mut out);
                out.push_str(&jobs(key, indent.len()));
            }
            None => {
                escape(before, &mut out);
                out.push_str(&format!("{{{{ template \"value\" .{key} }}}}"));
            }
        }
        rest = after;
    }
    escape(rest, &mut out);
    let used = keys.iter().filter(|key| used.contains(key.sanitized().as_str()));
    (out, used.copied().collect())
}

/// The jobs of a list, with an indent. What is not a list makes the template fail: the Secret keeps what it has.
fn jobs(key: &str, indent: usize) -> String {
    format!(
        "{{{{- $jobs := .{key} | trimPrefix \"---\\n\" | indent 2 | printf \"jobs:\\n%s\" | fromYaml }}}}\
         {{{{- if or (hasKey $jobs \"Error\") (and $jobs.jobs (not (kindIs \"slice\" $jobs.jobs))) }}}}\
         {{{{ fail \"{key} is not a list of scrape jobs\" }}}}{{{{ end }}}}\
         {{{{- with $jobs.jobs }}}}{{{{ toYaml . | nindent {indent} }}}}{{{{ end }}}}"
    )
}

/// Writes text that is to come out as it is. A brace in front of an action would belong to it.
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
    fn braces_come_out_as_they_are() {
        let escaped = |text| {
            let mut out = String::new();
            escape(text, &mut out);
            out
        };
        assert_eq!(escaped("a {b} ${1} }}"), "a {b} ${1} }}");
        assert_eq!(escaped("{{ .Value }}"), "{{ \"{{\" }} .Value }}");
        assert_eq!(escaped("{{{x{"), "{{ \"{{{\" }}x{{ \"{\" }}");
    }
}
