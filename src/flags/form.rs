//! Flag values, based on clap's definitions.

use clap::{Arg, ArgAction};

use super::flag::{FlagValue, Rejection};

/// Returns the value in command-line form. A switch is `true` or `false`.
pub fn text(arg: &Arg, value: &FlagValue) -> Result<String, Rejection> {
    let reject = |problem: &str| Err(Rejection::new(problem));
    if is_switch(arg) {
        return match value {
            FlagValue::Switch(on) => Ok(on.to_string()),
            FlagValue::Text(text) if ["true", "false"].contains(&text.as_str()) => Ok(text.clone()),
            _ => reject("must be `true` or `false`"),
        };
    }
    match value {
        FlagValue::Switch(_) => Err(Rejection::new("must be a string, not a boolean").help("quote it")),
        FlagValue::Text(text) => Ok(text.clone()),
        FlagValue::List(texts) if value_name_contains(arg, ',') => Ok(texts.join(",")),
        FlagValue::List(_) => reject("must be a single value, not a list"),
        FlagValue::Pairs(pairs) if value_name_contains(arg, '=') => {
            let is_plain = |(key, value): &(String, String)| !key.contains(['=', ',']) && !value.contains(',');
            if !pairs.iter().all(is_plain) {
                return reject("must have keys without `=` or `,`, and values without `,`");
            }
            let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
            Ok(pairs.join(","))
        }
        FlagValue::Pairs(_) => reject("must be a string, not a mapping"),
    }
}

/// Returns a flag's short help.
pub fn help(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

/// Returns the values that a flag accepts, or an empty list if it accepts any string.
pub fn words(arg: &Arg) -> Vec<String> {
    let words = arg.get_possible_values();
    words.iter().map(|word| word.get_name().to_owned()).collect()
}

/// Returns the default value, or an empty string if there is none.
pub fn default(arg: &Arg) -> String {
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    defaults.collect::<Vec<_>>().join(",")
}

/// Whether a flag takes no value on the command line.
pub fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether a flag's value name contains `sign`. For example, `=` indicates pairs.
pub fn value_name_contains(arg: &Arg, sign: char) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| name.contains(sign))
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn command() -> Command {
        Command::new("x").args([
            Arg::new("on").long("on").action(ArgAction::SetTrue).help("Turn it on"),
            Arg::new("mode").long("mode").value_parser(["fast", "slow"]).default_value("fast"),
            Arg::new("size").long("size"),
            Arg::new("list").long("list").value_name("A,B").default_values(["a", "b"]).value_delimiter(','),
            Arg::new("pairs").long("pairs").value_name("K=V,K=V"),
        ])
    }

    fn with_argument<T>(name: &str, ask: impl FnOnce(&Arg) -> T) -> T {
        let command = command();
        ask(command.get_arguments().find(|arg| arg.get_id() == name).unwrap())
    }

    #[test]
    fn converts_values_to_command_line_form() {
        let text = |text: &str| FlagValue::Text(text.to_owned());
        let list = |texts: &[&str]| FlagValue::List(texts.iter().map(|&text| text.to_owned()).collect());
        let pairs = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned()));
            FlagValue::Pairs(pairs.collect())
        };
        let switch = "must be `true` or `false`";
        let plain = "must have keys without `=` or `,`, and values without `,`";
        for (name, value, expected) in [
            ("on", FlagValue::Switch(true), Ok("true")),
            ("on", FlagValue::Switch(false), Ok("false")),
            ("on", text("true"), Ok("true")),
            ("on", text("false"), Ok("false")),
            ("on", text("yes"), Err(switch)),
            ("on", list(&["true"]), Err(switch)),
            ("mode", FlagValue::Switch(true), Err("must be a string, not a boolean")),
            ("mode", text("any"), Ok("any")),
            ("mode", list(&["a"]), Err("must be a single value, not a list")),
            ("mode", pairs(&[("a", "b")]), Err("must be a string, not a mapping")),
            ("list", list(&["a", "b"]), Ok("a,b")),
            ("list", list(&[]), Ok("")),
            ("list", pairs(&[]), Err("must be a string, not a mapping")),
            ("pairs", pairs(&[("a", "b"), ("c", "=")]), Ok("a=b,c==")),
            ("pairs", pairs(&[("a=", "b")]), Err(plain)),
            ("pairs", pairs(&[("a,", "b")]), Err(plain)),
            ("pairs", pairs(&[("x", "y"), ("a", "b,c")]), Err(plain)),
        ] {
            let actual = with_argument(name, |arg| super::text(arg, &value));
            let actual = actual.map_err(|refusal| refusal.problem);
            assert_eq!(actual, expected.map(str::to_owned).map_err(str::to_owned), "{name} {value:?}");
        }
    }

    #[test]
    fn describes_flag_values() {
        for (name, help_of, words_of, default_of, switch, list, pairs) in [
            ("on", "Turn it on", &[][..], "", true, false, false),
            ("mode", "", &["fast", "slow"], "fast", false, false, false),
            ("size", "", &[], "", false, false, false),
            ("list", "", &[], "a,b", false, true, false),
            ("pairs", "", &[], "", false, true, true),
        ] {
            with_argument(name, |arg| {
                assert_eq!(help(arg), help_of);
                // A switch accepts no value, so no words are listed.
                assert_eq!(words(arg), words_of, "{name}");
                assert_eq!(default(arg), default_of, "{name}");
                assert_eq!(
                    (is_switch(arg), value_name_contains(arg, ','), value_name_contains(arg, '=')),
                    (switch, list, pairs)
                );
            });
        }
    }
}
