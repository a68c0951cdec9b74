//! Tests of Secrets, ConfigMaps, Namespaces and Nodes.

use super::*;

fn secret(rest: &str) -> Admitted {
    admit_text(&format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\n{rest}"))
}

fn config_map(rest: &str) -> Admitted {
    admit_text(&format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n{rest}"))
}

#[test]
fn accepts_typical_objects() {
    assert_eq!(secret("type: Opaque\ndata: {a: aGk=, b: ~, c: ''}\nstringData: {d: e}\n").lines(), [""; 0]);
    assert_eq!(config_map("data: {a: b}\nbinaryData: {c: aGk=}\nimmutable: true\n").lines(), [""; 0]);
    let rest =
        "kind: Namespace\napiVersion: v1\nmetadata: {name: a, labels: {b: c}}\nspec: {finalizers: [kubernetes]}\n";
    assert_eq!(admit_text(rest).lines(), [""; 0]);
    let node =
        "kind: Node\napiVersion: v1\nmetadata: {name: a}\nstatus: {addresses: [{type: Hostname, address: b}], x: 1}\n";
    assert_eq!(admit_text(node).lines(), [""; 0]);
}

#[test]
fn does_not_show_invalid_data() {
    for (rest, expected) in [
        (
            "data:\n  key: hunter2!",
            "5 data.key: the value of `key` is not valid base64; encode the value, or move it unchanged to `stringData`",
        ),
        (
            "data: {key: 7353}",
            "4 data.key: `key` must be a string, but is an integer; quote it: without quotes, it is a number",
        ),
        (
            "stringData: {key: yes}",
            "4 stringData.key: `key` must be a string, but is a boolean; quote it: without quotes, `y`, `yes`, `on`, `n`, `no` and \
             `off` are booleans",
        ),
        (
            "stringData: {a/b: c}",
            "4 stringData[***]: the key `***` in `stringData` must consist of letters, digits, `-`, `_` and `.`",
        ),
        (
            "type: kubernetes.io/tls\ndata: {tls.crt: aGk=}",
            "4 data[tls.key]: a Secret of type `kubernetes.io/tls` needs the key `tls.key`; add `tls.key`, or remove `type`",
        ),
        (
            "type: kubernetes.io/basic-auth",
            "4 data[username]: a Secret of type `kubernetes.io/basic-auth` needs the key `username` or `password`; add one \
             of the two keys, or remove `type`",
        ),
        (
            "type: kubernetes.io/service-account-token",
            "4 metadata.annotations[kubernetes.io/service-account.name]: a Secret of type \
             `kubernetes.io/service-account-token` needs the annotation `kubernetes.io/service-account.name`; set the annotation to the name of the ServiceAccount",
        ),
        ("dta: {}", "4 dta: `Secret` has no field `dta`, so the field is dropped; did you mean `data`?"),
    ] {
        assert_eq!(secret(rest).lines(), [expected], "{rest}");
    }
}

#[test]
fn string_data_overrides_data() {
    let tls = "type: kubernetes.io/tls\ndata: {tls.crt: aGk=}\nstringData: {tls.key: b}\n";
    assert_eq!(secret(tls).lines(), [""; 0]);
}

#[test]
fn rejects_duplicate_config_map_keys() {
    assert_eq!(
        config_map("data: {a: b}\nbinaryData: {a: aGk=}\n").lines(),
        ["4 data[a]: the key `a` is set in both `data` and `binaryData`; remove one of the two"]
    );
}

#[test]
fn limits_values_to_1_mib() {
    let value = |bytes| "x".repeat(bytes);
    assert_eq!(config_map(&format!("data: {{a: {}}}\n", value(1024 * 1024))).lines(), [""; 0]);
    assert_eq!(
        config_map(&format!("data: {{a: {}}}\n", value(1024 * 1024 + 1))).lines(),
        ["4 data: the values take up 1048577 bytes in total, but at most 1048576 are allowed"]
    );
    // The size of a Secret is the total size of its decoded values. A key in both `data` and `stringData` is counted
    // only once.
    let encoded = crate::go::base64::encode(value(1024 * 1024));
    let data = |strings: &str| secret(&format!("data: {{a: {encoded}}}\nstringData: {{{strings}}}\n")).lines();
    assert_eq!(data(""), [""; 0]);
    assert_eq!(data("a: b"), [""; 0]);
    assert_eq!(data("b: c"), ["4 data: the values take up 1048577 bytes in total, but at most 1048576 are allowed"]);
}

#[test]
fn secret_types_require_keys() {
    let help_for = |text: &str| {
        let lines = secret(text).lines();
        lines
            .into_iter()
            .map(|line| line.split(' ').nth(1).unwrap().trim_end_matches(':').to_owned())
            .collect::<Vec<_>>()
    };
    for (kind, rest, expected) in [
        ("kubernetes.io/dockercfg", "", &["data[.dockercfg]"][..]),
        ("kubernetes.io/dockercfg", "stringData: {.dockercfg: a}", &[]),
        ("kubernetes.io/dockerconfigjson", "", &["data[.dockerconfigjson]"]),
        ("kubernetes.io/dockerconfigjson", "data: {.dockerconfigjson: aGk=}", &[]),
        ("kubernetes.io/ssh-auth", "data: {a: aGk=}", &["data[ssh-privatekey]"]),
        ("kubernetes.io/ssh-auth", "data: {ssh-privatekey: aGk=}", &[]),
        ("kubernetes.io/tls", "", &["data[tls.crt]", "data[tls.key]"]),
        ("kubernetes.io/basic-auth", "data: {username: aGk=}", &[]),
        ("kubernetes.io/basic-auth", "stringData: {password: a}", &[]),
        ("kubernetes.io/basic-auth", "stringData: {other: a}", &["data[username]"]),
        ("Opaque", "", &[]),
        ("example.com/any", "", &[]),
    ] {
        assert_eq!(help_for(&format!("type: {kind}\n{rest}\n")), expected, "{kind} {rest}");
    }
    let token = |annotation: &str| {
        let text = "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/service-account-token\nmetadata: {name: a, annotations: ";
        admit_text(&format!("{text}{{kubernetes.io/service-account.name: {annotation}}}}}\n")).lines().len()
    };
    assert_eq!((token("a"), token("''")), (0, 1));
}

#[test]
fn unencoded_values_share_a_cause() {
    let helps_for = |rest: &str| {
        let diagnostics = secret(rest).diagnostics;
        let causes: std::collections::BTreeSet<_> = diagnostics.iter().map(|finding| finding.cause.clone()).collect();
        assert!(causes.len() < 2, "{causes:?}");
        diagnostics.into_iter().filter_map(|finding| finding.help).collect::<Vec<_>>()
    };
    assert_eq!(helps_for("data: {a: '!'}\n"), ["encode the value, or move it unchanged to `stringData`"]);
    assert_eq!(
        helps_for("data: {a: '!', b: aGk=, c: '?'}\n"),
        ["encode the value, or move it unchanged to `stringData`"; 2]
    );
    let diagnostics = config_map("binaryData: {a: '!', b: '?'}\n").diagnostics;
    let helps: Vec<_> = diagnostics.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(helps, ["encode the value"; 2]);
}

#[test]
fn counts_decoded_sizes() {
    let encoded: String = (0..85).map(|i| format!("k{i}: {}, ", "A".repeat(16_384))).collect();
    let text = |length| format!("stringData: {{b: {}}}\n", "x".repeat(length));
    // `data` contains 85 values of 12,288 bytes each.
    assert_eq!(secret(&format!("data: {{{encoded}}}\n{}", text(4_096))).lines(), [""; 0]);
    assert_eq!(
        secret(&format!("data: {{{encoded}}}\n{}", text(4_097))).lines(),
        ["4 data: the values take up 1048577 bytes in total, but at most 1048576 are allowed"]
    );
    let expected_message = "take up 1048577 bytes in total, but at most 1048576 are allowed";
    assert_eq!(secret(&text(1_048_577)).lines(), [format!("4 stringData: the values {expected_message}")]);
    let binary_data = format!("binaryData: {{a: {}}}\n", crate::go::base64::encode("x".repeat(1_048_577)));
    assert_eq!(config_map(&binary_data).lines(), [format!("2 : the values {expected_message}")]);
}
