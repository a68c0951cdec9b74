//! The one table of codes.

use super::Severity;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $severity:ident;)+) => {
        /// A stable name for each rule. The table is sorted by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, sorted by name.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The name as users write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// How bad it is unless something else was asked for.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// One sentence about the rule.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// A mapping has the same key twice.
    DuplicateKey = "duplicate-key", Error;
    /// A merge key replaces what the mapping itself set before.
    MergeOverride = "merge-override", Warning;
    /// A document that was named is not a Kubernetes object.
    NotAnObject = "not-an-object", Error;
    /// An alias refers to no anchor, or to one that contains it.
    YamlAlias = "yaml-alias", Error;
    /// A mapping key has no form in JSON.
    YamlKey = "yaml-key", Error;
    /// A text is too large, too deep, or its aliases expand too far.
    YamlLimit = "yaml-limit", Error;
    /// A merge key refers to something that is not a mapping.
    YamlMerge = "yaml-merge", Error;
    /// A scalar has no form in JSON, or does not fit its tag.
    YamlScalar = "yaml-scalar", Error;
    /// The text is not YAML.
    YamlSyntax = "yaml-syntax", Error;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }

    #[test]
    fn names_are_lower_case_words() {
        for code in Code::ALL {
            assert!(
                code.as_str()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit()),
                "{code}"
            );
            assert!(!code.summary().is_empty(), "{code}");
        }
    }
}
