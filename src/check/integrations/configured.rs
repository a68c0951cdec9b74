//! The configuration of an Integration, and its entry in the catalogue.

use crate::check::walk::Json;
use crate::output::agent::keys;

/// Returns the configuration in a `spec`, with what the catalogue has of the integration, or `None` if one of them is missing.
pub(super) fn configured(spec: Json<'_>) -> Option<(Json<'_>, &'static keys::Entry)> {
    let config = spec.set("config")?;
    Some((config, keys::find(spec.text("name"))?))
}
