//! Detection of templates that another program renders to YAML.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Template language.
#[derive(Debug, PartialEq, Eq)]
pub struct Templater {
    shown: &'static str,
    help: &'static str,
}

impl Templater {
    /// Helm and other template languages with double braces.
    pub const BRACES: &'static Self =
        &Self { shown: "{{ … }}", help: "render it first: `helm template … | agentctl check -`" };
    const VARIABLES: &'static Self = &Self {
        shown: "${…}",
        help: "substitute its variables first, as Flux and envsubst do: `envsubst < FILE | agentctl check -`",
    };
    const REFERENCES: &'static Self =
        &Self { shown: "$(…)", help: "check the output of kustomize: `agentctl check -k DIR`" };
    /// Jinja, as used in Ansible.
    pub const STATEMENTS: &'static Self =
        &Self { shown: "{% … %}", help: "render it first, and pipe the output to `agentctl check -`" };
    const TAGS: &'static Self =
        &Self { shown: "<% … %>", help: "render it first, and pipe the output to `agentctl check -`" };
    /// Placeholders that scripts and programs replace.
    const AT_SIGNS: &'static Self = &Self { shown: "@…@", help: REPLACE };
    const SINGLE_BRACES: &'static Self = &Self { shown: "{…}", help: REPLACE };
    const ANGLE_BRACKETS: &'static Self = &Self { shown: "<…>", help: REPLACE };
    const CAPITALS: &'static Self = &Self { shown: "THE_NAME", help: REPLACE };

    /// Returns the template language of a value.
    pub fn detect(value: &str) -> Option<&'static Self> {
        if !value.contains(['{', '$', '<']) {
            return None;
        }
        let has_name = |open: &str, close: char| {
            let mut parts = value.split(open).skip(1);
            parts.any(|part| part.split_once(close).is_some_and(|(name, _)| is_name(name)))
        };
        if Self::has_braces(value) {
            Some(Self::BRACES)
        } else if has_name("${", '}') {
            Some(Self::VARIABLES)
        } else if has_name("$(", ')') {
            Some(Self::REFERENCES)
        } else {
            (value.contains("<%") && value.contains("%>")).then_some(Self::TAGS)
        }
    }

    /// Returns the template language of a string that is neither valid YAML nor a valid name. In addition to the
    /// languages that [`Self::detect`] recognizes, the string may contain a placeholder such as `@NAME@`, `{name}`,
    /// `<name>` or `THE_NAME`.
    pub fn detect_invalid(value: &str) -> Option<&'static Self> {
        if !value.contains(['{', '$', '<', '@', '_']) {
            return None;
        }
        let has_word = |open: char, close: char| {
            let mut parts = value.split(open).skip(1);
            parts.any(|part| part.split_once(close).is_some_and(|(word, _)| is_word(word)))
        };
        let between_at_signs = value.matches('@').count().saturating_sub(1);
        Self::detect(value).or_else(|| {
            if value.split('@').skip(1).take(between_at_signs).any(is_word) {
                Some(Self::AT_SIGNS)
            } else if has_word('{', '}') {
                Some(Self::SINGLE_BRACES)
            } else if has_word('<', '>') {
                Some(Self::ANGLE_BRACKETS)
            } else {
                let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
                let starts_with_capital = value.starts_with(|c: char| c.is_ascii_uppercase());
                (starts_with_capital && value.contains('_') && value.chars().all(is_capital)).then_some(Self::CAPITALS)
            }
        })
    }

    /// Whether a line contains a Jinja statement or comment.
    pub fn has_statements(line: &str) -> bool {
        line.contains("{%") || line.contains("{#")
    }

    /// Whether a string contains `{{ … }}` other than Prometheus or Alertmanager templates.
    pub fn has_braces(text: &str) -> bool {
        let mut actions = text.split("{{").skip(1);
        actions.any(|action| {
            // `{{name: x}` merely contains a superfluous brace.
            let line = action.lines().next().unwrap_or_default();
            let is_word = action.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '\''));
            if is_word && !line.contains("}}") {
                return false;
            }
            let action = action.split("}}").next().unwrap_or_default();
            let mut words = action.split([' ', '(', ')', '|', '-']);
            let is_alert = |word: &str| {
                let mut names = ALERT_NAMES.split(' ');
                let is_longer = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                names.any(|name| word.strip_prefix(name).is_some_and(|rest| !is_longer(rest)))
            };
            !words.any(is_alert)
        })
    }

    /// Returns the language of the template in a message. The message may contain a placeholder instead of the
    /// template.
    pub fn detect_in_message(message: &str) -> Option<&'static Self> {
        let languages = [Self::BRACES, Self::VARIABLES, Self::REFERENCES, Self::STATEMENTS, Self::TAGS];
        let is_shown = |templater: &&Self| message.contains(templater.shown);
        Self::detect(message).or_else(|| languages.into_iter().find(is_shown))
    }

    /// Finding for a template where YAML is expected. All such findings in an input have the same cause.
    pub fn finding(&self, span: Span) -> Diagnostic {
        let message = format!("found a template (`{}`), expected plain YAML", self.shown);
        Diagnostic::new(Code::UnrenderedTemplate, message)
            .help(self.help)
            .label(span, "")
            .cause(format!("template in {:?}", span.source))
    }
}

const REPLACE: &str = "replace the placeholders first, and check the result";

/// Beginnings of expressions that only Prometheus and Alertmanager templates use.
const ALERT_NAMES: &str = "\
    $labels $value $externalLabels $externalURL .Labels .Annotations .CommonLabels .CommonAnnotations .GroupLabels \
    .Alerts .Status .StartsAt .ExternalURL .GeneratorURL";

/// Whether a string is a variable name, optionally with a default. `${1}` is a capture group.
fn is_name(text: &str) -> bool {
    let name = text.split([':', '-', '=', '?', '+', '/', '#', '%']).next().unwrap_or_default();
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a string is a name in a placeholder.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_placeholders_in_invalid_values() {
        for (value, expected) in [
            ("@NODE_NAME@", Some("@…@")),
            ("a-@b@-c", Some("@…@")),
            ("a@b", None),
            ("@a b@", None),
            ("{PREFIX}.16", Some("{…}")),
            ("{a: b}c", None),
            ("{}", None),
            ("<cluster-name>-kubeconfig", Some("<…>")),
            ("<a b>", None),
            ("HCP_NAMESPACE", Some("THE_NAME")),
            ("NAMESPACE", None),
            ("_", None),
            ("my_app", None),
            ("a-${B}", Some("${…}")),
            ("Shop", None),
        ] {
            let found = Templater::detect_invalid(value).map(|found| found.shown);
            assert_eq!(found, expected, "{value}");
        }
    }

    #[test]
    fn recognizes_template_values() {
        for (value, expected) in [
            ("{{ .Values.x }}", Some("{{ … }}")),
            ("a-${NAME}", Some("${…}")),
            ("${NAME:=shop}", Some("${…}")),
            ("${1}", None),
            ("$NAME", None),
            ("$(NAME)", Some("$(…)")),
            ("$(a b)", None),
            ("<% name %>", Some("<% … %>")),
            ("<% name", None),
            ("%>", None),
            ("${_A_1} ${}", Some("${…}")),
            ("${A-x}", Some("${…}")),
            ("${-x}${a.b}${1A}", None),
            ("${A", None),
            ("{{\"a\": x}\nb: }}", None),
            ("{{'a': x}", None),
            ("{{\"a\"}}", Some("{{ … }}")),
            ("{{ x", Some("{{ … }}")),
            ("{{template \"x\" .Labels}}", None),
            ("{{ $labels.pod }} has {{ $value | humanize }}", None),
            ("{{ range .Alerts }}{{ .Annotations.summary }}", None),
            ("{{ $labels.pod }} of {{ .Values.cluster }}", Some("{{ … }}")),
            ("{{ $labels.pod }}", None),
            ("{{- $values := .Values.alloy -}}", Some("{{ … }}")),
            ("{{ $labels_of_pod }}", Some("{{ … }}")),
            ("{{cluster}}", Some("{{ … }}")),
            ("{{- if and\n  .Values.a .Values.b }}", Some("{{ … }}")),
            ("{{name: x}\nspec: {a: {b: {}}}", None),
        ] {
            let found = Templater::detect(value).map(|found| found.shown);
            assert_eq!(found, expected, "{value}");
        }
    }

    #[test]
    fn recognizes_placeholders_in_messages() {
        for (message, expected) in [
            ("`${NAME}-x` in `name` is not valid", Some("${…}")),
            ("the value of `password` holds `${…}`, which", Some("${…}")),
            ("the value of `password` holds `$(…)`, which", Some("$(…)")),
            ("the value of `password` holds `$$`, which", None),
        ] {
            let found = Templater::detect_in_message(message).map(|found| found.shown);
            assert_eq!(found, expected, "{message}");
        }
    }
}
