//! Go types, and the YAML values that go-yaml decodes into them.
//!
//! Ported from `decoder.unmarshal` in go-yaml's `decode.go` (versions 2 and 3), and from the `UnmarshalYAML` methods of
//! the types. `null` leaves a Go value unchanged, regardless of its type.

use super::NodeValue;
use crate::go::units::is_base2_bytes;
use crate::go::{duration, regexp, url};

/// Major version of go-yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoYaml {
    V2,
    V3,
}

/// Go type that a value is decoded into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoType {
    /// `interface{}`, or a type that can decode any value.
    Any,
    Bool,
    /// A signed integer with this many bits.
    Int(u32),
    /// An unsigned integer with this many bits.
    Uint(u32),
    Float,
    String,
    /// `time.Duration`
    Duration,
    /// Prometheus' `model.Duration`.
    PrometheusDuration,
    /// A string that is a file path.
    Path,
    /// Regular expression that is compiled without anchors.
    Regexp,
    /// Regular expression that is compiled inside `^(?:` and `)$`.
    AnchoredRegexp,
    /// A string that is parsed as a URL.
    Url,
    /// A number of bytes with a unit (`units.Base2Bytes`).
    Bytes,
    /// `yaml.MapSlice`: a mapping with any values.
    Mapping,
    List(Box<GoType>),
    /// A map with string keys.
    Map(Box<GoType>),
    /// A map with integer keys, which JSON objects cannot have.
    IntMap,
    /// A struct, described in a separate table.
    Struct(Box<str>),
}

/// Reason why a value cannot be decoded into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The value has a different type.
    Type,
    /// The number does not fit in the type's bits, or is negative.
    Range,
    /// The type cannot parse the string, or the scalar that is used as a string.
    Syntax,
}

impl GoType {
    /// Parses a type in Go notation. An unknown name refers to a struct, and a pointer is parsed as the type that it
    /// points to.
    pub fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('*');
        if let Some(item) = text.strip_prefix("[]") {
            return Self::List(Box::new(Self::parse(item)));
        }
        if let Some(value) = text.strip_prefix("map[string]") {
            return Self::Map(Box::new(Self::parse(value)));
        }
        match text {
            "any" => Self::Any,
            "bool" => Self::Bool,
            "int" | "int64" => Self::Int(64),
            "int32" => Self::Int(32),
            "uint" | "uint64" => Self::Uint(64),
            "uint32" => Self::Uint(32),
            "uint16" => Self::Uint(16),
            "float64" => Self::Float,
            "string" => Self::String,
            "time.Duration" => Self::Duration,
            "model.Duration" => Self::PrometheusDuration,
            "path" => Self::Path,
            "regexp" => Self::Regexp,
            "anchored_regexp" => Self::AnchoredRegexp,
            "url" => Self::Url,
            "units.Base2Bytes" => Self::Bytes,
            "map[int]string" => Self::IntMap,
            "yaml.MapSlice" => Self::Mapping,
            name => Self::Struct(name.into()),
        }
    }

    /// Returns the description of the type for use in messages.
    pub fn description(&self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Bool => "`true` or `false`",
            Self::Int(_) => "a whole number",
            Self::Uint(_) => "a non-negative whole number",
            Self::Float => "a number",
            Self::String => "a string",
            Self::Path => "a file path",
            Self::Duration => "a duration such as `1m30s`",
            Self::PrometheusDuration => "a Prometheus duration such as `1m30s`",
            Self::Regexp | Self::AnchoredRegexp => "a regular expression",
            Self::Url => "a URL",
            Self::Bytes => "a size such as `10MB`",
            Self::List(item) => match **item {
                Self::String => "a list of strings",
                Self::Struct(_) | Self::Map(_) | Self::Mapping => "a list of mappings",
                Self::Bool | Self::Int(_) | Self::Uint(_) | Self::Float => "a list of numbers",
                _ => "a list",
            },
            Self::Map(value) => match **value {
                Self::String => "a mapping of strings",
                Self::List(_) => "a mapping of lists",
                _ => "a mapping",
            },
            Self::Mapping | Self::IntMap | Self::Struct(_) => "a mapping",
        }
    }

    /// Returns the reason why `yaml` cannot decode a value into the type, or `None` if the value can be decoded. List
    /// items and mapping values are not checked.
    pub fn find_misfit(&self, value: NodeValue<'_>, yaml: GoYaml) -> Option<Misfit> {
        let is_collection = matches!(value, NodeValue::Sequence | NodeValue::Mapping);
        let is_fit = match (self, value) {
            (Self::Any, _) | (_, NodeValue::Null) => true,
            (Self::List(_), value) => value == NodeValue::Sequence,
            (Self::Map(_) | Self::Mapping | Self::IntMap | Self::Struct(_), value) => value == NodeValue::Mapping,
            (_, _) if is_collection => false,
            (Self::String | Self::Path, _) => true,
            (Self::Bool, NodeValue::Bool(_)) => true,
            (Self::Bool, NodeValue::String(word)) => yaml == GoYaml::V3 && is_old_bool(word),
            (Self::Float, NodeValue::Int(_) | NodeValue::Float(_)) => true,
            (Self::Int(bits), value @ (NodeValue::Int(_) | NodeValue::Float(_))) => {
                return (!fits_signed(value, *bits)).then_some(Misfit::Range);
            }
            (Self::Uint(bits), value @ (NodeValue::Int(_) | NodeValue::Float(_))) => {
                return (!fits_unsigned(value, *bits)).then_some(Misfit::Range);
            }
            (Self::Duration, value @ (NodeValue::Int(_) | NodeValue::Float(_))) if yaml == GoYaml::V2 => {
                return (!fits_signed(value, 64)).then_some(Misfit::Range);
            }
            (Self::Duration, NodeValue::String(text)) => return syntax(duration::parse_go(text).is_some()),
            (Self::Bool | Self::Int(_) | Self::Uint(_) | Self::Float | Self::Duration, _) => false,
            (_, value) => return self.find_parsed_misfit(value, yaml),
        };
        (!is_fit).then_some(Misfit::Type)
    }

    /// Like [`GoType::find_misfit`], but for types that parse a string. The string may be written as any scalar.
    /// go-yaml 2 treats the strings `null` and `~` as null, even in quotes, without calling the type's parser
    /// (`decoder.prepare`).
    fn find_parsed_misfit(&self, value: NodeValue<'_>, yaml: GoYaml) -> Option<Misfit> {
        let number;
        let text = match value {
            NodeValue::String("null" | "~") if yaml == GoYaml::V2 => return Some(Misfit::Type),
            NodeValue::String(text) => text,
            NodeValue::Int(whole) => {
                number = whole.to_string();
                &number
            }
            NodeValue::Float(fraction) => {
                number = fraction.to_string();
                &number
            }
            _ => "true",
        };
        syntax(match self {
            Self::PrometheusDuration => duration::parse_prometheus(text).is_some(),
            Self::Regexp => regexp::compile(text).is_ok(),
            Self::AnchoredRegexp => regexp::compile_anchored(text).is_ok(),
            Self::Bytes => is_base2_bytes(text),
            _ => url::problem(text).is_none(),
        })
    }
}

fn syntax(is_valid: bool) -> Option<Misfit> {
    (!is_valid).then_some(Misfit::Syntax)
}

/// Whether go-yaml 3 decodes a string as a boolean, even if it is quoted.
fn is_old_bool(word: &str) -> bool {
    let (first, rest) = word.split_at_checked(1).unwrap_or_default();
    let is_upper = first.chars().all(|c| c.is_ascii_uppercase()) && rest.chars().all(|c| c.is_ascii_uppercase());
    let is_written_bool = rest.chars().all(|c| c.is_ascii_lowercase()) || is_upper;
    is_written_bool && matches!(word.to_ascii_lowercase().as_str(), "y" | "yes" | "on" | "n" | "no" | "off")
}

/// Limits of 64-bit integers as floating-point numbers.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// Whether a number fits in a signed integer. Fractions are truncated, and a number below the range of 64-bit integers
/// becomes the minimum.
fn fits_signed(number: NodeValue<'_>, bits: u32) -> bool {
    let whole_number = match number {
        NodeValue::Int(whole) => whole,
        NodeValue::Float(number) if number <= TWO_TO_63 => match (-TWO_TO_63..TWO_TO_63).contains(&number) {
            true => number as i64,
            false => i64::MIN,
        },
        _ => return false,
    };
    let spare_bits = i64::BITS.saturating_sub(bits);
    whole_number.wrapping_shl(spare_bits).wrapping_shr(spare_bits) == whole_number
}

/// Whether a number fits in an unsigned integer. Go converts a negative number with a fraction to a large integer.
fn fits_unsigned(number: NodeValue<'_>, bits: u32) -> bool {
    let whole_number = match number {
        NodeValue::Int(whole) => match u64::try_from(whole) {
            Ok(whole) => whole,
            Err(_) => return false,
        },
        NodeValue::Float(number) if number <= TWO_TO_64 => match number < 0.0 {
            true => (number as i64).cast_unsigned(),
            false => number as u64,
        },
        _ => return false,
    };
    let spare_bits = u64::BITS.saturating_sub(bits);
    whole_number.wrapping_shl(spare_bits).wrapping_shr(spare_bits) == whole_number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Returns one letter for each value in a list: `y` if the value fits, and the first letter of the misfit
    /// otherwise.
    fn verdicts(name: &str, list: &str, yaml: GoYaml) -> String {
        let parsed = testing::read(list);
        let misfit_mark = |node: crate::yaml::Node<'_>| match GoType::parse(name).find_misfit(node.value(), yaml) {
            None => 'y',
            Some(Misfit::Type) => 't',
            Some(Misfit::Range) => 'r',
            Some(Misfit::Syntax) => 's',
        };
        parsed.output[0].root().items().map(misfit_mark).collect()
    }

    #[test]
    fn decodes_values_like_go_yaml_2() {
        let list = "[a, '5', 5, -1, 1.5, -1.5, true, 'yes', ~, 'null', [], {}]";
        for (name, expected) in [
            ("any", "yyyyyyyyyyyy"),
            ("bool", "ttttttytyttt"),
            ("int", "ttyyyyttyttt"),
            ("uint", "ttyryyttyttt"),
            ("uint16", "ttyryrttyttt"),
            ("float64", "ttyyyyttyttt"),
            ("string", "yyyyyyyyyytt"),
            ("time.Duration", "ssyyyytsystt"),
            ("model.Duration", "ssssssssyttt"),
            ("regexp", "yyyyyyyyyttt"),
            ("url", "yyyyyyyyyttt"),
            ("path", "yyyyyyyyyytt"),
            ("map[int]string", "ttttttttytty"),
            ("[]string", "ttttttttytyt"),
            ("map[string]string", "ttttttttytty"),
            ("yaml.MapSlice", "ttttttttytty"),
            ("autoscrape.Config", "ttttttttytty"),
        ] {
            assert_eq!(verdicts(name, list, GoYaml::V2), expected, "{name}");
        }
    }

    #[test]
    fn decodes_values_like_go_yaml_3() {
        let list = "['yes', 'On', 'oN', 'N', 'true', 5, 1.5, '5s', 'null', '(']";
        for (name, expected) in [
            ("bool", "yytytttttt"),
            ("int", "tttttyyttt"),
            ("*time.Duration", "sssssttyss"),
            ("regexp", "yyyyyyyyys"),
            ("units.Base2Bytes", "ssssssssss"),
        ] {
            assert_eq!(verdicts(name, list, GoYaml::V3), expected, "{name}");
        }
    }

    #[test]
    fn checks_number_ranges() {
        let list = "[0, 65535, 65536, 2147483647, 2147483648, -2147483649, 1e6, 1e18, 1e19, 1e20, -1e20]";
        for (name, expected) in [
            ("uint16", "yyrrrrrrrrr"),
            ("uint32", "yyyyyryrrrr"),
            ("int32", "yyyyrryrrrr"),
            ("int64", "yyyyyyyyrry"),
            ("time.Duration", "yyyyyyyyrry"),
            ("uint64", "yyyyyryyyry"),
        ] {
            assert_eq!(verdicts(name, list, GoYaml::V2), expected, "{name}");
        }
    }

    #[test]
    fn describes_expected_types() {
        for (name, expected) in [
            ("[]string", "a list of strings"),
            ("[]redis.Target", "a list of mappings"),
            ("[]float64", "a list of numbers"),
            ("map[string][]string", "a mapping of lists"),
            ("*bool", "`true` or `false`"),
        ] {
            assert_eq!(GoType::parse(name).description(), expected);
        }
    }
}
