//! Containers in `spec.containers`, which the operator merges with its own by name (`MergePatchContainers`).

use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::yaml::Node;

/// The operator's containers: the name, the effect of a missing argument, and the required arguments.
const CONTAINERS: [(&str, &str, &[&str]); 2] = [
    ("grafana-agent", "the agent does not start", &["config.file"]),
    ("config-reloader", "the agent never gets a configuration", &["config-file", "config-envsubst-file"]),
];

/// Last path elements of the operator's images, each with the name of the container that uses the image.
const IMAGES: [(&str, &str); 2] = [("agent", "grafana-agent"), ("prometheus-config-reloader", "config-reloader")];

/// Reports containers that replace required arguments, or that run the operator's programs under another name.
pub(super) fn check(agent: &Resource<'_, GrafanaAgent<'_>>, findings: &mut Vec<Diagnostic>) {
    let Some(list) = agent.root.at("spec.containers") else { return };
    for (i, container) in list.items().enumerate() {
        let path = FieldPath::parse("spec.containers").index(i);
        let text = |field: &str| container.get(field).and_then(|node| node.as_str()).unwrap_or_default();
        let name = text("name");
        match CONTAINERS.iter().find(|(candidate, ..)| *candidate == name) {
            Some((_, effect, needed)) => {
                if let Some((field, argument)) = find_lost_argument(container, needed) {
                    let message =
                        format!("`{field}` replaces the operator's arguments, so {effect}: `{argument}` is missing");
                    let finding = agent.finding(Code::NeverStarts, &path.clone().key(field), message);
                    findings.push(finding.help("repeat all of the operator's arguments, or remove the field"));
                }
            }
            None => {
                let image = text("image").rsplit('/').next().unwrap_or_default();
                let program = image.split(['@', ':']).next().unwrap_or_default();
                let is_own = text("image").contains("grafana/agent") || program != "agent";
                let Some((_, intended_container)) =
                    IMAGES.iter().find(|(candidate, _)| *candidate == program && is_own)
                else {
                    continue;
                };
                let message = format!(
                    "the operator adds a second container instead of changing its own, whose name is `{intended_container}`"
                );
                let finding = agent.finding(Code::UnmergedContainer, &path.clone().key("name"), message);
                findings.push(finding.help(format!("write `name: {intended_container}`")));
            }
        }
    }
}

/// Returns the field that replaces the operator's arguments, and the first required argument that the field lacks.
fn find_lost_argument<'n>(container: Node<'_>, needed: &[&'n str]) -> Option<(&'static str, &'n str)> {
    let list = |field: &str| -> Vec<String> {
        let items = container.get(field).into_iter().flat_map(Node::items);
        items.map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
    };
    let (args, command) = (list("args"), list("command"));
    if args.is_empty() {
        return None;
    }
    // A shell may contain the arguments in its script.
    let arguments: Vec<_> = args.iter().chain(&command).collect();
    let has_argument =
        |needed: &str| arguments.iter().any(|argument| argument.contains(needed) || argument.contains('$'));
    Some(("args", *needed.iter().find(|needed| !has_argument(needed))?))
}
