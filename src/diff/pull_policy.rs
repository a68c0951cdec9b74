//! `imagePullPolicy` where a container does not set it.

use std::sync::LazyLock;

use regex::Regex;

/// The grammar of image names: domain, path, tag and digest (`distribution/reference`).
static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let component = "[a-z0-9]+(?:(?:[._]|__|-*)[a-z0-9]+)*";
    let tag = "[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}";
    let digest = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";
    let name = format!(r"(?:(?P<domain>{label}(?:\.{label})*(?::[0-9]+)?)/)?{component}(?:/{component})*");
    Regex::new(&format!("^{name}(?::(?P<tag>{tag}))?(?:@(?P<digest>{digest}))?$")).ok()
});

/// `Always` for the tag `latest`, and for an image with neither tag nor digest. A name that cannot be parsed counts as one
/// with a tag (`SetDefaults_Container`, `parsers.ParseImageName`).
pub(super) fn pull_policy(image: &str) -> &'static str {
    let is_latest = IMAGE
        .as_ref()
        .and_then(|grammar| grammar.captures(image))
        .is_some_and(|parts| {
            let part = |name| parts.name(name).map(|part| part.as_str());
            // A first part without a dot or a port is no domain, and then it must be in lower case.
            let is_domain = |name: &str| name.contains(['.', ':']) || name == "localhost";
            let is_valid = part("domain").is_none_or(|domain| is_domain(domain) || domain.to_lowercase() == domain);
            is_valid && part("tag").map_or(part("digest").is_none(), |tag| tag == "latest") && !is_identifier(image)
        });
    if is_latest { "Always" } else { "IfNotPresent" }
}

/// Image IDs are refused as names.
fn is_identifier(image: &str) -> bool {
    image.len() == 64 && image.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_with_and_without_tags() {
        let digest = format!("@sha256:{}", "a".repeat(64));
        let (latest, tagged) = (format!("busybox:latest{digest}"), format!("busybox:1{digest}"));
        for (image, expected) in [
            ("busybox", "Always"),
            ("busybox:latest", "Always"),
            ("busybox:1", "IfNotPresent"),
            ("localhost:5000/busybox", "Always"),
            ("localhost:5000/busybox:1", "IfNotPresent"),
            ("a.example/b/c", "Always"),
            (&format!("busybox{digest}"), "IfNotPresent"),
            (&latest, "Always"),
            (&tagged, "IfNotPresent"),
            // None of these is a name.
            ("", "IfNotPresent"),
            ("Busybox", "IfNotPresent"),
            ("Team/busybox", "IfNotPresent"),
            ("busybox@sha256:aaaa", "IfNotPresent"),
            (&"a".repeat(64), "IfNotPresent"),
            ("busy box", "IfNotPresent"),
        ] {
            assert_eq!(pull_policy(image), expected, "{image}");
        }
    }
}
