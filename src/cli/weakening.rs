//! What each setting of `agentctl.yaml` may do to a run that is to judge a pull request, which may change the file: one table, which
//! the documentation shows.

use std::ffi::OsStr;

/// What a setting may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// `check` may find less, but for these values.
    Weakens(&'static str, &'static [&'static str]),
    /// Something else, which is bounded.
    Bounded(&'static str),
    /// Nothing that matters.
    Harmless,
}

use Effect::{Bounded, Harmless, Weakens};

/// Every setting: those of the first level of the file, and every flag that it may set but limits, which it cannot raise.
pub(super) const EFFECTS: &[(&str, Effect)] = &[
    (
        "against",
        Bounded("`diff` compares with another file of the repository"),
    ),
    ("agent-selector", Weakens("leaves out agents", &[])),
    ("allow-empty", Weakens("accepts an input without resources", &[])),
    ("alloy-discovery", Harmless),
    ("alloy-image", Harmless),
    ("at", Weakens("checks certificates at another time", &[])),
    ("color", Harmless),
    ("config-kind", Harmless),
    ("context", Harmless),
    (
        "exceptions",
        Bounded("accepts findings in resources; `check` says how many"),
    ),
    ("full", Harmless),
    (
        "inputs",
        Weakens("leaves out files if the command line has no inputs", &[]),
    ),
    ("kubelet-service", Harmless),
    ("labels", Harmless),
    (
        "max-findings",
        Bounded("shows fewer findings; the exit status counts all"),
    ),
    ("message-format", Harmless),
    ("missing-secrets", Weakens("accepts missing Secrets", &["error"])),
    (
        "namespace",
        Weakens(
            "moves resources to a namespace where nothing selects them",
            &["default"],
        ),
    ),
    ("namespace-labels", Weakens("selects other namespaces", &[])),
    ("no-sync", Harmless),
    ("operator-version", Weakens("checks for another release", &[])),
    (
        "output-dir",
        Bounded("writes to another directory of the repository, unless an input is standard input or outside of it"),
    ),
    ("owner-references", Harmless),
    ("problems", Harmless),
    ("prune", Bounded("removes files that agentctl wrote")),
    ("remote-key", Harmless),
    (
        "secret-store",
        Weakens("accepts values that no ExternalSecret provides", &[]),
    ),
    ("secrets", Weakens("needs no values of Secrets", &["inline"])),
    (
        "severity",
        Bounded("reports codes less severely, unless the command line denies them"),
    ),
    ("strict", Harmless),
    ("target", Weakens("checks for another program", &["agent"])),
    ("validate", Weakens("accepts unknown fields", &["strict", "warn"])),
    ("verbose", Harmless),
    ("with-rbac", Harmless),
];

/// How a flag of the file may weaken `check`, with its argument for the command line; none where it does not.
pub(super) fn weakens(name: &str, argument: &OsStr) -> Option<(&'static str, &'static str)> {
    let (name, effect) = EFFECTS.iter().find(|(known, _)| *known == name)?;
    let Weakens(how, harmless) = effect else {
        return None;
    };
    let text = argument.to_string_lossy();
    let value = text.split_once('=').map(|(_, value)| value).unwrap_or_default();
    (!harmless.contains(&value)).then_some((*name, *how))
}
