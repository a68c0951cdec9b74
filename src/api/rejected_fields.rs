//! What is not known of the input: the fields that admission refuses of resources that take part all the same, and the text
//! that could not be read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Kind, ObjectRef, SecretGenerator};
use crate::diagnostic::{Code, Diagnostic, Label, ObjectKey, Severity};
use crate::source::Span;

/// A field that is missing because its key is misspelled or at the wrong place, so that it was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The field that is meant.
    pub path: String,
    /// The key that was dropped.
    pub key: Span,
    /// The mistake, as the finding about the key has it.
    pub cause: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Doubt {
    /// Whether a finding stays. One at the field, above or below it follows from the doubt: a milder one says nothing more; a worse
    /// one speaks for the mistake, with its place and remedy.
    fn settle(&self, found: &mut Diagnostic) -> bool {
        let is_elsewhere = self.path == "metadata.namespace" && found.code == Code::NoMatchingObject;
        let follows = is_elsewhere || found.path.as_deref().is_some_and(|path| self.touches(path));
        let is_the_mistake = found.cause.as_ref() == Some(&self.cause);
        if !follows || is_the_mistake || found.code == Code::UnknownField {
            return true;
        }
        if found.severity < Severity::Error {
            return false;
        }
        found.labels.push(Label {
            span: self.key,
            text: "dropped, since it is unknown here".to_owned(),
        });
        found.help = self.help.clone().or(found.help.take());
        found.cause = Some(self.cause.clone());
        true
    }

    fn touches(&self, path: &str) -> bool {
        touches(&BTreeSet::from([self.path.clone()]), path)
    }
}

/// Leaves out findings of a resource that follow from its doubts.
pub fn settle(doubts: &[Doubt], findings: &mut Vec<Diagnostic>) {
    if !doubts.is_empty() {
        findings.retain_mut(|found| doubts.iter().all(|doubt| doubt.settle(found)));
    }
}

/// The refused fields of each resource, as the API server writes their paths, and its doubts. Later stages report nothing about
/// these fields, because their meaning is unknown.
#[derive(Debug, Default)]
pub struct RejectedFields<'d>(BTreeMap<ObjectRef<'d>, Rejected>);

#[derive(Debug, Default)]
struct Rejected {
    refused: BTreeSet<String>,
    doubts: Vec<Doubt>,
}

impl<'d> RejectedFields<'d> {
    /// Adds fields of a resource; an empty path is the resource as a whole.
    pub fn add(&mut self, object: ObjectRef<'d>, paths: impl IntoIterator<Item = String>) {
        self.0.entry(object).or_default().refused.extend(paths);
    }

    /// Adds doubts about a resource.
    pub fn add_doubts(&mut self, object: ObjectRef<'d>, doubts: &[Doubt]) {
        self.0.entry(object).or_default().doubts.extend_from_slice(doubts);
    }

    /// Whether anything of a resource was refused, or is in doubt.
    pub fn has_any(&self, object: ObjectRef<'_>) -> bool {
        self.0.contains_key(&object)
    }

    /// Whether this very field was refused.
    pub fn has(&self, object: ObjectRef<'_>, path: &str) -> bool {
        self.0.get(&object).is_some_and(|fields| fields.refused.contains(path))
    }

    /// Whether a field was refused or is in doubt, or one above or below it.
    pub fn touch(&self, object: ObjectRef<'_>, path: &str) -> bool {
        let is_doubted = |fields: &Rejected| fields.doubts.iter().any(|doubt| doubt.touches(path));
        let fields = self.0.get(&object);
        fields.is_some_and(|fields| touches(&fields.refused, path) || is_doubted(fields))
    }

    /// Leaves out findings about what was refused or is in doubt: they would only follow from it.
    pub fn retain(&self, findings: &mut Vec<Diagnostic>) {
        let objects = self.0.iter();
        let by_name: HashMap<_, _> = objects
            .map(|(object, fields)| (ObjectKey::from(*object), fields))
            .collect();
        findings.retain_mut(|found| {
            let Some(fields) = found.resource.as_ref().and_then(|resource| by_name.get(resource)) else {
                return true;
            };
            let is_kept = fields.doubts.iter().all(|doubt| doubt.settle(found));
            is_kept && !found.path.as_deref().is_some_and(|path| touches(&fields.refused, path))
        });
    }
}

/// Whether a path is among these, or above or below one of them.
pub fn touches(refused: &BTreeSet<String>, path: &str) -> bool {
    let is_below = |step: char| {
        let start = format!("{path}{step}");
        let first = refused.range(start.clone()..).next();
        first.is_some_and(|below| below.starts_with(&start))
    };
    let steps = path.match_indices(['.', '[']).map(|(at, _)| at);
    let mut above = steps.chain([0, path.len()]).filter_map(|end| path.get(..end));
    above.any(|above| refused.contains(above)) || is_below('.') || is_below('[')
}

/// The words of the text that could not be read: what is missing may well be there.
#[derive(Debug, Default)]
pub struct Unread<'d> {
    words: HashSet<&'d str>,
    /// Templates make names of other words.
    has_templates: bool,
}

impl<'d> Unread<'d> {
    /// The words of these texts.
    pub fn new(texts: &[&'d str]) -> Self {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        let words = texts.iter().flat_map(|text| text.split(move |c| !is_part(c)));
        Self {
            words: words.collect(),
            has_templates: texts
                .iter()
                .any(|text| ["{{", "${", "$("].iter().any(|open| text.contains(open))),
        }
    }

    /// Whether an object of this kind may be there.
    pub fn may_define(&self, kind: Kind) -> bool {
        let makes_secrets = || SecretGenerator::all().any(|promise| self.words.contains(promise.kind));
        self.words.contains(kind.as_str()) || (kind == Kind::Secret && makes_secrets())
    }

    /// Whether this object may be there.
    pub fn may_define_object(&self, object: ObjectRef<'_>) -> bool {
        self.may_define(object.kind) && (self.has_templates || self.words.contains(object.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::diagnostic::Code;

    const OBJECT: ObjectRef<'_> = ObjectRef {
        kind: Kind::Probe,
        namespace: "a",
        name: "b",
    };

    #[test]
    fn a_field_touches_those_above_and_below() {
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
            assert_eq!(rejected.touch(OBJECT, path), expected, "{path}");
        }
        rejected.add(OBJECT, [String::new()]);
        assert!(rejected.touch(OBJECT, "metadata.name"));
    }

    #[test]
    fn only_what_follows_is_left_out() {
        let mut rejected = RejectedFields::default();
        rejected.add(OBJECT, ["spec.module".to_owned()]);
        let found = |name, path| {
            let resource = ObjectKey::new("Probe", "a", name);
            Diagnostic::new(Code::IgnoredField, "m").resource(resource).path(path)
        };
        let others = [
            found("b", "spec.oauth2"),
            found("c", "spec.module"),
            Diagnostic::new(Code::IgnoredField, "m"),
        ];
        let mut findings = others.to_vec();
        findings.insert(1, found("b", "spec.module"));
        rejected.retain(&mut findings);
        assert_eq!(findings, others);
    }

    #[test]
    fn a_doubt_drops_what_is_milder_and_explains_what_is_worse() {
        let id = crate::source::Sources::default().add(crate::source::Source::new("x.yaml", "", true));
        let doubt = Doubt {
            path: "spec.module".to_owned(),
            key: Span::new(id, 3, 5),
            cause: "dropped".to_owned(),
            help: Some("did you mean `module`?".to_owned()),
        };
        let mut rejected = RejectedFields::default();
        rejected.add_doubts(OBJECT, &[doubt]);
        assert!(rejected.touch(OBJECT, "spec.module.x") && rejected.has_any(OBJECT));
        let found = |code, path| {
            let resource = ObjectKey::new("Probe", "a", "b");
            Diagnostic::new(code, "m").resource(resource).path(path)
        };
        let mut findings = vec![
            found(Code::IgnoredField, "spec.module"),
            found(Code::InvalidUrl, "spec"),
            found(Code::IgnoredField, "spec.other"),
            found(Code::UnknownField, "spec.modul"),
        ];
        rejected.retain(&mut findings);
        let codes: Vec<_> = findings.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::InvalidUrl, Code::IgnoredField, Code::UnknownField]);
        assert_eq!(findings[0].cause.as_deref(), Some("dropped"));
        assert_eq!(findings[0].help.as_deref(), Some("did you mean `module`?"));
        assert_eq!(findings[0].labels.len(), 1);
    }

    #[test]
    fn a_word_may_be_an_object() {
        let secret = |name| ObjectRef {
            kind: Kind::Secret,
            namespace: "a",
            name,
        };
        for (text, name, expected) in [
            ("kind: Secret\nname: creds", "creds", true),
            ("{\"kind\":\"Secret\",\"name\":\"creds\"", "creds", true),
            ("kind: ExternalSecret\nname: creds", "creds", true),
            ("kind: Secret\nname: my-creds", "creds", false),
            ("kind: ConfigMap\nname: creds", "creds", false),
            ("kind: Secret\nname: {{ .Release.Name }}-creds", "my-creds", true),
        ] {
            assert_eq!(Unread::new(&[text]).may_define_object(secret(name)), expected, "{text}");
        }
    }

    #[test]
    fn a_doubt_settles_what_follows_from_it() {
        let id = crate::source::Sources::default().add(crate::source::Source::new("x.yaml", "", true));
        let doubt = |path: &str, help: Option<&str>| Doubt {
            path: path.to_owned(),
            key: Span::new(id, 3, 5),
            cause: "dropped".to_owned(),
            help: help.map(str::to_owned),
        };
        let (milder, worse) = (Code::IgnoredField, Code::InvalidUrl);
        for (doubt, code, path, cause, is_kept, is_explained) in [
            (doubt("spec.a", None), milder, Some("spec.a"), None, false, false),
            (doubt("spec.a", None), milder, Some("spec.b"), None, true, false),
            (doubt("spec.a", None), milder, None, None, true, false),
            (doubt("spec.a", None), worse, Some("spec.a.b"), None, true, true),
            (doubt("spec.a", None), worse, Some("spec.b"), None, true, false),
            // It is the mistake itself.
            (
                doubt("spec.a", None),
                milder,
                Some("spec.a"),
                Some("dropped"),
                true,
                false,
            ),
            (
                doubt("spec.a", None),
                milder,
                Some("spec.a"),
                Some("other"),
                false,
                false,
            ),
            (
                doubt("spec.a", None),
                Code::UnknownField,
                Some("spec.a"),
                None,
                true,
                false,
            ),
            // In another namespace, other objects match.
            (
                doubt("metadata.namespace", None),
                Code::NoMatchingObject,
                Some("spec.x"),
                None,
                false,
                false,
            ),
            (
                doubt("metadata.name", None),
                Code::NoMatchingObject,
                Some("spec.x"),
                None,
                true,
                false,
            ),
        ] {
            let mut found = Diagnostic::new(code, "m").help("own");
            found.path = path.map(str::to_owned);
            found.cause = cause.map(str::to_owned);
            let mut findings = vec![found];
            settle(std::slice::from_ref(&doubt), &mut findings);
            let shown: Vec<_> = findings.iter().map(|found| found.labels.len()).collect();
            let expected = if is_kept {
                vec![usize::from(is_explained)]
            } else {
                vec![]
            };
            assert_eq!(shown, expected, "{} {code} {path:?}", doubt.path);
        }
        // Its help is better than none, and than that of the finding.
        for (help, expected) in [(Some("rename it"), "rename it"), (None, "own")] {
            let mut findings = vec![Diagnostic::new(worse, "m").help("own").path("spec.a")];
            settle(&[doubt("spec.a", help)], &mut findings);
            assert_eq!(findings[0].help.as_deref(), Some(expected));
        }
        let mut findings = vec![Diagnostic::new(milder, "m").path("spec.a")];
        settle(&[], &mut findings);
        assert_eq!(findings.len(), 1);
    }

    #[test]
    fn what_was_refused_is_known_by_its_very_field() {
        let mut rejected = RejectedFields::default();
        rejected.add(OBJECT, ["spec.a".to_owned()]);
        let other = ObjectRef { name: "c", ..OBJECT };
        for (object, path, has, touches) in [
            (OBJECT, "spec.a", true, true),
            (OBJECT, "spec.a.b", false, true),
            (OBJECT, "spec", false, true),
            (OBJECT, "spec.b", false, false),
            (other, "spec.a", false, false),
        ] {
            assert_eq!(
                (rejected.has(object, path), rejected.touch(object, path)),
                (has, touches),
                "{path}"
            );
        }
        assert!(rejected.has_any(OBJECT) && !rejected.has_any(other));
    }
}
