//! Names of volumes and paths of their mounts, made from names of other objects.

/// The greatest length of a DNS label.
const MAX_LABEL: usize = 63;

/// A DNS label made from any text: lower case, runs of other characters become one `-`
/// (`clientutil.SanitizeVolumeName`).
pub fn sanitize(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    let mut in_run = false;
    // Go lowers each character to one character.
    for c in name.chars().filter_map(|c| c.to_lowercase().next()) {
        let allowed = c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if allowed {
            label.push(c);
        } else if !in_run {
            label.push('-');
        }
        in_run = !allowed;
    }
    label.truncate(MAX_LABEL);
    label.trim_matches('-').to_owned()
}

/// `directory/name` without `.`, `..` and empty elements, which Go's `path.Join` resolves. `directory` is absolute.
pub fn join_path(directory: &str, name: &str) -> String {
    let mut elements = Vec::new();
    for element in directory.split('/').chain(name.split('/')) {
        match element {
            "" | "." => {}
            ".." => drop(elements.pop()),
            element => elements.push(element),
        }
    }
    format!("/{}", elements.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_labels() {
        let cases = [
            ("secret-Tls.Cert", "secret-tls-cert"),
            ("secret-a..b__c", "secret-a-b-c"),
            ("secret-a.-b", "secret-a--b"),
            ("v0.44.8", "v0-44-8"),
            ("-x-", "x"),
            ("\u{130}\u{212a}ä", "ik"),
            ("", ""),
        ];
        for (name, label) in cases {
            assert_eq!(sanitize(name), label, "{name}");
        }
        assert_eq!(sanitize(&format!("{}.x", "a".repeat(62))), "a".repeat(62));
        assert_eq!(sanitize(&"a".repeat(70)).len(), 63);
    }

    #[test]
    fn paths_are_cleaned() {
        let cases = [
            ("c", "/a/b/c"),
            ("", "/a/b"),
            ("../c", "/a/c"),
            ("c//./d/", "/a/b/c/d"),
            ("../../../c", "/c"),
        ];
        for (name, path) in cases {
            assert_eq!(join_path("/a/b", name), path, "{name}");
        }
    }
}
