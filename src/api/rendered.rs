//! How objects that agentctl rendered are told from those that people write, where both stand side by side.

use crate::yaml::Node;

/// The annotation with the name of the function that rendered an object. Only runs that write between their own inputs set
/// it: what `render` prints is the operator's.
pub const RENDERED_BY_ANNOTATION: &str = "agentctl.dev/rendered-by";

/// The name of the function that rendered an object; `None` of one that a person wrote.
pub fn rendered_by<'d>(object: Node<'d>) -> Option<&'d str> {
    let annotations = object.get("metadata")?.get("annotations")?;
    annotations.get(RENDERED_BY_ANNOTATION)?.as_str()
}
