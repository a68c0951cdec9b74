//! One object that differs, as text, and whether it has to be created anew.

use std::{fmt, iter};

use serde::Serialize;
use serde_json::Value as Json;
use similar::ChangeTag;

use super::options::Options;
use super::unified::{Line, MANY, Part};
use super::{masked, secret, unified};
use crate::diagnostic::ObjectKey;
use crate::output::Language;
use crate::printable::{Screen, Text};
use crate::yaml::{self, Value};

/// What would happen to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is not there yet.
    Added,
    /// It exists, and differs.
    Changed,
    /// It exists, and is not rendered.
    Removed,
}

/// An object that differs. Its texts show secret values only where that was asked for; its `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Change {
    pub key: ObjectKey,
    pub action: Action,
    /// The fields because of which it must be deleted and created anew.
    pub recreate: Vec<String>,
    /// `<group>.<version>` or `<version>`, for names of files.
    pub version: String,
    pub(super) parts: Vec<Part>,
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Change({:?} {}, recreate {:?})",
            self.action, self.key, self.recreate
        )
    }
}

impl Change {
    /// What differs between two states; `None` where nothing does. `masked` is the new configuration without secrets, packed.
    pub(super) fn of(
        key: ObjectKey,
        mut before: Option<Json>,
        mut after: Option<Json>,
        masked: Option<(Language, &[u8])>,
        options: Options,
    ) -> Option<Self> {
        // A ConfigMap holds a configuration as a Secret does.
        let is_secret = matches!(key.kind.as_str(), "ConfigMap" | "Secret");
        if is_secret {
            before.iter_mut().chain(after.iter_mut()).for_each(secret::normalize);
        }
        if before == after {
            return None;
        }
        let texts = match is_secret {
            true => secret::unpack([&mut before, &mut after]),
            false => Default::default(),
        };
        let (action, recreate) = match (&before, &after) {
            (Some(before), Some(after)) if before == after && texts[0] == texts[1] => return None,
            (Some(before), Some(after)) => (Action::Changed, fixed_fields(&key.kind, before, after)),
            (Some(_), None) => (Action::Removed, Vec::new()),
            (None, _) => (Action::Added, Vec::new()),
        };
        let version = version(after.as_ref().or(before.as_ref())?);
        let configurations = match is_secret {
            true => secret::reveal([&mut before, &mut after], &texts, masked, options),
            false => Vec::new(),
        };
        let (mut before, mut after) = (before.map(Value::from), after.map(Value::from));
        if !is_secret && !options.show_secrets {
            masked::hide(&mut before, &mut after);
        }
        let text = |object: Option<Value<'_>>| object.map(|object| yaml::write(&object, yaml::Style::Kubernetes));
        let [old, new] = [before, after].map(|object| text(object).unwrap_or_default());
        let mut parts = Vec::new();
        unified::compare(&mut parts, &old, &new);
        unified::extend(&mut parts, configurations);
        Some(Self {
            action,
            recreate,
            version,
            parts,
            key,
        })
    }

    /// The object as it is; empty where it is not there. Of its configuration, this is what the options ask for.
    pub fn before(&self) -> String {
        unified::side(&self.parts, ChangeTag::Delete)
    }

    /// The object as it is rendered; empty where it is not.
    pub fn after(&self) -> String {
        unified::side(&self.parts, ChangeTag::Insert)
    }

    /// The unified diff, without the line that names the object. It has no more lines around a difference than the options ask for.
    pub fn unified(&self, context: usize) -> String {
        unified::text(&self.lines(context))
    }

    /// The same for people, some lines at a time.
    pub fn show(&self, context: usize, screen: Screen) -> impl Iterator<Item = Text> {
        let mut lines = self.lines(context).into_iter();
        iter::from_fn(move || {
            let mut text = Text::on(screen);
            while text.as_str().len() < MANY
                && let Some(line) = lines.next()
            {
                line.show(&mut text);
            }
            (!text.is_empty()).then_some(text)
        })
    }

    /// The lines of the unified diff.
    fn lines(&self, context: usize) -> Vec<Line<'_>> {
        let name = self.key.to_string();
        let header = match self.action {
            Action::Added => ("/dev/null", name.as_str()),
            Action::Changed => (name.as_str(), name.as_str()),
            Action::Removed => (name.as_str(), "/dev/null"),
        };
        unified::unified(&self.parts, header, context)
    }
}

/// Numbers of objects that differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// That are not there yet.
    pub added: usize,
    /// That are different.
    pub changed: usize,
    /// Of those that are different: that must be deleted and created anew.
    pub recreated: usize,
    /// That are not rendered.
    pub removed: usize,
}

impl Summary {
    /// Counts an object.
    pub fn add(&mut self, change: &Change) {
        *match change.action {
            Action::Added => &mut self.added,
            Action::Changed => &mut self.changed,
            Action::Removed => &mut self.removed,
        } += 1;
        self.recreated += usize::from(!change.recreate.is_empty());
    }
}

fn version(object: &Json) -> String {
    let version = object.get("apiVersion").and_then(Json::as_str).unwrap_or_default();
    version.replace('/', ".")
}

/// `ValidateStatefulSetUpdate`, `ValidateDaemonSetUpdate`, `ValidateDeploymentUpdate` and `ValidateRoleBindingUpdate` of
/// Kubernetes.
fn fixed(kind: &str) -> &'static [&'static str] {
    match kind {
        "DaemonSet" | "Deployment" => &["spec.selector"],
        "StatefulSet" => &[
            "spec.podManagementPolicy",
            "spec.selector",
            "spec.serviceName",
            "spec.volumeClaimTemplates",
        ],
        "ClusterRoleBinding" | "RoleBinding" => &["roleRef"],
        _ => &[],
    }
}

/// The fields that differ and may not, as `spec.selector`: the object has to be deleted and created anew.
fn fixed_fields(kind: &str, before: &Json, after: &Json) -> Vec<String> {
    let of = |object: &Json, path: &str| path.split('.').try_fold(object, |object, key| object.get(key)).cloned();
    let fields = fixed(kind).iter().filter(|path| of(before, path) != of(after, path));
    fields.map(|path| (*path).to_owned()).collect()
}
