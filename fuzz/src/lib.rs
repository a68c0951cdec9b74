//! Code shared by the fuzz targets.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use agentctl::diagnostic::Diagnostic;
use agentctl::printable::Screen;
use agentctl::report::{MessageFormat, render};
use agentctl::source::{Source, Sources};
use serde_json::Value;

#[path = "../../testdata/tests/support/mutate.rs"]
pub mod mutate;

/// Returns sources with these contents, named `0.yaml`, `1.yaml`, and so on.
pub fn sources(texts: &[&str]) -> Sources {
    let mut sources = Sources::default();
    for (i, text) in texts.iter().enumerate() {
        sources.add(Source::new(format!("{i}.yaml"), *text, true));
    }
    sources
}

/// Formats diagnostics in one of the output formats. The format is chosen so that fuzzing covers all of them.
pub fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    const FORMATS: [MessageFormat; 6] = [
        MessageFormat::Human,
        MessageFormat::Short,
        MessageFormat::Json,
        MessageFormat::Github,
        MessageFormat::Sarif,
        MessageFormat::Junit,
    ];
    if diagnostics.is_empty() {
        return;
    }
    let choice = digest(&diagnostics[0].message) as usize + diagnostics.len();
    let screen = Screen {
        color: choice % 2 == 0,
        width: (choice % 3 > 0).then_some(choice % 160),
    };
    render(FORMATS[choice % FORMATS.len()], diagnostics, sources, screen);
}

/// Whether Go writes `text` in a form that it cannot read back. `gopkg.in/yaml.v3` drops a line break at the start of a
/// block scalar. If a block scalar starts with a space, it declares an indentation of 4, which is wrong in a list. Both
/// `gopkg.in/yaml.v3` and `sigs.k8s.io/yaml` write a leading tab, the line breaks of YAML 1.1 and `<<` literally,
/// without quotes. agentctl does the same.
pub fn is_unreadable_in_go(text: &str) -> bool {
    let is_block_scalar = text.starts_with(' ') && text.contains('\n');
    text == "<<"
        || is_block_scalar
        || text.starts_with(['\n', '\t'])
        || text.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether two values are equal, with numbers compared by value.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// Returns a hash that depends only on `value`, so that it is the same in every run.
pub fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Mutates text with libFuzzer's own mutations, or at the level of lines and blocks with [`mutate`].
pub fn mutate_text(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = mutate::Random::new(seed.into());
    match std::str::from_utf8(&data[..size]) {
        Ok(text) if random.below(4) > 0 => {
            let changed = mutate::mutate(text, text, &mut random);
            copy_changed(&changed, data, max_size)
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
}

/// Crosses two inputs by inserting blocks of the second into the first.
pub fn cross_texts(first: &[u8], second: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut random = mutate::Random::new(seed.into());
    let (first, second) = (String::from_utf8_lossy(first), String::from_utf8_lossy(second));
    let changed = match random.below(3) {
        0 => format!("{}\n---\n{second}", first.trim_end()).into_bytes(),
        _ => mutate::mutate(&first, &second, &mut random),
    };
    let room = out.len();
    copy_changed(&changed, out, room)
}

fn copy_changed(changed: &[u8], out: &mut [u8], max_size: usize) -> usize {
    let size = changed.len().min(max_size).min(out.len());
    out[..size].copy_from_slice(&changed[..size]);
    size
}
