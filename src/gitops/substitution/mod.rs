//! Flux's substitution of variables in built objects (`envsubst` in fluxcd/pkg), along with the origin of each
//! substituted part.

mod expression;
mod operators;
mod problem;

use std::collections::BTreeMap;

use expression::{Argument, Expression, ParseFailure, Part};
pub use problem::Problem;

/// Maximum size of text after substitution.
const MAX_SIZE: usize = 64 << 20;

/// Values of variables, by name.
pub type Variables = BTreeMap<String, String>;

/// Part of a substituted text that comes from an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub result: std::ops::Range<usize>,
    /// Range of the expression in the text.
    pub expression: std::ops::Range<usize>,
    /// Name of the variable.
    pub name: String,
}

/// Text after the substitution of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubstitutedText {
    pub text: String,
    pub replacements: Vec<Replacement>,
}

/// Replaces all expressions in `text` once. A variable without a value is an error unless its expression has a default.
///
/// # Errors
///
/// Returns the first problem.
pub fn substitute(text: &str, variables: &Variables) -> Result<SubstitutedText, Problem> {
    let mut result = SubstitutedText::default();
    if !text.contains('$') {
        result.text = text.to_owned();
        return Ok(result);
    }
    let parts = expression::parse(text).map_err(|ParseFailure { at, reason }| {
        let rest = text.get(at..).unwrap_or_default();
        let end =
            rest.find(['}', '\n']).map_or(rest.len(), |end| end + usize::from(rest.as_bytes().get(end) == Some(&b'}')));
        let expression = rest.get(..end).unwrap_or_default().chars().take(60).collect();
        Problem::Malformed { expression, reason }
    })?;
    for part in parts {
        match part {
            Part::Text { text, .. } => result.text.push_str(&text),
            Part::Expression { start, end, expression } => {
                let offset_before = result.text.len();
                result.text.push_str(&value(&expression, variables)?);
                let name = expression.name;
                result.replacements.push(Replacement {
                    result: offset_before..result.text.len(),
                    expression: start..end,
                    name,
                });
            }
        }
        if result.text.len() > MAX_SIZE {
            return Err(Problem::TooLarge);
        }
    }
    Ok(result)
}

fn value(expression: &Expression, variables: &Variables) -> Result<String, Problem> {
    let mut arguments = Vec::with_capacity(expression.arguments.len());
    for argument in &expression.arguments {
        arguments.push(match argument {
            Argument::Text(text) => text.clone(),
            Argument::Expression(expression) => value(expression, variables)?,
        });
    }
    let set = variables.get(&expression.name);
    if set.is_none() && !operators::is_default(&expression.operator) {
        return Err(Problem::Unset { name: expression.name.clone() });
    }
    operators::apply(&expression.operator, set.map_or("", String::as_str), &arguments)
}

/// Whether a variable's name is valid. An invalid name is an error even if the variable is not used.
pub fn is_valid_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_start = |byte: u8| byte == b'_' || byte.is_ascii_alphabetic();
    bytes.next().is_some_and(is_start) && bytes.all(|byte| is_start(byte) || byte.is_ascii_digit())
}

/// Returns the placeholder for a variable whose value is known only to the cluster.
pub fn placeholder(name: &str) -> String {
    format!("..PLACEHOLDER_{name}..")
}

/// Whether a string contains a placeholder, ignoring case.
pub fn has_placeholder(text: &str) -> bool {
    text.to_ascii_uppercase().contains("..PLACEHOLDER_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str) -> Result<String, String> {
        let variables = [("x", "abc-def"), ("e", ""), ("p", "/usr/local/lib"), ("u", "äb"), ("1x", "one")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        substitute(text, &variables).map(|substituted| substituted.text).map_err(|problem| match problem {
            Problem::Malformed { reason, .. } => reason.to_owned(),
            Problem::Unset { name } => format!("unset {name}"),
            problem => problem.to_string(),
        })
    }

    #[test]
    fn substitutes_like_flux() {
        for (text, expected) in [
            ("${x}", "abc-def"),
            ("${1x}", "one"),
            ("${q:-d}${q:=d}${q=d}${e:-d}${e=d}", "ddddd"),
            ("${q:+d}${q:?d}${x:+d}", "ddabc-def"),
            ("${#x}${#u}", "73"),
            ("${x^} ${x^^} ${x,} ${x,,}", "Abc-def ABC-DEF abc-def abc-def"),
            ("${x:1}|${x:1:2}|${x:9}|${x:a}|${x: -3}|${x:-3}", "bc-def|bc||abc-def|abc-def|abc-def"),
            ("${p#*/}|${p##*/}|${p%/*}|${p%%/*}", "usr/local/lib|lib|/usr/local|"),
            ("${x/b/B}|${x//e/E}|${x/#a/A}|${x/%f/F}|${x/a/}", "aBc-def|abc-dEf|Abc-def|abc-deF|bc-def"),
            ("${p/\\/usr/}|${p//\\//-}", "/local/lib|-usr-local-lib"),
            ("${q:-${x}}|${q:-a-${y:-b}-c}|${q:-\"a\"}", "abc-def|a-b-c|\"a\""),
            ("$x $(x) $1 end$", "$x $(x) $1 end$"),
            ("$${x}|$$x|$$|$$$${x}|$$${x}", "${x}|$x|$|$${x}|$abc-def"),
            ("\\${x}", "\\abc-def"),
            ("${q:-}|${q:=}", "|"),
            ("plain", "plain"),
        ] {
            assert_eq!(result(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn reports_variables_that_flux_rejects() {
        for (text, expected) in [
            ("${q}", "unset q"),
            ("${#q}", "unset q"),
            ("${q^^}", "unset q"),
            ("${q:0:1}", "unset q"),
            ("${q/a/b}", "unset q"),
            ("${q-d}", "missing closing brace"),
            ("${q+d}", "missing closing brace"),
            ("${x/a}", "bad substitution"),
            ("${}", "unable to parse variable name"),
            ("${ x }", "unable to parse variable name"),
            ("${!x}", "unable to parse variable name"),
            ("${a.b}", "missing closing brace"),
            ("${x[0]}", "missing closing brace"),
            ("${x", "missing closing brace"),
            ("${x:-a", "unable to parse substitution within function"),
            ("${x:0:-1}", "Flux crashes on a negative length"),
            ("${u:1}", "a value is cut inside a character"),
        ] {
            assert_eq!(result(text).unwrap_err(), expected, "{text}");
        }
        let nested_expression = "${a:-".repeat(200);
        assert_eq!(result(&nested_expression).unwrap_err(), "expressions are nested too deeply");
    }

    #[test]
    fn records_substituted_variables() {
        let variables = [("a".to_owned(), "long".to_owned())].into();
        let actual = substitute("x: $${a}${a}-${b:-c}", &variables).unwrap();
        assert_eq!(actual.text, "x: ${a}long-c");
        let replaced_pieces: Vec<_> =
            actual.replacements.iter().map(|piece| (piece.name.as_str(), &actual.text[piece.result.clone()])).collect();
        assert_eq!(replaced_pieces, [("a", "long"), ("b", "c")]);
    }

    #[test]
    fn validates_variable_names() {
        for (name, expected) in [("a_B1", true), ("_", true), ("1a", false), ("a-b", false), ("", false)] {
            assert_eq!(is_valid_name(name), expected, "{name}");
        }
        assert!(has_placeholder(&placeholder("x")) && has_placeholder(&placeholder("x").to_lowercase()));
    }
}
