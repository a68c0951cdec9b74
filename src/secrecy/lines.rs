//! Lines of a configuration that hold nothing secret, which is told without reading them: so are most.

use super::key::Keys;
use super::text::tells_a_secret;

/// How what is more than one word starts: brackets, quotes, texts of several lines, anchors, tags, comments, and lists in lists.
const INDICATORS: [char; 14] = ['[', ']', '{', '}', '"', '\'', '|', '>', '&', '*', '!', '#', '-', '?'];

/// Keys of names that may say that the value beside them is secret.
const NAMES: [&str; 3] = ["name", "targetLabel", "target_label"];

/// Whether nothing is secret in lines of `agent.yml` as the operator writes them, each an entry or the start of one, whatever is
/// around them. Says no where it is not sure.
pub(super) fn are_open(lines: &str, keys: &mut Keys) -> bool {
    lines.lines().all(|line| {
        let entry = line.trim_start_matches(' ');
        let entry = entry.strip_prefix("- ").unwrap_or(entry);
        let (key, value) = match entry.split_once(": ") {
            Some((key, value)) => (Some(key), value),
            None => (entry.strip_suffix(':'), entry.strip_suffix(':').map_or(entry, |_| "")),
        };
        let is_list_or_mapping = matches!(value, "[]" | "{}");
        let is_one_word = |text: &str| !text.starts_with(INDICATORS);
        let is_name = key.is_some_and(|key| NAMES.contains(&key));
        key.is_none_or(|key| is_one_word(key) && !keys.is_secret(key))
            && (is_one_word(value) || is_list_or_mapping)
            && !(is_name && keys.is_secret(value))
            && !tells_a_secret(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrecy::{Form, each_secret};
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits};

    #[test]
    fn nothing_is_found_in_open_lines() {
        for (lines, expected) in [
            ("- job_name: probe/a/b\n  honor_labels: true", true),
            (
                "- source_labels:\n    - __name__\n  regex: (a|b).*\n  target_label: token_url",
                true,
            ),
            ("- url: https://host/metrics", true),
            ("- params: {}\n  items: []", true),
            ("- password: x", false),
            ("- basic_auth:\n    password: x", false),
            ("- token:\n    - x", false),
            ("- url: https://me:x@host/metrics", false),
            ("- https://host/?token=x", false),
            ("- glsa_xxxxxxxxxxxxxxxxxxxxxxxx", false),
            ("- replacement: x\n  target_label: __param_token", false),
            ("- name: DB_PASSWORD\n  value: x", false),
            ("- a: \"https://me:x\\u0040host/\"", false),
            ("- 'password': x", false),
            ("- - password: x", false),
            ("- {password: x}", false),
            ("- a: |\n    b: c", false),
        ] {
            let mut keys = Keys::default();
            assert_eq!(are_open(lines, &mut keys), expected, "{lines}");
            let id = Sources::default().add(Source::new("x", "", true));
            let documents = yaml::read(id, lines, &Limits::default()).output;
            let (mut job, mut found) = (yaml::to_value(documents[0].root()), 0);
            each_secret(&mut job, Form::Configuration, &mut |_, _| found += 1);
            assert!(found == 0 || !expected, "{lines}");
        }
    }
}
