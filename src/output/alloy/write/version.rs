//! Version of Alloy that a configuration is written for.

/// Minor version. Patch releases add no arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlloyVersion {
    major: u32,
    minor: u32,
}

impl AlloyVersion {
    /// Oldest version that agentctl distinguishes. Older versions are treated the same.
    pub const OLDEST: Self = Self { major: 1, minor: 18 };
    pub const NEWEST: Self = Self { major: 1, minor: 19 };

    /// Returns the version in an image tag, or the newest version if the tag contains no version.
    pub fn from_image(image: &str) -> Self {
        let (name, _digest) = image.split_once('@').unwrap_or((image, ""));
        let tag = name.rsplit('/').next().and_then(|name| name.split_once(':'));
        let version = tag.and_then(|(_, tag)| Self::parse(tag.strip_prefix('v').unwrap_or(tag)));
        version.unwrap_or(Self::NEWEST).max(Self::OLDEST)
    }

    /// Parses `1.18`, `1.18.1`, `1.19.0-rc.3` and similar versions.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(['.', '-', '+']);
        let mut number = || parts.next()?.parse().ok();
        Some(Self { major: number()?, minor: number()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_from_the_image_tag() {
        let old = AlloyVersion::OLDEST;
        for (image, version) in [
            ("grafana/alloy:v1.18.1", old),
            ("grafana/alloy:1.18", old),
            ("grafana/alloy:v1.17.0", old),
            ("grafana/alloy:v1.18.1@sha256:abc", old),
            ("localhost:5000/alloy:v1.18.1-boringcrypto", old),
            ("grafana/alloy:v1.19.0-rc.3", AlloyVersion::NEWEST),
            ("grafana/alloy:latest", AlloyVersion::NEWEST),
            ("grafana/alloy:v1", AlloyVersion::NEWEST),
            ("grafana/alloy", AlloyVersion::NEWEST),
            ("localhost:5000/alloy", AlloyVersion::NEWEST),
            ("grafana/alloy@sha256:1.18", AlloyVersion::NEWEST),
            ("", AlloyVersion::NEWEST),
        ] {
            assert_eq!(AlloyVersion::from_image(image), version, "{image}");
        }
        assert!(AlloyVersion::from_image("a:v2.0.0") > AlloyVersion::NEWEST);
    }
}
