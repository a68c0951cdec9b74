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

/// How tokens that say what they are begin, and their least lengths, which are at least [`SHORTEST_TOKEN`]: of those that begin
/// with this byte.
pub(super) fn tokens_from(first: u8) -> &'static [(&'static str, usize)] {
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
        b'x' => &[
            ("xapp-", 20),
            ("xoxa-", 20),
            ("xoxb-", 20),
            ("xoxe-", 20),
            ("xoxp-", 20),
            ("xoxr-", 20),
            ("xoxs-", 20),
        ],
        _ => &[],
    }
}

/// No token is shorter.
pub(super) const SHORTEST_TOKEN: usize = 20;

/// How the first line of a private key ends.
pub(super) const PRIVATE_KEY: &str = "PRIVATE KEY-----";
