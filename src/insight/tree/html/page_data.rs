//! What the page knows, as its scripts read it.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::api::Kind;
use crate::diagnostic::Diagnostic;
use crate::insight::tree::generated::Generated;
use crate::insight::tree::model::{Edge, Entry, EntryId, Reference, Tree};
use crate::secrecy::{Form, MASK, each_secret};
use crate::yaml::{self, Node, Style};

/// Everything.
#[derive(Serialize)]
pub struct PageData<'g> {
    kinds: Vec<&'static str>,
    agents: Vec<usize>,
    unselected: Vec<usize>,
    refused: Vec<usize>,
    resources: Vec<ResourceData<'g>>,
    lines: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceData<'g> {
    kind: &'static str,
    namespace: &'g str,
    name: &'g str,
    state: &'static str,
    made_by: Option<&'g str>,
    file: Option<&'g str>,
    line: Option<u32>,
    keys: Vec<&'g str>,
    edges: Vec<EdgeData<'g>>,
    source: Option<Vec<usize>>,
    generated: Vec<GeneratedData<'g>>,
    findings: Vec<FindingData<'g>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeData<'g> {
    to: usize,
    references: &'g [Reference<'g>],
    denied_by: Vec<usize>,
}

#[derive(Serialize)]
struct GeneratedData<'g> {
    agents: Vec<usize>,
    jobs: &'g [String],
    text: Vec<usize>,
}

#[derive(Serialize, PartialEq, Eq)]
struct FindingData<'g> {
    severity: &'static str,
    code: &'static str,
    message: &'g str,
    help: Option<&'g str>,
    path: Option<&'g str>,
}

impl<'g> PageData<'g> {
    /// The facts about a tree.
    pub fn of(
        tree: &'g Tree<'_>,
        generated: &'g BTreeMap<EntryId, Vec<Generated>>,
        diagnostics: &'g [Diagnostic],
    ) -> Self {
        let mut findings: HashMap<&str, Vec<FindingData<'g>>> = HashMap::new();
        for diagnostic in diagnostics {
            let Some(resource) = &diagnostic.resource else { continue };
            let (of_resource, new) = (findings.entry(resource).or_default(), finding(diagnostic));
            // Agents share instances, and so their mistakes.
            if !of_resource.contains(&new) {
                of_resource.push(new);
            }
        }
        let mut lines = Lines::default();
        let resources = tree.iter().map(|(id, entry)| {
            let generated = generated.get(&id).map(Vec::as_slice).unwrap_or_default();
            let mut data = resource(entry, generated, &mut lines);
            data.findings = findings.remove(entry.object.to_string().as_str()).unwrap_or_default();
            data
        });
        let resources = resources.collect();
        Self {
            kinds: Kind::ALL.iter().map(|kind| kind.as_str()).collect(),
            agents: numbers(&tree.agents),
            unselected: numbers(&tree.unselected),
            refused: numbers(&tree.refused),
            resources,
            lines: lines.into_vec(),
        }
    }
}

fn resource<'g>(entry: &'g Entry<'_>, generated: &'g [Generated], lines: &mut Lines) -> ResourceData<'g> {
    ResourceData {
        kind: entry.object.kind.as_str(),
        namespace: entry.object.namespace,
        name: entry.object.name,
        state: entry.state.as_str(),
        made_by: entry.state.made_by(),
        file: entry.place.map(|(file, _)| file),
        line: entry.place.map(|(_, line)| line),
        keys: keys(entry),
        edges: entry.edges.iter().map(edge).collect(),
        source: source(entry).map(|text| lines.add(&text)),
        generated: generated.iter().map(|one| generated_data(one, lines)).collect(),
        findings: Vec::new(),
    }
}

fn numbers(ids: &[EntryId]) -> Vec<usize> {
    ids.iter().map(|id| id.0).collect()
}

/// The names of the keys of a Secret or ConfigMap.
fn keys<'g>(entry: &'g Entry<'_>) -> Vec<&'g str> {
    let Some(root) = entry.root.filter(|_| entry.is_referred_to()) else {
        return Vec::new();
    };
    let maps = ["data", "stringData", "binaryData"]
        .into_iter()
        .filter_map(|field| root.get(field));
    let mut keys: Vec<_> = maps.flat_map(Node::entries).map(|entry| entry.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn edge<'g>(edge: &'g Edge<'_>) -> EdgeData<'g> {
    EdgeData {
        to: edge.to.0,
        references: &edge.references,
        denied_by: numbers(&edge.denied_by),
    }
}

/// The resource as it is admitted, without credentials; none of a Secret or ConfigMap.
fn source(entry: &Entry<'_>) -> Option<String> {
    let root = entry.root.filter(|_| !entry.is_referred_to())?;
    let mut value = yaml::to_value(root);
    each_secret(&mut value, Form::PageResource, &mut |_, value| *value = MASK.into());
    Some(yaml::write(&value, Style::Kubernetes))
}

fn generated_data<'g>(generated: &'g Generated, lines: &mut Lines) -> GeneratedData<'g> {
    GeneratedData {
        agents: numbers(&generated.agents),
        jobs: &generated.jobs,
        text: lines.add(&generated.text),
    }
}

fn finding(diagnostic: &Diagnostic) -> FindingData<'_> {
    FindingData {
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
        path: diagnostic.path.as_deref(),
    }
}

/// Every line of every text once.
#[derive(Default)]
pub struct Lines {
    numbers: HashMap<String, usize>,
    lines: Vec<String>,
}

impl Lines {
    /// The numbers of a text's lines.
    pub fn add(&mut self, text: &str) -> Vec<usize> {
        text.lines().map(|line| self.number(line)).collect()
    }

    /// All lines, by number.
    pub fn into_vec(self) -> Vec<String> {
        self.lines
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(&number) = self.numbers.get(line) {
            return number;
        }
        let number = self.lines.len();
        self.numbers.insert(line.to_owned(), number);
        self.lines.push(line.to_owned());
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_there_again_has_its_number() {
        let mut lines = Lines::default();
        assert_eq!(lines.add("a\nb\na\n"), [0, 1, 0]);
        assert_eq!(lines.add("b\nc"), [1, 2]);
        assert_eq!(lines.into_vec(), ["a", "b", "c"]);
    }
}
