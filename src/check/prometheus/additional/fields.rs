//! The fields that a job has, and what each holds.

use crate::yaml::{Node, NodeValue};

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text, or any other scalar.
    Text,
    /// `true` or `false`.
    Bool,
    /// A number from zero.
    Number,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

impl Form {
    /// What is expected, for a message.
    pub fn expected(self) -> &'static str {
        match self {
            Form::Text => "a string",
            Form::Bool => "`true` or `false`",
            Form::Number => "a number from zero",
            Form::List => "a list",
            Form::Mapping => "a mapping",
        }
    }

    /// Whether YAML can turn a value into it.
    pub fn takes(self, value: Node<'_>) -> bool {
        match (self, value.value()) {
            (Form::Text, kind) => !matches!(kind, NodeValue::Sequence | NodeValue::Mapping),
            (Form::Bool, kind) => matches!(kind, NodeValue::Bool(_)),
            (Form::Number, NodeValue::Int(number)) => number >= 0,
            (Form::Number, NodeValue::Float(number)) => number >= 0.0,
            (Form::Number, kind) => matches!(kind, NodeValue::String(_)),
            (Form::List, kind) => kind == NodeValue::Sequence,
            (Form::Mapping, kind) => kind == NodeValue::Mapping,
        }
    }
}

/// The fields of a job that Prometheus has, sorted; those of service discovery end in `_sd_configs`.
pub const FIELDS: [(&str, Form); 39] = [
    ("authorization", Form::Mapping),
    ("basic_auth", Form::Mapping),
    ("bearer_token", Form::Text),
    ("bearer_token_file", Form::Text),
    ("body_size_limit", Form::Text),
    ("convert_classic_histograms_to_nhcb", Form::Bool),
    ("enable_compression", Form::Bool),
    ("enable_http2", Form::Bool),
    ("follow_redirects", Form::Bool),
    ("honor_labels", Form::Bool),
    ("honor_timestamps", Form::Bool),
    ("http_headers", Form::Mapping),
    ("job_name", Form::Text),
    ("keep_dropped_targets", Form::Number),
    ("label_limit", Form::Number),
    ("label_name_length_limit", Form::Number),
    ("label_value_length_limit", Form::Number),
    ("metric_relabel_configs", Form::List),
    ("metrics_path", Form::Text),
    ("native_histogram_bucket_limit", Form::Number),
    ("native_histogram_min_bucket_factor", Form::Number),
    ("no_proxy", Form::Text),
    ("oauth2", Form::Mapping),
    ("params", Form::Mapping),
    ("proxy_connect_header", Form::Mapping),
    ("proxy_from_environment", Form::Bool),
    ("proxy_url", Form::Text),
    ("relabel_configs", Form::List),
    ("sample_limit", Form::Number),
    ("scheme", Form::Text),
    ("scrape_classic_histograms", Form::Bool),
    ("scrape_failure_log_file", Form::Text),
    ("scrape_interval", Form::Text),
    ("scrape_protocols", Form::List),
    ("scrape_timeout", Form::Text),
    ("static_configs", Form::List),
    ("target_limit", Form::Number),
    ("tls_config", Form::Mapping),
    ("track_timestamps_staleness", Form::Bool),
];

/// The fields of the mappings in a job.
pub const NESTED_FIELDS: [(&str, &[(&str, Form)]); 4] = [
    (
        "authorization",
        &[
            ("credentials", Form::Text),
            ("credentials_file", Form::Text),
            ("type", Form::Text),
        ],
    ),
    (
        "basic_auth",
        &[
            ("password", Form::Text),
            ("password_file", Form::Text),
            ("username", Form::Text),
            ("username_file", Form::Text),
        ],
    ),
    (
        "oauth2",
        &[
            ("client_id", Form::Text),
            ("client_secret", Form::Text),
            ("client_secret_file", Form::Text),
            ("endpoint_params", Form::Mapping),
            ("no_proxy", Form::Text),
            ("proxy_connect_header", Form::Mapping),
            ("proxy_from_environment", Form::Bool),
            ("proxy_url", Form::Text),
            ("scopes", Form::List),
            ("tls_config", Form::Mapping),
            ("token_url", Form::Text),
        ],
    ),
    (
        "tls_config",
        &[
            ("ca", Form::Text),
            ("ca_file", Form::Text),
            ("cert", Form::Text),
            ("cert_file", Form::Text),
            ("insecure_skip_verify", Form::Bool),
            ("key", Form::Text),
            ("key_file", Form::Text),
            ("max_version", Form::Text),
            ("min_version", Form::Text),
            ("server_name", Form::Text),
        ],
    ),
];

/// The fields of a relabelling rule.
pub const RULE_FIELDS: [(&str, Form); 7] = [
    ("action", Form::Text),
    ("modulus", Form::Number),
    ("regex", Form::Text),
    ("replacement", Form::Text),
    ("separator", Form::Text),
    ("source_labels", Form::List),
    ("target_label", Form::Text),
];

/// The fields of a group of static targets.
pub const GROUP_FIELDS: [(&str, Form); 2] = [("labels", Form::Mapping), ("targets", Form::List)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_sorted() {
        assert!(FIELDS.is_sorted_by_key(|(name, _)| *name));
    }
}
