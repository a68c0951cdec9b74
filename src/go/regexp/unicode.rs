//! Names that `\p{…}` accepts.

use super::output::{ANYTHING, NOTHING};
use super::parser::Parser;
use super::verdict::{AcceptingReleases, Error, problem};

impl<'t> Parser<'t> {
    /// Parses `\pL`, `\p{Greek}` or `\P{^Lu}` (`parseUnicodeClass`).
    pub(super) fn parse_unicode_class(&mut self) -> Result<(), Error> {
        let start = self.at;
        let is_upper = self.byte_after(1) == Some(b'P');
        let name = self.parse_property_name()?;
        let plain_name = name.strip_prefix('^').unwrap_or(name);
        let releases = lookup(plain_name).ok_or_else(|| self.error(start, problem::UNKNOWN_PROPERTY))?;
        self.accepted = self.accepted.max(releases);
        let is_negated = is_upper != (plain_name.len() < name.len());
        self.out.text.push_str(&translate(plain_name, is_negated));
        Ok(())
    }

    /// Parses the name in `\p{…}` or after `\p`.
    fn parse_property_name(&mut self) -> Result<&'t str, Error> {
        let start = self.at;
        self.at += 2;
        let rest = self.remaining_text();
        if let Some(braced) = rest.strip_prefix('{') {
            let Some(end) = braced.find('}') else {
                return Err(self.error_at(start..self.text.len(), problem::UNCLOSED_PROPERTY));
            };
            self.at += end + 2;
            return Ok(braced.get(..end).unwrap_or_default());
        }
        let length = self.next_char().map_or(0, char::len_utf8);
        Ok(rest.get(..length).unwrap_or_default())
    }
}

/// Returns the `regex` syntax for a category or script.
fn translate(name: &str, is_negated: bool) -> String {
    let (sign, escape) = if is_negated { ("^", 'P') } else { ("", 'p') };
    match name {
        // Go's category excludes unassigned code points.
        "C" => format!("[{sign}\\p{{gc=Cc}}\\p{{gc=Cf}}\\p{{gc=Co}}]"),
        "Any" | "Cs" if is_negated == (name == "Any") => NOTHING.to_owned(),
        "Any" | "Cs" => ANYTHING.to_owned(),
        _ if CATEGORIES.contains(&name) => format!("\\{escape}{{gc={name}}}"),
        _ => format!("\\{escape}{{sc={name}}}"),
    }
}

fn lookup(name: &str) -> Option<AcceptingReleases> {
    let contains_name = |names: &[&str]| names.binary_search(&name).is_ok();
    if name == "Any" || contains_name(CATEGORIES) || contains_name(SCRIPTS) {
        return Some(AcceptingReleases::Always);
    }
    if RECENT_SCRIPTS.contains(&name) {
        return Some(AcceptingReleases::RecentScript);
    }
    let names = [CATEGORIES, SCRIPTS, RECENT_SCRIPTS, LONG_NAMES].into_iter().flatten();
    let is_loose = |known: &&str| normalized_letters(known).eq(normalized_letters(name));
    names.into_iter().any(is_loose).then_some(AcceptingReleases::LooseName)
}

/// Normalizes a name for comparison as Go 1.25 does (`canonicalName`).
fn normalized_letters(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters.map(|c| c.to_ascii_lowercase())
}

/// General categories (`unicode.Categories`), sorted.
#[rustfmt::skip]
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P",
    "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

/// Scripts of Unicode 13 (`unicode.Scripts` before Go 1.21), sorted.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &[
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa_Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Canadian_Aboriginal",
    "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Chorasmian", "Common", "Coptic", "Cuneiform",
    "Cypriot", "Cyrillic", "Deseret", "Devanagari", "Dives_Akuru", "Dogra", "Duployan", "Egyptian_Hieroglyphs",
    "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gothic", "Grantha", "Greek", "Gujarati",
    "Gunjala_Gondi", "Gurmukhi", "Han", "Hangul", "Hanifi_Rohingya", "Hanunoo", "Hatran", "Hebrew", "Hiragana",
    "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese", "Kaithi",
    "Kannada", "Katakana", "Kayah_Li", "Kharoshthi", "Khitan_Small_Script", "Khmer", "Khojki", "Khudawadi", "Lao",
    "Latin", "Lepcha", "Limbu", "Linear_A", "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani", "Makasar",
    "Malayalam", "Mandaic", "Manichaean", "Marchen", "Masaram_Gondi", "Medefaidrin", "Meetei_Mayek", "Mende_Kikakui",
    "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro", "Multani", "Myanmar", "Nabataean",
    "Nandinagari", "New_Tai_Lue", "Newa", "Nko", "Nushu", "Nyiakeng_Puachue_Hmong", "Ogham", "Ol_Chiki",
    "Old_Hungarian", "Old_Italic", "Old_North_Arabian", "Old_Permic", "Old_Persian", "Old_Sogdian",
    "Old_South_Arabian", "Old_Turkic", "Oriya", "Osage", "Osmanya", "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau",
    "Phags_Pa", "Phoenician", "Psalter_Pahlavi", "Rejang", "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian",
    "Siddham", "SignWriting", "Sinhala", "Sogdian", "Sora_Sompeng", "Soyombo", "Sundanese", "Syloti_Nagri", "Syriac",
    "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet", "Takri", "Tamil", "Tangut", "Telugu", "Thaana", "Thai",
    "Tibetan", "Tifinagh", "Tirhuta", "Ugaritic", "Vai", "Wancho", "Warang_Citi", "Yezidi", "Yi", "Zanabazar_Square",
];

/// Scripts added in Unicode 14 and 15, which Go 1.21 supports.
#[rustfmt::skip]
const RECENT_SCRIPTS: &[&str] = &[
    "Cypro_Minoan", "Kawi", "Nag_Mundari", "Old_Uyghur", "Tangsa", "Toto", "Vithkuqi",
];

/// Additional names that Go 1.25 supports (`unicode.CategoryAliases`).
#[rustfmt::skip]
const LONG_NAMES: &[&str] = &[
    "Other", "Control", "cntrl", "Format", "Unassigned", "Private_Use", "Surrogate", "Letter", "Cased_Letter",
    "Lowercase_Letter", "Modifier_Letter", "Other_Letter", "Titlecase_Letter", "Uppercase_Letter", "Mark",
    "Combining_Mark", "Spacing_Mark", "Enclosing_Mark", "Nonspacing_Mark", "Number", "Decimal_Number", "digit",
    "Letter_Number", "Other_Number", "Punctuation", "punct", "Connector_Punctuation", "Dash_Punctuation",
    "Close_Punctuation", "Final_Punctuation", "Initial_Punctuation", "Other_Punctuation", "Open_Punctuation",
    "Symbol", "Currency_Symbol", "Modifier_Symbol", "Math_Symbol", "Other_Symbol", "Separator", "Line_Separator",
    "Paragraph_Separator", "Space_Separator", "Any", "Assigned", "ASCII", "LC", "Cn",
];
