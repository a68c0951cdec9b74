//! Labels that prevent scrapes of a target.
//!
//! The checks follow `__address__`, `__scheme__`, `__scrape_interval__` and `__scrape_timeout__` through the rules of a
//! job, as far as they are known, and report what `PopulateLabels` in Prometheus rejects: an address that is missing or
//! contains a slash, an address without a port if the scheme has no default port, an interval or timeout that is not a
//! duration above zero, and a timeout that exceeds the interval. They also report addresses and schemes for which Go
//! sends no request. The agent starts in each case.
//!
//! All labels of static targets are known. Labels of other targets are known if the job or a rule sets them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::relabel::FieldSpelling;
use super::times::AgentTimes;
use crate::budget::Budget;
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::envsubst::has_variable;
use crate::go::{address, duration};
use crate::plan::RelabelAction;
use crate::targets::relabel::{CompiledRule, Config, Labels, RuleCompiler};

const ADDRESS: &str = "__address__";
const SCHEME: &str = "__scheme__";
const INTERVAL: &str = "__scrape_interval__";
const TIMEOUT: &str = "__scrape_timeout__";
const CHECKED_LABELS: [&str; 4] = [ADDRESS, SCHEME, INTERVAL, TIMEOUT];

/// Maximum cost of examining a job's static targets. Each target costs about the number of rules times the number of
/// labels. The remaining targets are not checked.
const MAX_COST: u64 = 50_000;

/// Maximum number of parameters, and of labels in a group. If there are more, most of them are treated as unknown.
const MAX_LABELS: usize = 500;

/// Rules for the endpoints of ServiceMonitors and PodMonitors.
pub const MONITOR_ROWS: Rows = &[("endpoints|podMetricsEndpoints[]", With(check_endpoint))];

/// Rules for the targets of Probes.
pub const PROBE_ROWS: Rows = &[("", With(check_probe))];

fn check_endpoint<'v>(endpoint: Json<'v>, walk: &mut Walk<'v>) {
    let times = [endpoint.text("interval"), endpoint.text("scrapeTimeout")];
    check_discovered(endpoint, "relabelings", times, None, walk);
}

/// Checks the rules for a Probe's targets. If both kinds of targets are set, the operator uses the static targets.
fn check_probe<'v>(probe: Json<'v>, walk: &mut Walk<'v>) {
    let times = [probe.text("interval"), probe.text("scrapeTimeout")];
    let targets = probe.get("targets").unwrap_or(Json::NULL);
    let kinds = ["staticConfig", "ingress"].into_iter();
    let Some((kind, config)) = kinds.filter_map(|kind| Some((kind, targets.non_null(kind)?))).next() else {
        return;
    };
    walk.enter(Step::Key("targets"), |walk| {
        walk.enter(Step::Key(kind), |walk| {
            check_discovered(config, "relabelingConfigs", times, config.non_null("labels"), walk)
        });
    });
}

/// Checks the rules in a resource's field. Only `labels` are known before the first rule.
fn check_discovered<'v>(
    owner: Json<'v>,
    field: &'static str,
    times: [&'v str; 2],
    labels: Option<Json<'v>>,
    walk: &mut Walk<'v>,
) {
    let is_checked = |name: &str| CHECKED_LABELS.contains(&name);
    let may_write = owner.list(field).any(|rule| is_checked(rule.text("targetLabel")));
    let is_set = labels.is_some_and(|labels| labels.entries().any(|(name, _)| is_checked(name)));
    if !walk.context.is_for_agent() || !(may_write || is_set) {
        return;
    }
    let mut known_labels = KnownLabels::default();
    known_labels.set_times(times, walk);
    if let Some(labels) = labels {
        known_labels.set_group(labels, &[Step::Key("labels")]);
    }
    let rules = Rule::read_rules(owner, field, FieldSpelling::Resource);
    let known_labels = known_labels.relabel(&rules).map(|mut known_labels| {
        // The `failing-scrape` rule already reports schemes.
        known_labels.forget(SCHEME);
        known_labels
    });
    report(
        known_labels.and_then(|known_labels| known_labels.find_problem()).into_iter().collect(),
        AffectedTargets::All,
        walk,
    );
}

/// Checks the targets of a scrape job in a Secret.
pub fn check_job<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if !walk.context.is_for_agent() {
        return;
    }
    let mut common_labels = KnownLabels::default();
    common_labels.set_times([job.text("scrape_interval"), job.text("scrape_timeout")], walk);
    let mut static_labels = common_labels.clone();
    static_labels.is_complete = true;
    let defaults =
        [("job", "job_name", ""), (SCHEME, "scheme", "http"), ("__metrics_path__", "metrics_path", "/metrics")];
    for (label, field, default) in defaults {
        match job.text(field) {
            "" => static_labels.set(label, default, None),
            text => static_labels.set_text(label, text, &[Step::Key(field)]),
        }
    }
    let params = job.get("params").unwrap_or(Json::NULL);
    let count = params.entries().count();
    static_labels.is_complete &= count <= MAX_LABELS;
    for (name, values) in params.entries().take(MAX_LABELS) {
        if let Some(value) = values.items().next().and_then(Json::scalar) {
            static_labels.set_text(&format!("__param_{name}"), &value, &[Step::Key("params"), Step::Key(name)]);
        }
    }
    let rules = Rule::read_rules(job, "relabel_configs", FieldSpelling::Configuration);
    let budget = Budget::new(MAX_COST);
    let mut problems = Vec::new();
    let mut is_static = false;
    for (i, group) in job.list("static_configs").enumerate() {
        let at = [Step::Key("static_configs"), Step::Index(i)];
        let labels = group.non_null("labels").unwrap_or(Json::NULL);
        let cost = (rules.len() + 1) * (count + labels.entries().count() + 1).min(2 * MAX_LABELS);
        for (j, target) in group.list("targets").enumerate() {
            is_static = true;
            let Some(target) = target.scalar() else { continue };
            // A static target that contains a slash makes the agent reject its entire configuration, unless a rule may
            // change the target.
            if budget.spend(cost as u64).is_err() || rules.is_empty() && target.contains('/') {
                continue;
            }
            let mut known_labels = static_labels.clone();
            known_labels.set_text(ADDRESS, &target, &[at.as_slice(), &[Step::Key("targets"), Step::Index(j)]].concat());
            known_labels.set_group(labels, &[at.as_slice(), &[Step::Key("labels")]].concat());
            problems.extend(known_labels.relabel(&rules).and_then(|known_labels| known_labels.find_problem()));
        }
    }
    report(problems, AffectedTargets::One, walk);
    if !is_static {
        // Discovery can set a target's scheme.
        if !["file_sd_configs", "http_sd_configs"].into_iter().any(|field| job.has(field)) {
            common_labels.copy(SCHEME, &static_labels);
        }
        report(
            common_labels.relabel(&rules).and_then(|known_labels| known_labels.find_problem()).into_iter().collect(),
            AffectedTargets::All,
            walk,
        );
    }
}

/// Number of a job's targets that a problem affects.
#[derive(Clone, Copy)]
enum AffectedTargets {
    One,
    All,
}

/// Reports one problem for each field, preferring rejections to failures.
fn report<'v>(mut problems: Vec<Problem<'v>>, affected: AffectedTargets, walk: &mut Walk<'v>) {
    problems.sort_by_key(|problem| problem.code != Code::RejectedTarget);
    let mut seen_problems = BTreeSet::new();
    for Problem { code, at, reason, help } in problems {
        if !seen_problems.insert(format!("{at:?}")) {
            continue;
        }
        let targets = match (affected, at.get(2)) {
            (AffectedTargets::All, _) => "every target of the job",
            (AffectedTargets::One, Some(Step::Key("targets"))) => "this target",
            (AffectedTargets::One, _) => "targets of the job",
        };
        let effect = if code == Code::RejectedTarget { "rejects" } else { "cannot scrape" };
        walk.report_with_code(code, &at, format!("the agent {effect} {targets}, because {reason}"), help);
    }
}

/// Reason that a target is not scraped.
struct Problem<'v> {
    code: Code,
    at: Vec<Step<'v>>,
    reason: String,
    help: &'static str,
}

/// Relabeling rule of a job.
struct Rule<'v> {
    at: Vec<Step<'v>>,
    action: Option<RelabelAction>,
    target: Cow<'v, str>,
    sources: Vec<Cow<'v, str>>,
    /// Whether the rule applies to every target.
    is_unconditional: bool,
    /// Whether the rule writes the same value for every target.
    is_constant: bool,
    /// Compiled rule, or `None` if the rule is not followed.
    compiled: Option<CompiledRule<'v>>,
}

impl<'v> Rule<'v> {
    fn read_rules(owner: Json<'v>, field: &'static str, spelling: FieldSpelling) -> Vec<Self> {
        let mut compiler = RuleCompiler::default();
        let rules = owner.list(field).enumerate().filter(|(_, rule)| !rule.is_null());
        rules
            .map(|(i, rule)| Self::from_rule(rule, vec![Step::Key(field), Step::Index(i)], spelling, &mut compiler))
            .collect()
    }

    fn from_rule(rule: Json<'v>, path: Vec<Step<'v>>, spelling: FieldSpelling, compiler: &mut RuleCompiler) -> Self {
        // Fields are read as the agent reads them.
        let text = |field| {
            let text = rule.get(spelling.spell(field))?.scalar().filter(|text| spelling.is_set(text))?;
            Some(if text.contains("$$") { text.replace("$$", "$").into() } else { text })
        };
        let sources: Vec<_> = rule.list(spelling.spell("sourceLabels")).filter_map(Json::scalar).collect();
        let config = Config {
            source_labels: sources.clone(),
            separator: text("separator"),
            regex: text("regex"),
            modulus: rule.get("modulus").and_then(Json::scalar).and_then(|text| text.parse().ok()).unwrap_or_default(),
            target_label: text("targetLabel").unwrap_or_default(),
            replacement: text("replacement"),
            action: text("action"),
        };
        let action = config.action.as_deref().map_or(Some(RelabelAction::Replace), RelabelAction::from_name);
        let is_unconditional = matches!(config.regex.as_deref(), None | Some("(.*)" | ".*"));
        let is_fixed = config.replacement.as_ref().is_some_and(|text| !text.contains('$'));
        let written_texts = [&config.regex, &config.replacement, &config.separator];
        let drops_labels = matches!(action, Some(RelabelAction::LabelDrop | RelabelAction::LabelKeep));
        // The `failing-scrape` rule already reports labels that a rule in a resource drops. A rule that drops labels
        // and has other fields prevents the agent from starting.
        let is_other_field = |(name, value): (&str, Json<'_>)| !matches!(name, "action" | "regex") && !value.is_null();
        let is_skipped =
            drops_labels && (matches!(spelling, FieldSpelling::Resource) || rule.entries().any(is_other_field));
        let has_variable = written_texts.into_iter().flatten().any(|text| text.contains("${") && has_variable(text));
        Self {
            at: path,
            action,
            target: config.target_label.clone(),
            sources,
            is_unconditional,
            is_constant: action == Some(RelabelAction::Replace) && is_unconditional && is_fixed,
            compiled: if has_variable || is_skipped { None } else { compiler.rule(config).ok() },
        }
    }

    /// Returns the only label that the rule can change, or `None` if it can change any label.
    fn changed_label(&self) -> Option<&str> {
        match self.action? {
            RelabelAction::Replace if self.target.contains('$') => None,
            RelabelAction::LabelMap | RelabelAction::LabelDrop | RelabelAction::LabelKeep => None,
            _ => Some(&self.target),
        }
    }
}

/// Labels of a target, as far as they are known.
#[derive(Clone, Default)]
struct KnownLabels<'v> {
    values: Labels<'v>,
    /// Fields that set the known labels. A label with a default value has no field.
    fields: HashMap<Cow<'v, str>, Option<Vec<Step<'v>>>>,
    /// Whether all labels are known, including those that are missing.
    is_complete: bool,
}

impl<'v> KnownLabels<'v> {
    fn set(&mut self, label: &str, value: &str, field: Option<Vec<Step<'v>>>) {
        self.values.set(label.to_owned(), value.to_owned());
        self.fields.insert(label.to_owned().into(), field);
    }

    /// Sets a label to a string from the configuration, or marks the label as unknown if the string contains a
    /// variable.
    fn set_text(&mut self, label: &str, text: &str, field: &[Step<'v>]) {
        if text.contains('$') {
            self.is_complete = false;
            self.forget(label);
        } else {
            self.set(label, text, Some(field.to_vec()));
        }
    }

    fn set_times(&mut self, times: [&'v str; 2], walk: &Walk<'v>) {
        for (label, time) in [INTERVAL, TIMEOUT].into_iter().zip(AgentTimes::job_times(times, walk)) {
            match time {
                Some(time) => self.set(label, &time, None),
                None => self.is_complete = false,
            }
        }
    }

    /// Sets a target group's labels, except for empty labels and `__address__`, which every target has itself
    /// (`TargetsFromGroup`).
    fn set_group(&mut self, labels: Json<'v>, path: &[Step<'v>]) {
        let is_bounded = labels.entries().count() <= MAX_LABELS;
        self.is_complete &= is_bounded;
        for (name, value) in labels.entries().filter(|(name, _)| is_bounded || CHECKED_LABELS.contains(name)) {
            if let Some(value) = value.scalar().filter(|value| name != ADDRESS && !value.is_empty()) {
                self.set_text(name, &value, &[path, &[Step::Key(name)]].concat());
            }
        }
    }

    fn forget(&mut self, label: &str) {
        self.values.set(label.to_owned(), "");
        self.fields.remove(label);
    }

    fn copy(&mut self, label: &str, other: &Self) {
        if let Some(field) = other.fields.get(label) {
            self.set(label, other.values.get(label), field.clone());
        }
    }

    /// Returns a label's known value, and the field that sets it.
    fn get(&self, label: &str) -> Option<(&str, Option<&[Step<'v>]>)> {
        Some((self.values.get(label), self.fields.get(label)?.as_deref()))
    }

    /// Applies rules to the extent that they depend only on known labels. Returns `None` if a rule drops the target.
    fn relabel(mut self, rules: &[Rule<'v>]) -> Option<Self> {
        for rule in rules {
            match &rule.compiled {
                Some(compiled) if self.is_complete => {
                    if !self.apply(compiled, rule) {
                        return None;
                    }
                }
                Some(compiled) => self.apply_partly(compiled, rule),
                None => {
                    self.is_complete = false;
                    match rule.changed_label() {
                        Some(label) => self.forget(label),
                        None => self = Self::default(),
                    }
                }
            }
        }
        Some(self)
    }

    /// Applies a rule to labels that are all known. Returns whether the rule keeps the target.
    fn apply(&mut self, compiled: &CompiledRule<'_>, rule: &Rule<'v>) -> bool {
        let values_before = CHECKED_LABELS.map(|label| self.values.get(label).to_owned());
        let keeps = compiled.apply(&mut self.values);
        for (label, values_before) in CHECKED_LABELS.into_iter().zip(values_before) {
            if self.values.get(label) != values_before {
                self.fields.insert(label.into(), Some(rule.at.clone()));
            }
        }
        keeps
    }

    /// Applies a rule if some labels are unknown.
    fn apply_partly(&mut self, compiled: &CompiledRule<'_>, rule: &Rule<'v>) {
        match rule.action {
            Some(action) if action.is_filter() => {}
            Some(RelabelAction::LabelDrop | RelabelAction::LabelKeep) => {
                let names: BTreeSet<_> = self.fields.keys().cloned().chain(CHECKED_LABELS.map(Cow::Borrowed)).collect();
                for name in names {
                    let mut label = Labels::from_iter([(name.clone(), Cow::Borrowed("x"))]);
                    compiled.apply(&mut label);
                    if label.get(&name).is_empty() {
                        self.set(&name, "", Some(rule.at.clone()));
                    }
                }
            }
            Some(RelabelAction::Replace | RelabelAction::Lowercase | RelabelAction::Uppercase)
                if rule.changed_label().is_some()
                    && (rule.is_constant || rule.sources.iter().all(|label| self.fields.contains_key(label))) =>
            {
                let value_before = self.values.get(&rule.target).to_owned();
                compiled.apply(&mut self.values);
                let value = self.values.get(&rule.target).to_owned();
                let was_known = self.fields.contains_key(&rule.target);
                if value == value_before && was_known {
                    return;
                }
                // The expression may not match, so the label may keep its unknown value.
                if value == value_before && !rule.is_unconditional {
                    return self.forget(&rule.target);
                }
                self.set(&rule.target, &value, Some(rule.at.clone()));
            }
            _ => match rule.changed_label() {
                Some(label) => self.forget(label),
                None => *self = Self::default(),
            },
        }
    }

    /// Returns the reason that the target is not scraped, with the field that causes it.
    fn find_problem(&self) -> Option<Problem<'v>> {
        self.find_rejection().or_else(|| self.find_failure())
    }

    /// Returns the reason that the agent rejects the target (`PopulateLabels`).
    fn find_rejection(&self) -> Option<Problem<'v>> {
        let rejected_target = |at: &[Step<'v>], reason: &str, help| {
            Some(Problem { code: Code::RejectedTarget, at: at.to_vec(), reason: reason.to_owned(), help })
        };
        let scheme = self.get(SCHEME);
        if let Some((address, Some(field))) = self.get(ADDRESS) {
            let help = "write a host and port, such as `host:9090`";
            if address.is_empty() {
                return rejected_target(field, "`__address__` is empty", help);
            }
            if let Some((scheme, scheme_field)) = scheme
                && address::lacks_port(address)
                && !matches!(scheme, "" | "http" | "https")
            {
                let reason = "`__address__` has no port, and `__scheme__` is neither `http` nor `https`";
                return rejected_target(scheme_field.unwrap_or(field), reason, "set the scheme to `http` or `https`");
            }
            if address.contains('/') {
                return rejected_target(field, "`__address__` is a URL or path instead of a host and port", help);
            }
        }
        let mut times = Vec::new();
        for (label, reason) in [
            (INTERVAL, "`__scrape_interval__` is not a positive duration"),
            (TIMEOUT, "`__scrape_timeout__` is not a positive duration"),
        ] {
            let Some((text, field)) = self.get(label) else { continue };
            match (duration::parse_prometheus(text).filter(|time| *time > 0), field) {
                (None, Some(field)) => return rejected_target(field, reason, "write a duration such as `30s`"),
                (time, field) => times.extend(time.map(|time| (time, field))),
            }
        }
        match times.as_slice() {
            [(interval, interval_field), (timeout, timeout_field)] if timeout > interval => {
                let reason = "`__scrape_timeout__` is longer than `__scrape_interval__`";
                rejected_target(
                    (*timeout_field).or(*interval_field)?,
                    reason,
                    "lower the timeout, or raise the interval",
                )
            }
            _ => None,
        }
    }

    /// Returns the reason that every request for the target fails (`net/http` in Go).
    fn find_failure(&self) -> Option<Problem<'v>> {
        let failing_target = |at: &[Step<'v>], reason: &str, help| {
            Some(Problem { code: Code::UnreachableTarget, at: at.to_vec(), reason: reason.to_owned(), help })
        };
        if let Some((scheme, Some(field))) = self.get(SCHEME)
            && !["http", "https"].iter().any(|candidate| scheme.eq_ignore_ascii_case(candidate))
        {
            let reason = "the scheme is neither `http` nor `https`";
            return failing_target(field, reason, "set the scheme to `http` or `https`");
        }
        let (address, field) = self.get(ADDRESS)?;
        let reason = format!("`__address__` {}", address::request_problem(address)?);
        failing_target(field?, &reason, "write a host and port, such as `host:9090`")
    }
}
