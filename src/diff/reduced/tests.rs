use super::*;

fn configuration(jobs: impl Iterator<Item = (usize, &'static str)>) -> String {
    let mut text = String::from("metrics:\n    configs:\n        - name: a\n          scrape_configs:\n");
    for (number, interval) in jobs {
        text += &format!(
            "            - job_name: serviceMonitor/a/{number}/0\n              scheme: http\n              scrape_interval: {interval}\n"
        );
    }
    text + "server: {}\n"
}

fn unified(before: &str, after: &str, context: usize) -> String {
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(context)
        .header("a", "b")
        .to_string()
}

/// The difference of what is left of two configurations, with the numbers of whole ones.
fn diff(before: &str, after: &str, interest: Interest) -> String {
    let reduced = Reduced::of(Language::Agent, Some(before), Some(after), interest);
    let text = |pieces: &[Piece], whole: &str| super::text(pieces, |bytes, out| out.push_str(&whole[bytes]));
    let left = |pieces, whole, side| Language::Agent.tell(text(pieces, whole), side);
    let old = left(&reduced.before, before, "before");
    let new = left(&reduced.after, after, "after");
    let is_smaller = old.len() < before.len() || new.len() < after.len();
    assert_eq!(is_smaller, interest != Interest::ALL, "{interest:?}");
    let diff = unified(&old, &new, interest.context.unwrap_or(3));
    reduced.left_out.renumbered(diff, &old, &new)
}

/// The same without the lines of context.
fn changes(before: &str, after: &str, jobs: usize) -> Vec<String> {
    let (context, jobs) = (Some(0), Some(jobs));
    let diff = diff(before, after, Interest { context, jobs });
    diff.lines().skip(2).map(str::to_owned).collect()
}

fn all(changed: &[usize], gone: &[usize]) -> String {
    let numbers = (0..60).filter(|number| !gone.contains(number));
    configuration(numbers.map(|number| (number, if changed.contains(&number) { "1m" } else { "30s" })))
}

#[test]
fn differences_stay_the_same() {
    let texts = [
        all(&[], &[]),
        all(&[30], &[]),
        all(&[0, 59], &[]),
        all(&[3, 4, 40], &[20]),
        all(&[], &[0, 1, 2]),
        all(&[10], &[30, 50, 59]),
        all(&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[25]),
    ];
    for (before, after) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
        for context in [0, 1, 3, 10] {
            let whole = unified(before, after, context);
            for jobs in [None, Some(60)] {
                let context = Some(context);
                assert_eq!(diff(before, after, Interest { context, jobs }), whole, "{context:?}");
            }
        }
    }
}

#[test]
fn a_text_of_several_lines_may_hold_anything() {
    let same = all(&[], &[]);
    for line in [
        "a: |",
        "a: >-",
        "a: | # b",
        "a: 'b",
        "a: \"b",
        "a: &b c",
        "a: *b",
        "a: !!str b",
        "# b: c",
        "a: b\r",
        "---",
        "continued",
    ] {
        let other = same.replace("- name: a\n", &format!("- name: a\n          {line}\n"));
        assert!(Chunks::of(Language::Agent, &other, &[]).is_none(), "{line}");
    }
}

#[test]
fn what_differs_beyond_so_many_jobs_is_a_number() {
    let changed: Vec<_> = (5..60).collect();
    let after = all(&changed, &[]).replace("server: {}", "server: {a: b}");
    assert_eq!(
        changes(&all(&[], &[]), &after, 2),
        [
            "@@ -22 +22 @@",
            "-              scrape_interval: 30s",
            "+              scrape_interval: 1m",
            "@@ -25,3 +25,3 @@",
            "-              scrape_interval: 30s",
            "-            # … 53 more scrape jobs differ (before), shown by diff --full",
            "-server: {}",
            "+              scrape_interval: 1m",
            "+            # … 53 more scrape jobs differ (after), shown by diff --full",
            "+server: {a: b}",
        ]
    );
}

#[test]
fn nothing_is_left_out_where_a_job_has_the_name_of_a_placeholder() {
    let changed: Vec<_> = (5..60).collect();
    for name in [
        "serviceMonitor/-/more/7",
        "'serviceMonitor/-/-/7'",
        "\"serviceMonitor/-/more/7\"",
    ] {
        let forged = all(&changed, &[]).replace("serviceMonitor/a/9/0", name);
        for (before, after) in [(all(&[], &[]), &forged), (forged.clone(), &all(&[], &[]))] {
            let interest = Interest {
                context: Some(0),
                jobs: Some(2),
            };
            let reduced = Reduced::of(Language::Agent, Some(&before), Some(after), interest);
            assert!(reduced.left_out.is_empty(), "{name}");
        }
    }
}

#[test]
fn what_is_behind_the_last_job_is_numbered_as_in_the_whole() {
    let after = all(&[7, 8, 9, 20, 21], &[]);
    let more = |before: &str, after: &str| -> Vec<_> {
        let lines = changes(before, after, 2).into_iter();
        lines.filter(|line| line.contains(['@', '…'])).collect()
    };
    let name = |text: &str, name: &str| text.replace("server", &format!("{name}: 1\nx: 1\ny: 1\nserver"));
    assert_eq!(
        more(&name(&all(&[], &[]), "a"), &name(&after, "b")),
        [
            "@@ -28 +28 @@",
            "@@ -31,3 +31,3 @@",
            "-            # … 3 more scrape jobs differ (before), shown by diff --full",
            "+            # … 3 more scrape jobs differ (after), shown by diff --full",
        ]
    );
}

#[test]
fn both_sides_end_at_the_same_job() {
    let many: Vec<_> = (0..60).collect();
    let (all_changed, late): (String, Vec<_>) = (all(&many, &[]), (3..60).collect());
    // Three jobs that are new, in front of many that are changed.
    let lines = changes(&all(&[], &[0, 1, 2]), &all_changed, 5);
    let is_of = |sign: char| move |line: &&String| line.starts_with(sign) && line.contains("job_name");
    assert_eq!(lines.iter().filter(is_of('-')).count(), 0);
    assert_eq!(lines.iter().filter(is_of('+')).count(), 3);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("… 55 more scrape jobs differ (before)"))
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("… 55 more scrape jobs differ (after)"))
    );
    // Nothing on the other side.
    let lines = changes("", &all(&late, &[]), 5);
    assert_eq!(lines.iter().filter(is_of('+')).count(), 5);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("… 55 more scrape jobs differ (after)"))
    );
    // All in another order: there is no such place.
    let mut turned = many.clone();
    turned.reverse();
    let turned = configuration(turned.into_iter().map(|number| (number, "1m")));
    let lines = changes(&all(&[], &[]), &turned, 5);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("… 60 more scrape jobs differ (after)"))
    );
}

#[test]
fn a_job_that_moves_is_the_only_one_that_differs() {
    let moved = configuration(
        (0..60)
            .filter(|number| *number != 5)
            .chain([5])
            .map(|number| (number, "30s")),
    );
    let lines = changes(&all(&[], &[]), &moved, 5);
    assert_eq!(
        lines.iter().filter(|line| line.contains("job_name")).count(),
        2,
        "{lines:?}"
    );
    assert!(!lines.iter().any(|line| line.contains('…')), "{lines:?}");
}

/// A job with a scrape interval and relabelling rules.
type Job = (&'static str, Vec<usize>);

fn instances(instances: &[Vec<Job>]) -> String {
    let mut text = String::from("metrics:\n    configs:\n");
    for (number, jobs) in instances.iter().enumerate() {
        text += &format!("        - host_filter: false\n          name: a/{number}\n          scrape_configs:\n");
        for (job, (interval, rules)) in jobs.iter().enumerate() {
            text +=
                &format!("            - job_name: serviceMonitor/a/{number}-{job}/0\n              relabel_configs:\n");
            for rule in rules {
                text += &format!("                - action: drop\n                  regex: r{rule}\n");
            }
            text += &format!("              scrape_interval: {interval}\n");
        }
        text += "          wal_truncate_frequency: 1m\n";
    }
    text + "server: {}\n"
}

fn job(interval: &'static str, rules: impl IntoIterator<Item = usize>) -> Job {
    (interval, rules.into_iter().collect())
}

#[test]
fn rules_that_are_the_same_are_left_out() {
    let all = |interval| vec![job(interval, 0..12); 10];
    let with = |rules: Vec<usize>| {
        let mut jobs = all("30s");
        jobs[5].1 = rules;
        jobs
    };
    let texts = [
        all("30s"),
        all("1m"),
        with((0..12).filter(|rule| *rule != 5).collect()),
        with([100].into_iter().chain(0..12).collect()),
        with((0..12).map(|rule| if rule == 7 { 70 } else { rule }).collect()),
        with((0..12).rev().collect()),
        with([0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8].into()),
        with(Vec::new()),
    ]
    .map(|jobs| instances(&[jobs]));
    let [first, ..] = &texts;
    let pairs = texts.iter().flat_map(|text| [(first, text), (text, first)]);
    for ((before, after), context) in pairs.flat_map(|pair| [0, 1, 3].map(|context| (pair, context))) {
        let whole = unified(before, after, context);
        let (context, jobs) = (Some(context), None);
        assert_eq!(diff(before, after, Interest { context, jobs }), whole, "{context:?}");
    }
    let (context, jobs) = (Some(3), None);
    let [before, after, ..] = &texts;
    let reduced = Reduced::of(Language::Agent, Some(before), Some(after), Interest { context, jobs });
    // Of each job, two rules at either end.
    assert_eq!(reduced.left_out.before, [16; 10]);
}

#[test]
fn instances_that_are_the_same_are_left_out() {
    let all = |changed: &[usize]| -> String {
        let interval = |number| if changed.contains(&number) { "1m" } else { "30s" };
        let all: Vec<_> = (0..20).map(|number| vec![job(interval(number), 0..3); 2]).collect();
        instances(&all)
    };
    let texts = [all(&[]), all(&[4]), all(&[0]), all(&[19]), all(&[3, 5]), all(&[1, 7])];
    for (before, after) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
        for (context, jobs) in [(0, None), (1, Some(1)), (3, None), (3, Some(60))] {
            let whole = unified(before, after, context);
            let reduced = diff(
                before,
                after,
                Interest {
                    context: Some(context),
                    jobs,
                },
            );
            if jobs != Some(1) {
                assert_eq!(reduced, whole, "{context:?}");
            }
        }
    }
    let (context, jobs) = (Some(3), Some(100));
    let reduced = Reduced::of(
        Language::Agent,
        Some(&texts[0]),
        Some(&texts[1]),
        Interest { context, jobs },
    );
    let left = super::text(&reduced.before, |bytes, out| out.push_str(&texts[0][bytes]));
    assert_eq!(left.matches("host_filter").count(), 3, "{left}");
}
