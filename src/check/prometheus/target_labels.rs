//! Labels that make the agent reject every target of a job.
//!
//! Reports a relabeling rule or static label that sets `__scrape_interval__` or `__scrape_timeout__` to anything but a
//! duration above zero, a timeout that exceeds the interval, or `__address__` to nothing or to a string
//! with a slash (`PopulateLabels` in Prometheus). The agent starts, but scrapes none of the targets.

use std::borrow::Cow;
use std::collections::HashMap;

use super::relabel::FieldSpelling;
use super::times::AgentTimes;
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::duration;
use crate::go::envsubst::has_variable;
use crate::targets::relabel::{Config, Labels, RelabelAction, RuleCompiler};

const ADDRESS: &str = "__address__";
const INTERVAL: &str = "__scrape_interval__";
const TIMEOUT: &str = "__scrape_timeout__";
const CHECKED: [&str; 3] = [ADDRESS, INTERVAL, TIMEOUT];

/// Rules for the endpoints of ServiceMonitors and PodMonitors.
pub const OF_MONITOR: Rows = &[("endpoints|podMetricsEndpoints[]", With(of_endpoint))];

/// Rules for Probes.
pub const OF_PROBE: Rows = &[("", With(of_probe))];

fn of_endpoint<'v>(endpoint: Json<'v>, walk: &mut Walk<'v>) {
    let times = [endpoint.text("interval"), endpoint.text("scrapeTimeout")];
    check(&Rules::new(endpoint, "relabelings", FieldSpelling::Resource), times, &[], walk);
}

/// If both kinds of targets are set, the operator uses the static targets.
fn of_probe<'v>(probe: Json<'v>, walk: &mut Walk<'v>) {
    let times = [probe.text("interval"), probe.text("scrapeTimeout")];
    let targets = probe.get("targets").unwrap_or(Json::NULL);
    let kinds = ["staticConfig", "ingress"].into_iter();
    let Some((kind, config)) = kinds.filter_map(|kind| Some((kind, targets.set(kind)?))).next() else {
        return;
    };
    let rules = Rules::new(config, "relabelingConfigs", FieldSpelling::Resource);
    let labels = config.set("labels").map(|labels| (labels, vec![Step::Key("labels")]));
    walk.below(Step::Key("targets"), |walk| {
        walk.below(Step::Key(kind), |walk| check(&rules, times, labels.as_slice(), walk));
    });
}

/// Checks a job in a Secret.
pub fn of_job<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let times = [job.text("scrape_interval"), job.text("scrape_timeout")];
    let groups = job.list("static_configs").enumerate().filter_map(|(i, group)| {
        let path = vec![Step::Key("static_configs"), Step::Index(i), Step::Key("labels")];
        Some((group.set("labels")?, path))
    });
    let rules = Rules::new(job, "relabel_configs", FieldSpelling::Configuration);
    check(&rules, times, &groups.collect::<Vec<_>>(), walk);
}

/// Static labels of a group of targets, and their path.
type Group<'v> = (Json<'v>, Vec<Step<'v>>);

/// Relabeling rules of a job.
struct Rules<'v> {
    job: Json<'v>,
    field: &'static str,
    spelling: FieldSpelling,
}

impl<'v> Rules<'v> {
    fn new(job: Json<'v>, field: &'static str, spelling: FieldSpelling) -> Self {
        Self { job, field, spelling }
    }

    fn list(&self) -> impl Iterator<Item = Json<'v>> + use<'v> {
        self.job.list(self.field)
    }

    /// Returns a field of a rule as the agent reads it, or `None` if the field is not set.
    fn text(&self, rule: Json<'v>, field: &'static str) -> Option<Cow<'v, str>> {
        let text = rule.get(self.spelling.of(field))?.scalar()?;
        let is_set = self.spelling.is_set(&text);
        is_set.then(|| if text.contains("$$") { text.replace("$$", "$").into() } else { text })
    }

    /// Whether a rule may write one of the labels.
    fn may_write(&self) -> bool {
        let mut targets = self.list().filter_map(|rule| self.text(rule, "targetLabel"));
        targets.any(|target| CHECKED.contains(&&*target))
    }
}

/// Checks a job with these rules, interval and timeout. One problem is reported for a job.
fn check<'v>(rules: &Rules<'v>, times: [&'v str; 2], groups: &[Group<'v>], walk: &mut Walk<'v>) {
    let is_set = |(labels, _): &Group<'_>| CHECKED.iter().any(|label| labels.has(label));
    if !walk.context.is_for_agent() || !(rules.may_write() || groups.iter().any(is_set)) {
        return;
    }
    let mut initial = KnownLabels::default();
    for (label, time) in [INTERVAL, TIMEOUT].into_iter().zip(AgentTimes::of_job(times, walk)) {
        if let Some(time) = time {
            initial.set(label, time, None);
        }
    }
    let none = (Json::NULL, Vec::new());
    for (labels, path) in if groups.is_empty() { std::slice::from_ref(&none) } else { groups } {
        let mut known = initial.clone();
        for label in CHECKED {
            let value = labels.get(label).and_then(Json::scalar).filter(|value| !value.is_empty());
            match value {
                Some(value) if value.contains('$') => known.forget(label),
                Some(value) => {
                    known.set(label, value.into_owned(), Some([path.as_slice(), &[Step::Key(label)]].concat()))
                }
                None => {}
            }
        }
        known.relabel(rules);
        if let Some((at, problem, help)) = known.problem() {
            let message = format!("the agent rejects every target of the job, because {problem}");
            walk.report_with_code(Code::RejectedTarget, at, message, help);
            return;
        }
    }
}

/// Labels whose values are the same for every target.
#[derive(Clone, Default)]
struct KnownLabels<'v> {
    values: Labels<'static>,
    /// The labels, each with the field that sets it; `None` for a default.
    fields: HashMap<String, Option<Vec<Step<'v>>>>,
}

impl<'v> KnownLabels<'v> {
    fn set(&mut self, label: &str, value: String, field: Option<Vec<Step<'v>>>) {
        self.values.set(label.to_owned(), value);
        self.fields.insert(label.to_owned(), field);
    }

    fn forget(&mut self, label: &str) {
        self.values.remove(label);
        self.fields.remove(label);
    }

    /// Returns a known value, and the field that sets it.
    fn get(&self, label: &str) -> Option<(&str, Option<&[Step<'v>]>)> {
        Some((self.values.get(label), self.fields.get(label)?.as_deref()))
    }

    /// Applies rules, as far as they depend on known labels only.
    fn relabel(&mut self, rules: &Rules<'v>) {
        let mut compiler = RuleCompiler::default();
        for (index, rule) in rules.list().enumerate() {
            let text = |field| rules.text(rule, field);
            let target = text("targetLabel").unwrap_or_default().into_owned();
            let action =
                text("action").map_or(Some(RelabelAction::Replace), |action| RelabelAction::from_name(&action));
            let written = [text("regex"), text("replacement")];
            let is_unknown = written.iter().flatten().any(|text| text.contains("${") && has_variable(text));
            match action {
                Some(
                    RelabelAction::Keep | RelabelAction::Drop | RelabelAction::KeepEqual | RelabelAction::DropEqual,
                ) => {}
                Some(RelabelAction::Replace | RelabelAction::Lowercase | RelabelAction::Uppercase)
                    if !target.contains('$') =>
                {
                    let sources = rule.list(rules.spelling.of("sourceLabels"));
                    let sources: Vec<_> = sources.filter_map(Json::scalar).map(Cow::into_owned).collect();
                    let [regex, replacement] = written;
                    let always = matches!(regex.as_deref(), None | Some("(.*)" | ".*"));
                    let is_fixed = replacement.as_ref().is_some_and(|text| !text.contains('$'));
                    let is_constant = action == Some(RelabelAction::Replace) && always && is_fixed;
                    if is_unknown || !(is_constant || sources.iter().all(|label| self.fields.contains_key(label))) {
                        self.forget(&target);
                        continue;
                    }
                    let config = Config {
                        source_labels: sources.into_iter().map(Cow::Owned).collect(),
                        separator: text("separator"),
                        regex,
                        modulus: 0,
                        target_label: Cow::Borrowed(&target),
                        replacement,
                        action: text("action"),
                    };
                    let Ok(compiled) = compiler.rule(config) else {
                        return *self = Self::default();
                    };
                    let before = self.values.get(&target).to_owned();
                    compiled.apply(&mut self.values);
                    if self.fields.contains_key(&target) && self.values.get(&target) == before {
                        continue;
                    }
                    let field = vec![Step::Key(rules.field), Step::Index(index)];
                    let value = self.values.get(&target).to_owned();
                    match value.is_empty() && before.is_empty() && !always {
                        // The expression may not match, so the label may keep its unknown value.
                        true => self.forget(&target),
                        false => self.set(&target, value, Some(field)),
                    }
                }
                Some(RelabelAction::HashMod) => self.forget(&target),
                // Other rules may write or remove any label.
                _ => *self = Self::default(),
            }
        }
    }

    /// Returns the field that causes the agent to reject a target, with the reason and help.
    fn problem(&self) -> Option<(&[Step<'v>], &'static str, &'static str)> {
        if let Some((address, Some(field))) = self.get(ADDRESS) {
            let help = "write a host and port, such as `host:9090`";
            if address.is_empty() {
                return Some((field, "`__address__` is empty", help));
            } else if address.contains('/') {
                return Some((field, "`__address__` is a URL or path instead of a host and port", help));
            }
        }
        let mut times = Vec::new();
        for (label, reason) in [
            (INTERVAL, "`__scrape_interval__` is not a duration above zero"),
            (TIMEOUT, "`__scrape_timeout__` is not a duration above zero"),
        ] {
            let Some((text, field)) = self.get(label) else { continue };
            match (duration::parse_prometheus(text).filter(|time| *time > 0), field) {
                (None, Some(field)) => return Some((field, reason, "write a duration such as `30s`")),
                (time, field) => times.extend(time.map(|time| (time, field))),
            }
        }
        match times.as_slice() {
            [(interval, of_interval), (timeout, of_timeout)] if timeout > interval => {
                let reason = "`__scrape_timeout__` is longer than `__scrape_interval__`";
                Some(((*of_timeout).or(*of_interval)?, reason, "lower the timeout, or raise the interval"))
            }
            _ => None,
        }
    }
}
