//! Resource fields that the parts of a configuration come from.

use std::fmt;
use std::rc::Rc;

use serde::Serialize;

use crate::api::{Kind, ObjectRef, serialize_display};
use crate::diagnostic::FieldPath;
use crate::insight::catalog::Catalog;
use crate::output::agent::PartSource;
use crate::source::{Sources, Span};
use crate::yaml::{Node, Step, steps};

/// Returns the candidate resource paths for a configuration field, separated by `|`, if the field's camel-case name
/// differs from that of its resource field. The first existing path is used. An empty string means that the field has
/// no source, even if a resource field has a similar name.
fn other_names(key: &str) -> Option<&'static str> {
    Some(match key {
        "authorization" => "bearerToken|bearerTokenFile|bearerTokenSecret",
        "batchsize" => "batchSize",
        "batchwait" => "batchWait",
        "bearer_token" => "bearerToken|bearerTokenSecret",
        "ca_file" => "caFile|ca",
        "cert_file" => "certFile|cert",
        "client_secret_file" => "clientSecret",
        "firstline" => "firstLine",
        "job_name" => "",
        "key_file" => "keyFile|keySecret",
        "labelallow" => "labelAllow",
        "labeldrop" => "labelDrop",
        "max_wal_time" => "maxWALTime",
        "metric_relabel_configs" => "metricRelabelings",
        "metrics_path" => "path|prober.path",
        "min_wal_time" => "minWALTime",
        "params" => "params|module",
        "password_file" => "password",
        "scheme" => "scheme|prober.scheme",
        "scrape_interval" => "interval",
        "targets" => "static",
        _ => return None,
    })
}

pub(super) struct ResourceField<'d> {
    pub(super) object: ObjectRef<'d>,
    /// Formatted path of the field from the root of the resource.
    pub(super) path: String,
    /// Span of the field or, if it is missing, of the key of its nearest existing parent.
    pub(super) span: Span,
    /// Value of the field, or `None` if it is missing.
    pub(super) value: Option<Node<'d>>,
}

impl PartialEq for ResourceField<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.object, &self.path) == (other.object, &other.path)
    }
}

impl<'d> ResourceField<'d> {
    /// Returns the field that a part comes from. For a Secret key, `stringData` takes precedence.
    pub(super) fn from_source(source: PartSource<'_>, catalog: &Catalog<'_, 'd>) -> Option<Self> {
        let (object, path) = (source.object(), source.path());
        let located_resource = catalog.locate(&object)?;
        let resource_field = || {
            let key = path.last_key().filter(|_| object.kind == Kind::Secret)?;
            let path = FieldPath::parse("stringData").key(key.to_owned());
            path.find(located_resource.root).map(|_| path)
        };
        let path = resource_field().unwrap_or(path);
        let (span, value) = path.look_up(located_resource.root);
        Some(Self { object: located_resource.object, path: format_path("", path.steps()), span, value })
    }

    /// Returns the field that corresponds to `step` in the part generated from this field, or `None` if there is no
    /// such field. If a part comes from an entire resource, it is generated from the resource's `spec`. The
    /// configuration of an integration is copied unchanged.
    pub(super) fn step(&self, step: Step<'_>) -> Option<Rc<Self>> {
        if self.path.is_empty() {
            return self.follow(["spec"])?.step(step);
        }
        match step {
            Step::Key(_) if !self.value?.is_mapping() => None,
            Step::Index(index) => {
                let value = self.value?.item(index)?;
                Some(self.child(format_path(&self.path, [step]), value, value.span()))
            }
            Step::Key(key) if self.object.kind == Kind::Integration => self.follow([key]),
            Step::Key(key) => match other_names(key) {
                Some(names) => {
                    let mut alternatives = steps(names, b'|');
                    let field = alternatives.find_map(|alternative| self.follow(steps(alternative, b'.')));
                    field.or_else(|| self.follow([key]))
                }
                None => self.follow([key]).or_else(|| self.follow([camel_case(key)?.as_str()])),
            },
        }
    }

    /// Returns the field that `keys` lead to from this field, or `None` if that field is not in the source text. For
    /// example, a default is not in the text, and its span is that of the enclosing mapping.
    fn follow<'k>(&self, keys: impl IntoIterator<Item = &'k str, IntoIter: Clone> + Clone) -> Option<Rc<Self>> {
        let (mut value, mut span) = (self.value?, self.span);
        for key in keys.clone() {
            let entry = value.entry(key).filter(|entry| entry.key_span != value.span())?;
            (value, span) = (entry.value, entry.key_span);
        }
        let path = format_path(&self.path, keys.into_iter().map(Step::Key));
        Some(self.child(path, value, span))
    }

    /// Returns the location of the field in the file to edit.
    pub(super) fn place(&self, sources: &'d Sources) -> Option<InputPlace<'d>> {
        let span = sources.to_edit(self.span);
        let source = sources.get(span.source)?;
        // A key and its value may come from different files.
        let value = self.value.map(|value| sources.to_edit(value.span()));
        let value = value.filter(|value| value.source == span.source && value.end >= span.start);
        // Trailing blank lines and comments are not part of the value.
        let text = value.and_then(|value| source.text.get(..value.end as usize));
        let end = text.map_or(0, |text| text.trim_end().len());
        let line = source.line_of(span.start as usize);
        Some(InputPlace {
            file: &source.name,
            line,
            end_line: source.line_of(end.max(span.end as usize)).max(line),
            resource: self.object,
            path: self.path.clone(),
            is_set: self.value.is_some(),
        })
    }

    /// Returns a field nested in this field. As in [`FieldPath::locate`], a collection has the span of its key.
    fn child(&self, path: String, value: Node<'d>, key: Span) -> Rc<Self> {
        let is_collection = value.is_mapping() || value.items().len() > 0;
        Rc::new(Self {
            object: self.object,
            path,
            span: if is_collection { key } else { value.span() },
            value: Some(value),
        })
    }
}

/// Converts `remote_timeout` to `remoteTimeout`. Returns `None` for a single word.
fn camel_case(key: &str) -> Option<String> {
    let (first, words) = key.split_once('_')?;
    let mut camel_case_key = String::with_capacity(key.len());
    camel_case_key.push_str(first);
    for word in words.split('_') {
        let mut letters = word.chars();
        camel_case_key.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel_case_key.push_str(letters.as_str());
    }
    Some(camel_case_key)
}

/// Range of lines in the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputPlace<'d> {
    /// File path, or `<stdin>`.
    pub file: &'d str,
    pub line: u32,
    pub end_line: u32,
    #[serde(serialize_with = "serialize_display")]
    pub resource: ObjectRef<'d>,
    /// Field path. Empty for an entire resource.
    pub path: String,
    /// Whether the field is set. If not, the lines are those of its nearest existing parent's key.
    #[serde(skip)]
    pub is_set: bool,
}

impl fmt::Display for InputPlace<'_> {
    /// Writes the location and the field in the form `shop.yaml:24 ServiceMonitor/shop/checkout spec.endpoints[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} {}", self.file, self.line, self.resource)?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        if !self.is_set {
            write!(f, " (not set)")?;
        }
        Ok(())
    }
}

/// Appends steps to a path and returns the result in the format of [`FieldPath`].
pub(super) fn format_path<'s>(base: &str, steps: impl IntoIterator<Item = Step<'s>, IntoIter: Clone>) -> String {
    let steps = steps.into_iter();
    // Hundreds of thousands of paths may be kept, so none of them should have unused capacity.
    let length = |step| match step {
        Step::Key(key) => 1 + key.len(),
        Step::Index(index) => 3 + index.checked_ilog10().unwrap_or_default() as usize,
    };
    let mut path = String::with_capacity(base.len() + steps.clone().map(length).sum::<usize>());
    path.push_str(base);
    for step in steps {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.extend([".", key]),
            Step::Index(index) => path.extend(["[", &index.to_string(), "]"]),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    #[test]
    fn keys_become_camel_case() {
        for (key, expected) in [
            ("remote_timeout", "remoteTimeout"),
            ("max_samples_per_send", "maxSamplesPerSend"),
            ("enable_http2", "enableHttp2"),
        ] {
            assert_eq!(camel_case(key).as_deref(), Some(expected));
        }
        assert_eq!(camel_case("url"), None);
    }

    #[test]
    fn collections_have_the_span_of_their_key() {
        let text = "\
spec:
  url:
    https://a
  writeRelabelConfigs:
  - action: keep
  sigv4:
    region: x
  headers:
    {}
  external_labels:
    []
  bearerToken: x
  interval: 5s
  batch_wait: 1s
";
        let input = TestInput::new(text);
        let documents = input.documents();
        let spec = documents[0].root().get("spec").unwrap();
        let field = ResourceField {
            object: ObjectRef { kind: Kind::MetricsInstance, namespace: "a", name: "b" },
            path: "spec".to_owned(),
            span: spec.span(),
            value: Some(spec),
        };
        for (step, expected) in [
            (Step::Key("url"), Some(("spec.url", 3, 3))),
            (Step::Key("write_relabel_configs"), Some(("spec.writeRelabelConfigs", 4, 5))),
            (Step::Key("sigv4"), Some(("spec.sigv4", 6, 7))),
            (Step::Key("headers"), Some(("spec.headers", 8, 9))),
            (Step::Key("external_labels"), Some(("spec.external_labels", 11, 11))),
            (Step::Key("authorization"), Some(("spec.bearerToken", 12, 12))),
            (Step::Key("scrape_interval"), Some(("spec.interval", 13, 13))),
            (Step::Key("batchwait"), None),
            (Step::Key("job_name"), None),
            (Step::Key("region"), None),
            (Step::Index(0), None),
        ] {
            let actual = field.step(step);
            let place = actual.as_ref().map(|actual| actual.place(&input.sources).unwrap());
            let place = place.as_ref().map(|place| (place.path.as_str(), place.line, place.end_line));
            assert_eq!(place, expected, "{step:?}");
        }
        let list = field.step(Step::Key("write_relabel_configs")).unwrap();
        let item = list.step(Step::Index(0)).unwrap();
        assert_eq!(item.path, "spec.writeRelabelConfigs[0]");
        assert_eq!(item.span, spec.get("writeRelabelConfigs").unwrap().item(0).unwrap().span());
        assert!(list.step(Step::Index(1)).is_none() && list.step(Step::Key("action")).is_none());
        assert!(item.step(Step::Key("action")).is_some());
    }
}
