//! The user's containers, merged into the operator's.

use k8s_openapi::api::core::v1::Container;
use serde_json::Value;

use crate::api::core::{Embedded, embedded, strategic_merge};

/// Patches each container of `base` with the last of `patches` that has its name, and appends those of other names
/// (`clientutil.MergePatchContainers`).
///
/// # Errors
///
/// When the result is no container; a patch that was decoded into a container gives one.
pub(super) fn merge_containers(
    base: Vec<Container>,
    patches: &[Container],
) -> Result<Vec<Container>, serde_json::Error> {
    let added: Vec<_> = patches
        .iter()
        .filter(|patch| base.iter().all(|container| container.name != patch.name))
        .cloned()
        .collect();
    let mut containers = Vec::with_capacity(base.len() + added.len());
    for container in base {
        containers.push(match patches.iter().rfind(|patch| patch.name == container.name) {
            Some(patch) => patch_container(&container, patch)?,
            None => container,
        });
    }
    containers.extend(added);
    Ok(containers)
}

fn patch_container(container: &Container, patch: &Container) -> Result<Container, serde_json::Error> {
    let mut merged = embedded::to_json(container)?;
    if let (Value::Object(original), Value::Object(patch)) = (&mut merged, embedded::to_json(patch)?) {
        strategic_merge::merge(Container::SHAPE, original, patch);
    }
    embedded::from_json(merged)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn container(json: Value) -> Container {
        embedded::from_json(json).unwrap()
    }

    #[test]
    fn the_last_patch_of_a_name_wins_and_others_are_appended() {
        let base = vec![
            container(json!({"name": "a", "image": "a:1", "args": ["x"]})),
            container(json!({"name": "b"})),
        ];
        let patches = [
            container(json!({"name": "c", "image": "c:1"})),
            container(json!({"name": "a", "image": "a:2"})),
            container(json!({"name": "c", "image": "c:2"})),
            container(json!({"name": "a", "image": "a:3"})),
        ];
        let merged = merge_containers(base, &patches).unwrap();
        let images: Vec<_> = merged.iter().map(|c| (c.name.as_str(), c.image.as_deref())).collect();
        assert_eq!(
            images,
            [("a", Some("a:3")), ("b", None), ("c", Some("c:1")), ("c", Some("c:2"))]
        );
        assert_eq!(merged[0].args.as_deref(), Some(["x".to_owned()].as_slice()));
    }

    #[test]
    fn a_patch_cannot_unset_a_value() {
        let base = vec![container(
            json!({"name": "a", "volumeMounts": [{"mountPath": "/m", "name": "m", "readOnly": true}]}),
        )];
        let patch = container(
            json!({"name": "a", "image": "", "volumeMounts": [{"mountPath": "/m", "name": "n", "readOnly": false}]}),
        );
        let merged = merge_containers(base, &[patch]).unwrap();
        let mount = &merged[0].volume_mounts.as_ref().unwrap()[0];
        assert_eq!((mount.name.as_str(), mount.read_only), ("n", Some(true)));
    }
}
