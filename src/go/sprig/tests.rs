use serde_json::Value;

use crate::budget::Budget;
use crate::go::template::{Failure, Function, Functions, MapKind, MissingKey, TemplateValue, builtin, execute};

const FUNCTIONS: Functions = Functions { is_known, find };

fn find(name: &str) -> Option<Function> {
    super::function(name).or_else(|| builtin(name))
}

fn is_known(name: &str) -> bool {
    find(name).is_some() || super::is_unsupported(name)
}

/// Converts JSON to template data with the types that ApplicationSets use.
fn typed_data(data: &Value) -> Result<TemplateValue, Failure> {
    let strings = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
    let mut entries = TemplateValue::from_json(data)?.as_map().unwrap().clone();
    let values = TemplateValue::from_json(&data["values"])?.as_map().unwrap().clone();
    entries.insert("values".to_owned(), TemplateValue::map(MapKind::Strings, values)?);
    let mut path = TemplateValue::from_json(&data["path"])?.as_map().unwrap().clone();
    path.insert("segments".to_owned(), TemplateValue::strings(strings(&data["path"]["segments"])));
    entries.insert("path".to_owned(), TemplateValue::map(MapKind::Any, path)?);
    TemplateValue::map(MapKind::Any, entries)
}

/// Tests templates. The first line contains the data. Each other line contains a template and the output of Go's
/// text/template with Sprig 3.3.0, or `null` for an error.
#[test]
fn renders_templates_like_go() {
    let mut lines = include_str!("tests/templates.jsonl").lines();
    let data = typed_data(&serde_json::from_str(lines.next().unwrap()).unwrap()).unwrap();
    let mut count = 0;
    for line in lines {
        let case: Value = serde_json::from_str(line).unwrap();
        let template = case["template"].as_str().unwrap();
        let missing_key = case["option"].as_str().and_then(MissingKey::parse).unwrap_or_default();
        let found = execute(template, &data, FUNCTIONS, missing_key, &Budget::new(100_000));
        match case["output"].as_str() {
            Some(expected) => assert_eq!(found.as_deref(), Ok(expected), "{template}"),
            None => assert!(matches!(found, Err(Failure::Error(_))), "{template}: {found:?}"),
        }
        count += 1;
    }
    assert!(count > 300, "{count}");
}

fn run(template: &str) -> Result<String, Failure> {
    execute(template, &TemplateValue::Nil, FUNCTIONS, MissingKey::Invalid, &Budget::new(10_000))
}

#[test]
fn limits_steps_and_sizes() {
    let doubled = format!("{{{{ $x := list 1 1 }}}}{}{{{{ $x }}}}", "{{ $x = list $x $x }}".repeat(60));
    let deep = "{{ $x := list }}{{ range 300 }}{{ $x = list $x }}{{ end }}";
    for template in [
        "{{ range 1000000000 }}{{ end }}",
        "{{ range 1000 }}{{ range 1000 }}x{{ end }}{{ end }}",
        "{{ $x := \"aaaaaaaa\" }}{{ range 100 }}{{ $x = print $x $x }}{{ end }}",
        "{{ $x := \"aaaaaaaa\" }}{{ range 100 }}{{ $x = replace \"a\" $x $x }}{{ end }}",
        "{{ indent 1000000000 \"a\" }}",
        "{{ printf \"%999999d\" 1 }}",
        "{{ printf \"%99999999d\" 1 }}",
        "{{ regexReplaceAll \"\" (indent 900 \"a\") (indent 900 \"$0\") }}",
        &format!("{{{{ regexMatch \"{}\" `a` }}}}", "a{1000}".repeat(11)),
        &doubled,
        deep,
    ] {
        assert_eq!(run(template), Err(Failure::Limit), "{template}");
    }
    assert!(run(&doubled.replace("{{ $x }}", "{{ len $x }}")).is_ok());
    let nested = format!("{}1{}", "{{ if 1 }}".repeat(70), "{{ end }}".repeat(70));
    assert!(matches!(run(&nested), Err(Failure::Unsupported(_))), "{:?}", run(&nested));
}

#[test]
fn reports_unsupported_functions_and_actions() {
    for (template, expected) in [
        ("{{ repeat 3 \"a\" }}", "uses the function `repeat`"),
        ("{{ range until 3 }}{{ end }}", "uses the function `until`"),
        ("{{ now }}", "uses the function `now`"),
        ("{{ genPrivateKey \"rsa\" }}", "uses the function `genPrivateKey`"),
        ("{{ $d := dict }}{{ $_ := set $d \"a\" 1 }}", "uses the function `set`"),
        ("{{ define \"x\" }}{{ end }}", "uses `define`"),
        ("{{ printf \"%*d\" 1 2 }}", "uses a format with `*` or `[`"),
    ] {
        assert_eq!(run(template), Err(Failure::Unsupported(expected.to_owned())), "{template}");
    }
    let unknown = Err(Failure::Error("calls `env`, which is not a function".to_owned()));
    assert_eq!(run("{{ env \"HOME\" }}"), unknown);
}
