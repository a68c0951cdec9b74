//! TLS of clients (`tls_config.libsonnet`, `safe_tls_config.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use crate::api::TlsConfig;

/// The settings of a client; a file that the resource names wins over a Secret or ConfigMap.
pub(super) fn config<'d>(tls: &TlsConfig<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
    let named = |file: &'d str| (!file.is_empty()).then(|| file.to_owned());
    let key_secret = || tls.key_secret.as_ref().map(|secret| assets.file(secret));
    Fields::new()
        .option("ca_file", named(tls.ca_file).or_else(|| assets.file_of_either(&tls.ca)))
        .option(
            "cert_file",
            named(tls.cert_file).or_else(|| assets.file_of_either(&tls.cert)),
        )
        .option("key_file", named(tls.key_file).or_else(key_secret))
        .text("server_name", tls.server_name)
        .flag("insecure_skip_verify", tls.insecure_skip_verify)
}
