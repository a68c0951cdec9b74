//! Table of field names and token formats that indicate credentials, for text that agentctl did not write. In text that
//! agentctl writes, it is known which parts come from a Secret.

use std::sync::LazyLock;

/// Last words of keys that have secret values. Underscores may be missing from a key. A key with any other ending, such
/// as `password_file` or `token_url`, is not secret.
pub(super) static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = "\
        access_key access_key_id account_key api_key app_key application_key assertion auth auth_key authorization \
        client_id client_key community connection_string consumer_key cookie cred credential credentials creds \
        data_source_name data_source_names dsn encryption_key headers hmac_key identitytoken ingest_key \
        integration_key jwt key_data license_key master_key pass passphrase passwd password passwords pat \
        private_key pw pwd registrytoken routing_key secret secret_id secret_key service_key session_key shared_key \
        sig signature signing_key ssh_key storage_key tls_key token user username write_key";
    names.split(' ').collect()
});

/// Endings that indicate a secret even without a separator before them, as in `dbpassword` and `accesstoken`.
pub(super) const ENDINGS: &[&str] = &["dbpass", "passphrase", "passwd", "password", "pwd", "secret", "token"];

/// Words that are recognized even if misspelled.
pub(super) const OFTEN_MISSPELLED: [&str; 6] =
    ["authorization", "credentials", "passphrase", "password", "token", "username"];

/// Kubernetes fields that are not secret even though their names end like those of secret keys.
pub(super) const NOT_SECRET: &[&str] = &["automount_service_account_token", "run_as_user"];

/// Parts of keys that suggest a credential in a free-form configuration.
pub(super) const SUSPICIOUS: &[&str] =
    &["apikey", "api_key", "auth", "cred", "pass", "private", "pwd", "secret", "token"];

/// Returns the prefixes and minimum lengths of tokens that start with this byte. No length is below
/// [`MIN_TOKEN_LENGTH`].
pub(super) fn tokens_starting_with(first: u8) -> &'static [(&'static str, usize)] {
    match first {
        b'A' => &[("AIza", 35), ("AKIA", 20), ("ASIA", 20)],
        b'N' => &[("NRAK-", 30)],
        b'S' => &[("SG.", 60)],
        b'd' => &[("dop_v1_", 60)],
        b'e' => &[("eyJ", 40)],
        b'g' => &[
            ("gho_", 36),
            ("ghp_", 36),
            ("ghr_", 36),
            ("ghs_", 36),
            ("ghu_", 36),
            ("github_pat_", 40),
            ("glc_", 20),
            ("gldt-", 20),
            ("glpat-", 20),
            ("glptt-", 20),
            ("glrt-", 20),
            ("glsa_", 20),
        ],
        b'h' => &[("hvb.", 24), ("hvs.", 24)],
        b'n' => &[("npm_", 36)],
        b'p' => &[("pypi-", 50)],
        b'r' => &[("rk_live_", 24)],
        b's' => &[("sk_live_", 24)],
        b'x' => {
            &[("xapp-", 20), ("xoxa-", 20), ("xoxb-", 20), ("xoxe-", 20), ("xoxp-", 20), ("xoxr-", 20), ("xoxs-", 20)]
        }
        _ => &[],
    }
}

/// Minimum length of any token.
pub(super) const MIN_TOKEN_LENGTH: usize = 20;

/// End of the first line of a private key.
pub(super) const PRIVATE_KEY: &str = "PRIVATE KEY-----";
