//! Credentials in additional scrape jobs, whose YAML is the value of a Secret. Configurations never contain them. Each
//! is stored in a separate file in `<agent>-secrets`, or is read from the YAML if other tools provide the Secret
//! values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::statsd;
use crate::diagnostic::Step;
use crate::output::agent::{key, secret_file_path};
use crate::output::alloy::write::syntax::{Body, Expression};
use crate::output::alloy::write::writer::Writer;
use crate::plan::{Credential, Plan, SecretRepresentation};
use crate::resolve::AssetKey;
use crate::yaml::SecretSource;

/// Returns the files in `<agent>-secrets` that only Alloy needs: credentials, and mapping files of integrations.
pub fn files(plan: &Plan<'_>) -> BTreeMap<String, Vec<u8>> {
    let credentials = plan.credentials.iter();
    let credentials = credentials.map(|credential| (credential.file.clone(), credential.text.clone().into_bytes()));
    credentials.chain(statsd::files(plan)).collect()
}

impl<'p> Writer<'p, '_> {
    /// Replaces each secret in `body` with the expression that reads the secret.
    pub fn reveal_secrets(&mut self, body: &mut Body<'_>) {
        body.for_each_part(&mut |part| {
            let Expression::Secret(source) = *part else { return };
            *part = match (source, key(source)) {
                (_, Some(key)) => self.value(key),
                (SecretSource::Credential(number), _) => {
                    let credential = self.plan.credentials.get(number);
                    let label = format!("additional_{}", number + 1);
                    credential.map_or(Expression::Null, |credential| self.credential(&label, credential))
                }
                _ => Expression::Null,
            };
        });
    }

    /// Returns the expression that reads a Secret key from its file, so that the configuration does not contain the
    /// value. The expression is an empty string if the key is missing, which has already been reported.
    fn value(&mut self, key: AssetKey<'_>) -> Expression<'static> {
        let text = match (self.plan.secrets.text(&key), self.secrets) {
            // If names or placeholders are written instead of values, variables in a value are not replaced.
            (_, SecretRepresentation::Named) | (Some(_), SecretRepresentation::Placeholders) => Cow::Borrowed(""),
            (Some(text), SecretRepresentation::Values | SecretRepresentation::Masked) => text,
            (None, _) => return String::new().into(),
        };
        let name = key.sanitized_key();
        let own_source = self.sources.get(&name).copied();
        let content = self.file_content(&name, secret_file_path(&name), own_source);
        self.environment.secret_expression(&text, content)
    }

    fn credential(&mut self, label: &str, credential: &'p Credential<'p>) -> Expression<'static> {
        let value = match self.settings.has_files_of_credentials {
            true => self.file_content(label, secret_file_path(&credential.file), Some(credential.secret)),
            false => self.yaml_credential(credential),
        };
        self.environment.secret_expression(&credential.text, value)
    }

    fn yaml_credential(&mut self, credential: &'p Credential<'p>) -> Expression<'static> {
        let name = credential.secret.sanitized_key();
        let file = self.file_content(&name, secret_file_path(&name), Some(credential.secret));
        let text = Expression::Call("convert.nonsensitive", vec![file]);
        let yaml = Expression::Call("encoding.from_yaml", vec![text]);
        let steps = credential.place.steps().map(|step| match step {
            Step::Key(key) => Expression::from(key.to_owned()),
            Step::Index(index) => Expression::Number(index as f64),
        });
        let value = Expression::Index(Box::new(yaml), steps.collect());
        match credential.is_text {
            true => value,
            // Alloy does not accept numbers as secrets.
            false => Expression::Call("string.format", vec!["%v".into(), value]),
        }
    }
}
