use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::gitops::object::read_objects;
use crate::gitops::tree::{RepositoryTree, TreeLimits};

const FILES: &[(&str, &str)] = &[
    ("apps/shop/Front_Page/a.yaml", ""),
    ("apps/shop/checkout/deeper/b.yaml", ""),
    ("apps/shop/old/c.yaml", ""),
    ("apps/.hidden/x/d.yaml", ""),
    ("apps/readme.md", ""),
    ("envs/dev.yaml", "name: dev\ncount: 1000000\nregion: {id: eu}\nhosts: [a, b]\nnone: null\n"),
    ("envs/more/prod.json", "[{\"name\": \"p1\"}, {\"name\": \"p2\"}]"),
    ("envs/empty.yaml", "# nothing\n"),
];

/// Expands the spec of an ApplicationSet in a repository that contains `FILES`.
fn expand_spec_with(spec: &str, clusters: &[&Object], limits: &SetLimits) -> Expansion {
    let scratch = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = scratch.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let tree = RepositoryTree::read(scratch.path(), &TreeLimits::default()).unwrap();
    let mut specs = read_objects(spec).unwrap();
    let set = json!({"metadata": {"name": "set", "namespace": "argocd"}, "spec": specs.remove(0)});
    let context = GeneratorContext { tree: &tree, is_own: &|url| url == "here", clusters };
    expand(&set, &context, limits)
}

fn expand_spec(spec: &str) -> Expansion {
    expand_spec_with(spec, &[], &SetLimits::default())
}

/// Returns the names of the generated Applications.
fn names(spec: &str) -> Vec<String> {
    let expansion = expand_spec(spec);
    assert_eq!(expansion.mistake, None, "{spec}");
    expansion.applications.iter().map(|one| text_at(one, &["metadata", "name"]).to_owned()).collect()
}

fn mistake(spec: &str) -> String {
    let expansion = expand_spec(spec);
    assert!(expansion.applications.is_empty());
    expansion.mistake.unwrap_or_default()
}

const GO_TEMPLATE: &str = "goTemplate: true\ngoTemplateOptions: [\"missingkey=error\"]\n";

#[test]
fn expands_placeholders_in_strings_and_keys() {
    let expansion = expand_spec(
        "generators: [{list: {elements: [{name: blue, values: {x: z}}]}}]\n\
         template:\n  metadata: {name: '{{ name }}-{{values.x}}', namespace: other, labels: {'{{name}}': '{{nope}}'}}\n  \
         spec: {project: p, count: 2, list: ['{{name}}', null]}\n",
    );
    let application = json!({
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "blue-z", "namespace": "argocd", "labels": {"blue": "{{nope}}"}},
        "spec": {"project": "p", "count": 2, "list": ["blue", null]},
    });
    assert_eq!(expansion.applications, [application]);
}

#[test]
fn list_generators_combine_elements_and_yaml() {
    let template = "template: {metadata: {name: 'a-{{name}}'}, spec: {}}\n";
    let yaml = "generators: [{list: {elements: [{name: x}], elementsYaml: '[{name: q}, {name: z}]'}}]\n";
    assert_eq!(names(&format!("{yaml}{template}")), ["a-x", "a-q", "a-z"]);
    let number = "generators: [{list: {elements: [{name: 1}]}}]\n";
    assert!(mistake(&format!("{number}{template}")).contains("is not a string"));
    let go_template = "template: {metadata: {name: 'a-{{ .name }}'}, spec: {}}\n";
    assert_eq!(names(&format!("{GO_TEMPLATE}{number}{go_template}")), ["a-1"]);
}

#[test]
fn git_generators_list_directories() {
    let generator = "generators: [{git: {repoURL: here, directories: [{path: 'apps/*/*'}, {path: apps/shop/old, exclude: true}], values: {v: '{{path.basename}}!'}}}]\n";
    let template =
        "template: {metadata: {name: '{{path[1]}}.{{path.basenameNormalized}}.{{path}}.{{values.v}}'}, spec: {}}\n";
    let expected = ["shop.front-page.apps/shop/Front_Page.Front_Page!", "shop.checkout.apps/shop/checkout.checkout!"];
    assert_eq!(names(&format!("{generator}{template}")), expected);
    let generator = "generators: [{git: {repoURL: here, pathParamPrefix: p, directories: [{path: apps/shop/old}]}}]\n";
    let template = "template: {metadata: {name: '{{ index .p.path.segments 2 }}-{{ .p.path.path }}'}, spec: {}}\n";
    assert_eq!(names(&format!("{GO_TEMPLATE}{generator}{template}")), ["old-apps/shop/old"]);
}

#[test]
fn git_generators_read_files() {
    let files = |path: &str| format!("generators: [{{git: {{repoURL: here, files: [{{path: '{path}'}}]}}}}]\n");
    let template = "template: {metadata: {name: '{{name}}/{{path.filename}}/{{count}}/{{region.id}}/{{hosts.1}}/{{none}}'}, spec: {}}\n";
    let expected = ["dev/dev.yaml/1e+06/eu/b/<nil>"];
    assert_eq!(names(&format!("{}{template}", files("envs/dev*"))), expected);
    let template =
        "template: {metadata: {name: '{{ .name }}-{{ .path.basename }}-{{ .path.filenameNormalized }}'}, spec: {}}\n";
    assert_eq!(
        names(&format!("{GO_TEMPLATE}{}{template}", files("envs/more"))),
        ["p1-more-prod.json", "p2-more-prod.json"]
    );
    let template = "template: {metadata: {name: 'x{{ default `none` (get . `name`) }}'}, spec: {}}\n";
    assert_eq!(names(&format!("{GO_TEMPLATE}{}{template}", files("*/empty.yaml"))), ["xnone"]);
}

#[test]
fn matrix_renders_the_second_generator_per_item() {
    let generator = "generators: [{matrix: {generators: [{list: {elements: [{dir: shop, id: one}, {dir: none, id: two}]}}, \
        {git: {repoURL: here, directories: [{path: 'apps/{{DIR}}/*'}], values: {d: '{{DIR}}-{{OWN}}'}}}]}}]\n";
    let fasttemplate_generator = generator.replace("DIR", "dir").replace("OWN", "path.basename");
    let template = "template: {metadata: {name: '{{id}}-{{path.basename}}-{{values.d}}'}, spec: {}}\n";
    let expected = ["one-Front_Page-shop-Front_Page", "one-checkout-shop-checkout", "one-old-shop-old"];
    assert_eq!(names(&format!("{fasttemplate_generator}{template}")), expected);
    let go_generator = generator.replace("DIR", " .dir ").replace("OWN", " .path.basename ");
    let template = "template: {metadata: {name: '{{ .id }}-{{ .path.basename }}-{{ .values.d }}'}, spec: {}}\n";
    // A value that needs a parameter from both generators cannot be rendered with either of them alone.
    assert!(mistake(&format!("{GO_TEMPLATE}{go_generator}{template}")).contains("no entry for key"));
    let second_uses_first =
        "generators: [{matrix: {generators: [{list: {elements: [{a: x}]}}, {list: {elements: [{a: z}]}}]}}]\n";
    assert!(
        mistake(&format!("{second_uses_first}template: {{metadata: {{name: '{{{{a}}}}'}}, spec: {{}}}}"))
            .contains("different values")
    );
    let name = "template: {metadata: {name: '{{ .a }}'}, spec: {}}";
    assert_eq!(names(&format!("{GO_TEMPLATE}{second_uses_first}{name}")), ["x"]);
}

#[test]
fn matrix_keeps_parameters_of_generators_that_it_nests() {
    let list = |element: &str| format!("{{list: {{elements: [{{{element}}}]}}}}");
    let matrix =
        |second: &str| format!("{GO_TEMPLATE}generators: [{{matrix: {{generators: [{}, {second}]}}}}]\n", list("a: x"));
    let git =
        "{git: {repoURL: here, directories: [{path: 'apps/shop/*'}], values: {d: '{{ normalize .path.basename }}'}}}";
    let merge = matrix(&format!("{{merge: {{mergeKeys: [values], generators: [{git}, {}]}}}}", list("b: z")));
    let template = "template: {metadata: {name: '{{ .a }}-{{ .values.d }}'}, spec: {}}\n";
    assert_eq!(names(&format!("{merge}{template}")), ["x-front-page", "x-checkout", "x-old"]);
    let inner_generators = format!("generators: [{}, {}]", list("b: u"), list("c: z"));
    let nested = matrix(&format!(
        "{{matrix: {{{inner_generators}, template: {{metadata: {{labels: {{k: '{{{{ .none }}}}'}}}}}}}}}}"
    ));
    let template = "template: {metadata: {name: '{{ .a }}{{ .b }}{{ .c }}'}, spec: {}}\n";
    assert_eq!(names(&format!("{nested}{template}")), ["xuz"]);
}

#[test]
fn merge_generator_overrides_parameters_by_key() {
    let generator = "generators: [{merge: {mergeKeys: [name], generators: [\
        {list: {elements: [{name: a, v: '1'}, {name: b, v: '2'}]}}, {list: {elements: [{name: b, v: '3'}, {name: c, v: '4'}]}}]}}]\n";
    let template = "template: {metadata: {name: '{{name}}{{v}}'}, spec: {}}\n";
    assert_eq!(names(&format!("{generator}{template}")), ["a1", "b3"]);
    let duplicated_key = generator.replace("name: b, v: '2'", "name: a, v: '2'");
    assert!(mistake(&format!("{duplicated_key}{template}")).contains("with the same `name`"));
    for (changed_generator, expected) in [
        (generator.replace(", {list: {elements: [{name: b, v: '3'}, {name: c, v: '4'}]}}", ""), "two generators"),
        (generator.replace("mergeKeys: [name]", "mergeKeys: []"), "no `mergeKeys`"),
    ] {
        assert_ne!(changed_generator, generator);
        assert!(mistake(&format!("{changed_generator}{template}")).contains(expected), "{changed_generator}");
    }
}

#[test]
fn slugs_end_at_a_word_within_50_characters() {
    let slug = |arguments: &str, name: &str| {
        let generator = format!("generators: [{{list: {{elements: [{{name: '{name}'}}]}}}}]\n");
        let template = format!("template: {{metadata: {{name: '{{{{ slugify {arguments} .name }}}}'}}, spec: {{}}}}\n");
        names(&format!("{GO_TEMPLATE}{generator}{template}")).concat()
    };
    let (long_word, truncated_word) = ("a".repeat(51), "a".repeat(50));
    assert_eq!(slug("", &long_word), truncated_word);
    assert_eq!(slug("", &truncated_word), truncated_word);
    assert_eq!(slug("", &format!("{}-{}", "a".repeat(30), "b".repeat(30))), "a".repeat(30));
    assert_eq!(slug("5", "one-two"), "one");
    assert_eq!(slug("5 false", "one-two"), "one-t");
}

#[test]
fn cluster_generators_use_secrets_in_the_repository() {
    let cluster = json!({
        "kind": "Secret",
        "metadata": {"name": "edge", "labels": {"argocd.argoproj.io/secret-type": "cluster", "env": "edge"}},
        "stringData": {"name": "Edge_1", "server": "https://edge"},
    });
    let spec = |selector: &str| {
        format!(
            "{GO_TEMPLATE}generators: [{{clusters: {{{selector}}}}}]\ntemplate: {{metadata: {{name: '{{{{ .nameNormalized }}}}'}}, spec: {{}}}}\n"
        )
    };
    let run = |selector: &str, clusters: &[&Object]| {
        let expansion = expand_spec_with(&spec(selector), clusters, &SetLimits::default());
        let names = expansion.applications.iter().map(|one| text_at(one, &["metadata", "name"]).to_owned());
        (names.collect::<Vec<_>>(), expansion.skipped.len())
    };
    assert_eq!(run("", &[]), (vec!["in-cluster".to_owned()], 0));
    assert_eq!(run("", &[&cluster]), (vec!["edge-1".to_owned(), "in-cluster".to_owned()], 0));
    assert_eq!(run("selector: {matchLabels: {env: edge}}", &[&cluster]), (vec!["edge-1".to_owned()], 0));
    assert_eq!(run("selector: {matchLabels: {env: edge}}", &[]), (vec![], 1));
}

#[test]
fn selectors_filter_parameters() {
    let spec = |selector: &str| {
        format!(
            "{GO_TEMPLATE}generators: [{{list: {{elements: [{{id: a, m: {{k: x}}}}, {{id: b, m: {{k: z}}}}]}}, selector: {selector}}}]\n\
            template: {{metadata: {{name: '{{{{ .id }}}}'}}, spec: {{}}}}\n"
        )
    };
    assert_eq!(names(&spec("{matchLabels: {m.k: z}}")), ["b"]);
    assert_eq!(names(&spec("{matchExpressions: [{key: id, operator: NotIn, values: [b]}]}")), ["a"]);
    assert_eq!(names(&spec("{matchExpressions: [{key: q, operator: Exists}]}")), [""; 0]);
    assert!(mistake(&spec("{matchExpressions: [{key: q, operator: In}]}")).contains("wrong number of values"));
}

#[test]
fn patches_applications() {
    let expansion = expand_spec(&format!(
        "{GO_TEMPLATE}generators: [{{list: {{elements: [{{id: a, recurse: true}}, {{id: b}}]}}}}]\n\
         template: {{metadata: {{name: '{{{{ .id }}}}'}}, spec: {{project: p, source: {{path: x}}, list: [1, 2]}}}}\n\
         templatePatch: |\n  {{{{- if hasKey . \"recurse\" }}}}\n  spec:\n    project: evil\n    source:\n      directory: {{recurse: {{{{ .recurse }}}}}}\n    list: [3]\n  {{{{- end }}}}\n"
    ));
    let specs: Vec<Value> = expansion.applications.iter().map(|application| application["spec"].clone()).collect();
    let expected = [
        json!({"project": "p", "source": {"path": "x", "directory": {"recurse": true}}, "list": [3]}),
        json!({"project": "p", "source": {"path": "x"}, "list": [1, 2]}),
    ];
    assert_eq!((specs.as_slice(), expansion.mistake), (&expected[..], None));
}

#[test]
fn generators_may_override_the_template() {
    let spec = "generators: [{list: {elements: [{id: a}], template: {metadata: {name: 'own-{{id}}'}, spec: {source: {path: q}}}}}]\n\
        template: {metadata: {name: '{{id}}', labels: {l: x}}, spec: {project: p, source: {path: x, repoURL: r}}}\n";
    let expansion = expand_spec(spec);
    let application = expansion.applications.first().unwrap();
    assert_eq!(application["metadata"], json!({"name": "own-a", "labels": {"l": "x"}, "namespace": "argocd"}));
    assert_eq!(application["spec"], json!({"project": "p", "source": {"path": "q", "repoURL": "r"}}));
}

#[test]
fn reports_unsupported_generators_and_functions() {
    let spec = "generators: [{pullRequest: {github: {}}}, {list: {elements: [{id: a}]}}, {git: {repoURL: 'https://u:secret@other/x', directories: [{path: '*'}]}}]\n\
        template: {metadata: {name: '{{id}}'}, spec: {}}\n";
    let expansion = expand_spec(spec);
    assert_eq!(expansion.applications.len(), 1);
    let skipped = expansion.skipped.join("; ");
    assert!(skipped.contains("pullRequest") && skipped.contains("other/x") && !skipped.contains("secret"), "{skipped}");
    let spec = format!(
        "{GO_TEMPLATE}generators: [{{list: {{elements: [{{id: a}}]}}}}]\ntemplate: {{metadata: {{name: '{{{{ repeat 3 .id }}}}'}}, spec: {{}}}}\n"
    );
    assert_eq!(expand_spec(&spec).skipped, ["a template uses the function `repeat`, which is not supported"]);
}

#[test]
fn reports_invalid_application_sets() {
    let list = "generators: [{list: {elements: [{id: a}, {id: a}]}}]\n";
    assert!(
        mistake(&format!("{list}template: {{metadata: {{name: '{{{{id}}}}'}}, spec: {{}}}}"))
            .contains("two Applications")
    );
    assert!(
        mistake(&format!("{GO_TEMPLATE}{list}template: {{metadata: {{name: '{{{{ .q }}}}'}}, spec: {{}}}}"))
            .contains("no entry for key")
    );
    assert!(
        mistake(&format!("{list}template: {{metadata: {{name: '{{{{id}}}} {{{{'}}, spec: {{}}}}"))
            .contains("without `}}`")
    );
}

#[test]
fn limits_generated_applications_and_steps() {
    let elements = format!("[{}]", vec!["{id: a}"; 100].join(", "));
    let list = format!("{{list: {{elements: {elements}}}}}");
    let matrix = format!("{{matrix: {{generators: [{list}, {list}]}}}}");
    let spec = format!(
        "{GO_TEMPLATE}generators: [{{matrix: {{generators: [{matrix}, {matrix}]}}}}]\ntemplate: {{metadata: {{name: x}}, spec: {{}}}}\n"
    );
    assert!(mistake(&spec).contains("more than 5000 Applications"));
    let limits = SetLimits { max_steps: 1000, ..SetLimits::default() };
    let spec =
        format!("{GO_TEMPLATE}generators: [{list}]\ntemplate: {{metadata: {{name: '{{{{ .id }}}}'}}, spec: {{}}}}\n");
    assert_eq!(expand_spec_with(&spec, &[], &limits).mistake.as_deref(), Some("it is too large to expand"));
}
