//! Fields of a kustomization that cannot contain a secret.

use crate::input::kustomize;

/// Part of a kustomization that may be shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum VisiblePart {
    /// Text whose key is not secret. Credentials in it are masked as anywhere else.
    Text,
    /// File names. Other strings may be inline patches or values.
    Files,
    /// Fields of a mapping, or of each mapping in a list.
    Fields(&'static [(&'static str, VisiblePart)]),
}

use VisiblePart::{Fields, Files, Text};

const SELECTOR_FIELDS: &[(&str, VisiblePart)] = &[
    ("annotationSelector", Text),
    ("apiVersion", Text),
    ("create", Text),
    ("delimiter", Text),
    ("encoding", Text),
    ("group", Text),
    ("index", Text),
    ("kind", Text),
    ("labelSelector", Text),
    ("name", Text),
    ("namespace", Text),
    ("options", Text),
    ("version", Text),
];

const PATCH_FIELDS: &[(&str, VisiblePart)] = &[("options", Text), ("path", Text), ("target", Fields(SELECTOR_FIELDS))];

const GENERATOR_FIELDS: &[(&str, VisiblePart)] = &[
    ("behavior", Text),
    ("env", Files),
    ("envs", Files),
    ("files", Files),
    ("name", Text),
    ("namespace", Text),
    ("options", Text),
    ("type", Text),
];

const REPLACEMENT_FIELDS: &[(&str, VisiblePart)] = &[
    ("path", Text),
    ("source", Fields(SELECTOR_FIELDS)),
    ("targets", Fields(&[("options", Text), ("reject", Fields(SELECTOR_FIELDS)), ("select", Fields(SELECTOR_FIELDS))])),
];

const CHART_FIELDS: &[(&str, VisiblePart)] = &[
    ("additionalValuesFiles", Text),
    ("includeCRDs", Text),
    ("name", Text),
    ("namespace", Text),
    ("releaseName", Text),
    ("repo", Text),
    ("valuesFile", Text),
    ("version", Text),
];

/// The fields of a kustomization. All others are hidden, including field paths, which contain keys of Secrets.
pub(super) const KUSTOMIZATION_FIELDS: &[(&str, VisiblePart)] = &[
    ("apiVersion", Text),
    ("bases", Text),
    ("buildMetadata", Text),
    ("commonLabels", Text),
    ("components", Text),
    ("configMapGenerator", Fields(GENERATOR_FIELDS)),
    ("configurations", Text),
    ("crds", Text),
    ("generatorOptions", Text),
    ("generators", Files),
    ("helmCharts", Fields(CHART_FIELDS)),
    ("images", Text),
    ("kind", Text),
    ("labels", Text),
    ("metadata", Text),
    ("namePrefix", Text),
    ("nameSuffix", Text),
    ("namespace", Text),
    ("openapi", Text),
    ("patches", Fields(PATCH_FIELDS)),
    ("patchesJson6902", Fields(PATCH_FIELDS)),
    ("patchesStrategicMerge", Files),
    ("replacements", Fields(REPLACEMENT_FIELDS)),
    ("replicas", Text),
    ("resources", Text),
    ("secretGenerator", Fields(GENERATOR_FIELDS)),
    ("sortOptions", Text),
    ("transformers", Files),
    ("validators", Files),
];

/// Whether a file is a kustomization, judging by its name.
pub(super) fn is_kustomization(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    kustomize::FILES.contains(&name)
}

/// Returns the part of a field that may be shown, or `None` if the whole field must be hidden.
pub(super) fn visibility(fields: &[(&str, VisiblePart)], key: &str) -> Option<VisiblePart> {
    fields.iter().find(|(name, _)| *name == key).map(|(_, visibility)| *visibility)
}
