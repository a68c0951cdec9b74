use std::io;

use serde::Serialize;

use crate::pods::Object;
use crate::yaml::{Style, Value, write};

/// What is written: a manifest of one of the two systems.
pub trait Manifest: Serialize {
    /// Its kind.
    fn kind(&self) -> &str;

    /// Its namespace; empty where the kind has none.
    fn namespace(&self) -> &str;

    /// Its name.
    fn name(&self) -> &str;

    /// Whether only the owner of a file may read it.
    fn is_secret(&self) -> bool;

    /// Its text as `kubectl get -o yaml` writes it.
    ///
    /// # Errors
    ///
    /// Where it cannot be serialized.
    fn to_yaml(&self) -> io::Result<String>;
}

impl Manifest for Object {
    fn kind(&self) -> &str {
        self.kind()
    }

    fn namespace(&self) -> &str {
        self.namespace()
    }

    fn name(&self) -> &str {
        self.name()
    }

    fn is_secret(&self) -> bool {
        self.is_secret()
    }

    fn to_yaml(&self) -> io::Result<String> {
        Ok(write(&Value::from(self.to_json()), Style::Kubernetes))
    }
}
