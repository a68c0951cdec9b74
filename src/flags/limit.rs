//! `--limit NAME=VALUE`: limits on the input and the output, in one table.

use std::ops::RangeInclusive;

use crate::input::{FollowLimits, MAX_FILE_SIZE, MAX_INPUT_SIZE};
use crate::manifest::render;
use crate::printable::ByteSize;
use crate::resolve::JobLimit;
use crate::yaml::Limits;

/// Quantity that can be limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Shards,
    Jobs,
    OutputSize,
    FileSize,
    InputSize,
    DocumentSize,
    Documents,
    Nodes,
    Depth,
    AliasExpansion,
    AliasSize,
    RepositoryFiles,
    Builds,
    BuiltObjects,
    BuildTime,
}

/// Page about limits that `agentctl explain --limit` prints.
pub const PAGE: &str = include_str!("limits.md");

/// Limits with their names and descriptions. The table in `limits.md` is identical.
pub const LIMITS: [(Limit, &str, &str); 15] = [
    (Limit::Shards, "shards", "Shards of an agent"),
    (Limit::Jobs, "jobs", "Scrape jobs of all agents together"),
    (Limit::OutputSize, "output-size", "Total size of rendered manifests"),
    (Limit::FileSize, "file-size", "Size of a file or of standard input, at most 4GiB"),
    (Limit::InputSize, "input-size", "Size of all files and standard input together"),
    (Limit::DocumentSize, "document-size", "Size of a document"),
    (Limit::Documents, "documents", "Documents in a file"),
    (Limit::Nodes, "nodes", "Keys, values, lists and mappings in a file"),
    (Limit::Depth, "depth", "Nesting depth of YAML, at most 1000"),
    (Limit::AliasExpansion, "alias-expansion", "Nodes that aliases add to a file"),
    (Limit::AliasSize, "alias-size", "Size of the values that aliases add to all files together"),
    (Limit::RepositoryFiles, "repository-files", "Files and directories in a GitOps repository"),
    (Limit::Builds, "builds", "Flux Kustomizations and Applications of a cluster"),
    (Limit::BuiltObjects, "built-objects", "Objects that Flux or Argo CD apply to a cluster"),
    (Limit::BuildTime, "build-time", "Seconds in which an entry point is followed"),
];

/// Maximum value of the nesting limit. Up to this depth, no stage overflows the stack.
const MAX_DEPTH: u64 = 1000;

/// Maximum value of the build-time limit in seconds: one day.
const MAX_SECONDS: u64 = 86_400;

impl Limit {
    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        let row = LIMITS.iter().find(|(limit, ..)| *limit == self);
        row.map_or("", |(_, name, _)| name)
    }

    fn is_size(self) -> bool {
        matches!(self, Self::OutputSize | Self::FileSize | Self::InputSize | Self::DocumentSize | Self::AliasSize)
    }

    /// Returns the default value. For jobs and the size of aliases, this is the smallest default.
    fn default(self) -> u64 {
        let limits = Limits::default();
        let to_u64 = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        match self {
            Self::Shards => u64::try_from(render::RenderOptions::default().max_shards).unwrap_or_default(),
            Self::Jobs => JobLimit::MIN,
            Self::OutputSize => render::MAX_OUTPUT_SIZE.0,
            Self::FileSize => MAX_FILE_SIZE.0,
            Self::InputSize => MAX_INPUT_SIZE.0,
            Self::DocumentSize => limits.max_document_size.0,
            Self::Documents => to_u64(limits.max_documents),
            Self::Nodes => to_u64(limits.max_nodes),
            Self::Depth => to_u64(limits.max_depth),
            Self::AliasExpansion => to_u64(limits.max_alias_expansion),
            Self::AliasSize => Limits::ALIAS_SIZE[0].0,
            Self::RepositoryFiles => to_u64(FollowLimits::default().max_files),
            Self::Builds => to_u64(FollowLimits::default().max_builds),
            Self::BuiltObjects => to_u64(FollowLimits::default().max_objects),
            Self::BuildTime => FollowLimits::default().max_seconds,
        }
    }

    /// Returns the default value in human-readable form.
    pub fn display_default(self) -> String {
        match self {
            Self::Jobs => format!("{} to {}", JobLimit::MIN, JobLimit::MAX),
            Self::AliasSize => {
                let [least, most] = Limits::ALIAS_SIZE;
                format!("{least} to {most}")
            }
            _ if self.is_size() => ByteSize(self.default()).to_string(),
            _ => self.default().to_string(),
        }
    }

    fn range(self) -> RangeInclusive<u64> {
        match self {
            Self::Shards => 1..=i32::MAX.unsigned_abs().into(),
            Self::Depth => 1..=MAX_DEPTH,
            Self::BuildTime => 0..=MAX_SECONDS,
            _ => 0..=u64::MAX,
        }
    }
}

/// A limit and the value that a flag sets it to.
pub type LimitSetting = (Limit, u64);

/// Parses `NAME=VALUE`.
pub fn setting(text: &str) -> Result<LimitSetting, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let Some(&(limit, ..)) = LIMITS.iter().find(|(_, known, _)| *known == name) else {
        let names = LIMITS.map(|(_, name, _)| name);
        return Err(format!("expected NAME=VALUE, where NAME is one of {}", names.join(", ")));
    };
    let number = match limit.is_size() {
        true => value.parse::<ByteSize>()?.0,
        false => value.parse().map_err(|_| format!("`{name}` must be a whole number"))?,
    };
    let range = limit.range();
    match range.contains(&number) {
        true => Ok((limit, number)),
        false => Err(format!("`{name}` must be between {} and {}", range.start(), range.end())),
    }
}

/// Returns the last value that `settings` set for `limit`, or `None` if they do not set it.
pub fn last_value(settings: &[LimitSetting], limit: Limit) -> Option<u64> {
    let mut limit_settings = settings.iter().rev().filter(|(set, _)| *set == limit);
    limit_settings.next().map(|&(_, value)| value)
}

/// Returns the value of `limit` after `settings` are applied.
pub fn value(settings: &[LimitSetting], limit: Limit) -> u64 {
    last_value(settings, limit).unwrap_or_else(|| limit.default())
}

/// Returns the name of the first limit that `text` raises above its value in `given`, with that value, or `None` if
/// `text` raises no limit. Both strings contain comma-separated settings.
pub fn first_raised(text: &str, given: &str) -> Option<(&'static str, String)> {
    let read_settings =
        |text: &str| -> Vec<LimitSetting> { text.split(',').filter_map(|text| setting(text).ok()).collect() };
    let given = read_settings(given);
    let settings = read_settings(text);
    let (limit, _) = settings.iter().find(|(limit, set)| *set > value(&given, *limit))?;
    let bound = value(&given, *limit);
    let bound = match limit.is_size() {
        true => ByteSize(bound).to_string(),
        false => bound.to_string(),
    };
    Some((limit.name(), bound))
}

/// Returns the flag's long help, which contains the table of limits.
pub fn long_help() -> String {
    let mut text = "Set a limit: shards, jobs, output-size, file-size, …; may be repeated\n\n\
        Separate several limits with commas. Write sizes as 1000, 64MiB or 2GiB. The limits are:\n"
        .to_owned();
    for (limit, name, what) in LIMITS {
        text.push_str(&format!("\n- {name}: {what} (default {})", limit.display_default()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_names_and_values_in_range() {
        for (text, expected) in [
            ("shards=3", Ok((Limit::Shards, 3))),
            ("file-size=64MiB", Ok((Limit::FileSize, 64 << 20))),
            ("file-size=10", Ok((Limit::FileSize, 10))),
            ("depth=1000", Ok((Limit::Depth, 1000))),
            ("depth=1001", Err("`depth` must be between 1 and 1000")),
            ("build-time=86401", Err("`build-time` must be between 0 and 86400")),
            ("shards=0", Err("`shards` must be between 1 and 2147483647")),
            ("jobs=many", Err("`jobs` must be a whole number")),
            ("jobs", Err("`jobs` must be a whole number")),
            ("nodes=64MiB", Err("`nodes` must be a whole number")),
            ("output-size=large", Err("expected a number of bytes such as 1000, 64MiB or 2GiB")),
        ] {
            assert_eq!(setting(text), expected.map_err(str::to_owned), "{text}");
        }
        assert!(setting("max-shards=1").unwrap_err().contains("shards, jobs, output-size"));
    }

    #[test]
    fn last_value_of_a_limit_wins() {
        let settings = [(Limit::Shards, 3), (Limit::Depth, 7), (Limit::Shards, 5)];
        assert_eq!(last_value(&settings, Limit::Shards), Some(5));
        assert_eq!(value(&settings, Limit::Depth), 7);
        assert_eq!(value(&settings, Limit::Documents), 1_000_000);
        assert_eq!(last_value(&settings, Limit::Jobs), None);
    }

    #[test]
    fn detects_limits_raised_above_the_current_one() {
        for (text, given, expected) in [
            ("shards=1000", "", None),
            ("shards=1001", "", Some(("shards", "1000"))),
            ("depth=3,shards=1001", "", Some(("shards", "1000"))),
            ("shards=6", "shards=5", Some(("shards", "5"))),
            ("shards=5", "shards=5,depth=1", None),
            ("shards=2000", "shards=3000", None),
            ("output-size=1025MiB", "", Some(("output-size", "1GiB"))),
            ("jobs=50001", "", Some(("jobs", "50000"))),
        ] {
            let expected = expected.map(|(name, bound)| (name, bound.to_owned()));
            assert_eq!(first_raised(text, given), expected, "{text} {given}");
        }
    }

    /// Tests that the page contains the table of limits.
    #[test]
    fn every_limit_is_documented_with_its_default() {
        let row =
            |(limit, name, what): (Limit, &str, &str)| format!("| `{name}` | {} | {what} |", limit.display_default());
        let rows = LIMITS.map(row);
        let documented: Vec<_> = PAGE.lines().filter(|line| line.starts_with("| `")).collect();
        let is_same = |(line, row): (&&str, &String)| line.starts_with(row.as_str());
        assert!(
            documented.len() == rows.len() && documented.iter().zip(&rows).all(is_same),
            "expected in src/flags/limits.md:\n{}",
            rows.join("\n")
        );
    }
}
