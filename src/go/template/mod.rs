//! Go templates (`text/template`): a check with the functions that log stages provide, and an executor.

mod build;
mod builtins;
mod execute;
mod failure;
mod format;
mod function;
mod functions;
mod lexer;
mod node;
mod parser;
mod problem;
mod value;

use crate::budget::Budget;
use build::Builder;
use execute::{Context, Executor};
use lexer::{Lexer, TemplateToken};
use parser::Parser;
use problem::TemplateProblem;

pub use builtins::builtin;
pub use execute::MissingKey;
pub use failure::Failure;
pub use function::{Call, Function, Outcome};
pub use value::{ListKind, MapKind, TemplateValue};

/// Reason why a template is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Problem, as a phrase that follows the template in a message.
    pub predicate: String,
    /// Help text for the problem.
    pub help: &'static str,
}

/// Checks a template, and returns the first error that makes Promtail and Alloy reject it (`template.Parse`).
pub fn check(template: &str) -> std::result::Result<(), Error> {
    check_with(template, functions::is_function)
}

/// Checks a template that may use only Go's built-in functions, and returns the first error.
pub fn check_builtin(template: &str) -> std::result::Result<(), Error> {
    check_with(template, functions::is_builtin)
}

/// Returns the names in a template's actions: keywords, functions, and fields of the data with their dot, such as
/// `.Value`. Fields of other values are excluded. If the template is invalid, only the names before the error are
/// returned.
pub fn names(template: &str) -> Vec<&str> {
    let (mut lexer, mut names, mut follows_value) = (Lexer::new(template), Vec::new(), false);
    while let Ok((token, _)) = lexer.next() {
        match token {
            TemplateToken::End => break,
            TemplateToken::Field(name) if !follows_value => names.push(name),
            TemplateToken::Identifier(name) | TemplateToken::Keyword(name) => names.push(name),
            _ => {}
        }
        follows_value = match token {
            TemplateToken::Variable(name) => name != "$",
            TemplateToken::Field(_) | TemplateToken::Identifier(_) | TemplateToken::RightParenthesis => true,
            _ => false,
        };
    }
    names
}

/// Functions that templates can call.
#[derive(Clone, Copy)]
pub struct Functions {
    /// Whether the program offers a function to templates.
    pub is_known: fn(&str) -> bool,
    /// Lookup of a function by name, which returns `None` if the function is not supported.
    pub find: fn(&str) -> Option<Function>,
}

/// Returns the output of a template (`Template.Execute`).
///
/// Nested definitions are not supported. Each node, operand and result byte counts as a step.
///
/// # Errors
///
/// Returns Go's first error, the first unsupported feature, or [`Failure::Limit`].
pub fn execute(
    template: &str,
    data: &TemplateValue,
    functions: Functions,
    missing_key: MissingKey,
    steps: &Budget,
) -> Result<String, Failure> {
    steps.spend(template.len() as u64).map_err(|_| Failure::Limit)?;
    if !template.contains("{{") {
        return Ok(template.to_owned());
    }
    check_with(template, functions.is_known).map_err(|error| Failure::Error(error.predicate))?;
    let nodes = Builder::new(template).build_template();
    let nodes = nodes.map_err(|problem| Failure::Unsupported(problem.predicate))?;
    Executor::new(Context { data, functions: &functions.find, missing_key, steps }).run(&nodes)
}

fn check_with(template: &str, is_function: fn(&str) -> bool) -> std::result::Result<(), Error> {
    let Err(TemplateProblem { at, predicate, help }) = Parser::new(template, is_function).parse_template() else {
        return Ok(());
    };
    if help.is_empty() {
        return Ok(());
    }
    let before = template.get(..at).unwrap_or_default();
    let line = match template.trim_end().contains('\n') {
        true => format!(" on line {}", before.matches('\n').count() + 1),
        false => String::new(),
    };
    Err(Error { predicate: format!("{predicate}{line}"), help })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_valid_templates() {
        for template in [
            "",
            "}} { {% x %} }",
            "{{ .Value }}-{{ .Entry | ToUpper | printf \"%s }} {{\" }}",
            "{{- /* if nope }} -}} */ -}} {{/* {{ */}}",
            "{{- if and .a.b (eq $.c `x`) -}} {{ else if .d }} {{ else }} {{ end }}",
            "{{ with $x := index . \"nope\\\"\" }}{{ range $i, $e := list 1 0x1F 1_0 .5 1e+3 }}{{ break }}{{ end }}{{ end }}",
            "{{ define \"t\" }}{{ end }}{{ template \"t\" . }}{{ `}} nope` }}{{ regexReplaceAllLiteral \"(\" .Value `` }}",
            "{{ Replace .Value \" \" \"_\" -1 | trunc 63 | default\n\"ä\" }}",
            "{{-\t.a -}}{{ 1.5 }}{{ date_in_zone .a \"\\\"\" '\\'' }}",
            "{{ $x := .Value }}{{ $x }}{{ $x = 1 }}{{ $x.y.z }}{{ (.a).b }}{{ $ }}{{ . }}",
            "{{ if .a }}{{ $y := 1 }}{{ $y }}{{ end }}{{ with .a }}{{ else with .b }}{{ end }}",
            "{{ range . }}{{ if .a }}{{ continue }}{{ end }}{{ else }}{{ end }}{{ block \"b\" . }}{{ $ }}{{ end }}",
            "{{ true | not }}{{ print nil }}{{ printf `%d` 1+2i }}{{ template `t` }}{{ .a | .b }}{{ (1) | print }}",
            "{{ define `a` }} {{ end }}{{ define `a` }}x{{ end }}{{ define \"a\" }}\n{{ end }}",
            "{{ range $x := . }}{{ range $i, $y := $x }}{{ $i }}{{ end }}{{ end }}{{ $new = 1 }}{{ $new }}",
            "{{ .é }}{{ .a1_b }}{{ $x_é := 1 }}{{ .a\n}}{{ .a | }}",
        ] {
            assert_eq!(check(template), Ok(()), "{template}");
        }
    }

    #[test]
    fn builtin_templates_lack_sprig_functions() {
        let upper = check_builtin("{{ upper .Comm }}").unwrap_err();
        assert_eq!(upper.predicate, "calls `upper`, which is not a function");
        assert_eq!(check_builtin("{{ .Comm | printf \"%s\" | not }}"), Ok(()));
    }

    #[test]
    fn rejects_invalid_templates() {
        for (template, expected) in [
            ("a {{ .Value", "has a `{{` without `}}`"),
            ("{{ .Value }\n{{ .b }", "has a `{{` without `}}` on line 1"),
            ("{{ .a }}\n{{ .b -}", "has a `{{` without `}}` on line 2"),
            ("{{ \"a }}", "has an unclosed string"),
            ("{{ 'a\n' }}", "has an unclosed string on line 1"),
            ("{{ `a }}", "has an unclosed string"),
            ("{{/* a }}", "has an unclosed comment"),
            ("{{/* a */ b }}", "has a comment with text between `*/` and `}}`"),
            ("{{ .foo | nope }}", "calls `nope`, which is not a function"),
            ("{{ toupper .foo }}", "calls `toupper`, which is not a function"),
            ("{{ é }}", "calls `é`, which is not a function"),
            ("{{ add 1.5 nope }}", "calls `nope`, which is not a function"),
            ("{{ sha2Hash \"x\" .Value }}", "calls `sha2Hash`, which is not a function"),
            ("{{ if .a }}{{ nope_1 x }}", "calls `nope_1`, which is not a function"),
            ("{{ \"a\\\n\" }}", "has an unclosed string on line 1"),
            ("{{ end }}", "has an `{{ end }}` that closes no block"),
            ("{{ else }}", "has an `{{ else }}` without `{{ if }}`"),
            ("{{ if .a }}{{ with .b }}{{ end }}", "has `{{ if }}` without `{{ end }}`"),
            ("a\n{{- range(.a) }}\n", "has `{{ range }}` without `{{ end }}` on line 2"),
            ("{{ .a }}{{end}}", "has an `{{ end }}` that closes no block"),
            ("{{ define \"a\" }}{{ else }}", "has an `{{ else }}` without `{{ if }}`"),
            ("{{ $x }}", "uses the variable `$x`, which is not defined"),
            ("{{ if .a }}{{ $y := 1 }}{{ end }}{{ $y }}", "uses the variable `$y`, which is not defined"),
            ("{{ $x := 1 }}{{ define `a` }}{{ $x }}{{ end }}", "uses the variable `$x`, which is not defined"),
            ("{{ }}", "has an action without a value"),
            ("{{ if }}{{ end }}", "has `{{ if }}` without a value"),
            ("{{ $x := }}", "has an action without a value"),
            ("{{ () }}", "has parentheses without a value"),
            ("{{ .a | \"b\" }}", "passes a value to a constant"),
            ("{{ .a | 1 }}", "passes a value to a constant"),
            ("{{ .a-b }}", "has the character `-` directly after a name"),
            ("{{ .a+1 }}", "has the character `+` directly after a name"),
            ("{{ .a, .b }}", "has a misplaced `,`"),
            ("{{ .a ( }}", "has a `(` without `)`"),
            ("{{ .a ) }}", "has a `)` without `(`"),
            ("{{ .a : }}", "has a `:` without `=`"),
            ("{{ .a == 1 }}", "has a misplaced `=`"),
            ("{{ .a | if }}", "has a misplaced `if`"),
            ("{{ 1a }}", "contains `1`, which is not a valid number"),
            ("{{ 089 }}", "contains `089`, which is not a valid number"),
            ("{{ \"\\d\" }}", "has a string with an invalid escape"),
            ("{{ 'ab' }}", "has a string with an invalid escape"),
            ("{{ \"a\".b }}", "accesses a field of a constant"),
            ("{{ .5.a }}", "accesses a field of a constant"),
            ("{{ break }}", "has a `{{ break }}` outside `{{ range }}`"),
            ("{{ range . }}{{ end }}{{ continue }}", "has a `{{ continue }}` outside `{{ range }}`"),
            ("{{ if .a }}{{ else }}{{ else }}{{ end }}", "has a second `{{ else }}` in a block"),
            ("{{ range . }}{{ else if .a }}{{ end }}{{ end }}", "has a misplaced `if`"),
            ("{{ template .a }}", "has a misplaced `.`"),
            ("{{ define `a` }}x{{ end }}{{ define `a` }}y{{ end }}", "defines a template twice"),
            ("{{ if .a }}{{ define `a` }}{{ end }}{{ end }}", "has a misplaced `define`"),
            ("{{ $a, $b := .c }}", "declares too many variables"),
            ("{{ range $a, $b, $c := .c }}{{ end }}", "declares too many variables"),
            ("{{ | .a }}", "has a misplaced `|`"),
            ("{{ end .a }}", "has a misplaced `.`"),
            ("{{ .a § }}", "has the character `§` outside a string"),
            ("{{ .a ! }}", "has a misplaced `!`"),
        ] {
            let found = check(template).map_err(|error| error.predicate);
            assert_eq!(found, Err(expected.to_owned()), "{template}");
        }
        let long = "x".repeat(41);
        let expected = format!("calls `{}`, which is not a function", &long[1..]);
        assert_eq!(check(&format!("{{{{ {long} }}}}")).unwrap_err().predicate, expected);
    }

    #[test]
    fn accepts_deeply_nested_templates() {
        let brackets = "(".repeat(100_000);
        assert_eq!(check(&format!("{{{{ {brackets} }}}}")), Ok(()));
        let blocks = "{{ if .a }}".repeat(100_000);
        assert_eq!(check(&blocks), Ok(()));
    }
}
