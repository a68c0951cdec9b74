//! Findings about the output of a bundle, such as empty output.

use crate::diagnostic::listed::first_of;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Sources;

/// Finding for empty output that the user did not allow. `expected` names the objects that the input should contain,
/// and `commands` are commands that may generate them.
pub fn empty_render(expected: &str, commands: &[String]) -> Diagnostic {
    let message = format!("nothing is rendered: the input has no {expected}");
    Diagnostic::new(Code::EmptyRender, message).help(remedy(commands))
}

/// Finding for output that is empty because all agents in the input are paused or excluded by a flag.
pub fn all_excluded(agents: usize) -> Diagnostic {
    let message = match agents {
        1 => "nothing is rendered: the input's only GrafanaAgent is paused or excluded by a flag".to_owned(),
        agents => {
            format!("nothing is rendered: all {agents} GrafanaAgents in the input are paused or excluded by flags")
        }
    };
    Diagnostic::new(Code::EmptyRender, message).help("pass `--allow-empty` if that is intended")
}

/// Finding for an input that contains no resources to check, unless the user allows this. If `has_unread` is true,
/// unread parts of a cluster may contain such resources.
pub fn empty_check(commands: &[String], sources: &Sources, has_unread: bool) -> Diagnostic {
    if has_unread {
        let message =
            "nothing to check: the parts of the cluster that were read contain none of the operator's resources";
        let finding = Diagnostic::new(Code::EmptyCheck, message).severity(Severity::Warning);
        return finding.help("run `agentctl check -v` to see what was not read, or pass `--allow-empty`");
    }
    let message = "nothing to check: the input contains none of the operator's resources";
    let mut texts = sources.iter().map(|(_, source)| source.text.as_str());
    let help = match commands.is_empty() && texts.any(|text| text.contains("\n# Source: ")) {
        true => "enable them in the chart's values, for example with `serviceMonitor.enabled`; or pass `--allow-empty`"
            .to_owned(),
        false => remedy(commands),
    };
    Diagnostic::new(Code::EmptyCheck, message).help(help)
}

fn remedy(commands: &[String]) -> String {
    const MAX_COMMANDS: usize = 3;
    if commands.is_empty() {
        return "pass the files that contain the resources, or pass `--allow-empty`".to_owned();
    }
    let shown = first_of(MAX_COMMANDS, commands.iter());
    let like_it = if commands.len() > MAX_COMMANDS { " like these" } else { "" };
    format!("check the rendered output: {shown}{like_it}; or pass `--allow-empty`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    #[test]
    fn shows_at_most_three_commands() {
        let help = |count: usize| {
            let commands: Vec<_> = (0..count).map(|number| format!("c{number}")).collect();
            empty_render("GrafanaAgent", &commands).help.unwrap_or_default()
        };
        for (count, expected) in [
            (0, "pass the files that contain the resources, or pass `--allow-empty`"),
            (1, "check the rendered output: `c0`; or pass `--allow-empty`"),
            (3, "check the rendered output: `c0`, `c1`, `c2`; or pass `--allow-empty`"),
            (4, "check the rendered output: `c0`, `c1`, `c2` and 1 more like these; or pass `--allow-empty`"),
        ] {
            assert_eq!(help(count), expected);
        }
    }

    #[test]
    fn reports_excluded_agents_and_charts_without_resources() {
        let message = |agents| all_excluded(agents).message;
        assert!(message(1).contains("the input's only GrafanaAgent is"), "{}", message(1));
        assert!(message(2).contains("all 2 GrafanaAgents in the input are"), "{}", message(2));
        for (text, commands, is_of_chart) in [
            ("a: b\n# Source: chart/a.yaml\n", [].as_slice(), true),
            ("a: b\n", &[], false),
            ("a: b\n# Source: chart/a.yaml\n", &["c".to_owned()], false),
        ] {
            let sources = TestInput::new(text).sources;
            let help = empty_check(commands, &sources, false).help.unwrap_or_default();
            assert_eq!(help.contains("the chart's values"), is_of_chart, "{text} {help}");
        }
        let severity = |has_unread| empty_check(&[], &Sources::default(), has_unread).severity;
        assert_eq!([severity(false), severity(true)], [Severity::Error, Severity::Warning]);
    }
}
