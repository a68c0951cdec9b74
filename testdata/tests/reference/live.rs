//! Tests `agentctl diff` with exports from a real API server. The objects in `input/` were applied, or created as the
//! operator creates them; `live.yaml` is the resulting output of `kubectl get -o yaml`. `expected.json` contains the
//! output of `kubectl diff`, the fields that are not rendered but that survive an apply, and the detected operator
//! release, unless that is the latest release.

use std::fs;

use crate::support::{folders, root, run};
use serde_json::Value;

#[test]
fn diff_matches_kubectl_diff() {
    let cases = folders(&root().join("testdata/live"));
    assert!(cases.len() >= 14, "{cases:?}");
    for case in cases {
        let expected: Value = serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
        // Only the kubelet rejects invalid images. The API server accepted them, so this finding is allowed.
        let args = ["diff", "input", "--against", "live.yaml", "-o", "json", "--allow", "invalid-image"];
        let run = run(&case, args, b"");
        let name = case.display();
        let actual: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{name}: {}", run.stderr));
        let text = |change: &Value, key| change[key].as_str().unwrap_or_default().to_owned();
        let changed_objects = actual["changes"].as_array().unwrap().iter();
        let changed_objects: Vec<_> = changed_objects
            .map(|change| ["kind", "namespace", "name"].map(|key| text(change, key)).join("/"))
            .collect();
        assert_eq!(Value::from(changed_objects), expected["changed"], "{name}: {}", run.stdout);
        let kept_objects = actual["kept"].as_array().unwrap().iter().flat_map(|kept_objects| {
            let key = ["kind", "namespace", "name"].map(|key| text(kept_objects, key)).join("/");
            let fields = kept_objects["fields"].as_array().unwrap().iter();
            fields.map(move |field| format!("{key} {}", field.as_str().unwrap()))
        });
        let expected_kept = expected.get("kept").cloned().unwrap_or_else(|| Value::Array(Vec::new()));
        assert_eq!(Value::from(kept_objects.collect::<Vec<_>>()), expected_kept, "{name}");
        assert_eq!(run.status.map(i64::from), expected["exit"].as_i64(), "{name}");
        let note = expected["operator"]
            .as_str()
            .map_or_else(String::new, |version| format!("note: comparing with the output of operator {version}, "));
        assert!(run.stderr.starts_with(&note), "{name}: {}", run.stderr);
        assert_eq!(run.stderr.is_empty(), note.is_empty(), "{name}: {}", run.stderr);
    }
}
