//! Writer of components. Each component belongs to a group and has a unique label.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::catalog::{FILE, prepare};
use super::environment::{AlloyEnvironment, escape_keys};
use super::labels::ComponentLabels;
use super::layout::{self, Observer};
use super::mask::mask;
use super::origins::ComponentSource;
use super::settings::{AlloySettings, ConfigurationFacts};
use super::syntax::{Block, Body, Expression};
use super::trace::{Component, ElementRecorder};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::flow::ExpressionCache;
use crate::output::agent::is_mounted;
use crate::output::alloy::losses::loss::{TextLosses, loss};
use crate::plan::{ConfigKind, DiscoveryNamespaces, DiscoveryRole, JobKind, Origin, Plan, SecretRepresentation};
use crate::resolve::AssetKey;
use crate::secrecy::{MASK, SecretKeys};

/// Group of an instance's components, in output order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentGroup {
    /// Components for files that contain credentials.
    Files,
    /// Components that discover targets (`discovery.*`).
    Discoveries,
    /// Components between the targets of a job or integration and its receivers. They are kept together.
    Pipelines,
    Receivers,
}

/// Each group has two parts: components for the jobs of monitors and PodLogs, followed by all others.
const GROUPS: usize = 2 * 4;

impl ComponentGroup {
    fn place(self, is_of_job: bool) -> usize {
        2 * self as usize + usize::from(!is_of_job)
    }
}

/// Writer with the state of the configuration being written.
pub struct Writer<'p, 'w> {
    pub plan: &'p Plan<'p>,
    pub environment: AlloyEnvironment<'p>,
    /// Findings for behavior of the agent that Alloy does not support.
    pub losses: Vec<Diagnostic>,
    /// Losses in the YAML of the scrape jobs being written, by path.
    pub lost_in_text: TextLosses,
    labels: ComponentLabels,
    /// Label of each discovery component, by its body.
    discoveries: HashMap<String, String>,
    /// Targets of discoveries that use the agent's API server, by role and namespaces.
    pub discovery_targets: HashMap<(DiscoveryRole, DiscoveryNamespaces<'p>), Expression<'static>>,
    /// Receivers of each instance, by name.
    pub receivers: HashMap<(JobKind, String), Expression<'static>>,
    /// Compiled expressions of relabeling rules.
    pub expressions: ExpressionCache,
    /// Whether rules drop samples. Alloy counts samples before applying rules.
    pub drops_samples: bool,
    /// Label of each file, by path.
    files: HashMap<String, String>,
    /// Keys of Secrets and ConfigMaps, by file name.
    pub sources: HashMap<String, AssetKey<'p>>,
    /// Labels, paths and origins of files without a component.
    new_files: Vec<(String, String, AssetKey<'p>)>,
    /// Labels of new files that no component reads so far.
    unread_files: HashSet<String>,
    pub settings: &'w AlloySettings,
    pub secrets: SecretRepresentation,
    /// Kinds and labels of components that are entirely masked.
    hidden: HashSet<(&'static str, String)>,
    pub has_masked: bool,
    keys: SecretKeys,
    groups: [String; GROUPS],
    /// Group whose components are passed on immediately, because all preceding groups are complete.
    open: Option<usize>,
    /// Components in each group of this configuration, if requested.
    traced: Option<(ConfigKind, [Vec<Component<'p>>; GROUPS])>,
    /// Comment about the source of the next component, unless the component is shared.
    comment: Option<String>,
    is_empty: bool,
    piece: &'w mut dyn FnMut(&str, &[Component<'p>]),
}

impl<'p, 'w> Writer<'p, 'w> {
    /// Creates a writer that calls `piece` with each piece of the configuration. If `traced` is set, `piece` also
    /// receives the components in the piece.
    pub fn new(
        plan: &'p Plan<'p>,
        settings: &'w AlloySettings,
        secrets: SecretRepresentation,
        traced: Option<ConfigKind>,
        piece: &'w mut dyn FnMut(&str, &[Component<'p>]),
    ) -> Self {
        Self {
            plan,
            environment: AlloyEnvironment::new(plan.agent.meta.name, &plan.agent.spec, settings.version()),
            losses: Vec::new(),
            lost_in_text: Vec::new(),
            labels: ComponentLabels::default(),
            discoveries: HashMap::new(),
            discovery_targets: HashMap::new(),
            receivers: HashMap::new(),
            expressions: ExpressionCache::default(),
            drops_samples: false,
            files: HashMap::new(),
            sources: plan.secrets.iter().map(|(key, _)| (key.sanitized_key(), *key)).collect(),
            new_files: Vec::new(),
            unread_files: HashSet::new(),
            settings,
            secrets,
            hidden: HashSet::new(),
            has_masked: false,
            keys: SecretKeys::default(),
            groups: Default::default(),
            open: None,
            traced: traced.map(|part| (part, Default::default())),
            comment: None,
            is_empty: true,
            piece,
        }
    }

    /// Returns a label that no other component of this kind has.
    pub fn label(&mut self, kind: &'static str, name: &str) -> String {
        self.labels.unique_label(kind, name)
    }

    /// Prepares a component for writing, and creates components for the files that it reads.
    pub fn block<'v>(&mut self, name: &'static str, label: &'v str, mut body: Body<'v>) -> Block<'v> {
        self.reveal_secrets(&mut body);
        let mut body = finish_body(name, body, &self.environment);
        if !self.unread_files.is_empty() {
            body.for_each_export(&mut |kind, label| {
                if kind == FILE {
                    self.unread_files.remove(&**label);
                }
            });
        }
        Block::new(name, label, body)
    }

    /// Sets the comment that precedes the next component that is not shared.
    pub fn comment(&mut self, text: String) {
        self.comment = Some(text);
    }

    /// Adds a component to its group.
    pub fn put_component<'v>(
        &mut self,
        group: ComponentGroup,
        name: &'static str,
        label: &'v str,
        body: Body<'v>,
        component_source: ComponentSource<'_, 'p>,
    ) {
        let block = self.block(name, label, body);
        self.append(group, block, component_source);
    }

    fn append(&mut self, group: ComponentGroup, mut block: Block<'_>, component_source: ComponentSource<'_, 'p>) {
        let is_masked = self.secrets.are_hidden() && self.mask(&mut block, component_source);
        let place = group.place(matches!(component_source, ComponentSource::Job { .. }));
        let Some(text) = self.groups.get_mut(place) else {
            return;
        };
        layout::add_separator(text);
        if matches!(group, ComponentGroup::Pipelines | ComponentGroup::Receivers)
            && let Some(comment) = self.comment.take()
        {
            text.extend(["// ", &comment, "\n"]);
        }
        let mut write = |observer: &mut Observer<'_>| match is_masked {
            true => layout::append_masked_component(text, &block, observer),
            false => layout::append_component(text, &block, observer),
        };
        match &mut self.traced {
            None => write(&mut |_, _| {}),
            Some((part, groups)) => {
                let mut tracer = ElementRecorder::new(component_source, self.plan, *part);
                write(&mut |seen, at| tracer.record(seen, at));
                if let Some(components) = groups.get_mut(place) {
                    components.push(tracer.finish(&block.label));
                }
            }
        }
        if self.open == Some(place) {
            self.pass_groups(place + 1);
        }
    }

    /// Masks the secrets in a component. Returns whether the entire component is secret because it comes from the value
    /// of a Secret.
    fn mask(&mut self, block: &mut Block<'_>, component_source: ComponentSource<'_, 'p>) -> bool {
        if let ComponentSource::Key(_) = component_source {
            self.hidden.insert((block.name, block.label.to_string()));
            self.has_masked = true;
            block.label = Cow::Borrowed(MASK);
            return true;
        }
        self.has_masked |= mask(
            block.name,
            &mut block.body,
            matches!(component_source, ComponentSource::Integration(_)),
            &mut self.keys,
        );
        if !self.hidden.is_empty() {
            block.body.for_each_export(&mut |kind, label| {
                if self.hidden.iter().any(|(known, hidden)| *known == kind && hidden == label) {
                    *label = Cow::Borrowed(MASK);
                }
            });
        }
        false
    }

    /// Returns the targets of a discovery. Equal discoveries share one component, because each component watches the
    /// API server separately. The component has the origin of the first discovery.
    pub fn discovery<'v>(
        &mut self,
        kind: &'static str,
        name: &str,
        body: Body<'v>,
        component_source: ComponentSource<'_, 'p>,
    ) -> Expression<'static> {
        let mut block = self.block(kind, "", body);
        let mut text = String::new();
        layout::component(&mut text, &block);
        let label = match self.discoveries.get(&text) {
            Some(label) => label.clone(),
            None => {
                let label = self.label(kind, name);
                block.label = Cow::Borrowed(&label);
                self.append(ComponentGroup::Discoveries, block, component_source);
                self.discoveries.insert(text, label.clone());
                label
            }
        };
        Expression::Export(kind, label.into(), "targets")
    }

    /// Returns the expression for the content of a file that contains the value of `key`. The file's component is
    /// created when a setting that reads the file is written, which never happens if the setting's key is unknown.
    pub fn file_content(&mut self, name: &str, path: String, key: Option<AssetKey<'p>>) -> Expression<'static> {
        let label = match self.files.get(&path) {
            Some(label) => label.clone(),
            None => {
                let folders = ["_secrets_", "_configMaps_"];
                let own = folders.iter().find_map(|folder| name.strip_prefix(folder));
                let label = self.label("file", own.unwrap_or(name).trim_start_matches('_'));
                if let Some(key) = key {
                    self.unread_files.insert(label.clone());
                    self.new_files.push((label.clone(), path.clone(), key));
                }
                self.files.insert(path, label.clone());
                label
            }
        };
        Expression::Export(FILE, label.into(), "content")
    }

    fn put_files(&mut self) {
        for (label, path, key) in std::mem::take(&mut self.new_files) {
            if self.unread_files.contains(&label) {
                self.new_files.push((label, path, key));
                continue;
            }
            let component_source = match is_mounted(&path) {
                true => ComponentSource::File(key),
                false => ComponentSource::Key(key),
            };
            let body = Body::new().with("filename", path).with("is_secret", true);
            self.put_component(ComponentGroup::Files, FILE, &label, body, component_source);
        }
    }

    /// Finishes the configuration. A configuration without components consists of an empty line.
    pub fn finish(mut self) -> ConfigurationFacts {
        self.flush();
        if self.drops_samples {
            let metrics = Origin::new(self.plan.agent).at("spec.metrics");
            let message = "in `scrape_samples_post_metric_relabeling` and `scrape_series_added`, Alloy also counts samples that rules drop";
            let help = "change alerts and dashboards that read these series, or use --alloy-discovery=dynamic";
            self.report_loss(Code::ChangedCounter, metrics, message, help);
        }
        if self.is_empty {
            (self.piece)("\n", &[]);
        }
        ConfigurationFacts { losses: self.losses, has_masked: self.has_masked }
    }

    /// Passes on the components that jobs depend on. Afterward, the components of jobs in this group are passed on
    /// immediately.
    pub fn open_jobs(&mut self, group: ComponentGroup) {
        let place = group.place(true);
        self.put_files();
        self.pass_groups(place);
        self.open = Some(place);
    }

    /// Passes on the components of all groups.
    pub fn flush(&mut self) {
        self.put_files();
        self.pass_groups(GROUPS);
        self.open = None;
    }

    /// Passes on the components of the first `groups` groups.
    fn pass_groups(&mut self, groups: usize) {
        let groups = self.groups.iter_mut().take(groups).enumerate();
        for (group, text) in groups.filter(|(_, text)| !text.is_empty()) {
            match self.is_empty {
                true => {
                    let agent = self.plan.agent.meta.full_name();
                    let header = format!(
                        "// Generated by agentctl from GrafanaAgent {agent} and the resources it selects. Change those resources, not this file.\n\n"
                    );
                    (self.piece)(&header, &[]);
                }
                false => (self.piece)("\n", &[]),
            }
            let traced = self.traced.as_mut();
            let components = traced.and_then(|(_, groups)| groups.get_mut(group)).map(std::mem::take);
            (self.piece)(text, &components.unwrap_or_default());
            text.clear();
            self.is_empty = false;
        }
    }

    pub fn report_loss(&mut self, code: Code, origin: Origin<'p>, message: &str, help: &'static str) {
        self.losses.push(loss(code, origin, message, help));
    }

    /// Adds a finding for a lost field below `origin`.
    pub fn report_loss_below(
        &mut self,
        code: Code,
        (origin, below): (Origin<'p>, &FieldPath<'_>),
        message: &str,
        help: &'static str,
    ) {
        self.losses.push(origin.diagnostic_below(below, code, message).help(help));
    }
}

/// Prepares a body for writing: replaces variables, and adjusts arguments so that Alloy starts.
pub fn finish_body<'v>(name: &str, mut body: Body<'v>, environment: &AlloyEnvironment<'_>) -> Body<'v> {
    environment.replace(&mut body);
    let mut body = prepare(name, body, environment.version);
    escape_keys(&mut body);
    body
}
