//! What may be in the parts of the input that could not be read.

use std::collections::HashSet;

use super::{Kind, ObjectRef};

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
