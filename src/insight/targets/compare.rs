//! Comparison of targets with those from an earlier run or a running server.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::groups::for_each_running_group;
use super::json::POTENTIAL;
use super::text::is_in_secret;
use super::words::{display_value, quote};
use crate::diagnostic::{Code, Diagnostic};
use crate::insight::resolved::ResolvedInput;
use crate::printable::{Line, Screen, Style, Text, format_count};
use crate::secrecy::is_monitor_job_name;
use crate::source::{Source, SourceId, Span};
use crate::targets::relabel::Labels;
use crate::targets::scrape::{Job, JobKind, TargetScope, TargetState};

/// Properties of a target that are compared: its URL and the labels of its series.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ComparedTarget {
    /// URL of a metrics target. For logs, the path, prefixed with the host if it is known.
    pub url: String,
    pub labels: BTreeMap<String, String>,
    pub job: String,
    /// Whether the job is in a Secret. If so, the target must not be displayed.
    #[serde(skip)]
    pub is_in_secret: bool,
}

/// Part of a server's response that is compared.
#[derive(Deserialize)]
struct ServerAnswer<'a> {
    #[serde(borrow)]
    targets: Option<Vec<ListedTargets<'a>>>,
    data: Option<AnswerData<'a>>,
}

/// Content of `data` in a response: an object from Prometheus, or a list from the agent.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnswerData<'a> {
    Prometheus {
        #[serde(borrow, rename = "activeTargets")]
        active: Vec<ListedTargets<'a>>,
    },
    Agent(#[serde(borrow)] Vec<ListedTargets<'a>>),
}

#[derive(Deserialize)]
struct ListedTargets<'a> {
    #[serde(borrow, default, alias = "scrapePool", alias = "target_group")]
    job: Cow<'a, str>,
    #[serde(borrow, default, alias = "scrapeUrl", alias = "endpoint")]
    url: Cow<'a, str>,
    #[serde(borrow, default)]
    path: Cow<'a, str>,
    #[serde(borrow, default)]
    host: Cow<'a, str>,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(borrow, default)]
    state: Cow<'a, str>,
    #[serde(default)]
    additional: bool,
}

/// Targets read from files or server responses.
#[derive(Debug, Default)]
pub struct Earlier {
    pub targets: Vec<ComparedTarget>,
    /// Number of server responses. They contain only metrics targets.
    pub answers: usize,
}

/// Reads the output of `targets -o json`, or a response from `/api/v1/targets` (Prometheus) or
/// `/agent/api/v1/metrics/targets` (the agent).
///
/// # Errors
///
/// Returns a finding if the content has any other format. The finding does not quote the content.
pub fn read_earlier_targets(id: SourceId, source: &Source) -> Result<Earlier, Box<Diagnostic>> {
    let invalid_file = |at: Span, message: &str| {
        Box::new(Diagnostic::new(Code::InvalidTarget, message.to_owned()).label(at, "").help(
            "pass the output of `agentctl targets -o json`, or the response of Prometheus' `/api/v1/targets` or the \
             agent's `/agent/api/v1/metrics/targets`",
        ))
    };
    let response: ServerAnswer<'_> = serde_json::from_str(&source.text).map_err(|error| {
        let error_offset = offset(&source.text, error.line(), error.column());
        let message = match error.classify() {
            serde_json::error::Category::Eof => "the JSON is incomplete",
            serde_json::error::Category::Syntax => "the file is not valid JSON",
            _ => "the file is not a list of targets",
        };
        invalid_file(Span::new(id, error_offset, error_offset), message)
    })?;
    let (listed_targets, is_response, is_agent) = match (response.targets, response.data) {
        (Some(own), _) => (own, false, false),
        (None, Some(AnswerData::Prometheus { active })) => (active, true, false),
        (None, Some(AnswerData::Agent(active))) => (active, true, true),
        (None, None) => return Err(invalid_file(Span::new(id, 0, 0), "the file is not a list of targets")),
    };
    let active_targets = listed_targets
        .into_iter()
        .filter(|target| is_response || ["active", POTENTIAL].contains(&target.state.as_ref()));
    let targets = active_targets.map(|target| ComparedTarget {
        url: match target.url.as_ref() {
            "" => format!("{}{}", target.host, target.path),
            url => url.to_owned(),
        },
        labels: target.labels.into_iter().filter(|(name, _)| !name.starts_with("__")).collect(),
        // The agent's response does not indicate which of its jobs come from a Secret.
        is_in_secret: target.additional || is_agent && !is_monitor_job_name(&target.job),
        job: target.job.into_owned(),
    });
    Ok(Earlier { targets: targets.collect(), answers: usize::from(is_response) })
}

/// Returns the targets that the agents in an input scrape or read, or `None` if the input has no cluster objects or too
/// many targets.
pub fn scraped_targets(input: &ResolvedInput<'_>) -> Option<Vec<ComparedTarget>> {
    let objects = input.objects();
    if objects.is_empty() {
        return None;
    }
    let (cluster, rejections) = (input.cluster(&objects), input.refusals());
    let (mut all_targets, mut is_complete) = (Vec::new(), true);
    let is_wanted = |_: JobKind, _: &str| true;
    // Mistakes in nested YAML are ignored here, because `check` reports them.
    let _ = for_each_running_group(&cluster, input.hierarchies.iter(), &rejections, &is_wanted, &mut |_, group| {
        is_complete &= cluster.spend(group, TargetScope::Selected);
        if is_complete {
            cluster.targets(group, TargetScope::Selected, &mut |discovered| {
                all_targets.extend(ComparedTarget::from_scraped(&group.first, &discovered.state));
            });
        }
    });
    is_complete.then_some(all_targets)
}

/// Returns the offset of a line and byte column, both starting at 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column.saturating_sub(1)).min(text.len())
}

impl ComparedTarget {
    /// Converts a metrics or logs target to its comparable form.
    pub fn new(job: &Job<'_>, labels: &Labels<'_>, url: Option<&str>) -> Self {
        let visible_labels = labels.iter().filter(|(name, _)| !name.starts_with("__"));
        Self {
            url: match url {
                Some(url) => url.to_owned(),
                None => format!("{}{}", labels.get("__host__"), labels.get("__path__")),
            },
            labels: visible_labels.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            job: job.name.clone(),
            is_in_secret: is_in_secret(job),
        }
    }

    /// Converts a target that is scraped or read.
    pub fn from_scraped(job: &Job<'_>, state: &TargetState<'_>) -> Option<Self> {
        match state {
            TargetState::Active { labels, url, .. } => Some(Self::new(job, labels, Some(url))),
            TargetState::Read { labels } => Some(Self::new(job, labels, None)),
            _ => None,
        }
    }

    fn key(&self) -> (&str, &BTreeMap<String, String>) {
        (&self.url, &self.labels)
    }
}

/// A target of the current run, and the shard that scrapes it.
pub struct PlacedTarget {
    pub target: ComparedTarget,
    /// `namespace/name` of the GrafanaAgent.
    pub agent: String,
    pub shard: u32,
}

/// Shard whose response is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingShard {
    /// `namespace/name` of the GrafanaAgent.
    pub agent: String,
    pub shard: u32,
    /// Number of the shard's targets, which are not compared.
    pub targets: usize,
}

/// Removes targets that are scraped only by shards whose response is missing, and returns these shards.
///
/// A shard's response is considered missing if `earlier` contains none of the targets that only this shard scrapes, but
/// does contain targets that only one of the agent's other shards scrapes. The response is not considered missing if
/// there are at least as many responses as shards. It is also not considered missing if the shard has only one such
/// target, because that target may be new.
pub fn take_missing_shards(earlier: &Earlier, later: &mut Vec<PlacedTarget>) -> Vec<MissingShard> {
    let known_urls: BTreeSet<_> = earlier.targets.iter().map(|target| target.url.as_str()).collect();
    let mut shards_by_url: BTreeMap<(&str, &str), BTreeSet<u32>> = BTreeMap::new();
    for placed in &*later {
        let url = (placed.agent.as_str(), placed.target.url.as_str());
        shards_by_url.entry(url).or_default().insert(placed.shard);
    }
    // For each shard, the number of targets that no other shard scrapes, and whether the responses contain any of them.
    let mut counts_by_shard: BTreeMap<(&str, u32), (usize, bool)> = BTreeMap::new();
    for ((agent, url), shards) in &shards_by_url {
        if let (Some(shard), 1) = (shards.first(), shards.len()) {
            let (count, is_known) = counts_by_shard.entry((agent, *shard)).or_default();
            *count += 1;
            *is_known |= known_urls.contains(url);
        }
    }
    let missing_entries = counts_by_shard.iter().filter(|((agent, _), (count, is_known))| {
        let mut shards = counts_by_shard.iter().filter(|((other, _), _)| other == agent);
        let is_complete = earlier.answers >= shards.clone().count();
        *count > 1 && !is_known && !is_complete && shards.any(|(_, (_, is_known))| *is_known)
    });
    let missing_shards = missing_entries.map(|((agent, shard), (targets, _))| MissingShard {
        agent: (*agent).to_owned(),
        shard: *shard,
        targets: *targets,
    });
    let missing_shards: Vec<_> = missing_shards.collect();
    later.retain(|placed| {
        let is_on_shard = |shard: &MissingShard| shard.shard == placed.shard && shard.agent == placed.agent;
        known_urls.contains(placed.target.url.as_str()) || !missing_shards.iter().any(is_on_shard)
    });
    missing_shards
}

#[derive(Debug, Default, Serialize)]
pub struct Differences {
    /// Number of targets that are in both lists.
    pub same: usize,
    /// Targets that are only in the earlier list.
    pub lost: Vec<ComparedTarget>,
    /// Targets that are only in the later list.
    pub gained: Vec<ComparedTarget>,
    /// Targets in both lists with different labels or URLs, before and after the change.
    pub changed: Vec<(ComparedTarget, ComparedTarget)>,
    /// Shards whose response is missing.
    #[serde(rename = "missingShards", skip_serializing_if = "Vec::is_empty")]
    pub missing_shards: Vec<MissingShard>,
}

impl Differences {
    /// Compares two lists. A target on several shards is counted once. Job names are ignored because they do not appear
    /// in series.
    pub fn compare(earlier: Vec<ComparedTarget>, later: Vec<ComparedTarget>) -> Self {
        let sort_by_key = |mut targets: Vec<ComparedTarget>| {
            targets.sort();
            targets.dedup_by(|a, b| a.key() == b.key());
            targets
        };
        let (earlier, later) = (sort_by_key(earlier), sort_by_key(later));
        let keys: BTreeSet<_> = earlier.iter().map(ComparedTarget::key).collect();
        let later_keys: BTreeSet<_> = later.iter().map(ComparedTarget::key).collect();
        let same_count = keys.intersection(&later_keys).count();
        let only_in = |targets: &[ComparedTarget], others: &BTreeSet<_>| {
            let unmatched = targets.iter().filter(|target| !others.contains(&target.key()));
            unmatched.cloned().collect()
        };
        let mut differences = Self {
            same: same_count,
            lost: only_in(&earlier, &later_keys),
            gained: only_in(&later, &keys),
            changed: Vec::new(),
            missing_shards: Vec::new(),
        };
        differences.pair(|target| (target.url.clone(), target.job.clone()));
        differences.pair(|target| (target.url.clone(), String::new()));
        differences.pair(|target| (format!("{:?}", target.labels), String::new()));
        differences
    }

    /// Pairs lost and gained targets with equal keys one-to-one, and moves the pairs to `changed`.
    fn pair(&mut self, key: impl Fn(&ComparedTarget) -> (String, String)) {
        let mut gained: BTreeMap<_, Vec<ComparedTarget>> = BTreeMap::new();
        for target in self.gained.drain(..).rev() {
            gained.entry(key(&target)).or_default().push(target);
        }
        for target in std::mem::take(&mut self.lost) {
            match gained.get_mut(&key(&target)).and_then(Vec::pop) {
                Some(now) => self.changed.push((target, now)),
                None => self.lost.push(target),
            }
        }
        self.gained = gained.into_values().flatten().collect();
        self.gained.sort();
    }

    pub fn is_empty(&self) -> bool {
        self.lost.is_empty() && self.gained.is_empty() && self.changed.is_empty() && self.missing_shards.is_empty()
    }

    /// Returns the differences as text.
    pub fn text(&self, screen: Screen) -> Text {
        let mut text = Text::for_screen(screen);
        for (style, mark, targets) in [(Style::Bad, "- lost", &self.lost), (Style::Good, "+ gained", &self.gained)] {
            let (hidden_targets, visible_targets): (Vec<_>, Vec<_>) =
                targets.iter().partition(|target| target.is_in_secret);
            add_hidden_count(&mut text, mark, hidden_targets.len());
            for target in visible_targets {
                let line = Line::styled(style, format!("{mark:<9} {}", display_value("__url__", &target.url)));
                text.line(line.with(Style::Faint, format!("  {}", target.job)));
                for (name, value) in &target.labels {
                    text.line(format!("            {name}={}", quote(&display_value(name, value))));
                }
            }
        }
        let is_hidden = |(before, after): &&(ComparedTarget, ComparedTarget)| before.is_in_secret || after.is_in_secret;
        add_hidden_count(&mut text, "~ changed", self.changed.iter().filter(is_hidden).count());
        for (before, after) in self.changed.iter().filter(|pair| !is_hidden(pair)) {
            let line = Line::styled(Style::Warning, format!("~ changed {}", display_value("__url__", &before.url)));
            text.line(line.with(Style::Faint, format!("  {}", after.job)));
            if before.url != after.url {
                text.line(format!("            URL: now {}", display_value("__url__", &after.url)));
            }
            let names: BTreeSet<_> = before.labels.keys().chain(after.labels.keys()).collect();
            for name in names {
                let value = |compared: &ComparedTarget| {
                    compared.labels.get(name).map(|value| quote(&display_value(name, value)))
                };
                match (value(before), value(after)) {
                    (before, after) if before == after => {}
                    (Some(before), Some(after)) => text.line(format!("            {name}: {before} -> {after}")),
                    (Some(before), None) => text.line(format!("            {name}: {before} is gone")),
                    (None, after) => text.line(format!("            {name}: {} is new", after.unwrap_or_default())),
                }
            }
        }
        for MissingShard { agent, shard, targets } in &self.missing_shards {
            let targets = format_count(*targets, "target");
            text.item(Line::styled(
                Style::Warning,
                format!(
                    "? no response from shard {shard} of GrafanaAgent {agent} ({targets} not compared): add it with `--against`"
                ),
            ));
        }
        if !text.is_empty() {
            text.blank_line();
        }
        text.item(format!(
            "{} unchanged, {} lost, {} gained, {} changed",
            format_count(self.same, "target"),
            self.lost.len(),
            self.gained.len(),
            self.changed.len()
        ));
        text
    }
}

/// Appends a line with the number of targets whose jobs are in a Secret.
fn add_hidden_count(text: &mut Text, mark: &str, count: usize) {
    if count > 0 {
        let count = format_count(count, "target");
        text.line(format!("{mark:<9} {count} from jobs in a Secret: -o json lists them"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> Result<Earlier, String> {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("earlier.json", text, true));
        read_earlier_targets(id, sources.get(id).unwrap()).map_err(|error| error.message.clone())
    }

    #[test]
    fn reads_targets_in_three_formats() {
        let labels = r#""labels": {"job": "x", "instance": "a:1"}"#;
        let agentctl_output = format!(
            r#"{{"targets": [{{"state": "active", "job": "j", "url": "http://a:1/m", {labels}}}, {{"state": "dropped"}}]}}"#
        );
        let prometheus = format!(
            r#"{{"status": "success", "data": {{"activeTargets": [{{"scrapePool": "j", "scrapeUrl": "http://a:1/m", {labels},
            "health": "up", "discoveredLabels": {{}}}}], "droppedTargets": [{{"discoveredLabels": {{}}}}]}}}}"#
        );
        let agent = format!(
            r#"{{"status": "success", "data": [{{"target_group": "j", "endpoint": "http://a:1/m", {labels}, "state": "up"}}]}}"#
        );
        for text in [&agentctl_output, &prometheus, &agent] {
            let targets = read(text).unwrap().targets;
            assert_eq!(targets.len(), 1, "{text}");
            assert_eq!((targets[0].job.as_str(), targets[0].url.as_str()), ("j", "http://a:1/m"));
            assert_eq!(targets[0].labels.len(), 2);
        }
    }

    #[test]
    fn rejects_other_files_without_showing_their_content() {
        for (text, expected) in [
            ("", "the JSON is incomplete"),
            ("{\"targets\": [", "the JSON is incomplete"),
            ("<html>", "the file is not valid JSON"),
            ("[]", "the file is not a list of targets"),
            ("{\"status\": \"success\"}", "the file is not a list of targets"),
            ("{\"data\": {\"alerts\": []}}", "the file is not a list of targets"),
            ("{\"targets\": \"hunter2\"}", "the file is not a list of targets"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }

    fn target(url: &str, labels: &[(&str, &str)]) -> ComparedTarget {
        ComparedTarget {
            url: url.to_owned(),
            labels: labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            job: "j".to_owned(),
            is_in_secret: false,
        }
    }

    #[test]
    fn pairs_targets_with_changed_labels() {
        let earlier = vec![target("a", &[("x", "1")]), target("b", &[]), target("c", &[]), target("e", &[("u", "1")])];
        let later = vec![
            target("a", &[("x", "2")]),
            target("b", &[]),
            target("b", &[]),
            target("d", &[("y", "1")]),
            target("f", &[("u", "1")]),
        ];
        let differences = Differences::compare(earlier, later);
        assert_eq!(
            (differences.same, differences.lost.len(), differences.gained.len(), differences.changed.len()),
            (1, 1, 1, 2)
        );
        assert_eq!((differences.lost[0].url.as_str(), differences.gained[0].url.as_str()), ("c", "d"));
        assert!(Differences::compare(vec![target("a", &[])], vec![target("a", &[])]).is_empty());
    }

    #[test]
    fn detects_missing_shard_responses() {
        let placed_targets = |url: &str, shards: &[u32]| -> Vec<PlacedTarget> {
            let placed_target =
                |shard: &u32| PlacedTarget { target: target(url, &[]), agent: "m/a".to_owned(), shard: *shard };
            shards.iter().map(placed_target).collect()
        };
        let all_targets = || -> Vec<PlacedTarget> {
            let shards_by_url: [(&str, &[u32]); 5] =
                [("a", &[0]), ("d", &[0]), ("b", &[1]), ("c", &[1]), ("probe", &[0, 1])];
            shards_by_url.iter().flat_map(|(url, shards)| placed_targets(url, shards)).collect()
        };
        for (urls, answers, missing, remaining_urls) in [
            (&["a", "probe"][..], 1, &[(1, 2)][..], 4),
            (&["b", "c", "probe"], 1, &[(0, 2)], 4),
            (&["a", "b"], 1, &[], 6),
            (&["a"], 2, &[], 6),
            (&["probe"], 1, &[], 6),
            (&[], 1, &[], 6),
        ] {
            let earlier = Earlier { targets: urls.iter().map(|url| target(url, &[])).collect(), answers };
            let mut later = all_targets();
            let missing_shards = take_missing_shards(&earlier, &mut later);
            let missing_shards: Vec<_> = missing_shards.iter().map(|shard| (shard.shard, shard.targets)).collect();
            assert_eq!((missing_shards.as_slice(), later.len()), (missing, remaining_urls), "{urls:?} {answers}");
        }
    }

    #[test]
    fn reports_invalid_files_at_the_error() {
        let mut sources = Sources::default();
        for (text, expected) in
            [("<html>", 0), ("{\"targets\":\n x", 13), ("{\"targets\": [\n\n", 15), ("{\"status\": \"success\"}", 0)]
        {
            let id = sources.add(Source::new("earlier.json", text, true));
            let error = read_earlier_targets(id, sources.get(id).unwrap()).unwrap_err();
            let span = error.primary().unwrap().span;
            assert_eq!((span.start, span.end), (expected, expected), "{text}");
        }
        for (line, column, expected) in
            [(0, 0, 0), (1, 1, 0), (1, 3, 2), (2, 0, 4), (2, 1, 4), (2, 3, 6), (3, 1, 8), (9, 9, 9)]
        {
            assert_eq!(offset("abc\ndef\ng", line, column), expected, "{line}:{column}");
        }
    }

    #[test]
    fn compares_scraped_targets_by_series_labels() {
        let states = ["active", "potential", "dropped", "invalid", "duplicate", ""];
        let listed_target = |state: &str| {
            format!(
                r#"{{"state": "{state}", "job": "{state}", "path": "/var/log/{state}", "host": "node-1", "additional": true,
                "labels": {{"__path__": "/x", "job": "l"}}}}"#
            )
        };
        let own_output = read(&format!("{{\"targets\": [{}]}}", states.map(listed_target).join(","))).unwrap();
        let expected = |state: &str| ComparedTarget {
            url: format!("node-1/var/log/{state}"),
            job: state.to_owned(),
            is_in_secret: true,
            ..target("", &[("job", "l")])
        };
        assert_eq!(own_output.targets, [expected("active"), expected("potential")]);
        assert_eq!(own_output.answers, 0);

        let monitors = ["serviceMonitor/ns/a/0", "secret-job"];
        let agent_targets =
            monitors.map(|job| format!(r#"{{"target_group": "{job}", "endpoint": "u", "state": "down"}}"#));
        let answer = read(&format!("{{\"data\": [{}]}}", agent_targets.join(","))).unwrap();
        let are_in_secret = answer.targets.iter().map(|target| target.is_in_secret);
        assert_eq!(are_in_secret.collect::<Vec<_>>(), [false, true]);
        assert_eq!(answer.answers, 1);

        let prometheus_targets = monitors.map(|job| format!(r#"{{"scrapePool": "{job}", "scrapeUrl": "u"}}"#));
        let answer = format!("{{\"data\": {{\"activeTargets\": [{}]}}}}", prometheus_targets.join(","));
        let answer = read(&answer).unwrap();
        assert!(answer.targets.iter().all(|target| !target.is_in_secret) && answer.answers == 1);
    }

    #[test]
    fn shows_differences_line_by_line() {
        let job = |job: &str, target: ComparedTarget| ComparedTarget { job: job.to_owned(), ..target };
        let hidden_target = |target: ComparedTarget| ComparedTarget { is_in_secret: true, ..target };
        let missing_shard = MissingShard { agent: "m/a".to_owned(), shard: 1, targets: 2 };
        let differences = Differences {
            missing_shards: vec![missing_shard],
            same: 1,
            lost: vec![hidden_target(target("secret", &[])), target("a", &[("api_token", "hunter2"), ("x", "1\n")])],
            gained: vec![
                job("k", target("b", &[])),
                hidden_target(target("secret", &[])),
                hidden_target(target("secret", &[])),
            ],
            changed: vec![
                (
                    target("c", &[("same", "1"), ("old", "1"), ("x", "1")]),
                    target("c", &[("same", "1"), ("new", "1"), ("x", "2")]),
                ),
                (target("d", &[]), job("k", target("e", &[]))),
                (hidden_target(target("secret", &[])), target("f", &[])),
                (target("f", &[]), hidden_target(target("secret", &[]))),
            ],
        };
        let expected = "\
- lost    1 target from jobs in a Secret: -o json lists them
- lost    a  j
            api_token=\"***\"
            x=\"1\\n\"
+ gained  2 targets from jobs in a Secret: -o json lists them
+ gained  b  k
~ changed 2 targets from jobs in a Secret: -o json lists them
~ changed c  j
            new: \"1\" is new
            old: \"1\" is gone
            x: \"1\" -> \"2\"
~ changed d  k
            URL: now e
? no response from shard 1 of GrafanaAgent m/a (2 targets not compared): add it with `--against`

1 target unchanged, 2 lost, 3 gained, 4 changed
";
        assert_eq!(differences.text(Screen::default()).as_str(), expected);
        let no_differences = Differences::default();
        assert_eq!(
            no_differences.text(Screen::default()).as_str(),
            "0 targets unchanged, 0 lost, 0 gained, 0 changed\n"
        );
        let (single_target, target_pair) = (|| vec![target("a", &[])], (target("a", &[]), target("b", &[])));
        for (lost, gained, changed, expected) in [
            (vec![], vec![], vec![], true),
            (single_target(), vec![], vec![], false),
            (vec![], single_target(), vec![], false),
            (vec![], vec![], vec![target_pair], false),
        ] {
            let differences = Differences { missing_shards: Vec::new(), same: 0, lost, gained, changed };
            assert_eq!(differences.is_empty(), expected, "{differences:?}");
        }
    }

    #[test]
    fn pairs_targets_of_the_same_job_first() {
        let job_target =
            |job: &str, url: &str, value: &str| ComparedTarget { job: job.to_owned(), ..target(url, &[("x", value)]) };
        let earlier = vec![
            job_target("j", "a", "1"),
            job_target("k", "a", "2"),
            job_target("j", "b", "3"),
            job_target("j", "c", "4"),
        ];
        let later = vec![
            job_target("k", "a", "5"),
            job_target("j", "a", "6"),
            job_target("m", "b", "7"),
            job_target("n", "d", "4"),
            job_target("n", "e", "8"),
        ];
        let differences = Differences::compare(earlier, later);
        let describe_target = |target: &ComparedTarget| format!("{}{}{}", target.job, target.url, target.labels["x"]);
        let changed_targets =
            differences.changed.iter().map(|(before, after)| describe_target(before) + " " + &describe_target(after));
        assert_eq!(changed_targets.collect::<Vec<_>>(), ["ja1 ja6", "ka2 ka5", "jb3 mb7", "jc4 nd4"]);
        assert!(differences.lost.is_empty());
        assert_eq!(differences.gained, [job_target("n", "e", "8")]);
    }
}
