//! Number of findings for each code.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::printable::Text;

/// Findings with the same code and severity.
#[derive(Serialize)]
struct CodeStatistics {
    code: &'static str,
    severity: &'static str,
    count: usize,
    /// Number of these findings that `--fix` can fix.
    fixable: usize,
}

/// Returns the numbers, most severe and most frequent first.
fn statistics(findings: &[&Diagnostic]) -> Vec<CodeStatistics> {
    let mut numbers: BTreeMap<(Reverse<Severity>, Code), (usize, usize)> = BTreeMap::new();
    for finding in findings {
        let (count, fixable) = numbers.entry((Reverse(finding.severity), finding.code)).or_default();
        *count += finding.count();
        *fixable += finding.left_out_fixes + usize::from(finding.left_out == 0 && finding.has_certain_fix());
    }
    let mut sorted_counts: Vec<_> = numbers.into_iter().collect();
    sorted_counts.sort_by_key(|((severity, code), (count, _))| (*severity, Reverse(*count), *code));
    let all = sorted_counts.into_iter().map(|((Reverse(severity), code), (count, fixable))| CodeStatistics {
        code: code.as_str(),
        severity: severity.as_str(),
        count,
        fixable,
    });
    all.collect()
}

/// Returns a table with one line per code: the count, severity, code and the number of fixable findings.
pub(super) fn table(findings: &[&Diagnostic]) -> String {
    let statistics = statistics(findings);
    let width = |text: &dyn Fn(&CodeStatistics) -> usize| statistics.iter().map(text).max().unwrap_or_default();
    let counts = width(&|row| row.count.to_string().len());
    let severities = width(&|row| row.severity.len());
    let codes = width(&|row| row.code.len());
    let mut out = Text::default();
    for row in &statistics {
        let fixable = match row.fixable {
            0 => String::new(),
            fixable => format!("  {fixable} fixable"),
        };
        let line = format!("{:>counts$}  {:severities$}  {:codes$}{fixable}", row.count, row.severity, row.code);
        out.line(line.trim_end().to_owned());
    }
    out.into_string()
}

/// Returns one JSON object per code.
pub(super) fn json(findings: &[&Diagnostic]) -> String {
    let lines = statistics(findings).into_iter().filter_map(|one| serde_json::to_string(&one).ok());
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Fix;

    #[test]
    fn counts_findings_by_code() {
        let fixable = Diagnostic::new(Code::WrongType, "m").fix_if(Some(Fix::certain("t", Vec::new())));
        let mut unlisted = Diagnostic::unlisted(Code::WrongType, Severity::Error, 9);
        unlisted.left_out_fixes = 4;
        let actual =
            [Diagnostic::new(Code::Unselected, "m"), fixable, unlisted, Diagnostic::new(Code::InvalidUrl, "m")];
        let actual: Vec<_> = actual.iter().collect();
        let table = table(&actual);
        assert_eq!(table, "10  error    wrong-type   5 fixable\n 1  error    invalid-url\n 1  warning  unselected\n");
        let json = json(&actual);
        let first = r#"{"code":"wrong-type","severity":"error","count":10,"fixable":5}"#;
        assert_eq!((json.lines().next(), json.lines().count()), (Some(first), 3));
        assert_eq!(super::table(&[]), "");
    }
}
