//! MySQL data source names, as the agent's driver parses them (`mysql.ParseDSN` in go-sql-driver):
//! `user:password@network(address)/database?parameters`.

use crate::go::{address, duration, time_zone, url};

/// Server that a data source name refers to.
#[derive(Debug, PartialEq, Eq)]
pub struct DataSource<'t> {
    network: &'t str,
    address: String,
    database: &'t str,
}

impl DataSource<'_> {
    /// Returns the string that the agent uses to distinguish data sources (`Config.InstanceKey`).
    pub fn identity(&self) -> String {
        format!("{}({})/{}", self.network, self.address, self.database)
    }
}

/// Parses a data source name. The error is worded to follow the name in a message.
pub fn parse(name: &str) -> Result<DataSource<'_>, &'static str> {
    let (before, after) = match name.rsplit_once('/') {
        Some(parts) => parts,
        None if name.is_empty() => ("", ""),
        None => return Err("has no `/` before the database name"),
    };
    let server = before.rsplit_once('@').map_or(before, |(_, server)| server);
    let (network, address) = match server.split_once('(') {
        Some((network, rest)) => match rest.strip_suffix(')') {
            Some(address) => (network, address),
            None if rest.contains(')') => {
                return Err("has an unescaped `/` in a parameter (use `%2F`), or text after the `)` of its address");
            }
            None => return Err("has a `(` without a closing `)`"),
        },
        None => (server, ""),
    };
    let (database, parameters) = after.split_once('?').unwrap_or((after, ""));
    let parameters = self::parse_parameters(parameters)?;
    if parameters.interpolates && UNSAFE_COLLATIONS.contains(&parameters.collation) {
        return Err("combines `interpolateParams` with an unsafe `collation`");
    }
    let network = if network.is_empty() { "tcp" } else { network };
    let address = match (network, address) {
        ("tcp", "") => "127.0.0.1:3306".to_owned(),
        ("unix", "") => "/tmp/mysql.sock".to_owned(),
        (_, "") => return Err("has no parentheses around its address"),
        ("tcp", address) => add_default_port(address),
        (_, address) => address.to_owned(),
    };
    Ok(DataSource { network, address, database })
}

/// Returns an address with a port, which defaults to 3306 (`ensureHavePort`).
fn add_default_port(address: &str) -> String {
    match (address::split_host_port(address), address.contains(':')) {
        (Ok(_), _) => address.to_owned(),
        (Err(_), true) => format!("[{address}]:3306"),
        (Err(_), false) => format!("{address}:3306"),
    }
}

/// MySQL parameters that depend on each other.
#[derive(Default)]
struct Parameters<'t> {
    interpolates: bool,
    collation: &'t str,
}

/// Collations that cannot be combined with `interpolateParams`.
const UNSAFE_COLLATIONS: &[&str] = &[
    "big5_chinese_ci",
    "sjis_japanese_ci",
    "gbk_chinese_ci",
    "big5_bin",
    "gb2312_bin",
    "gbk_bin",
    "sjis_bin",
    "cp932_japanese_ci",
    "cp932_bin",
    "gb18030_chinese_ci",
    "gb18030_bin",
    "gb18030_unicode_520_ci",
];

/// Spellings of booleans that the driver accepts (`readBool`).
const BOOLEANS: &[&str] = &["1", "true", "TRUE", "True", "0", "false", "FALSE", "False"];

/// Parses the parameters (`parseDSNParams`). A parameter without `=` is ignored.
fn parse_parameters(text: &str) -> Result<Parameters<'_>, &'static str> {
    let mut parameters = Parameters::default();
    for (name, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
        let problem = match name {
            "collation" => {
                parameters.collation = value;
                None
            }
            "interpolateParams" => {
                parameters.interpolates = matches!(value, "1" | "true" | "TRUE" | "True");
                (!BOOLEANS.contains(&value))
                    .then_some("sets `interpolateParams` to a value other than `true` or `false`")
            }
            _ => parameter_problem(name, value),
        };
        if let Some(problem) = problem {
            return Err(problem);
        }
    }
    Ok(parameters)
}

/// Returns the problem with a single parameter, or `None` if it is valid.
fn parameter_problem(name: &str, value: &str) -> Option<&'static str> {
    let is_valid = match name {
        "allowAllFiles"
        | "allowCleartextPasswords"
        | "allowFallbackToPlaintext"
        | "allowNativePasswords"
        | "allowOldPasswords"
        | "checkConnLiveness"
        | "clientFoundRows"
        | "columnsWithAlias"
        | "multiStatements"
        | "parseTime"
        | "rejectReadOnly" => BOOLEANS.contains(&value),
        "readTimeout" | "timeout" | "writeTimeout" => duration::parse_go(value).is_some(),
        "maxAllowedPacket" => address::is_whole_number(value),
        "loc" => url::unescape(value, true).is_some_and(|zone| time_zone::is_known(&zone)),
        "tls" => is_tls(value),
        "serverPubKey" => value.is_empty(),
        "compress" | "strict" => false,
        _ => url::unescape(value, true).is_some(),
    };
    (!is_valid).then_some(match name {
        "readTimeout" | "timeout" | "writeTimeout" => "sets a timeout that is not a duration such as `5s`",
        "maxAllowedPacket" => "sets `maxAllowedPacket` to a value that is not a whole number",
        "loc" => "sets `loc` to an unknown time zone",
        "tls" => "sets `tls` to a value other than `true`, `false`, `skip-verify` or `preferred`",
        "serverPubKey" => "sets `serverPubKey` to a key that is not registered",
        "compress" => "sets the parameter `compress`, which the driver does not support",
        "strict" => "sets the parameter `strict`, which the driver no longer supports",
        _ if url::unescape(value, true).is_none() => {
            "has a parameter with a `%` that is not followed by two hexadecimal digits"
        }
        _ => "sets a Boolean parameter to a value other than `true` or `false`",
    })
}

/// Whether a value for `tls` is valid if no TLS configuration is registered.
fn is_tls(value: &str) -> bool {
    let is_known = |name: &str| matches!(name, "" | "true" | "false" | "skip-verify" | "preferred");
    let is_mode = matches!(value.to_lowercase().as_str(), "skip-verify" | "preferred");
    BOOLEANS.contains(&value) || is_mode || url::unescape(value, true).is_some_and(|name| is_known(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_data_sources_the_driver_accepts() {
        for (name, expected) in [
            ("", "tcp(127.0.0.1:3306)/"),
            ("/", "tcp(127.0.0.1:3306)/"),
            ("u:p@/d", "tcp(127.0.0.1:3306)/d"),
            ("u:p@(db-d:3306)/", "tcp(db-d:3306)/"),
            ("root@(server-a)/x", "tcp(server-a:3306)/x"),
            ("root:p@unix(/a)/", "unix(/a)/"),
            ("u@unix/d", "unix(/tmp/mysql.sock)/d"),
            ("u:a/b@c@tcp(h:1)/d?x=y", "tcp(h:1)/d"),
            ("u@cloudsql(a:b:c)/d", "cloudsql(a:b:c)/d"),
            ("u@(::1)/d", "tcp([::1]:3306)/d"),
            ("u@([::1]:5)/d", "tcp([::1]:5)/d"),
            ("tcp(h)/", "tcp(h:3306)/"),
            ("u@(h)/d?collation=x&strict&timeout=1.5s&tls=Skip-Verify&tls=&loc=Europe%2FBerlin", "tcp(h:3306)/d"),
            ("u@(h)/d?parseTime=True&maxAllowedPacket=-1&interpolateParams=true&loc=UTC&x=a%20b", "tcp(h:3306)/d"),
            ("u@(h)/d?interpolateParams=false&collation=gbk_bin&serverPubKey=&tls=tr%75e", "tcp(h:3306)/d"),
        ] {
            assert_eq!(parse(name).map(|source| source.identity()).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn rejects_data_sources_the_driver_rejects() {
        let missing_slash = "has no `/` before the database name";
        let parentheses = "has no parentheses around its address";
        let inside = "has an unescaped `/` in a parameter (use `%2F`), or text after the `)` of its address";
        for (name, expected) in [
            ("user:pw@tcp(db-a:3306)", missing_slash),
            ("x", missing_slash),
            ("root@server-a:3306/", parentheses),
            ("mysql://user:pw@db-c:3306/shop", parentheses),
            ("u@tcp6/d", parentheses),
            ("u@tcp(h:1/d", "has a `(` without a closing `)`"),
            ("u@tcp(h:1)x/d", inside),
            ("u@tcp(h:1)/d?loc=Europe/Berlin", inside),
            ("u@(h)/?timeout=x", "sets a timeout that is not a duration such as `5s`"),
            ("u@(h)/?readTimeout=5", "sets a timeout that is not a duration such as `5s`"),
            ("u@(h)/?parseTime=maybe", "sets a Boolean parameter to a value other than `true` or `false`"),
            ("u@(h)/?parseTime=", "sets a Boolean parameter to a value other than `true` or `false`"),
            ("u@(h)/?maxAllowedPacket=1k", "sets `maxAllowedPacket` to a value that is not a whole number"),
            ("u@(h)/?tls=zz", "sets `tls` to a value other than `true`, `false`, `skip-verify` or `preferred`"),
            ("u@(h)/?loc=Nowhere", "sets `loc` to an unknown time zone"),
            ("u@(h)/?loc=%zz", "sets `loc` to an unknown time zone"),
            ("u@(h)/?a=%", "has a parameter with a `%` that is not followed by two hexadecimal digits"),
            ("u@(h)/?serverPubKey=a", "sets `serverPubKey` to a key that is not registered"),
            ("u@(h)/?compress=true", "sets the parameter `compress`, which the driver does not support"),
            ("u@(h)/?strict=true", "sets the parameter `strict`, which the driver no longer supports"),
            ("u@(h)/?interpolateParams=1&collation=gbk_bin", "combines `interpolateParams` with an unsafe `collation`"),
            ("u@(h)/?interpolateParams=y", "sets `interpolateParams` to a value other than `true` or `false`"),
        ] {
            assert_eq!(parse(name), Err(expected), "{name}");
        }
    }
}
