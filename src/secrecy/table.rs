//! The one table of what credentials look like in texts that others wrote: the names of their fields, and the forms of tokens.
//! What agentctl writes itself knows what came out of a Secret, and needs no table.

use std::sync::LazyLock;

/// The last words of names with secret values; an underscore may be missing. A name that ends otherwise, such as `password_file`
/// or `token_url`, has none.
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

/// Those that also count behind other letters: `dbpassword`, `accesstoken`.
pub(super) const ENDINGS: &[&str] = &["dbpass", "passphrase", "passwd", "password", "pwd", "secret", "token"];

/// Those that count when they are misspelt, too.
pub(super) const MISSPELT: [&str; 6] = [
    "authorization",
    "credentials",
    "passphrase",
    "password",
    "token",
    "username",
];

/// Names of Kubernetes that end like these, and have no secret value.
pub(super) const OPEN: &[&str] = &["automount_service_account_token", "run_as_user"];

/// What suggests a credential anywhere in a name of free-form configuration, which may have any names.
pub(super) const SUSPICIOUS: &[&str] = &[
    "apikey", "api_key", "auth", "cred", "pass", "private", "pwd", "secret", "token",
];

/// How tokens begin that say what they are, by how long they are at least, none shorter than [`SHORTEST_TOKEN`].
pub(super) const TOKENS: &[(usize, &[&str])] = &[
    (
        20,
        &[
            "AKIA", "ASIA", "glc_", "gldt-", "glpat-", "glptt-", "glrt-", "glsa_", "xapp-", "xoxa-", "xoxb-", "xoxe-",
            "xoxp-", "xoxr-", "xoxs-",
        ],
    ),
    (24, &["hvb.", "hvs.", "rk_live_", "sk_live_"]),
    (30, &["NRAK-"]),
    (35, &["AIza"]),
    (36, &["ghp_", "gho_", "ghr_", "ghs_", "ghu_", "npm_"]),
    (40, &["eyJ", "github_pat_"]),
    (50, &["pypi-"]),
    (60, &["SG.", "dop_v1_"]),
];

/// No token is shorter.
pub(super) const SHORTEST_TOKEN: usize = 20;

/// How the first line of a private key ends.
pub(super) const PRIVATE_KEY: &str = "PRIVATE KEY-----";
