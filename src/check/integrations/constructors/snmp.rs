//! The `snmp` integration: its authentication settings (`Auth.UnmarshalYAML` in snmp_exporter).

use crate::check::integrations::setting::{is_blank, missing, number, refuse, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk, any_of};

pub const ROWS: Rows = &[("snmp_config.auths.*", With(authentication))];

const AUTH_PROTOCOLS: [&str; 6] = ["MD5", "SHA", "SHA224", "SHA256", "SHA384", "SHA512"];
const PRIV_PROTOCOLS: [&str; 6] = ["DES", "AES", "AES192", "AES192C", "AES256", "AES256C"];

fn authentication<'v>(auth: Json<'v>, walk: &mut Walk<'v>) {
    let Some(version) = number(auth, "version", 2) else {
        return;
    };
    if !(1..=3).contains(&version) {
        refuse(walk, &[Step::Key("version")], "is not 1, 2 or 3", "use `1`, `2` or `3`");
    }
    // The other settings are checked only for version 3.
    let Some(level) = text(auth, "security_level", "noAuthNoPriv").filter(|_| version == 3) else {
        return;
    };
    let depth = match &*level {
        "noAuthNoPriv" => 0,
        "authNoPriv" => 1,
        "authPriv" => 2,
        _ => {
            let help = "use `noAuthNoPriv`, `authNoPriv` or `authPriv`";
            refuse(walk, &[Step::Key("security_level")], "is not a valid security level", help);
            return;
        }
    };
    if depth > 1 {
        needs(auth, "priv_password", &level, walk);
        protocol(auth, "priv_protocol", "DES", &PRIV_PROTOCOLS, walk);
    }
    if depth > 0 {
        needs(auth, "password", &level, walk);
        protocol(auth, "auth_protocol", "MD5", &AUTH_PROTOCOLS, walk);
    }
    needs(auth, "username", &level, walk);
}

fn needs<'v>(auth: Json<'v>, key: &'static str, level: &str, walk: &mut Walk<'v>) {
    if is_blank(auth, key, "") {
        let needed = format!("SNMP version 3 with security level `{level}` needs `{key}`");
        missing(walk, &[Step::Key(key)], &needed, &format!("set `{key}`"));
    }
}

fn protocol<'v>(auth: Json<'v>, key: &'static str, default: &'static str, known: &[&str], walk: &mut Walk<'v>) {
    if text(auth, key, default).is_some_and(|protocol| !known.contains(&&*protocol)) {
        let known = any_of(&known.join("|"));
        refuse(walk, &[Step::Key(key)], "is not a valid protocol for SNMP version 3", format!("use {known}"));
    }
}
