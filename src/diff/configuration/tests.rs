//! Tests that compare job-by-job diffs of configurations with plain diffs of the entire text.

use super::*;
use crate::diff::unified::{side, text, unified_diff};
use crate::random::Random;
use similar::ChangeTag;

const AGENT: Language = Language::Agent;
const ALLOY: Language = Language::Alloy;

/// Returns the parts of a diff.
fn parts(
    language: Language,
    texts: [Option<&str>; 2],
    masked: Option<&str>,
    options: DiffOptions,
) -> Option<Vec<DiffPart>> {
    Some(diff(language, texts, masked, options)?.parts)
}

/// A scrape job with a name, an interval, a password and relabeling rules.
#[derive(Clone)]
struct Job {
    name: String,
    interval: usize,
    password: Option<usize>,
    rules: Vec<usize>,
}

/// An instance with a name, a password and jobs.
type Instance = (usize, usize, Vec<Job>);

fn job(number: usize) -> Job {
    Job { name: format!("serviceMonitor/a/{number}/0"), interval: 30, password: None, rules: (0..8).collect() }
}

fn jobs(count: usize) -> Vec<Job> {
    (0..count).map(job).collect()
}

fn agent_job(job: &Job) -> String {
    let mut text = String::from("            - ");
    if let Some(password) = job.password {
        text += &format!("basic_auth:\n                password: PLANTED{password}\n              ");
    }
    text += &format!("honor_labels: false\n              job_name: {}\n", job.name);
    text += "              relabel_configs:\n";
    text += "                - target_label: __tmp_prometheus_job_name\n";
    for rule in &job.rules {
        text += &match rule % 7 {
            0 => {
                format!("                - replacement: PLANTED{rule}\n                  target_label: __param_token\n")
            }
            _ => format!("                - action: drop\n                  regex: r{}\n", rule % 5),
        };
    }
    text + &format!("              scrape_interval: {}s\n", job.interval)
}

fn agent(instances: &[Instance]) -> String {
    let mut text = String::from("metrics:\n    configs:\n");
    for (name, password, jobs) in instances {
        text += &format!(
            "        - name: a/{name}\n          remote_write:\n            - basic_auth:\n                password: PLANTED{password}\n              \
             url: http://u:PLANTED{password}@host/{name}\n          scrape_configs:\n"
        );
        text.extend(jobs.iter().map(agent_job));
        text += "          wal_truncate_frequency: 1m\n";
    }
    text + "    wal_directory: /data\nserver: {}\n\n"
}

fn alloy(instances: &[Instance]) -> String {
    let component = |job: &Job| {
        let rules: String =
            job.rules.iter().map(|rule| format!("\trule {{\n\t\tregex = \"r{rule}\"\n\t}}\n")).collect();
        let password = job.password.map(|password| format!("\tpassword = \"PLANTED{password}\"\n")).unwrap_or_default();
        let (name, label) = (&job.name, job.name.replace('/', "_"));
        format!(
            "prometheus.scrape \"{label}\" {{\n\tjob_name = \"{name}\"\n\tinterval = \"{}s\"\n{password}{rules}}}\n\n",
            job.interval
        )
    };
    let jobs = instances.iter().flat_map(|(_, _, jobs)| jobs);
    format!("logging {{ }}\n\n{}", jobs.map(component).collect::<String>())
}

fn options(context: Option<usize>, jobs: Option<usize>) -> DiffOptions {
    DiffOptions { context, jobs, ..DiffOptions::default() }
}

/// Returns the diff of configurations that agentctl did not write.
fn diff_texts(key: Language, texts: [Option<&str>; 2], options: DiffOptions) -> Option<Vec<DiffPart>> {
    parts(key, texts, None, options)
}

/// Returns both configurations as they are shown.
fn whole_texts(key: Language, before: &str, after: &str) -> [String; 2] {
    let parts = diff_texts(key, [Some(before), Some(after)], options(None, None)).unwrap();
    [ChangeTag::Delete, ChangeTag::Insert].map(|own| side(&parts, own))
}

/// Returns the differing lines with `context` lines around them. `jobs` limits the number of differing jobs.
fn patch(key: Language, before: &str, after: &str, context: usize, jobs: Option<usize>) -> String {
    let parts = diff_texts(key, [Some(before), Some(after)], options(Some(context), jobs)).unwrap();
    text(&unified_diff(&parts, &[], ("a", "b"), context))
}

/// Applies a unified diff and asserts that its hunks match.
fn apply_patch(text: &str, patch: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    let number = |range: &str| -> (usize, usize) {
        let (start, length) = range.split_once(',').unwrap_or((range, "1"));
        let (start, length) = (start.parse::<usize>().unwrap(), length.parse().unwrap());
        (if length == 0 { start } else { start - 1 }, length)
    };
    for line in patch.split_inclusive('\n').skip(2) {
        match line.strip_prefix("@@ -") {
            Some(ranges) => {
                let (old_range, new_range) = ranges.split_once(" @@").unwrap().0.split_once(" +").unwrap();
                let start = number(old_range).0;
                new += &old[at..start].concat();
                at = start;
                assert_eq!(new.matches('\n').count(), number(new_range).0, "{patch}");
            }
            None => {
                let (sign, line) = line.split_at(1);
                if sign != "+" {
                    assert_eq!(old[at], line, "{patch}");
                    at += 1;
                }
                if sign != "-" {
                    new += line;
                }
            }
        }
    }
    new += &old[at..].concat();
    new
}

/// Removes the hints that show whether a secret changes. The hints cannot be predicted, because adding or removing
/// rules causes unnamed items to be compared with different neighbors.
fn plain(text: &str) -> String {
    text.replace("'*** (before)'", "'***'").replace("'*** (after)'", "'***'")
}

fn change_randomly(random: &mut Random, instances: &mut Vec<Instance>) {
    let number = 1 + random.below(90);
    let instance = random.below(instances.len());
    if random.below(8) == 0 {
        let (_, password, jobs) = instances[instance].clone();
        return match random.below(3) {
            0 => instances.insert(instance, (100 + number, password, jobs)),
            1 if instances.len() > 1 => drop(instances.remove(instance)),
            _ => instances[instance].1 = number,
        };
    }
    let jobs = &mut instances[instance].2;
    let place = random.below(jobs.len());
    match random.below(10) {
        0 if jobs.len() > 1 => drop(jobs.remove(place)),
        1 => jobs.insert(place, job(100 + number)),
        2 => jobs[place].name = format!("serviceMonitor/a/{}/0", 200 + number),
        3 => jobs[place].name = format!("made-of-a-secret/{number}"),
        4 => jobs[place].password = Some(number),
        5 => {
            let other = random.below(jobs.len());
            jobs.swap(place, other);
        }
        6 => jobs[place].rules.insert(0, number),
        7 => drop(jobs[place].rules.pop()),
        8 => jobs[place].rules.reverse(),
        _ => jobs[place].interval = number,
    }
}

#[test]
fn patches_transform_one_configuration_into_the_other() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for round in 0..150 {
        let mut before = vec![(1, 1, jobs(1 + round % 9)), (2, 2, jobs(3)), (3, 3, jobs(1 + round % 4))];
        (0..random.below(6)).for_each(|_| change_randomly(&mut random, &mut before));
        let mut after = before.clone();
        (0..1 + random.below(4)).for_each(|_| change_randomly(&mut random, &mut after));
        for (key, write) in [(AGENT, agent as fn(&[Instance]) -> String), (ALLOY, alloy)] {
            let (old, new) = (write(&before), write(&after));
            let [old_whole, new_whole] = whole_texts(key, &old, &new);
            for context in [0, 1, 3, 40] {
                let patch = patch(key, &old, &new, context, None);
                assert!(!patch.contains("PLANTED"), "{patch}");
                assert_eq!(apply_patch(&plain(&old_whole), &plain(&patch)), plain(&new_whole), "{patch}");
            }
        }
    }
}

#[test]
fn shows_many_changed_lines_of_one_job() {
    let job =
        |rules: &mut dyn Iterator<Item = usize>| vec![Job { rules: rules.collect(), password: Some(1), ..job(1) }];
    let before = job(&mut (1..3000));
    for after in [
        job(&mut (2..3001)),
        job(&mut (1..3000).map(|rule| if rule % 2 == 0 { rule + 1 } else { rule })),
        job(&mut (1..3000).filter(|rule| rule % 3 != 0)),
    ] {
        for (key, write) in [(AGENT, agent as fn(&[Instance]) -> String), (ALLOY, alloy)] {
            let [old, new] = [&before, &after].map(|jobs| write(&[(1, 1, jobs.clone())]));
            let patch = patch(key, &old, &new, 3, None);
            let [old, new] = whole_texts(key, &old, &new);
            assert!(apply_patch(&plain(&old), &plain(&patch)) == plain(&new));
        }
    }
}

/// Tests that the output shows exactly what differs, even in configurations that no operator would write.
#[test]
fn compares_unusual_configurations_line_by_line() {
    let job = |name: &str, interval: &str| {
        format!(
            "            - job_name: {name}\n              scheme: http\n              scrape_interval: {interval}\n"
        )
    };
    let configuration = |jobs: &[String]| {
        let head = "metrics:\n    configs:\n        - name: a\n          scrape_configs:\n";
        format!("{head}{}server: {{}}\n", jobs.concat())
    };
    let usual_jobs: Vec<_> = (0..40).map(|number| job(&format!("a/{number}"), "30s")).collect();
    let jobs_with = |at: usize, text: String| {
        let mut jobs = usual_jobs.clone();
        jobs[at] = text;
        configuration(&jobs)
    };
    let duplicated_job = |at: usize| [usual_jobs[at].as_str(), &usual_jobs[at], &usual_jobs[at]].concat();
    let nameless_job =
        |interval: &str| format!("            - scheme: http\n              scrape_interval: {interval}\n");
    let text = |header: &str| {
        format!(
            "            - job_name: a\n              regex: {header}\n{}              scheme: http\n",
            job("b", "1m")
        )
    };
    let lists = configuration(&usual_jobs)
        .replace("server:", "logs:\n    configs:\n        - scrape_configs:\n            - a: b\nserver:");
    let mut configurations = vec![
        configuration(&usual_jobs),
        configuration(&[]),
        jobs_with(20, job("a/20", "1m")),
        jobs_with(20, duplicated_job(20)),
        jobs_with(21, duplicated_job(20)),
        jobs_with(20, nameless_job("30s")),
        jobs_with(20, nameless_job("1m")),
        jobs_with(20, text("|")),
        jobs_with(20, text("| # c")),
        jobs_with(20, text("&x |-")),
        jobs_with(3, job("&x a/3", "30s")),
        jobs_with(3, job("&x a/3", "30s")).replace("a/30\n", "*x\n"),
        jobs_with(20, format!("            # a: b\n{}", usual_jobs[20])),
        jobs_with(20, format!("            # it's\n{}", usual_jobs[20])),
        jobs_with(20, format!("# a\n{}", usual_jobs[20])),
        jobs_with(20, job("'a/20'", "30s")),
        jobs_with(20, job("\"a\\n            - b: c\"", "30s")),
        jobs_with(20, "            - {job_name: a/20,\n              scheme: https}\n".to_owned()),
        jobs_with(20, "            -   job_name: a/20\n                scheme: https\n".to_owned()),
        jobs_with(20, "            - - a: b\n              - c: d\n".to_owned()),
        jobs_with(20, "            - job_name: serviceMonitor/-/-/0\n".to_owned()),
        jobs_with(20, String::new()),
        configuration(&usual_jobs).replace('\n', "\r\n"),
        jobs_with(20, job("a/20", "30s\r")),
        jobs_with(20, job("a/20", "30s\u{85}            - b: c")),
        lists.replace("a: b", "a: c"),
        lists,
    ];
    let mut reversed_jobs = usual_jobs.clone();
    reversed_jobs.reverse();
    configurations.push(configuration(&reversed_jobs));
    for (before, after) in configurations.iter().flat_map(|a| configurations.iter().map(move |b| (a, b))) {
        let [Some(old), Some(new)] =
            [before, after].map(|text| diff_texts(AGENT, [Some(text), None], options(None, None)))
        else {
            continue;
        };
        let [old, new] = [old, new].map(|parts| side(&parts, ChangeTag::Delete));
        let patch = patch(AGENT, before, after, 3, None);
        assert_eq!(apply_patch(&plain(&old), &plain(&patch)), plain(&new), "{before}\n{after}\n{patch}");
    }
}

fn instances(jobs: Vec<Job>) -> String {
    agent(&[(1, 1, jobs)])
}

fn with_interval(places: impl IntoIterator<Item = usize>, count: usize) -> Vec<Job> {
    let mut jobs = jobs(count);
    places.into_iter().for_each(|place| jobs[place].interval = 60);
    jobs
}

#[test]
fn counts_differing_jobs_above_the_limit() {
    let before = instances(jobs(60)).replace("/data", "/a");
    let after = instances(with_interval(5..60, 60)).replace("/data", "/b");
    let patch = patch(AGENT, &before, &after, 0, Some(2));
    let lines: Vec<_> = patch.lines().filter(|line| line.contains(['@', '…'])).collect();
    let length = agent_job(&job(1)).lines().count();
    let line = |jobs| 8 + jobs * length;
    assert_eq!(
        lines,
        [
            format!("@@ -{0} +{0} @@", line(6)),
            format!("@@ -{0},2 +{0},2 @@", line(7)),
            "-            # … 53 more scrape jobs differ (before); diff --full shows all".to_owned(),
            "+            # … 53 more scrape jobs differ (after); diff --full shows all".to_owned(),
            format!("@@ -{0} +{0} @@", line(60) + 2),
        ],
        "{patch}"
    );
}

#[test]
fn compares_jobs_by_name() {
    let lines = |before: &str, after: &str, jobs| -> Vec<String> {
        let patch = patch(AGENT, before, after, 0, jobs);
        let lines = patch.lines().skip(2).filter(|line| !line.starts_with('@'));
        lines.map(str::to_owned).collect()
    };
    // First, a job moves. Then, three jobs are inserted before jobs that change.
    let mut moved_jobs = jobs(20);
    let first_job = moved_jobs.remove(0);
    moved_jobs.push(first_job);
    let actual = lines(&instances(jobs(20)), &instances(moved_jobs), Some(5));
    let length = agent_job(&job(0)).lines().count();
    assert_eq!(actual.len(), 2 * length, "{actual:?}");
    let actual = lines(&instances(jobs(20).split_off(3)), &instances(with_interval(3..20, 20)), Some(5));
    let names: Vec<_> = actual.iter().filter(|line| line.contains("job_name:") || line.contains('…')).collect();
    let more_jobs_line =
        |sign, side| format!("{sign}            # … 15 more scrape jobs differ ({side}); diff --full shows all");
    let new_name_line = |number| format!("+              job_name: serviceMonitor/a/{number}/0");
    assert_eq!(
        names,
        [
            &new_name_line(0),
            &new_name_line(1),
            &new_name_line(2),
            &more_jobs_line('-', "before"),
            &more_jobs_line('+', "after")
        ]
    );
    // Only the removed rule is shown, even though its neighbors move.
    let mut fewer_jobs = jobs(20);
    fewer_jobs[7].rules.remove(4);
    let mut actual = lines(&instances(jobs(20)), &instances(fewer_jobs), None);
    actual.sort();
    assert_eq!(actual, ["-                  regex: r4", "-                - action: drop"]);
}

#[test]
fn masked_diffs_show_whether_secrets_change() {
    let configuration_with_password = |password| {
        let mut jobs = jobs(9);
        jobs[4].password = password;
        agent(&[(1, 1, jobs), (2, 1, Vec::new())])
    };
    let lines = |before: &str, after: &str| -> Vec<String> {
        let patch = patch(AGENT, before, after, 0, None);
        let lines = patch.lines().skip(2).filter(|line| !line.starts_with('@'));
        lines.map(|line| line.replace("  ", "")).collect()
    };
    let actual = lines(&configuration_with_password(Some(1)), &configuration_with_password(Some(2)));
    assert_eq!(actual, ["-password: '*** (before)'", "+password: '*** (after)'"]);
    let url = |text: &str| text.replace("u:PLANTED1@host/2", "u:PLANTED2@host/2");
    let actual = lines(&configuration_with_password(None), &url(&configuration_with_password(None)));
    assert_eq!(actual, ["-url: http://*** (before)@host/2", "+url: http://*** (after)@host/2"]);
    // One of the jobs contains a URL with a secret.
    let url = |secret: &str| {
        configuration_with_password(None).replacen("regex: r1", &format!("replacement: http://u:{secret}@host/"), 1)
    };
    let actual = lines(&url("PLANTED1"), &url("PLANTED2"));
    let expected = ["-replacement: http://*** (before)@host/", "+replacement: http://*** (after)@host/"];
    assert_eq!(actual, expected);
    let name = |name: &str| configuration_with_password(None).replace("serviceMonitor/a/4/0", name);
    let actual = lines(&name("made-of-PLANTED1"), &name("made-of-PLANTED2"));
    assert!(actual.concat().contains("***") || actual.is_empty(), "{actual:?}");
    assert!(!actual.concat().contains("PLANTED"), "{actual:?}");
}

/// Returns diffs with one line of context: with the masked text, without it, with mismatched masked text, with secrets
/// shown, and finally of each side alone.
fn compare(language: Language, old: &str, new: &str, masked: &str) -> [String; 6] {
    let diff_texts = |texts, masked: Option<&str>, show_secrets| {
        let options = DiffOptions { show_secrets, ..options(Some(1), None) };
        let parts = parts(language, texts, masked, options).unwrap();
        text(&unified_diff(&parts, &[], ("a", "b"), 1))
    };
    let (both_texts, longer_masked) = ([Some(old), Some(new)], format!("{masked}#\n"));
    [
        diff_texts(both_texts, Some(masked), false),
        diff_texts(both_texts, None, false),
        diff_texts(both_texts, Some(&longer_masked), false),
        diff_texts(both_texts, Some(masked), true),
        diff_texts([None, Some(new)], Some(masked), false),
        diff_texts([Some(old), None], None, false),
    ]
}

/// Returns the diff of a text that exists on only one side.
fn one_sided_diff(header: &str, sign: char, text: &str) -> String {
    let lines = text.lines().map(|line| format!("{sign}{line}\n"));
    format!("--- a\n+++ b\n@@ {header} @@\n{}", lines.collect::<String>())
}

#[test]
fn hides_secrets_in_masked_agent_configurations() {
    let old = "\
metrics:
    configs:
        - name: a
          remote_write:
            - url: http://u:PLANTED1@host/
          scrape_configs:
            - job_name: probe/a/web
              relabel_configs:
                - target_label: __tmp_prometheus_job_name
              scrape_interval: 30s
              scrape_timeout: 10s
            - job_name: extra
              password: PLANTED1
    wal_directory: /data
server: {}

";
    let new = old.replace("PLANTED1", "PLANTED2").replace("30s", "40s");
    let extra_job = "job_name: extra\n              password: PLANTED";
    let masked = new.replace("u:PLANTED2", "***").replace("10s", "'***'");
    let new_part = masked.replace(&format!("{extra_job}2"), "'***'");
    let masked = masked.replace(&format!("{extra_job}2"), "|\n              ***");
    let outline = "\
--- a
+++ b
@@ -4,3 +4,3 @@
           remote_write:
-            - url: http://*** (before)@host/
+            - url: http://*** (after)@host/
           scrape_configs:
@@ -9,5 +9,5 @@
                 - target_label: __tmp_prometheus_job_name
-              scrape_interval: 30s
+              scrape_interval: 40s
";
    let known_diff = format!(
        "{outline}               scrape_timeout: '***'\n-            - '*** (before)'\n+            - '*** (after)'\n     wal_directory: /data\n"
    );
    let guessed_diff = known_diff.replace("timeout: '***'", "timeout: 10s");
    let exact_diff = guessed_diff.replace("*** (before)@", "u:PLANTED1@").replace("*** (after)@", "u:PLANTED2@");
    let exact_diff = exact_diff.replace("-9,5 +9,5", "-9,6 +9,6").replace(
        "-            - '*** (before)'\n+            - '*** (after)'\n",
        "             - job_name: extra\n-              password: PLANTED1\n+              password: PLANTED2\n",
    );
    let old_part = new_part.replace("40s", "30s").replace("timeout: '***'", "timeout: 10s");
    let actual = compare(AGENT, old, &new, &masked);
    let [added, removed] = [
        one_sided_diff("-0,0 +1,14", '+', new_part.trim_end()),
        one_sided_diff("-1,14 +0,0", '-', old_part.trim_end()),
    ];
    assert_eq!(actual, [known_diff, guessed_diff.clone(), guessed_diff, exact_diff, added, removed]);
    // A job that comes from a Secret on one side is secret on both sides.
    let web_range = masked.find("- job_name: probe/a/web").unwrap()..masked.find("            - |\n").unwrap();
    let lines = masked[web_range.clone()].lines().count() - 1;
    let mut hidden_masked = masked.clone();
    hidden_masked.replace_range(web_range, &format!("- |\n{}", "              ***\n".repeat(lines)));
    let two_sided_diff = &compare(AGENT, old, &new, &hidden_masked)[0];
    assert_eq!(two_sided_diff.matches("-            - '*** (before)'\n").count(), 2, "{two_sided_diff}");
    assert!(!two_sided_diff.contains("30s"), "{two_sided_diff}");
    let broken_masked = masked.replace("server: {}", "server: [");
    assert!(parts(AGENT, [Some(old), Some(&new)], Some(&broken_masked), DiffOptions::default()).is_none());
    for unreadable_text in ["a: [", "- a\n", "a: b\n---\na: b\n", "a"] {
        for sides in [[unreadable_text, old], [old, unreadable_text]].map(|sides| sides.map(Some)) {
            assert!(diff_texts(AGENT, sides, DiffOptions::default()).is_none(), "{unreadable_text}");
        }
    }
}

#[test]
fn hides_secrets_in_masked_alloy_configurations() {
    let old = "\
logging { }

// Probe a/web
prometheus.scrape \"web\" {
\tjob_name = \"probe/a/web\"
\tscrape_interval = \"30s\"
\tscrape_timeout = \"10s\"
}

// MetricsInstance a/one, job 0 of additionalScrapeConfigs
prometheus.scrape \"extra\" {
\tjob_name = \"extra\"
\tpassword = \"PLANTED1\"
}

// MetricsInstance a/one
prometheus.remote_write \"one\" {
\turl = \"http://u:PLANTED1@host/\"
}
";
    let new = old.replace("PLANTED1", "PLANTED2").replace("30s", "40s");
    let extra_component = |secret| format!("\"extra\" {{\n\tjob_name = \"extra\"\n\tpassword = \"{secret}\"\n");
    let masked = new.replace("u:PLANTED2", "***").replace("10s", "***");
    let masked = masked.replace(&extra_component("PLANTED2"), "\"***\" {\n\t***\n\t***\n");
    let known_diff = "\
--- a
+++ b
@@ -5,3 +5,3 @@
 \tjob_name = \"probe/a/web\"
-\tscrape_interval = \"30s\"
+\tscrape_interval = \"40s\"
 \tscrape_timeout = \"***\"
@@ -12,3 +12,3 @@
 \t***
-\t*** (before)
+\t*** (after)
 }
@@ -17,3 +17,3 @@
 prometheus.remote_write \"one\" {
-\turl = \"http://*** (before)@host/\"
+\turl = \"http://*** (after)@host/\"
 }
";
    let guessed_diff = known_diff.replace("timeout = \"***\"", "timeout = \"10s\"");
    let exact_diff = guessed_diff.replace(
        " \t***\n-\t*** (before)\n+\t*** (after)",
        " \tjob_name = \"extra\"\n-\tpassword = \"PLANTED1\"\n+\tpassword = \"PLANTED2\"",
    );
    let exact_diff = exact_diff.replace("*** (before)", "u:PLANTED1").replace("*** (after)", "u:PLANTED2");
    let old_part = masked.replace("40s", "30s").replace("timeout = \"***\"", "timeout = \"10s\"");
    let actual = compare(ALLOY, old, &new, &masked);
    let [added, removed] = [one_sided_diff("-0,0 +1,19", '+', &masked), one_sided_diff("-1,19 +0,0", '-', &old_part)];
    assert_eq!(actual, [known_diff.to_owned(), guessed_diff.clone(), guessed_diff, exact_diff, added, removed]);
}

/// Tests that components are secret if only secret jobs refer to them.
#[test]
fn hides_service_discovery_of_secret_jobs() {
    let component = |head: &str, body: &str| format!("{head} {{\n\t{body}\n}}\n\n");
    let job = |name: &str, job: &str, from: &str| {
        let body = format!("job_name = \"{job}\"\n\ttargets = discovery.http.{from}.targets");
        component(&format!("prometheus.scrape \"{name}\""), &body)
    };
    let text = [
        component("discovery.http \"only\"", "url = \"http://one\""),
        component("discovery.http \"both\"", "url = \"http://two\""),
        component("discovery.relabel \"own\"", "targets = discovery.http.only.targets"),
        component("discovery.relabel \"web\"", "targets = discovery.http.both.targets"),
        job("own", "made-of-a-secret", "only"),
        job("also", "made-of-a-secret", "both"),
        job("web", "probe/a/web", "both"),
    ];
    let [before, _] = whole_texts(ALLOY, &text.concat(), "");
    let visible_texts =
        ["http://one", "http://two", "made-of-a-secret", "probe/a/web"].map(|part| before.contains(part));
    assert_eq!(visible_texts, [false, true, false, true], "{before}");
    let relabels = ["own", "web"].map(|label| before.contains(&format!("discovery.relabel \"{label}\"")));
    assert_eq!(relabels, [false, true], "{before}");
}

/// Tests the names of changes outside scrape jobs.
#[test]
fn names_settings_and_clients_that_change() {
    let configuration = |server: &str, timeout: &str| {
        format!(
            "server: {server}\nmetrics:\n  configs:\n  - name: main\n    remote_write:\n    - url: http://a\n    \
             - remote_timeout: {timeout}\n"
        )
    };
    for (old, new, expected) in [
        (configuration("{a: 1}", "1s"), configuration("{a: 2}", "1s"), ("server.a", ["1 -> 2"].as_slice())),
        (configuration("1", "1s"), configuration("{a: 2}", "1s"), ("server", &[])),
        (configuration("1", "1s"), configuration("1", "2s"), ("#2", &["remote_timeout 1s -> 2s"])),
    ] {
        let actual = diff(AGENT, [Some(&old), Some(&new)], None, options(None, None)).unwrap().changes;
        let [change] = actual.as_slice() else { panic!("{actual:?}") };
        let details: Vec<_> = change.details.iter().map(String::as_str).collect();
        assert_eq!((change.name.as_str(), details.as_slice()), expected, "{actual:?}");
    }
}
