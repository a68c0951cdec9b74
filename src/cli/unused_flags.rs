//! Flags that do nothing for a command, or nothing without another flag: on the command line they are an error. `agentctl.yaml` may
//! set them, since it is for all commands.

use clap::{Arg, Command};

/// Flags that only what renders manifests looks at. The operator's own flags and the target are for all commands: they say what runs.
const OF_MANIFESTS: &[&str] = &[
    "alloy_image",
    "config_kind",
    "max_output_size",
    "max_shards",
    "remote_key",
];

/// The flags by their identifiers that do nothing for a command, each with the reason.
const UNUSED: &[(&str, &[&str], &str)] = &[
    (
        "affected",
        &["alloy_image", "remote_key"],
        "it names objects, and shows nothing of what is in them",
    ),
    ("config", OF_MANIFESTS, "it renders no manifests"),
    (
        "krm",
        &["load_restrictor", "max_documents"],
        "it reads one document from standard input",
    ),
    ("rbac", OF_MANIFESTS, "it renders no agents"),
    (
        "shards",
        &["alloy_image", "remote_key"],
        "it shows nothing of the manifests",
    ),
    ("targets", OF_MANIFESTS, "it renders no manifests"),
    ("tree", OF_MANIFESTS, "it renders no manifests"),
    ("why", OF_MANIFESTS, "it renders no manifests"),
    ("why", &["secret_store", "secrets"], "it only looks at what is selected"),
];

/// The flags that do nothing unless another one has a value.
const NEEDS: &[(&str, &str, &str, &str)] = &[
    ("alloy_discovery", "target", "alloy", "--target=alloy"),
    ("alloy_image", "target", "alloy", "--target=alloy"),
    ("remote_key", "secrets", "external", "--secrets=external"),
    ("secret_store", "secrets", "external", "--secrets=external"),
];

/// What is wrong with a flag on the command line of a command; `value` gives those of all flags.
pub(super) fn problem(command: &str, flag: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let shown = flag.replace('_', "-");
    let unused = UNUSED
        .iter()
        .find(|(name, flags, _)| *name == command && flags.contains(&flag));
    if let Some((_, _, reason)) = unused {
        return Some(format!("`agentctl {command}` does not use '--{shown}': {reason}"));
    }
    let needs = NEEDS.iter().find(|(name, ..)| *name == flag);
    let (_, other, needed, written) = needs?;
    (value(other).as_deref() != Some(needed)).then(|| format!("'--{shown}' has no effect without '{written}'"))
}

/// The definition of a command without them in its help.
pub(super) fn hidden(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let is_unused = |arg: &Arg| {
        let id = arg.get_id().as_str();
        UNUSED
            .iter()
            .any(|(command, flags, _)| *command == name && flags.contains(&id))
    };
    command.mut_args(|arg| if is_unused(&arg) { arg.hide(true) } else { arg })
}
