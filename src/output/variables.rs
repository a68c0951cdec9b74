//! Variables that a configuration refers to. The config-reloader replaces some of them, and the agent replaces the
//! others.

use std::collections::BTreeSet;

use memchr::memchr;

use crate::go::{envsubst, reloader};

/// Name of the program's container. Alloy's container has the same name as the agent's, so that the user's patches
/// still apply.
pub const CONTAINER: &str = "grafana-agent";

/// Distinct variables and broken references in a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Names in `$(NAME)`, which the config-reloader replaces.
    pub reloader_names: BTreeSet<String>,
    /// Names in `${NAME}`, which the agent replaces but Alloy does not.
    pub agent_names: BTreeSet<String>,
    /// Starts of references that the agent cannot parse; see [`broken_start`].
    pub broken: BTreeSet<String>,
}

impl Variables {
    /// Adds the variables in `lines`. If `is_agent` is set, includes the variables that the agent replaces.
    pub fn add(&mut self, lines: &str, is_agent: bool) {
        let mut rest = lines;
        while let Some(dollar) = memchr(b'$', rest.as_bytes()) {
            rest = rest.get(dollar + 1..).unwrap_or_default();
            if let Some(inside) = rest.strip_prefix('(') {
                self.add_reloader_variable(inside);
            } else if let Some(after_dollar) = rest.strip_prefix('$') {
                if let Some(inside) = after_dollar.strip_prefix('(') {
                    self.add_reloader_variable(inside);
                }
                rest = after_dollar;
            } else if let Some(inside) = rest.strip_prefix('{').filter(|_| is_agent) {
                rest = self.add_agent_variable(inside);
            }
        }
    }

    /// Adds the variables in `other`.
    pub fn merge(&mut self, other: Self) {
        self.reloader_names.extend(other.reloader_names);
        self.agent_names.extend(other.agent_names);
        self.broken.extend(other.broken);
    }

    fn add_reloader_variable(&mut self, inside: &str) {
        if let Some(name) = reloader::parse_reference(inside) {
            insert(&mut self.reloader_names, name);
        }
    }

    /// Adds the variables in a reference and returns the text after it. If the reference is broken, the rest of the
    /// line is skipped.
    fn add_agent_variable<'t>(&mut self, inside: &'t str) -> &'t str {
        let group = inside.trim_start_matches(|c: char| c.is_ascii_digit());
        if group.len() < inside.len()
            && let Some(remaining) = group.strip_prefix('}')
        {
            return remaining;
        }
        let end = memchr(b'\n', inside.as_bytes()).unwrap_or(inside.len());
        let line = inside.get(..end).unwrap_or_default();
        match envsubst::reference_after(line) {
            Some((reference, remaining)) => {
                reference.for_each_name(&mut |name| insert(&mut self.agent_names, name));
                inside.get(end - remaining.len()..).unwrap_or_default()
            }
            None => {
                insert(&mut self.broken, broken_start(line));
                reloader::find_references(line).for_each(|name| insert(&mut self.reloader_names, name));
                inside.get(end..).unwrap_or_default()
            }
        }
    }
}

fn insert(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

/// Returns the part after `${` that identifies a broken reference: the leading letters, digits and `_`.
pub fn broken_start(inside: &str) -> &str {
    let end = inside.find(|c: char| !(c == '_' || c.is_alphanumeric()));
    inside.get(..end.unwrap_or(inside.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collects_agent_and_reloader_variables() {
        let mut actual = Variables::default();
        actual.add("a: $1 ${1} $$ ${12}\nb: \"$(A) $$(B) $(c.d)\"\n", true);
        actual.add("c: ${D:-x${E}} ${F} $${G}\nd: ${H-x} $(I) ${J}\ne: ${\nf: ${K:-x\ng: }\n", true);
        actual.add("\"${L} $(M)\"\n", false);
        let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(&actual.reloader_names), "A B I M");
        assert_eq!(names(&actual.agent_names), "D E F");
        assert_eq!(names(&actual.broken), " H K");
    }
}
