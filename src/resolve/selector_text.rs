//! A selector written on the command line: `app=a,tier in (web,api),!canary` (apimachinery `labels.Parse`).

use crate::api::{LabelSelector, LabelSelectorRequirement};

/// Parses a selector as `metav1.ParseToLabelSelector` does; an empty text selects everything.
pub fn parse(text: &str) -> Result<LabelSelector<'_>, String> {
    let mut selector = LabelSelector::default();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (requirement, tail) = requirement(rest)?;
        rest = match tail.trim_start() {
            "" => "",
            tail => match tail.strip_prefix(',').map(str::trim) {
                Some("") => return Err("nothing follows the last `,`".to_owned()),
                Some(next) => next,
                None => return Err(format!("expected `,` or the end before `{tail}`")),
            },
        };
        add(&mut selector, requirement);
    }
    Ok(selector)
}

/// `key=value` becomes a label to match, anything else an expression.
fn add<'t>(selector: &mut LabelSelector<'t>, requirement: LabelSelectorRequirement<'t>) {
    match (requirement.operator, requirement.values.as_slice()) {
        ("=", &[value]) => selector.match_labels.insert(requirement.key, value),
        _ => selector.match_expressions.push(requirement),
    }
}

fn requirement(text: &str) -> Result<(LabelSelectorRequirement<'_>, &str), String> {
    if let Some(rest) = text.strip_prefix('!') {
        let (key, rest) = word(rest.trim_start());
        return Ok((expression(key, "DoesNotExist", Vec::new())?, rest));
    }
    let (key, rest) = word(text);
    let rest = rest.trim_start();
    for (sign, operator) in [("==", "="), ("=", "="), ("!=", "NotIn")] {
        if let Some(rest) = rest.strip_prefix(sign) {
            let (value, rest) = word(rest.trim_start());
            return Ok((expression(key, operator, vec![value])?, rest));
        }
    }
    let (name, after) = word(rest);
    match name {
        "in" => list(after).and_then(|(values, rest)| Ok((expression(key, "In", values)?, rest))),
        "notin" => list(after).and_then(|(values, rest)| Ok((expression(key, "NotIn", values)?, rest))),
        "" => Ok((expression(key, "Exists", Vec::new())?, rest)),
        other => Err(format!("`{other}` is no operator: expected `=`, `!=`, `in` or `notin`")),
    }
}

fn expression<'t>(
    key: &'t str,
    operator: &'t str,
    values: Vec<&'t str>,
) -> Result<LabelSelectorRequirement<'t>, String> {
    if key.is_empty() {
        return Err("expected the name of a label".to_owned());
    }
    Ok(LabelSelectorRequirement { key, operator, values })
}

/// `(a, b)`.
fn list(text: &str) -> Result<(Vec<&str>, &str), String> {
    let (inner, rest) = text
        .trim_start()
        .strip_prefix('(')
        .and_then(|text| text.split_once(')'))
        .ok_or("expected a list in parentheses")?;
    Ok((inner.split(',').map(str::trim).collect(), rest))
}

/// The characters up to the next sign or space.
fn word(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, '=' | '!' | ',' | '(' | ')' | '<' | '>'))
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::TextMap;

    #[test]
    fn the_forms_that_kubectl_knows() {
        let selector = parse("app=a, tier in (web, api),env!=dev,x notin (y),!canary,has").unwrap();
        assert_eq!(selector.match_labels, TextMap::from([("app", "a")]));
        let expressions: Vec<_> = selector
            .match_expressions
            .iter()
            .map(|e| (e.key, e.operator, e.values.clone()))
            .collect();
        assert_eq!(
            expressions,
            [
                ("tier", "In", vec!["web", "api"]),
                ("env", "NotIn", vec!["dev"]),
                ("x", "NotIn", vec!["y"]),
                ("canary", "DoesNotExist", vec![]),
                ("has", "Exists", vec![]),
            ]
        );
        assert!(parse("").is_ok());
        assert_eq!(parse("a==b").unwrap().match_labels, TextMap::from([("a", "b")]));
    }

    #[test]
    fn junk_is_refused() {
        for junk in ["a=b,", "=b", "a in b", "a near b", "a=b c", "a in (b", "a>1"] {
            assert!(parse(junk).is_err(), "{junk}");
        }
    }
}
