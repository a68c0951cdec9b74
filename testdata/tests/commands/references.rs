//! Tests of references to missing Secrets and ConfigMaps, and of references to the wrong ones.

use crate::testing::TestInput;
use agentctl::compile::CompileOptions;
use agentctl::emit::{self, StreamFormat};
use agentctl::resolve::{self, MissingSecrets};

/// Returns an agent with a receiver whose password is `key` in the Secret `name`, followed by the documents in `rest`.
fn with_password(name: &str, key: &str, rest: &str) -> String {
    format!(
        "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: agent, namespace: m}}
spec:
  metrics:
    instanceSelector: {{}}
    remoteWrite:
    - url: http://example.com/push
      basicAuth:
        username: {{name: user, key: username}}
        password: {{name: {name}, key: {key}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: primary, namespace: m}}
spec: {{}}
---
apiVersion: v1
kind: Secret
metadata: {{name: user, namespace: m}}
stringData: {{username: admin}}
---
{rest}"
    )
}

const PASSWORD_PATH: &str = "spec.metrics.remoteWrite[0].basicAuth.password";

/// Formats the findings for an input as `severity[code] line path: message; help`, followed by the labels.
fn format_findings(text: &str, options: &CompileOptions) -> Vec<String> {
    let input = TestInput::new(text).options(options);
    let source = input.sources.iter().next().unwrap().1;
    let line = |start: u32| source.position(start as usize).line;
    let mut diagnostics = input.findings();
    diagnostics.sort_by_key(|d| d.primary().map(|label| label.span.start));
    diagnostics
        .iter()
        .map(|d| {
            let at = d.primary().map_or(0, |label| line(label.span.start));
            let others: String = (d.labels.iter().skip(1))
                .map(|label| format!(" | {}: {}", line(label.span.start), label.text))
                .collect();
            format!(
                "{}[{}] {at} {}: {}; {}{others}",
                d.severity.as_str(),
                d.code,
                d.path.as_deref().unwrap_or_default(),
                d.message,
                d.help.as_deref().unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn suggests_names_for_missing_values() {
    let table = [
        (
            ("creds", "password"),
            "apiVersion: v1\nkind: Secret\nmetadata: {name: creds, namespace: other}\n",
            "error[missing-secret] 11 FIELD: Secret `creds` not found in namespace `m`, but there is one in namespace `other`; \
             add a Secret with this name to the namespace of the resource that refers to it \
             | 25: the Secret in namespace `other`",
        ),
        (
            ("creds", "password"),
            "apiVersion: v1\nkind: Secret\nmetadata: {name: cred, namespace: m}\n",
            "error[missing-secret] 11 FIELD: Secret `creds` not found in namespace `m`; \
             did you mean `cred`?",
        ),
        (
            ("creds", "password"),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: creds, namespace: m}\n",
            "error[missing-secret] 11 FIELD: Secret `creds` not found in namespace `m`; \
             refer to the ConfigMap, or add the Secret to the input | 25: a ConfigMap with this name is defined here",
        ),
        (
            ("creds", "password"),
            "",
            "error[missing-secret] 11 FIELD: Secret `creds` not found in namespace `m`; \
             add the Secret to the input, or correct `name`; if it is created elsewhere, pass \
             `--missing-secrets=placeholder`; the namespace contains `user`",
        ),
        (
            ("user", "usrname"),
            "",
            "error[missing-key] 11 FIELD.key: Secret `user` has no key `usrname`; did you mean `username`? \
             | 20: the Secret is defined here",
        ),
        (
            ("user", "password"),
            "",
            "error[missing-key] 11 FIELD.key: Secret `user` has no key `password`; \
             use one of the Secret's keys: `username` | 20: the Secret is defined here",
        ),
    ];
    for ((name, key), rest, expected) in table {
        let expected = expected.replace("FIELD", PASSWORD_PATH);
        assert_eq!(format_findings(&with_password(name, key, rest), &CompileOptions::default()), [expected]);
    }
}

#[test]
fn limits_key_comparisons_for_suggestions() {
    let key = |i| format!("  key-{i}: x\n");
    let keys: String = (0..500).map(key).collect();
    let endpoint = |i| format!("  - {{port: http, bearerTokenSecret: {{name: many, key: kye-{i}}}}}\n");
    let endpoints: String = (0..500).map(endpoint).collect();
    let text = with_password("user", "username", "").replace("spec: {}\n", "spec: {serviceMonitorSelector: {}}\n");
    let text = format!(
        "{text}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: many, namespace: m}}\nstringData:\n{keys}\
         ---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: shop, namespace: m}}\n\
         spec:\n  selector: {{}}\n  endpoints:\n{endpoints}"
    );
    let actual = format_findings(&text, &CompileOptions::default());
    let missing: Vec<_> = actual.iter().filter(|line| line.starts_with("error[missing-key]")).collect();
    assert_eq!(missing.len(), 500);
    assert!(missing[199].contains("did you mean `key-199`?"), "{}", missing[199]);
    let without =
        "use one of the Secret's keys: `key-0`, `key-1`, `key-10`, `key-100`, `key-101`, `key-102` and 494 more";
    assert!(missing[200].contains(without), "{}", missing[200]);
}

#[test]
fn recognizes_secret_generators() {
    let sealed_secret = "\
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: creds, namespace: m}
spec: {encryptedData: {password: AgBy3i4OJSWK}}
";
    let external_secret = "\
apiVersion: external-secrets.io/v1beta1
kind: ExternalSecret
metadata: {name: vault, namespace: m}
spec:
  target: {name: creds}
  data: [{secretKey: password}]
";
    let data_from = "  dataFrom: [{extract: {key: x}}]\n";
    let is_made = "render with `--secrets=placeholder` or `--secrets=external`, which need no values, or add the Secret to the input";
    let generated_secret_note = |kind: &str, by: &str| {
        format!(
            "missing-secret] 11 {PASSWORD_PATH}: Secret `creds` is not in the input: {kind} `{by}` creates it in the cluster; {is_made} \
             | 25: this {kind} creates it"
        )
    };
    let missing_key_error = |kind: &str, by: &str| {
        format!(
            "missing-key] 11 {PASSWORD_PATH}.key: {kind} `{by}` creates Secret `creds` without the key `token`; add the key to the {kind}, \
             or use a key that it creates: `password` | 25: the {kind} is defined here"
        )
    };
    let table = [
        ("password", sealed_secret.to_owned(), generated_secret_note("SealedSecret", "creds")),
        ("token", sealed_secret.to_owned(), missing_key_error("SealedSecret", "creds")),
        ("password", external_secret.to_owned(), generated_secret_note("ExternalSecret", "vault")),
        ("token", external_secret.to_owned(), missing_key_error("ExternalSecret", "vault")),
        ("token", format!("{external_secret}{data_from}"), generated_secret_note("ExternalSecret", "vault")),
    ];
    for (key, rest, expected) in table {
        let expected = format!("error[{expected}");
        assert_eq!(format_findings(&with_password("creds", key, &rest), &CompileOptions::default()), [expected]);
    }
}

#[test]
fn rejects_references_to_encrypted_values() {
    let secret = |name: &str, field: &str, value: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: m}}\n{field}:\n  password: {value}\n\
             sops: {{mac: 'ENC[AES256_GCM,data:c,type:str]'}}\n"
        )
    };
    let encrypted = "'ENC[AES256_GCM,data:sesame,iv:a,tag:b,type:str]'";
    let expected = vec![format!(
        "error[encrypted-value] 11 {PASSWORD_PATH}: Secret `creds` is encrypted with SOPS, so the value of `password` cannot be read; \
         render with `--secrets=placeholder`, which needs no values, or decrypt the file first: \
         `sops -d FILE | agentctl render -f -`, and pass the other files as well | 25: the Secret is defined here"
    )];
    let options = CompileOptions::default();
    let findings_of = |rest: &str| format_findings(&with_password("creds", "password", rest), &options);
    assert_eq!(findings_of(&secret("creds", "stringData", encrypted)), expected);
    assert_eq!(findings_of(&secret("creds", "data", encrypted)), expected);
    // The value is `ENC[AES256_GCM,data` in base64.
    assert_eq!(findings_of(&secret("creds", "data", "RU5DW0FFUzI1Nl9HQ00sZGF0YQ==")), expected);
    let unused_secret = with_password("user", "username", &secret("creds", "data", encrypted));
    assert_eq!(format_findings(&unused_secret, &options), Vec::<String>::new());
}

#[test]
fn placeholders_contain_the_missing_reference() {
    let options = CompileOptions {
        resolve: resolve::ResolveOptions {
            missing_secrets: MissingSecrets::Placeholder,
            ..resolve::ResolveOptions::default()
        },
        ..CompileOptions::default()
    };
    let text = with_password("creds", "password", "");
    let expected = format!(
        "warning[missing-secret] 11 {PASSWORD_PATH}: Secret `creds` not found in namespace `m`; using a placeholder instead; correct `name`, unless the Secret is created elsewhere; the namespace contains `user`"
    );
    assert_eq!(format_findings(&text, &options), [expected]);
    let bundle = TestInput::new(text).options(&options).compile().output;
    let mut manifests = Vec::new();
    emit::write_stream(bundle.objects.iter(), StreamFormat::Json, &mut manifests).unwrap();
    let text = String::from_utf8(manifests).unwrap();
    let token = "cGxhY2Vob2xkZXI6U2VjcmV0L20vY3JlZHMvcGFzc3dvcmQ="; // placeholder:Secret/m/creds/password
    assert!(text.contains(token), "{text}");

    let instance = "  additionalScrapeConfigs: {name: jobs, key: jobs.yaml}\n";
    let text = with_password("user", "username", "").replace("spec: {}\n", &format!("spec:\n{instance}"));
    let warnings = format_findings(&text, &options);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("warning[missing-secret]"), "{warnings:?}");
}

#[test]
fn rejects_secret_values_that_become_the_same_key() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: user, namespace: m}\nstringData: ";
    let text = with_password("user", "user.name", "").replace("key: username", "key: user-name");
    let text = text.replace("{username: admin}", "{user-name: admin, user.name: sesame}");
    assert!(text.contains(secret));
    assert_eq!(
        format_findings(&text, &CompileOptions::default()),
        ["error[colliding-secret-keys] 11 spec.metrics.remoteWrite[0].basicAuth.password: \
          `/secrets/m/user/user.name` and `/secrets/m/user/user-name` both become the key `_secrets_m_user_user_name` \
          of the agent's Secret; rename one of them so that their letters or digits differ \
          | 10: the other one is `spec.metrics.remoteWrite[0].basicAuth.username` in GrafanaAgent/m/agent"]
    );
}

/// Tests that the agent's clients are used if at least one instance has no clients of its own.
#[test]
fn checks_agent_clients_used_by_one_of_several_instances() {
    let instance = |name: &str, spec: &str| {
        format!(
            "---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\n\
             metadata: {{name: {name}, namespace: m}}\nspec: {spec}\n"
        )
    };
    let agent = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: m}
spec:
  logs:
    instanceSelector: {}
    clients:
    - url: http://example.com/push
      basicAuth:
        username: {name: creds, key: username}
";
    let own_instance = instance("own", "{clients: [{url: 'http://example.com/push'}]}");
    let missing_secret_findings = |instances: &[&str]| {
        let mut actual = format_findings(&format!("{agent}{}", instances.concat()), &CompileOptions::default());
        actual.retain(|line| line.contains("missing-secret"));
        actual.iter().map(|line| line.starts_with("error")).collect::<Vec<_>>()
    };
    assert_eq!(missing_secret_findings(&[&own_instance]), [false]);
    assert_eq!(missing_secret_findings(&[&own_instance, &instance("without", "{}")]), [true]);
}
