//! An Integration's configuration and catalog entry.

use crate::check::walk::Json;
use crate::output::agent::keys;

/// Returns the configuration in a `spec` and the integration's catalog entry, or `None` if either is missing.
pub(super) fn configured(spec: Json<'_>) -> Option<(Json<'_>, &'static keys::KnownIntegration)> {
    let config = spec.set("config")?;
    Some((config, keys::find(spec.text("name"))?))
}
