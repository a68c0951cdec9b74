//! JSON that is safe to show.

use std::fmt::Write;

use serde_json::Value;

use super::command::opens_command;
use super::hidden::{is_hidden, printable};

/// JSON text that means the same, in which what [`printable`] escapes, and what opens a command of a pipeline, is escaped as
/// JSON has it. Outside of strings JSON has no such characters but its line breaks.
pub fn json(text: String) -> String {
    let is_harmful = |(at, c): (usize, char)| match c {
        '\n' => false,
        '#' => opens_command(text.get(at..).unwrap_or_default()),
        c => is_hidden(c),
    };
    if !text.char_indices().any(is_harmful) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 64);
    for (at, c) in text.char_indices() {
        if is_harmful((at, c)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Makes every text in a value printable: it is for people after all.
pub fn visible(value: &mut Value) {
    match value {
        Value::String(text) => *text = printable(text).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(visible),
        Value::Object(members) => members.values_mut().for_each(visible),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_data_stays() {
        let value = json!({"\u{202e}a": "\u{1b}\n\u{7f}é##[x]\u{e0041}", "b": ["#"]});
        let text = json(format!("{value:#}\n"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        for escaped in [r#""\u202ea""#, r"\u001b\n\u007fé\u0023#[x]\udb40\udc41", r##""#""##] {
            assert!(text.contains(escaped), "{text}");
        }
        let plain = "{\n  \"a\": \"é # ##\"\n}\n";
        assert_eq!(json(plain.to_owned()), plain);
    }

    #[test]
    fn texts_are_made_visible() {
        let mut value = json!({"a": ["\n\u{202e}"], "b": 1});
        visible(&mut value);
        assert_eq!(value, json!({"a": [r"\n\u{202e}"], "b": 1}));
    }
}
