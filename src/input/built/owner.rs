//! The object that a build was made for, such as a Flux Kustomization, with its patches, variables and fields that
//! change objects.

use super::files::BuildFiles;
use crate::source::{BuildOwner, Span};
use crate::yaml::Node;

impl<'s> BuildFiles<'s> {
    /// Returns the part of an owner that has the fields of a kustomization.
    pub(super) fn options(self, owner: &BuildOwner) -> Option<Node<'s>> {
        let (_, object) = self.document(owner.object)?;
        owner.options.split('.').try_fold(object, |node, step| match step.parse() {
            Ok(index) => node.item(index),
            Err(_) => node.get(step),
        })
    }

    /// Returns the value of the variable that replaces the entire scalar at `place`, or `None` if there is no such
    /// variable.
    pub(super) fn variable(self, owner: &BuildOwner, place: Span) -> Option<Span> {
        let written = self.sources.get(place.source)?.text.get(place.bytes())?;
        let name = only_variable(written)?;
        let value = |object: Span, path: &[&str]| {
            let (_, object) = self.document(object)?;
            Some(path.iter().try_fold(object, |node, key| node.get(key))?.get(name)?.span())
        };
        let mut other_sources = owner.variables.iter().rev();
        let other_value = |object: &Span| value(*object, &["data"]).or_else(|| value(*object, &["stringData"]));
        value(owner.object, &["spec", "postBuild", "substitute"]).or_else(|| other_sources.find_map(other_value))
    }
}

/// Returns the name of the variable if a scalar consists of a single variable expression.
fn only_variable(scalar: &str) -> Option<&str> {
    let expression = scalar.trim_matches(['"', '\'']).strip_prefix("${")?.strip_suffix('}')?;
    let expression = expression.strip_prefix('#').unwrap_or(expression);
    let end = expression.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(expression.len());
    let is_single = !expression.contains(['$', '}']);
    expression.get(..end).filter(|name| is_single && !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_variable_of_single_variable_scalars() {
        for (scalar, expected) in [
            ("${a_1}", Some("a_1")),
            ("\"${a}\"", Some("a")),
            ("'${a:-b}'", Some("a")),
            ("${a/b/c}", Some("a")),
            ("${#a}", Some("a")),
            ("x${a}", None),
            ("${a}${b}", None),
            ("${a:-${b}}", None),
            ("${}", None),
            ("a", None),
        ] {
            assert_eq!(only_variable(scalar), expected, "{scalar}");
        }
    }
}
