//! Objects that the operator creates.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use super::compact::CompactValue;
use super::metadata::{MANAGED_BY, Metadata, RIGHTS_LABEL};
use super::role::{AgentName, ObjectRole, is_kind, shard_name};
use super::shards::Shards;
use crate::diagnostic::ObjectKey;
use crate::go::base64;
use crate::output::{Language, Variables};
use crate::plan::ConfigKind;
use crate::yaml::{self, LibraryStyle, Node};

/// Objects to write: those of each agent, and those that do not belong to any agent.
#[derive(Debug, Default)]
pub struct Objects {
    /// RBAC objects that agents need to access the API server, if requested.
    pub rights: Vec<Object>,
    /// Input objects to write unchanged, if requested.
    pub passed: Vec<Object>,
    /// Objects of each agent, sorted by namespace and name.
    pub agents: Vec<AgentObjects>,
    /// Service and Endpoints for the kubelets.
    pub others: Vec<Object>,
}

#[derive(Debug)]
pub struct AgentObjects {
    pub agent: AgentName,
    /// Objects in the order in which the operator creates them.
    pub objects: Vec<Object>,
    /// Whether `<agent>-secrets` is created by another program.
    pub has_external_values: bool,
    /// Variables in each configuration, including those in Secret values.
    pub variables: Vec<(ConfigKind, Variables)>,
    /// Whether any configuration may contain a string that the agent reads differently.
    pub may_be_misread: bool,
}

impl Objects {
    /// Returns all objects: the input objects, followed by the rendered objects.
    pub fn iter(&self) -> impl Iterator<Item = &Object> {
        self.passed.iter().chain(self.rendered_objects())
    }

    /// Returns the rendered objects: the RBAC objects, followed by the objects of each agent and then all others.
    pub fn rendered_objects(&self) -> impl Iterator<Item = &Object> {
        let agent_objects = self.agents.iter().flat_map(|agent| &agent.objects);
        self.rights.iter().chain(agent_objects).chain(&self.others)
    }

    /// Returns mutable references to the rendered objects.
    pub fn rendered_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        let agent_objects = self.agents.iter_mut().flat_map(|agent| &mut agent.objects);
        self.rights.iter_mut().chain(agent_objects).chain(&mut self.others)
    }

    /// Whether no objects are rendered.
    pub fn is_empty(&self) -> bool {
        self.rendered_objects().next().is_none()
    }

    /// Returns an agent's objects, or an empty slice if the agent was not rendered.
    pub fn agent_objects(&self, agent: &AgentName) -> &[Object] {
        let entry = self.agents.binary_search_by(|other| other.agent.cmp(agent));
        let entry = entry.ok().and_then(|at| self.agents.get(at));
        entry.map_or(&[], |entry| &entry.objects)
    }
}

/// A rendered or input object. It may contain secret values, so `Debug` shows only the object's identity.
#[derive(Clone)]
pub struct Object {
    role: ObjectRole,
    api_version: Cow<'static, str>,
    kind: Cow<'static, str>,
    namespace: Arc<str>,
    name: String,
    content: ManifestContent,
    masked: Option<(Language, Vec<u8>)>,
}

/// API version and kind of an object.
pub(super) type ObjectType = (&'static str, &'static str);

pub(super) const CLUSTER_ROLE: ObjectType = ("rbac.authorization.k8s.io/v1", "ClusterRole");
pub(super) const CLUSTER_ROLE_BINDING: ObjectType = ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding");
pub(super) const CONFIG_MAP: ObjectType = ("v1", "ConfigMap");
pub(super) const DAEMON_SET: ObjectType = ("apps/v1", "DaemonSet");
pub(super) const DEPLOYMENT: ObjectType = ("apps/v1", "Deployment");
pub(super) const ENDPOINTS: ObjectType = ("v1", "Endpoints");
pub(super) const EXTERNAL_SECRET: ObjectType = ("external-secrets.io/v1", "ExternalSecret");
pub(super) const ROLE: ObjectType = ("rbac.authorization.k8s.io/v1", "Role");
pub(super) const ROLE_BINDING: ObjectType = ("rbac.authorization.k8s.io/v1", "RoleBinding");
pub(super) const SECRET: ObjectType = ("v1", "Secret");
pub(super) const SERVICE: ObjectType = ("v1", "Service");
pub(super) const SERVICE_ACCOUNT: ObjectType = ("v1", "ServiceAccount");
pub(super) const STATEFUL_SET: ObjectType = ("apps/v1", "StatefulSet");

/// Whether an object in the input may have been rendered by the operator or by agentctl, judging by its kind and its
/// `app.kubernetes.io/managed-by` label.
pub fn is_rendered(object: Node<'_>) -> bool {
    let labels = object.get("metadata").and_then(|metadata| metadata.get("labels"));
    let manager = labels.and_then(|labels| labels.get(MANAGED_BY.0)).and_then(Node::as_str);
    let is_known = [MANAGED_BY.1, RIGHTS_LABEL.1].into_iter().any(|known| manager == Some(known));
    is_known && is_kind(object.text("kind"))
}

/// Returns an object's manifest. `fields` contains all fields except type and metadata.
pub(super) fn manifest((api_version, kind): ObjectType, metadata: Metadata, mut fields: Value) -> Value {
    if let Value::Object(manifest) = &mut fields {
        manifest.insert("apiVersion".to_owned(), api_version.into());
        manifest.insert("kind".to_owned(), kind.into());
        manifest.insert("metadata".to_owned(), metadata.into_json());
    }
    fields
}

#[derive(Clone)]
enum ManifestContent {
    Manifest(CompactValue),
    /// A Secret or ConfigMap without its data. The data is stored separately and encoded on demand.
    Data(Box<(Value, BTreeMap<String, Vec<u8>>)>),
    /// A Secret like `Data`, but with its strings written as `stringData`.
    Text(Box<(Value, BTreeMap<String, Vec<u8>>)>),
    /// StatefulSet with this shard number.
    Shard(Arc<Shards>, i32),
    /// An object from the input with its source text.
    Passed(CompactValue, String),
}

impl Object {
    /// Creates an object. `fields` contains all fields except type and metadata.
    pub(super) fn new(role: ObjectRole, object_type: ObjectType, metadata: Metadata, fields: Value) -> Self {
        Self::with_content(role, object_type, metadata, |metadata| {
            ManifestContent::Manifest(CompactValue::new(&manifest(object_type, metadata, fields)))
        })
    }

    /// Creates an object that does not belong to an agent.
    pub fn other(object_type: (&'static str, &'static str), namespace: &str, name: &str, manifest: &Value) -> Self {
        let metadata = Metadata::new(name.to_owned(), namespace, BTreeMap::new());
        Self::with_content(ObjectRole::Other, object_type, metadata, |_| {
            ManifestContent::Manifest(CompactValue::new(manifest))
        })
    }

    /// Creates an object from the input, which is written unchanged as `text`.
    ///
    /// Items of a typed list, such as a `SecretList`, do not set their own type.
    pub fn from_input((api_version, kind): (&str, &str), root: Node<'_>, mut text: String) -> Self {
        let mut manifest = yaml::to_json(root);
        if let (None, Some(fields)) = (root.get("kind"), manifest.as_object_mut()) {
            fields.insert("apiVersion".to_owned(), api_version.into());
            fields.insert("kind".to_owned(), kind.into());
            text = yaml::write(&manifest.clone().into(), LibraryStyle::Kubernetes);
        }
        Self {
            role: ObjectRole::Other,
            api_version: api_version.to_owned().into(),
            kind: kind.to_owned().into(),
            namespace: root.text("metadata.namespace").into(),
            name: root.text("metadata.name").to_owned(),
            content: ManifestContent::Passed(CompactValue::new(&manifest), text),
            masked: None,
        }
    }

    fn with_content(
        role: ObjectRole,
        object_type: ObjectType,
        metadata: Metadata,
        content: impl FnOnce(Metadata) -> ManifestContent,
    ) -> Self {
        Self {
            role,
            api_version: object_type.0.into(),
            kind: object_type.1.into(),
            namespace: Arc::clone(&metadata.namespace),
            name: metadata.name.clone(),
            content: content(metadata),
            masked: None,
        }
    }

    /// Creates a Secret or ConfigMap. In a ConfigMap, values that are not valid UTF-8 are stored in `binaryData`.
    pub(super) fn with_values(
        role: ObjectRole,
        object_type: ObjectType,
        metadata: Metadata,
        data: BTreeMap<String, Vec<u8>>,
    ) -> Self {
        Self::with_content(role, object_type, metadata, |metadata| {
            ManifestContent::Data(Box::new((manifest(object_type, metadata, json!({})), data)))
        })
    }

    /// Creates the StatefulSets of an agent, which share their content.
    pub(super) fn shards(shards: Shards, metadata: &Metadata) -> impl Iterator<Item = Self> + use<> {
        let (namespace, agent) = (Arc::clone(&metadata.namespace), metadata.name.clone());
        let shards = Arc::new(shards);
        (0..=shards.last_number()).map(move |number| Self {
            role: ObjectRole::Pods(ConfigKind::Metrics),
            api_version: STATEFUL_SET.0.into(),
            kind: STATEFUL_SET.1.into(),
            namespace: Arc::clone(&namespace),
            name: shard_name(&agent, number),
            content: ManifestContent::Shard(Arc::clone(&shards), number),
            masked: None,
        })
    }

    /// Writes the strings in a Secret as `stringData`, which the API server converts to `data`.
    pub fn write_strings(&mut self) {
        if let (true, ManifestContent::Data(secret)) = (self.is_secret(), &mut self.content) {
            self.content = ManifestContent::Text(std::mem::take(secret));
        }
    }

    /// Returns the Secret or ConfigMap with a different configuration.
    #[must_use]
    pub fn with_configuration(mut self, configuration: &[u8]) -> Self {
        if let ManifestContent::Data(secret) = &mut self.content {
            secret.1.values_mut().for_each(|value| *value = configuration.to_vec());
        }
        self.masked = None;
        self
    }

    /// Returns the object with an additional, masked configuration in the given language.
    #[must_use]
    pub fn with_masked(mut self, language: Language, configuration: Vec<u8>) -> Self {
        self.masked = Some((language, configuration));
        self
    }

    /// Returns the masked configuration, if requested. It has the same lines as the actual configuration and is
    /// compressed in the same way.
    pub fn masked_configuration(&self) -> Option<(Language, &[u8])> {
        self.masked.as_ref().map(|(language, configuration)| (*language, configuration.as_slice()))
    }

    /// Returns the Secret with different data.
    #[must_use]
    pub fn with_data(mut self, data: BTreeMap<String, Vec<u8>>) -> Self {
        if let ManifestContent::Data(secret) = &mut self.content {
            secret.1 = data;
        }
        self
    }

    pub fn role(&self) -> ObjectRole {
        self.role
    }

    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the API group of the kind, or an empty string for the core group.
    pub fn group(&self) -> &str {
        self.api_version.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the resource name as in `kubectl get -o name`: `statefulset.apps/agent`.
    pub fn resource_name(&self) -> String {
        let kind = self.kind().to_lowercase();
        match self.group() {
            "" => format!("{kind}/{}", self.name),
            group => format!("{kind}.{group}/{}", self.name),
        }
    }

    /// Returns the namespace, or an empty string if the kind is cluster-scoped.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind, namespace and name.
    pub fn key(&self) -> ObjectKey {
        ObjectKey::new(self.kind(), &self.namespace, &self.name)
    }

    /// Whether the object is a Secret.
    pub fn is_secret(&self) -> bool {
        (self.api_version.as_ref(), self.kind.as_ref()) == SECRET
    }

    /// Returns the total size in bytes of the values in a Secret or ConfigMap, as measured by the API server, or 0 for
    /// other objects.
    pub fn value_bytes(&self) -> usize {
        match &self.content {
            ManifestContent::Data(secret) | ManifestContent::Text(secret) => secret.1.values().map(Vec::len).sum(),
            ManifestContent::Passed(..) if self.is_secret() => {
                let manifest = self.to_json();
                let values = ["data", "stringData"].into_iter().filter_map(|field| manifest.get(field)?.as_object());
                values.flatten().filter_map(|(_, value)| value.as_str()).map(str::len).sum()
            }
            _ => 0,
        }
    }

    /// Whether the object is the StatefulSet of a shard other than the first and the last. Such a shard has all
    /// properties that the first and last shards have in common.
    pub fn is_middle_shard(&self) -> bool {
        matches!(&self.content, ManifestContent::Shard(shards, number) if *number > 0 && *number < shards.last_number())
    }

    /// Returns the manifest as the operator's JSON, without fields that only the API server sets.
    pub fn to_json(&self) -> Value {
        match &self.content {
            ManifestContent::Manifest(manifest) => manifest.value(),
            ManifestContent::Shard(shards, number) => shards.to_json(*number),
            ManifestContent::Passed(manifest, _) => manifest.value(),
            ManifestContent::Data(secret) | ManifestContent::Text(secret) => {
                let (manifest, data) = &**secret;
                let mut manifest = manifest.clone();
                let is_text = matches!(self.content, ManifestContent::Text(_));
                for (key, value) in data {
                    let text = std::str::from_utf8(value).ok().filter(|_| is_text || !self.is_secret());
                    let (field, value) = match text {
                        Some(text) if is_text => ("stringData", text.to_owned()),
                        Some(text) => ("data", text.to_owned()),
                        None if self.is_secret() => ("data", base64::encode(value)),
                        None => ("binaryData", base64::encode(value)),
                    };
                    if let Some(values) = manifest.as_object_mut().map(|fields| fields.entry(field))
                        && let Some(values) = values.or_insert_with(|| json!({})).as_object_mut()
                    {
                        values.insert(key.clone(), value.into());
                    }
                }
                manifest
            }
        }
    }

    /// Returns the manifest as YAML in the format of `kubectl get -o yaml`.
    pub fn to_yaml(&self) -> String {
        if let ManifestContent::Passed(_, text) = &self.content {
            return text.clone();
        }
        yaml::write(&self.to_json().into(), LibraryStyle::Kubernetes)
    }

    /// Returns the approximate size in the output, in bytes. For a Secret or ConfigMap, only the data is counted,
    /// because it makes up most of the size. The size of the first shard is used for all shards, which are nearly the
    /// same size.
    pub(super) fn size(&self) -> u64 {
        match &self.content {
            ManifestContent::Manifest(manifest) | ManifestContent::Passed(manifest, _) => manifest.size(),
            ManifestContent::Shard(shards, 0) => shards.size(),
            ManifestContent::Shard(..) => 0,
            ManifestContent::Data(secret) | ManifestContent::Text(secret) => {
                let data = secret.1.iter();
                data.map(|(key, value)| (key.len() + value.len().div_ceil(3) * 4) as u64).sum()
            }
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind(), self.namespace, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::metadata::MetadataMap;
    use super::*;
    use crate::testing;

    #[test]
    fn resource_names_include_the_group() {
        for (object_type, group, name) in [
            (SERVICE_ACCOUNT, "", "serviceaccount/a"),
            (STATEFUL_SET, "apps", "statefulset.apps/a"),
            (CLUSTER_ROLE, "rbac.authorization.k8s.io", "clusterrole.rbac.authorization.k8s.io/a"),
        ] {
            let object = Object::other(object_type, "n", "a", &json!({}));
            assert_eq!((object.group(), object.resource_name().as_str()), (group, name));
            let key = object.key();
            assert_eq!((key.kind.as_str(), &*key.namespace, &*key.name), (object_type.1, "n", "a"));
            assert_eq!(object.to_json(), json!({}));
        }
    }

    /// Creates a Secret or ConfigMap with these values.
    fn object_with_values(object_type: ObjectType, values: &[(&str, &[u8])]) -> Object {
        let metadata = Metadata::new("a".to_owned(), "n", MetadataMap::new());
        let values = values.iter().map(|(key, value)| ((*key).to_owned(), value.to_vec()));
        Object::with_values(ObjectRole::Configuration(ConfigKind::Logs), object_type, metadata, values.collect())
    }

    #[test]
    fn stores_and_replaces_values() {
        let values: &[(&str, &[u8])] = &[("text", b"a"), ("bytes", b"\xff")];
        let (secret, map) = (object_with_values(SECRET, values), object_with_values(CONFIG_MAP, values));
        assert!(secret.is_secret() && !map.is_secret());
        assert_eq!(secret.to_json()["data"], json!({"text": "YQ==", "bytes": "/w=="}));
        assert_eq!(secret.to_json().get("binaryData"), None);
        assert_eq!(map.to_json()["data"], json!({"text": "a"}));
        assert_eq!(map.to_json()["binaryData"], json!({"bytes": "/w=="}));
        assert_eq!(secret.value_bytes(), 2);
        assert_eq!(object_with_values(SECRET, &[]).to_json().get("data"), None);

        let masked_secret = secret.clone().with_masked(Language::Alloy, b"***".to_vec());
        assert_eq!(masked_secret.masked_configuration(), Some((Language::Alloy, b"***".as_slice())));
        assert_eq!(masked_secret.to_json(), secret.to_json());
        let secret_with_configuration = masked_secret.with_configuration(b"b");
        assert_eq!(
            (secret_with_configuration.masked_configuration(), secret_with_configuration.value_bytes()),
            (None, 2)
        );
        assert_eq!(secret_with_configuration.to_json()["data"], json!({"text": "Yg==", "bytes": "Yg=="}));
        let secret_with_data = secret.with_data(BTreeMap::from([("c".to_owned(), b"text".to_vec())]));
        assert_eq!(secret_with_data.to_json()["data"], json!({"c": "dGV4dA=="}));
        assert_eq!(secret_with_data.value_bytes(), 4);
        assert_eq!(Object::other(SERVICE, "n", "a", &json!({})).value_bytes(), 0);
    }

    #[test]
    fn writes_strings_only_if_requested() {
        let values: &[(&str, &[u8])] = &[("text", b"a"), ("bytes", b"\xff")];
        let mut secret = object_with_values(SECRET, values);
        secret.write_strings();
        let json = secret.to_json();
        assert_eq!((&json["stringData"], &json["data"]), (&json!({"text": "a"}), &json!({"bytes": "/w=="})));
        assert_eq!(secret.value_bytes(), 2);
        let mut map = object_with_values(CONFIG_MAP, values);
        map.write_strings();
        assert_eq!(map.to_json().get("stringData"), None);
    }

    #[test]
    fn size_counts_encoded_values() {
        // Base64 encodes three bytes as four characters.
        for (value, size) in [("", 3), ("a", 7), ("abc", 7), ("abcd", 11)] {
            let object = object_with_values(SECRET, &[("key", value.as_bytes())]);
            assert_eq!(object.size(), size, "{value}");
        }
    }

    #[test]
    fn first_shard_size_includes_all_shards() {
        let set = |number: i32| json!({"metadata": {"name": shard_name("a", number)}, "number": number.to_string()});
        let metadata = Metadata::new("a".to_owned(), "n", MetadataMap::new());
        let shards = |count| Object::shards(Shards::new("a", count, set), &metadata).collect::<Vec<_>>();
        let single_shard = shards(1);
        assert_eq!((single_shard.len(), single_shard[0].is_middle_shard()), (1, false));
        let all_shards = shards(4);
        let is_middle: Vec<_> = all_shards.iter().map(Object::is_middle_shard).collect();
        assert_eq!(is_middle, [false, true, true, false]);
        let sizes: Vec<_> = all_shards.iter().map(Object::size).collect();
        assert_eq!(sizes, [4 * single_shard[0].size(), 0, 0, 0]);
        assert!(single_shard[0].size() > 0);
        for (number, shard) in (0..).zip(&all_shards) {
            assert_eq!((shard.to_json(), shard.name()), (set(number), &*shard_name("a", number)));
        }
    }

    #[test]
    fn recognizes_rendered_objects() {
        let label = MANAGED_BY.0;
        for (kind, manager, expected) in [
            ("Secret", MANAGED_BY.1, true),
            ("StatefulSet", MANAGED_BY.1, true),
            ("Endpoints", MANAGED_BY.1, true),
            ("ClusterRole", RIGHTS_LABEL.1, true),
            ("ServiceAccount", RIGHTS_LABEL.1, true),
            ("Pod", MANAGED_BY.1, false),
            ("Secret", "Helm", false),
            ("Secret", "", false),
        ] {
            let text = format!("kind: {kind}\nmetadata: {{labels: {{{label}: '{manager}'}}}}\n");
            let documents = testing::documents(&text);
            assert_eq!(is_rendered(documents[0].root()), expected, "{text}");
        }
    }

    #[test]
    fn looks_up_objects_by_agent() {
        let name = |name: &str| AgentName { namespace: "n".to_owned(), name: name.to_owned() };
        let service = |name: &str| Object::other(SERVICE, "n", name, &json!({}));
        let objects_of_agent = |agent: &str| AgentObjects {
            agent: name(agent),
            objects: vec![service(agent)],
            has_external_values: false,
            variables: Vec::new(),
            may_be_misread: false,
        };
        let objects = Objects {
            rights: vec![service("rights")],
            passed: vec![service("passed")],
            agents: vec![objects_of_agent("a"), objects_of_agent("c")],
            others: vec![service("other")],
        };
        let names: Vec<_> = objects.iter().map(Object::name).collect();
        assert_eq!(names, ["passed", "rights", "a", "c", "other"]);
        for (agent, expected) in [("a", 1), ("b", 0), ("c", 1)] {
            let actual = objects.agent_objects(&name(agent));
            assert_eq!(actual.len(), expected, "{agent}");
            assert!(actual.iter().all(|object| object.name() == agent), "{agent}");
        }
        assert!(!objects.is_empty() && Objects::default().is_empty());
    }

    #[test]
    fn debug_hides_secret_values() {
        let metadata = Metadata {
            name: "a".to_owned(),
            namespace: "n".into(),
            labels: MetadataMap::new(),
            annotations: MetadataMap::new(),
            owners: None,
        };
        let data = BTreeMap::from([("k".to_owned(), b"hidden".to_vec())]);
        let object = Object::with_values(ObjectRole::Values, SECRET, metadata, data);
        assert_eq!(format!("{object:?}"), "Secret/n/a");
        assert_eq!(
            object.to_json(),
            json!({
                "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "n"},
                "data": {"k": "aGlkZGVu"},
            })
        );
    }
}
