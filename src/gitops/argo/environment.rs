//! Environment variables that Argo CD sets for an Application's build (`newEnv`).

use crate::gitops::substitution::placeholder;

/// Environment variables of an Application's build.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'e> {
    pub name: &'e str,
    pub namespace: &'e str,
    pub project: &'e str,
    pub url: &'e str,
    pub path: &'e str,
    pub revision: &'e str,
}

impl Environment<'_> {
    /// Returns a variable's value. The commit is unknown, so it is a placeholder.
    fn get(&self, name: &str) -> String {
        match name {
            "$" => "$".to_owned(),
            "ARGOCD_APP_NAME" => self.name.to_owned(),
            "ARGOCD_APP_NAMESPACE" => self.namespace.to_owned(),
            "ARGOCD_APP_PROJECT_NAME" => self.project.to_owned(),
            "ARGOCD_APP_SOURCE_REPO_URL" => self.url.to_owned(),
            "ARGOCD_APP_SOURCE_PATH" => self.path.to_owned(),
            "ARGOCD_APP_SOURCE_TARGET_REVISION" => self.revision.to_owned(),
            "ARGOCD_APP_REVISION" | "ARGOCD_APP_REVISION_SHORT" | "ARGOCD_APP_REVISION_SHORT_8" => placeholder(name),
            _ => String::new(),
        }
    }

    /// Replaces `$name` and `${name}` (`os.Expand`). `$$` is a dollar sign.
    pub fn expand(&self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            result.push_str(before);
            if let Some(after_brace) = after.strip_prefix('{') {
                let Some((name, remaining)) = after_brace.split_once('}') else {
                    // As in Go, the start of an unclosed reference is dropped.
                    rest = after_brace;
                    continue;
                };
                result.push_str(&self.get(name));
                rest = remaining;
                continue;
            }
            let is_special = after.starts_with(['$', '*', '#', '@', '!', '?', '-'])
                || after.starts_with(|c: char| c.is_ascii_digit());
            let end = match is_special {
                true => 1,
                false => after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len()),
            };
            let (name, remaining) = after.split_at_checked(end).unwrap_or((after, ""));
            if name.is_empty() {
                result.push('$');
            } else {
                result.push_str(&self.get(name));
            }
            rest = remaining;
        }
        result.push_str(rest);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_variables_like_go() {
        let environment =
            Environment { name: "shop", namespace: "argocd", project: "p", url: "u", path: "a/b", revision: "main" };
        for (text, expected) in [
            ("x-$ARGOCD_APP_NAME", "x-shop"),
            ("${ARGOCD_APP_SOURCE_PATH}:1", "a/b:1"),
            ("$$x $", "$x $"),
            ("$HOME-${nope}.", "-."),
            ("a$-b", "ab"),
        ] {
            assert_eq!(environment.expand(text), expected, "{text}");
        }
    }
}
