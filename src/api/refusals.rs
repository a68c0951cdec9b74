//! What is not known of the input: the fields that admission refuses of resources that take part all the same, and the text
//! that could not be read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Kind, ObjectRef};
use crate::diagnostic::{Diagnostic, ObjectKey};

/// The refused fields of each resource, as the API server writes their paths. What they say is not known, so that nothing
/// is to be said of them any more.
#[derive(Debug, Default)]
pub struct Refusals<'d>(BTreeMap<ObjectRef<'d>, BTreeSet<String>>);

impl<'d> Refusals<'d> {
    /// Adds fields of a resource; an empty path is the resource as a whole.
    pub fn add(&mut self, object: ObjectRef<'d>, paths: impl IntoIterator<Item = String>) {
        self.0.entry(object).or_default().extend(paths);
    }

    /// Adds the refused fields of resources that are not among these.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether anything of a resource was refused.
    pub fn has_any(&self, object: ObjectRef<'_>) -> bool {
        self.0.contains_key(&object)
    }

    /// Whether this very field was refused.
    pub fn has(&self, object: ObjectRef<'_>, path: &str) -> bool {
        self.0.get(&object).is_some_and(|refused| refused.contains(path))
    }

    /// Whether a field was refused, or one above or below it.
    pub fn touch(&self, object: ObjectRef<'_>, path: &str) -> bool {
        self.0.get(&object).is_some_and(|refused| touches(refused, path))
    }

    /// Leaves out findings about what was refused: they would only follow from it.
    pub fn retain(&self, findings: &mut Vec<Diagnostic>) {
        if self.0.is_empty() {
            return;
        }
        let by_name: HashMap<_, _> = self
            .0
            .iter()
            .map(|(object, refused)| (ObjectKey::from(*object), refused))
            .collect();
        findings.retain(|found| {
            let refused = found.resource.as_ref().and_then(|resource| by_name.get(resource));
            let path = found.path.as_deref();
            !refused.zip(path).is_some_and(|(refused, path)| touches(refused, path))
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
            has_templates: texts.iter().any(|text| text.contains("{{")),
        }
    }

    /// Adds the words of other texts.
    pub fn append(&mut self, other: Self) {
        self.words.extend(other.words);
        self.has_templates |= other.has_templates;
    }

    /// Whether an object of this kind may be there.
    pub fn may_define(&self, kind: Kind) -> bool {
        let makes_secrets = ["SealedSecret", "ExternalSecret"];
        self.words.contains(kind.as_str())
            || (kind == Kind::Secret && makes_secrets.iter().any(|maker| self.words.contains(maker)))
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
        let mut refusals = Refusals::default();
        refusals.add(OBJECT, ["spec.endpoints[0].port", "metadata.labels"].map(str::to_owned));
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
            assert_eq!(refusals.touch(OBJECT, path), expected, "{path}");
        }
        refusals.add(OBJECT, [String::new()]);
        assert!(refusals.touch(OBJECT, "metadata.name"));
    }

    #[test]
    fn only_what_follows_is_left_out() {
        let mut refusals = Refusals::default();
        refusals.add(OBJECT, ["spec.module".to_owned()]);
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
        refusals.retain(&mut findings);
        assert_eq!(findings, others);
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
}
