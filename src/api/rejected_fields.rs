//! Parts of the input with unknown meaning: text that could not be parsed, and rejected fields of resources that are
//! compiled despite the rejection.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::dropped_fields::{DroppedField, DroppedFields, ancestors_and_self};
use super::{Kind, ObjectRef, SecretGenerator};
use crate::diagnostic::{Diagnostic, ObjectKey};

/// Rejected and dropped fields of each resource, by the path that the API server reports. Later stages do not report
/// findings about these fields, because their meaning is unknown.
#[derive(Debug, Default)]
pub struct RejectedFields<'d>(BTreeMap<ObjectRef<'d>, ObjectRejections<'d>>);

#[derive(Debug, Default)]
struct ObjectRejections<'d> {
    rejected_paths: BTreeSet<String>,
    dropped_fields: DroppedFields<'d>,
}

impl<'d> RejectedFields<'d> {
    /// Adds a resource's rejected fields; an empty path refers to the entire resource.
    pub fn add(&mut self, object: ObjectRef<'d>, paths: impl IntoIterator<Item = String>) {
        self.0.entry(object).or_default().rejected_paths.extend(paths);
    }

    /// Adds a resource's dropped fields.
    pub fn add_dropped(&mut self, object: ObjectRef<'d>, dropped_fields: &'d [DroppedField]) {
        self.0.entry(object).or_default().dropped_fields.add(dropped_fields);
    }

    /// Whether any of a resource's fields was rejected or dropped.
    pub fn has_any(&self, object: ObjectRef<'_>) -> bool {
        self.0.contains_key(&object)
    }

    /// Whether this exact field was rejected.
    pub fn has(&self, object: ObjectRef<'_>, path: &str) -> bool {
        self.0.get(&object).is_some_and(|fields| fields.rejected_paths.contains(path))
    }

    /// Whether the field at `path`, or a field above or below it, was rejected or dropped.
    pub fn overlap(&self, object: ObjectRef<'_>, path: &str) -> bool {
        let fields = self.0.get(&object);
        fields.is_some_and(|fields| overlaps(&fields.rejected_paths, path) || fields.dropped_fields.overlap(path))
    }

    /// Removes findings about rejected or dropped fields, because they are mere consequences.
    pub fn retain(&self, findings: &mut Vec<Diagnostic>) {
        let objects = self.0.iter();
        let by_name: HashMap<_, _> = objects.map(|(object, fields)| (ObjectKey::from(*object), fields)).collect();
        findings.retain_mut(|finding| {
            let Some(fields) = finding.resource.as_ref().and_then(|resource| by_name.get(resource)) else {
                return true;
            };
            fields.dropped_fields.suppress_cascading(finding)
                && !finding.path.as_deref().is_some_and(|path| overlaps(&fields.rejected_paths, path))
        });
    }
}

/// Whether `path`, or a path above or below it, was rejected.
pub fn overlaps(rejected_paths: &BTreeSet<String>, path: &str) -> bool {
    let is_below = |step: char| {
        let start = format!("{path}{step}");
        let first = rejected_paths.range(start.clone()..).next();
        first.is_some_and(|below| below.starts_with(&start))
    };
    ancestors_and_self(path).any(|above| rejected_paths.contains(above)) || is_below('.') || is_below('[')
}

/// Words in the parts of the input that could not be parsed. These parts may define objects that appear to be missing.
#[derive(Debug, Default)]
pub struct UnreadWords<'d> {
    words: HashSet<&'d str>,
    /// Whether the unparsed parts contain templates or variables, which may expand to names that are not among the
    /// words.
    has_templates: bool,
}

impl<'d> UnreadWords<'d> {
    /// Collects the words in the unparsed parts.
    pub fn new(texts: &[&'d str]) -> Self {
        let is_word_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        let words = texts.iter().flat_map(|text| text.split(move |c| !is_word_char(c)));
        Self {
            words: words.collect(),
            has_templates: texts.iter().any(|text| ["{{", "${", "$("].iter().any(|open| text.contains(open))),
        }
    }

    /// Whether the unparsed parts may define an object of this kind.
    pub fn may_define(&self, kind: Kind) -> bool {
        let may_generate = || SecretGenerator::all().any(|generator| self.words.contains(generator.kind));
        self.words.contains(kind.as_str()) || (kind == Kind::Secret && may_generate())
    }

    /// Whether the unparsed parts may define this object.
    pub fn may_define_object(&self, object: ObjectRef<'_>) -> bool {
        self.may_define(object.kind) && (self.has_templates || self.words.contains(object.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::diagnostic::Code;
    use crate::source::Span;
    use crate::testing;

    const OBJECT: ObjectRef<'_> = ObjectRef { kind: Kind::Probe, namespace: "a", name: "b" };

    #[test]
    fn fields_overlap_their_parents_and_children() {
        let mut rejected = RejectedFields::default();
        rejected.add(OBJECT, ["spec.endpoints[0].port", "metadata.labels"].map(str::to_owned));
        for (path, expected) in [
            ("spec.endpoints[0].port", true),
            ("spec.endpoints[0].port.x", true),
            ("spec.endpoints[0]", true),
            ("spec.endpoints", true),
            ("spec", true),
            ("metadata.labels.app", true),
            ("metadata.labels[app]", true),
            ("spec.endpoints[0].ports", false),
            ("spec.endpoints[1]", false),
            ("spec.end", false),
            ("metadata.name", false),
        ] {
            assert_eq!(rejected.overlap(OBJECT, path), expected, "{path}");
        }
        rejected.add(OBJECT, [String::new()]);
        assert!(rejected.overlap(OBJECT, "metadata.name"));
    }

    #[test]
    fn drops_only_findings_caused_by_rejected_fields() {
        let mut rejected = RejectedFields::default();
        rejected.add(OBJECT, ["spec.module".to_owned()]);
        let finding_at = |name, path| {
            let resource = ObjectKey::new("Probe", "a", name);
            Diagnostic::new(Code::IgnoredField, "m").resource(resource).path(path)
        };
        let other_findings =
            [finding_at("b", "spec.oauth2"), finding_at("c", "spec.module"), Diagnostic::new(Code::IgnoredField, "m")];
        let mut findings = other_findings.to_vec();
        findings.insert(1, finding_at("b", "spec.module"));
        rejected.retain(&mut findings);
        assert_eq!(findings, other_findings);
    }

    #[test]
    fn drops_minor_findings_and_explains_severe_ones() {
        let id = testing::source_id();
        let dropped_fields = [DroppedField {
            path: "spec.module".to_owned(),
            key: Span::new(id, 3, 5),
            cause: "dropped".to_owned(),
            help: Some("did you mean `module`?".to_owned()),
        }];
        let mut rejected = RejectedFields::default();
        rejected.add_dropped(OBJECT, &dropped_fields);
        assert!(rejected.overlap(OBJECT, "spec.module.x") && rejected.has_any(OBJECT));
        let finding_at = |code, path| {
            let resource = ObjectKey::new("Probe", "a", "b");
            Diagnostic::new(code, "m").resource(resource).path(path)
        };
        let mut findings = vec![
            finding_at(Code::NoTargets, "spec.module"),
            finding_at(Code::MissingField, "spec"),
            finding_at(Code::NoTargets, "spec.other"),
            finding_at(Code::UnknownField, "spec.modul"),
        ];
        rejected.retain(&mut findings);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::MissingField, Code::NoTargets, Code::UnknownField]);
        assert_eq!(findings[0].cause.as_deref(), Some("dropped"));
        assert_eq!(findings[0].help.as_deref(), Some("did you mean `module`?"));
        assert_eq!(findings[0].labels.len(), 1);
    }

    #[test]
    fn finds_object_names_in_unparsed_text() {
        let secret = |name| ObjectRef { kind: Kind::Secret, namespace: "a", name };
        for (text, name, expected) in [
            ("kind: Secret\nname: creds", "creds", true),
            ("{\"kind\":\"Secret\",\"name\":\"creds\"", "creds", true),
            ("kind: ExternalSecret\nname: creds", "creds", true),
            ("kind: Secret\nname: my-creds", "creds", false),
            ("kind: ConfigMap\nname: creds", "creds", false),
            ("kind: Secret\nname: {{ .Release.Name }}-creds", "my-creds", true),
        ] {
            assert_eq!(UnreadWords::new(&[text]).may_define_object(secret(name)), expected, "{text}");
        }
    }

    #[test]
    fn rejected_fields_match_only_their_object_and_path() {
        let mut rejected = RejectedFields::default();
        rejected.add(OBJECT, ["spec.a".to_owned()]);
        let other_object = ObjectRef { name: "c", ..OBJECT };
        for (object, path, is_rejected, overlaps) in [
            (OBJECT, "spec.a", true, true),
            (OBJECT, "spec.a.b", false, true),
            (OBJECT, "spec", false, true),
            (OBJECT, "spec.b", false, false),
            (other_object, "spec.a", false, false),
        ] {
            assert_eq!((rejected.has(object, path), rejected.overlap(object, path)), (is_rejected, overlaps), "{path}");
        }
        assert!(rejected.has_any(OBJECT) && !rejected.has_any(other_object));
    }
}
