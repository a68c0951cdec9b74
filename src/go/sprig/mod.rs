//! Functions of Sprig 3.3.0 (`genericMap`).

mod encoding;
mod lists;
mod logic;
mod maps;
mod numbers;
mod patterns;
mod strings;
#[cfg(test)]
mod tests;
mod value_text;
mod words;

use crate::go::template::Function;

pub use maps::merge_entries;

/// Returns the function with this name, or `None` if Sprig lacks it or it is not supported.
pub fn function(name: &str) -> Option<Function> {
    let tables = [
        encoding::FUNCTIONS,
        lists::FUNCTIONS,
        logic::FUNCTIONS,
        maps::FUNCTIONS,
        numbers::FUNCTIONS,
        patterns::FUNCTIONS,
        strings::FUNCTIONS,
    ];
    tables.into_iter().flatten().find(|function| function.name == name).copied()
}

/// Whether this is the name of a Sprig function that programs may offer to templates, but that is not supported here.
/// Such functions read the clock, use random numbers or keys, change a dictionary, repeat text, or are rarely used.
pub fn is_unsupported(name: &str) -> bool {
    UNSUPPORTED.split_whitespace().any(|candidate| candidate == name)
}

const UNSUPPORTED: &str = "\
    abbrevboth ago add1f addf adler32sum b32dec b32enc bcrypt buildCustomCert date dateInZone dateModify date_in_zone \
    date_modify decryptAES derivePassword divf duration durationRound encryptAES genCA genCAWithKey genPrivateKey \
    genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey htmlDate htmlDateInZone htpasswd \
    mulf mustDateModify mustToDate must_date_modify now randAlpha randAlphaNum randAscii randBytes randInt \
    randNumeric repeat semver semverCompare seq set shuffle subf toDate unixEpoch unset until untilStep urlJoin \
    urlParse uuidv4 wrap wrapWith";
