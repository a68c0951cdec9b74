//! Images of programs that do not accept the operator's arguments.

use crate::api::{GrafanaAgent, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath};

/// Programs whose images are sometimes used by mistake.
const OTHER_PROGRAMS: [&str; 6] = ["alloy", "agent-operator", "promtail", "prometheus", "configmap-reload", "loki"];

/// Reports images of known programs other than the expected one.
pub(super) fn check(agent: &Resource<'_, GrafanaAgent<'_>>, findings: &mut Vec<Diagnostic>) {
    let spec = &agent.spec;
    let images = [
        ("spec.image", spec.image, "Grafana Agent"),
        ("spec.configReloaderImage", spec.config_reloader_image, "prometheus-config-reloader"),
    ];
    for (path, image, expected) in images {
        let Some(name) = image.and_then(program).filter(|name| OTHER_PROGRAMS.contains(name)) else { continue };
        let message = format!("the image contains `{name}`, which does not accept the arguments of {expected}");
        let finding = agent.finding(Code::NeverStarts, &FieldPath::parse(path), message);
        findings.push(finding.help(format!("use a {expected} image")));
    }
}

/// Returns the last path element of an image, without its tag and digest.
fn program(image: &str) -> Option<&str> {
    let last = image.rsplit('/').next()?;
    last.split(['@', ':']).next()
}
