//! Other names of the program, for tools that run a program without arguments of the user's choice.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::exec_plugin;
use crate::parameter::RENDER_KIND;

/// The name under which kustomize runs it as a KRM function.
const KRM: &str = "agentctl-krm";

/// The arguments with the subcommand that the program's name stands for, where that is one of the other names.
pub(super) fn arguments(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<_> = args.into_iter().collect();
    let name = args.first().and_then(|program| Path::new(program).file_stem());
    if let Some(subcommand) = name.and_then(subcommand) {
        args.insert(1, subcommand.into());
    }
    args
}

fn subcommand(name: &OsStr) -> Option<&'static str> {
    if name == KRM {
        Some("krm")
    } else if name == RENDER_KIND {
        Some(exec_plugin::NAME)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_a_subcommand() {
        for (args, expected) in [
            (&["agentctl", "render"][..], &["agentctl", "render"][..]),
            (&["/bin/agentctl-krm"], &["/bin/agentctl-krm", "krm"]),
            (
                &["plugin/agentctl.dev/v1alpha1/render/Render", "x"],
                &["plugin/agentctl.dev/v1alpha1/render/Render", "exec-plugin", "x"],
            ),
            (&["render", "x"], &["render", "x"]),
            (&[], &[]),
        ] {
            assert_eq!(arguments(args.iter().map(OsString::from)), expected, "{args:?}");
        }
    }
}
