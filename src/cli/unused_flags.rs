//! Flags that do nothing for a command, or nothing without another flag: on the command line they are an error. `agentctl.yaml` may
//! set them, since it is for all commands.

use clap::Command;

/// Why a command does not use a flag, by its identifier; none where it does.
fn unused(command: &str, flag: &str) -> Option<&'static str> {
    // The operator's own flags and the target are for all commands: they say what runs.
    let is_of_manifests = matches!(flag, "alloy_image" | "config_kind" | "remote_key");
    Some(match (command, flag) {
        ("affected", "alloy_image" | "remote_key") => "it names objects, and shows nothing of what is in them",
        ("krm", "load_restrictor") => "it reads one document from standard input",
        ("shards", "alloy_image" | "remote_key") => "it shows nothing of the manifests",
        ("why", "secret_store" | "secrets") => "it only looks at what is selected",
        ("rbac", _) if is_of_manifests => "it renders no agents",
        ("config" | "targets" | "tree" | "why", _) if is_of_manifests => "it renders no manifests",
        _ => return None,
    })
}

/// What is wrong with a flag on the command line of a command; `value` gives those of all flags.
pub(super) fn problem(command: &str, flag: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let shown = flag.replace('_', "-");
    if let Some(reason) = unused(command, flag) {
        return Some(format!("`agentctl {command}` does not use '--{shown}': {reason}"));
    }
    let (other, needed) = match flag {
        "alloy_discovery" | "alloy_image" => ("target", "alloy"),
        "remote_key" | "secret_store" => ("secrets", "external"),
        _ => return None,
    };
    let has_effect = value(other).as_deref() == Some(needed);
    (!has_effect).then(|| format!("'--{shown}' has no effect without '--{other}={needed}'"))
}

/// The definition of a command without them in its help.
pub(super) fn hidden(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| match unused(&name, arg.get_id().as_str()) {
        Some(_) => arg.hide(true),
        None => arg,
    })
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    #[test]
    fn a_flag_without_effect_is_a_problem() {
        for (command, flag, values, expected) in [
            ("render", "alloy_image", &[("target", "alloy")][..], None),
            (
                "render",
                "alloy_image",
                &[("target", "agent")],
                Some("'--alloy-image' has no effect without '--target=alloy'"),
            ),
            (
                "render",
                "alloy_discovery",
                &[],
                Some("'--alloy-discovery' has no effect without '--target=alloy'"),
            ),
            ("render", "remote_key", &[("secrets", "external")], None),
            (
                "check",
                "secret_store",
                &[("secrets", "inline")],
                Some("'--secret-store' has no effect without '--secrets=external'"),
            ),
            ("render", "strict", &[], None),
            (
                "why",
                "secrets",
                &[],
                Some("`agentctl why` does not use '--secrets': it only looks at what is selected"),
            ),
            (
                "affected",
                "alloy_image",
                &[("target", "alloy")],
                Some(
                    "`agentctl affected` does not use '--alloy-image': it names objects, and shows nothing of what is in them",
                ),
            ),
            (
                "shards",
                "remote_key",
                &[],
                Some("`agentctl shards` does not use '--remote-key': it shows nothing of the manifests"),
            ),
            (
                "krm",
                "load_restrictor",
                &[],
                Some("`agentctl krm` does not use '--load-restrictor': it reads one document from standard input"),
            ),
            (
                "rbac",
                "config_kind",
                &[],
                Some("`agentctl rbac` does not use '--config-kind': it renders no agents"),
            ),
            ("rbac", "strict", &[], None),
            (
                "tree",
                "config_kind",
                &[],
                Some("`agentctl tree` does not use '--config-kind': it renders no manifests"),
            ),
            ("tree", "strict", &[], None),
            ("check", "config_kind", &[], None),
        ] {
            let value = |name: &str| {
                let value = values.iter().find(|(flag, _)| *flag == name);
                value.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(problem(command, flag, value).as_deref(), expected, "{command} {flag}");
        }
    }

    #[test]
    fn help_does_not_list_what_a_command_does_not_use() {
        let command = Command::new("tree").args(["config_kind", "strict"].map(|id| Arg::new(id).long(id)));
        let command = hidden(command);
        let shown = command
            .get_arguments()
            .map(|arg| (arg.get_id().as_str(), arg.is_hide_set()));
        assert_eq!(shown.collect::<Vec<_>>(), [("config_kind", true), ("strict", false)]);
    }
}
