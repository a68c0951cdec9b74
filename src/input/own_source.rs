//! Flux sources that the user declares to be this repository.

use std::str::FromStr;

/// A Flux source that is a directory in the repository, even though its address is different or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSource {
    kind: String,
    namespace: String,
    name: String,
    /// Directory, relative to the root of the repository.
    pub directory: String,
}

impl OwnSource {
    /// Whether this source has the given kind, namespace and name.
    pub fn is(&self, id: [&str; 3]) -> bool {
        [&self.kind, &self.namespace, &self.name] == id
    }
}

impl FromStr for OwnSource {
    type Err = String;

    /// Parses `KIND/NAMESPACE/NAME=DIR`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (id, directory) = text.split_once('=').unwrap_or((text, ""));
        match id.split('/').collect::<Vec<_>>().as_slice() {
            [kind, namespace, name] if text.contains('=') => Ok(Self {
                kind: (*kind).to_owned(),
                namespace: (*namespace).to_owned(),
                name: (*name).to_owned(),
                directory: directory.to_owned(),
            }),
            _ => Err("expected KIND/NAMESPACE/NAME=DIR, such as GitRepository/flux-system/apps=apps".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_source_and_its_directory() {
        let own: OwnSource = "GitRepository/flux-system/apps=deploy/apps".parse().unwrap();
        assert!(own.is(["GitRepository", "flux-system", "apps"]) && !own.is(["GitRepository", "other", "apps"]));
        assert_eq!(own.directory, "deploy/apps");
        let root: OwnSource = "Bucket/ns/a=".parse().unwrap();
        assert_eq!(root.directory, "");
        for text in ["", "a=b", "a/b=c", "a/b/c", "a/b/c/d=e"] {
            assert!(text.parse::<OwnSource>().is_err(), "{text}");
        }
    }
}
