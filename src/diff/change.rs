//! An object that differs, and whether it must be recreated.

use std::{fmt, iter};

use serde::Serialize;
use serde_json::Value as Json;
use similar::ChangeTag;

use super::action::ApplyAction;
use super::configuration::{ConfigurationChange, ConfigurationDiff};
use super::options::DiffOptions;
use super::unified::{CHUNK_SIZE, DiffLine, DiffPart, Section};
use super::{masked, secret, unified};
use crate::diagnostic::ObjectKey;
use crate::output::Language;
use crate::printable::{Screen, Text};
use crate::yaml::{self, Value};

/// An object that differs. It shows secret values only on request, and never in its `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct ObjectChange {
    pub key: ObjectKey,
    pub action: ApplyAction,
    /// Immutable fields that differ. If any field is listed, the object must be deleted and recreated.
    pub recreate: Vec<String>,
    /// `<group>.<version>` or `<version>`, for use in file names.
    pub version: String,
    /// Changes inside the object's configuration, if the object contains one.
    pub configuration: Vec<ConfigurationChange>,
    pub(super) parts: Vec<DiffPart>,
    pub(super) sections: Vec<Section>,
}

impl fmt::Debug for ObjectChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectChange({:?} {}, recreate {:?})", self.action, self.key, self.recreate)
    }
}

impl ObjectChange {
    /// Returns the change between two states, or `None` if they are equal. `masked` is the new configuration with
    /// secrets masked, in compressed form.
    pub(super) fn compare(
        key: ObjectKey,
        mut before: Option<Json>,
        mut after: Option<Json>,
        masked: Option<(Language, &[u8])>,
        options: DiffOptions,
    ) -> Option<Self> {
        // A ConfigMap can contain a configuration, just like a Secret.
        let may_contain_configuration = matches!(key.kind.as_str(), "ConfigMap" | "Secret");
        if may_contain_configuration {
            before.iter_mut().chain(after.iter_mut()).for_each(secret::normalize);
        }
        if before == after {
            return None;
        }
        let texts = match may_contain_configuration {
            true => secret::unpack([&mut before, &mut after]),
            false => Default::default(),
        };
        let (action, recreate) = match (&before, &after) {
            (Some(before), Some(after)) if before == after && texts[0] == texts[1] => return None,
            (Some(before), Some(after)) => (ApplyAction::Changed, changed_immutable_fields(&key.kind, before, after)),
            (Some(_), None) => (ApplyAction::Removed, Vec::new()),
            (None, _) => (ApplyAction::Added, Vec::new()),
        };
        let version = version(after.as_ref().or(before.as_ref())?);
        let configurations = match may_contain_configuration {
            true => secret::reveal([&mut before, &mut after], &texts, masked, options),
            false => ConfigurationDiff::default(),
        };
        let (mut before, mut after) = (before.map(Value::from), after.map(Value::from));
        if !may_contain_configuration && !options.show_secrets {
            masked::hide(&mut before, &mut after);
        }
        let text =
            |object: Option<Value<'_>>| object.map(|object| yaml::write(&object, yaml::LibraryStyle::Kubernetes));
        let [old, new] = [before, after].map(|object| text(object).unwrap_or_default());
        let mut parts = Vec::new();
        unified::compare(&mut parts, &old, &new);
        let sections = unified::shift_sections(configurations.sections, unified::line_counts(&parts)).collect();
        unified::extend(&mut parts, configurations.parts);
        Some(Self { action, recreate, version, parts, sections, configuration: configurations.changes, key })
    }

    /// Returns the existing object as text, or an empty string if there is none. If the object contains a
    /// configuration, the options determine how much of the configuration is included.
    pub fn text_before(&self) -> String {
        unified::side(&self.parts, ChangeTag::Delete)
    }

    /// Returns the rendered object as text, or an empty string if it is not rendered.
    pub fn text_after(&self) -> String {
        unified::side(&self.parts, ChangeTag::Insert)
    }

    /// Returns the unified diff without a title line. `context` cannot exceed the number of context lines in the
    /// options.
    pub fn unified_diff(&self, context: usize) -> String {
        unified::text(&self.lines(context))
    }

    /// Returns the colored diff for a screen, in chunks of about 64 KiB.
    pub fn show(&self, context: usize, screen: Screen) -> impl Iterator<Item = Text> {
        let mut lines = self.lines(context).into_iter();
        iter::from_fn(move || {
            let mut text = Text::for_screen(screen);
            while text.as_str().len() < CHUNK_SIZE
                && let Some(line) = lines.next()
            {
                line.show(&mut text);
            }
            (!text.is_empty()).then_some(text)
        })
    }

    fn lines(&self, context: usize) -> Vec<DiffLine<'_>> {
        let name = self.key.to_string();
        let header = match self.action {
            ApplyAction::Added => ("/dev/null", name.as_str()),
            ApplyAction::Changed => (name.as_str(), name.as_str()),
            ApplyAction::Removed => (name.as_str(), "/dev/null"),
        };
        unified::unified_diff(&self.parts, &self.sections, header, context)
    }
}

/// Number of differing objects for each kind of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Number of objects that do not exist yet.
    pub added: usize,
    /// Number of objects that exist and differ.
    pub changed: usize,
    /// Number of changed objects that must be deleted and recreated.
    pub recreated: usize,
    /// Number of objects that exist but are not rendered.
    pub removed: usize,
}

impl Summary {
    /// Counts an object that differs.
    pub fn add(&mut self, change: &ObjectChange) {
        *match change.action {
            ApplyAction::Added => &mut self.added,
            ApplyAction::Changed => &mut self.changed,
            ApplyAction::Removed => &mut self.removed,
        } += 1;
        self.recreated += usize::from(!change.recreate.is_empty());
    }
}

fn version(object: &Json) -> String {
    let version = object.get("apiVersion").and_then(Json::as_str).unwrap_or_default();
    version.replace('/', ".")
}

/// Returns the immutable fields of a kind, based on `ValidateStatefulSetUpdate`, `ValidateDaemonSetUpdate`,
/// `ValidateDeploymentUpdate`, `ValidateServiceUpdate` and `ValidateRoleBindingUpdate` in Kubernetes.
fn immutable_fields(kind: &str) -> &'static [&'static str] {
    match kind {
        "DaemonSet" | "Deployment" => &["spec.selector"],
        "StatefulSet" => {
            &["spec.podManagementPolicy", "spec.selector", "spec.serviceName", "spec.volumeClaimTemplates"]
        }
        "Service" => &["spec.clusterIP"],
        "ClusterRoleBinding" | "RoleBinding" => &["roleRef"],
        _ => &[],
    }
}

/// Returns the immutable fields that differ, such as `spec.selector`.
fn changed_immutable_fields(kind: &str, before: &Json, after: &Json) -> Vec<String> {
    let value_at = |object: &Json, path: &str| path.split('.').try_fold(object, |object, key| object.get(key)).cloned();
    // A Service without a cluster IP has the type `ExternalName`, which may change.
    let is_set = |path: &str| kind != "Service" || value_at(before, path).is_some();
    let fields = immutable_fields(kind).iter().filter(|path| is_set(path));
    let fields = fields.filter(|path| value_at(before, path) != value_at(after, path));
    fields.map(|path| (*path).to_owned()).collect()
}
