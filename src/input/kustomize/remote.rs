//! Detection of strings that kustomize would fetch.

/// Schemes, hosts and prefixes that kustomize fetches without `//` after the colon.
const PREFIXES: &[&str] = &["http:", "https:", "gh:", "github.com/", "github.com:"];

/// Whether kustomize might fetch a string in a kustomization instead of reading a local file: a URL (`IsRemoteFile`),
/// or a repository (`NewRepoSpecFromURL`). Strings that only older versions of kustomize fetch also count as remote.
pub fn is_remote(text: &str) -> bool {
    let text: String = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control()).to_owned();
    let folded = fold_case(&text);
    has_scheme(&folded) || PREFIXES.iter().any(|prefix| folded.starts_with(prefix)) || has_user(&folded)
}

/// Whether a value such as `key=path` contains a remote path.
pub(super) fn has_remote_part(text: &str) -> bool {
    let starts = text.match_indices('=').map(|(at, _)| at + 1);
    is_remote(text) || (!text.contains('\n') && starts.filter_map(|at| text.get(at..)).any(is_remote))
}

/// Converts a string to lowercase for comparison, as Go does for schemes and for the names of JSON fields. The few
/// non-ASCII characters that correspond to ASCII letters are converted as well.
pub(super) fn fold_case(text: &str) -> String {
    let fold = |c: char| match c {
        '\u{130}' => 'i',
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(fold).collect()
}

/// Whether a string starts with a scheme such as `ssh://` or `git::`.
fn has_scheme(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        let mut bytes = scheme.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    };
    text.split_once(':')
        .is_some_and(|(scheme, rest)| is_scheme(scheme) && (rest.starts_with("//") || rest.starts_with(':')))
}

/// Whether a string starts with a user and host, as in `git@example.org:a/b` or `git@example.org/a/b`.
fn has_user(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, rest)| {
        let is_user = !user.is_empty() && !user.contains(['/', ':']) && !user.contains(char::is_whitespace);
        is_user && rest.contains(['/', ':'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_remote_resources_like_kustomize() {
        for text in [
            "https://example.org/a.yaml",
            "HTTPS://example.org/a.yaml",
            "hTTp://127.0.0.1:1/a",
            "http:example.org",
            " https://example.org/a",
            "ssh://git@example.org/a/b",
            "file:///a/b",
            "git::https://example.org/a",
            "GIT::example.org/a",
            "s3::https://example.org/a",
            "oci://example.org/a",
            "gh:a/b",
            "github.com/a/b",
            "GitHub.com:a/b",
            "g\u{130}thub.com/a/b",
            "git@example.org:a/b.git",
            "git@example.org/a/b",
            "org-1@github.com:a/b",
        ] {
            assert!(is_remote(text), "{text:?}");
            assert!(has_remote_part(text), "{text:?}");
            assert!(has_remote_part(&format!("key={text}")), "{text:?}");
        }
    }

    #[test]
    fn local_paths_are_not_remote() {
        for text in [
            "",
            "a.yaml",
            "../base",
            "./github.com/a/b",
            "/etc/a",
            "a:b.yaml",
            "C:a.yaml",
            "a@b.yaml",
            "a/b@c/d",
            "apiVersion: v1\nkind: Secret\nurl: https://example.org\n",
            "key=a.yaml",
            "github.comx/a",
        ] {
            assert!(!is_remote(text) && !has_remote_part(text), "{text:?}");
        }
        assert!(!has_remote_part("- op: add\n  value: --a=https://example.org\n"));
    }

    #[test]
    fn folds_case_like_go() {
        assert_eq!(fold_case("RESOURCE\u{17f}\u{212a}\u{130}\u{e4}"), "resourceski\u{e4}");
    }
}
