use super::Fields;
use crate::source::Span;

/// The metadata of an object.
#[derive(Clone, Debug)]
pub struct Meta<'d> {
    /// Its namespace; empty if its kind has none.
    pub namespace: &'d str,
    pub name: &'d str,
    /// Its UID, which the cluster gives it.
    pub uid: &'d str,
    pub labels: Vec<(&'d str, &'d str)>,
    pub annotations: Vec<(&'d str, &'d str)>,
    /// Kind and name of the owner that controls it.
    pub controller: Option<(&'d str, &'d str)>,
    pub root: Fields<'d>,
}

impl<'d> Meta<'d> {
    pub(super) fn read(root: Fields<'d>, namespace: &'d str, is_cluster_wide: bool) -> Self {
        let meta = root.part("metadata");
        let controller = meta
            .items("ownerReferences")
            .find(|owner| owner.boolean("controller") == Some(true));
        Self {
            namespace: match meta.text("namespace") {
                _ if is_cluster_wide => "",
                "" => namespace,
                own => own,
            },
            name: meta.text("name"),
            uid: meta.text("uid"),
            labels: meta.texts("labels"),
            annotations: meta.texts("annotations"),
            controller: controller.map(|owner| (owner.text("kind"), owner.text("name"))),
            root,
        }
    }

    /// The same with the labels and annotations of other metadata, and without a controller.
    pub(super) fn with_labels_of(self, other: Fields<'d>) -> Self {
        Self {
            labels: other.texts("labels"),
            annotations: other.texts("annotations"),
            controller: None,
            ..self
        }
    }

    /// Where a label is; where it is missing, where the name is.
    pub fn label_span(&self, name: &str) -> Option<Span> {
        let label = self.root.part("metadata").part("labels").part(name);
        label.span().or_else(|| self.span())
    }

    /// The value of a label.
    pub fn label(&self, name: &str) -> Option<&'d str> {
        let label = self.labels.iter().find(|(known, _)| *known == name);
        label.map(|(_, value)| *value)
    }

    /// Where its name is.
    pub fn span(&self) -> Option<Span> {
        self.root.part("metadata").part("name").span()
    }
}
