//! Scrape jobs that a Secret holds as YAML text (`additionalScrapeConfigs`).

use super::diagnostics;
use super::embedded::EmbeddedYaml;
use super::origin::{Mark, Trace};
use super::trim::trimmed;
use crate::api::{KeySelector, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::{AssetKey, SecretStore};
use crate::yaml::{NodeValue, Value};

/// The jobs of the text that a field of an instance refers to; nulls among them stay. What is wrong with the text is
/// reported at that field, without a word of what it holds.
pub(super) fn scrape_configs<'d, S>(
    instance: &Resource<'d, S>,
    selector: Option<&KeySelector<'d>>,
    store: &SecretStore<'d, 'd>,
    trace: Trace<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Value<'d>> {
    let key = selector.map(|selector| AssetKey::secret(instance.meta.namespace, selector));
    let Some((key, text)) = key.and_then(|key| Some((key, store.text(&key)?))) else {
        return Vec::new();
    };
    let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
    let site = diagnostics::SecretText { instance, key };
    for warning in &yaml.warnings {
        diagnostics.push(site.warning(warning));
    }
    if let Some(error) = &yaml.error {
        diagnostics.push(site.invalid(error));
        return Vec::new();
    }
    let Some(root) = yaml.document.as_ref().map(|document| document.root()) else {
        return Vec::new();
    };
    match root.value() {
        NodeValue::Null => Vec::new(),
        NodeValue::Sequence => {
            let mark = trace.secret(site.key.namespace, site.key.name, site.key.key);
            root.items()
                .map(|item| marked(trimmed(item).into_owned(), mark))
                .collect()
        }
        _ => {
            diagnostics.push(site.not_a_list());
            Vec::new()
        }
    }
}

fn marked<'d>(job: Value<'d>, mark: Mark) -> Value<'d> {
    match job {
        Value::Mapping(mut fields) => {
            mark.put(&mut fields);
            Value::Mapping(fields)
        }
        other => other,
    }
}
