//! What a string goes through in `sigs.k8s.io/yaml` before it is written: it becomes JSON, and that is read as YAML.

/// JSON leaves this line break of YAML 1.1 as it is.
const NEXT_LINE: char = '\u{85}';

/// Whether the text comes back different.
pub(super) fn changes(text: &str) -> bool {
    text.contains(NEXT_LINE)
}

/// The text as it comes back: its next-line characters are folded, as in any double-quoted scalar
/// (`yaml_parser_scan_flow_scalar`). Spaces around them vanish; one becomes a space, more become one line feed fewer.
pub(super) fn read_back(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once(NEXT_LINE) {
        out.push_str(line.trim_end_matches(' '));
        rest = after.trim_start_matches(' ');
        let mut further = 0;
        while let Some(next) = rest.strip_prefix(NEXT_LINE) {
            rest = next.trim_start_matches(' ');
            further += 1;
        }
        match further {
            0 => out.push(' '),
            _ => out.extend(std::iter::repeat_n('\n', further)),
        }
    }
    out.push_str(rest);
    out
}
