//! The walk over the text of a configuration of Grafana Alloy that finds what in it is secret. It knows the shape of the
//! language and no component: live configurations may have been written by hand.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;

use super::alloy_tokens::{Token, Tokens};
use super::key::{Keys, is_named_secret};
use super::text::{names_a_credential, tells_a_secret, url_without_secrets};
use super::value::is_name_of_monitor;
use crate::diagnostic::MASK;

/// Blocks nested deeper are not read.
pub(super) const MAX_DEPTH: usize = 64;

/// Something secret in a configuration of Alloy, on one line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlloySecret {
    /// Its bytes; of a text in quotes those between them.
    pub bytes: Range<usize>,
    /// A path that stays the same when other components come and go, and when secrets change.
    pub path: String,
    /// Whether all of it is secret because of its place.
    pub is_whole: bool,
}

/// The secrets of a configuration, from the start to the end; `None` where the text is not a configuration, for then it is not
/// known what in it is secret.
pub fn alloy_secrets(text: &str) -> Option<Vec<AlloySecret>> {
    let mut walk = Walk {
        tokens: Tokens::of(text),
        keys: Keys::default(),
        found: Vec::new(),
        words: Vec::new(),
        components: Vec::new(),
    };
    walk.body(Path::default(), false, 0)?;
    Some(walk.finish())
}

/// A configuration with its secrets masked, on the same lines; `None` where the text is not a configuration.
pub fn masked_alloy(text: &str) -> Option<String> {
    Some(without_secrets(text, 0..text.len(), &alloy_secrets(text)?, |_, _| MASK))
}

/// Some bytes of a text without these secrets, in the place of each of which is what `mask` gives for it and its text; of a URL
/// the host stays.
pub fn without_secrets(
    text: &str,
    bytes: Range<usize>,
    secrets: &[AlloySecret],
    mask: impl Fn(&AlloySecret, &str) -> &'static str,
) -> String {
    let mut shown = String::with_capacity(bytes.len());
    let mut end = bytes.start;
    let first = secrets.partition_point(|secret| secret.bytes.end <= bytes.start);
    let secrets = secrets.iter().skip(first);
    for secret in secrets.take_while(|secret| secret.bytes.start < bytes.end) {
        let value = text.get(secret.bytes.clone()).unwrap_or_default();
        let mask = mask(secret, value);
        shown.push_str(text.get(end..secret.bytes.start).unwrap_or_default());
        let url = (!secret.is_whole).then(|| url_without_secrets(value, mask)).flatten();
        shown.push_str(url.as_deref().unwrap_or(mask));
        end = secret.bytes.end;
    }
    shown.push_str(text.get(end..bytes.end).unwrap_or_default());
    shown
}

/// The way to a place in a configuration, which is written where something secret stands there.
#[derive(Clone, Copy, Default)]
struct Path<'p> {
    above: Option<&'p Path<'p>>,
    name: &'p str,
    /// Of a block, its label, and which of this name and label it is.
    block: Option<(&'p str, usize)>,
}

impl<'p> Path<'p> {
    fn then(&'p self, name: &'p str) -> Self {
        Self {
            above: Some(self),
            name,
            block: None,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(above) = self.above else { return Ok(()) };
        write!(f, "{above}/{}", self.name)?;
        match self.block {
            Some((label, number)) => write!(f, ".{label}#{number}"),
            None => Ok(()),
        }
    }
}

/// The names of texts that say something of what is beside them: those of `key::NAMED`, and that of a job.
pub(super) const NAMES: [&str; 4] = ["job_name", "name", "targetLabel", "target_label"];

/// The texts of a block that have these names.
type Texts<'t> = [Option<&'t str>; NAMES.len()];

fn named<'t>(name: &str, texts: &Texts<'t>) -> Option<&'t str> {
    let mut texts = NAMES.iter().zip(texts).filter(|(of, _)| **of == name);
    *texts.next()?.1
}

/// How many blocks of a name and label there were.
type Counts<'t> = HashMap<(Cow<'t, str>, &'t str), usize>;

/// A top-level block.
struct Component<'t> {
    name: Cow<'t, str>,
    label: Range<usize>,
    bytes: Range<usize>,
    job_name: Option<&'t str>,
}

struct Walk<'t> {
    tokens: Tokens<'t>,
    keys: Keys,
    found: Vec<AlloySecret>,
    /// The words of expressions, any of which may be the label of a component.
    words: Vec<Range<usize>>,
    components: Vec<Component<'t>>,
}

/// What is open in an expression.
struct Open<'t> {
    close: &'static str,
    key: &'t str,
    is_secret: bool,
    is_in_secret: bool,
}

impl<'t> Walk<'t> {
    fn slice(&self, bytes: &Range<usize>) -> &'t str {
        self.tokens.text.get(bytes.clone()).unwrap_or_default()
    }

    /// The statements of a block, up to its end; or of the whole text. Gives its texts of these names.
    fn body(&mut self, path: Path<'_>, is_secret: bool, depth: usize) -> Option<Texts<'t>> {
        let mut texts = Texts::default();
        let mut counts = Counts::new();
        // Secret or not because of a text beside them.
        let mut others = Vec::new();
        loop {
            let (token, bytes) = self.tokens.next()?;
            match token {
                Token::Line => {}
                Token::Comment => self.comment(bytes, path),
                Token::End if depth == 0 => break,
                Token::Mark("}") if depth > 0 => break,
                Token::Word(word) => {
                    let (start, mut name) = (bytes.start, Cow::Borrowed(word));
                    while *self.tokens.peek()? == Token::Mark(".") {
                        self.tokens.next();
                        let (Token::Word(word), bytes) = self.tokens.next()? else {
                            return None;
                        };
                        let whole = self.slice(&(start..bytes.end));
                        // Mostly nothing is around the dots.
                        name = match whole.len() == name.len() + 1 + word.len() {
                            true => whole.into(),
                            false => format!("{name}.{word}").into(),
                        };
                    }
                    match self.tokens.next()? {
                        (Token::Mark("="), _) => {
                            let is_secret = is_secret || self.keys.is_secret(&name);
                            let first = self.found.len();
                            let all = self.expression(path.then(&name), is_secret)?;
                            if let [text] = all.as_slice() {
                                let of_name = NAMES.iter().position(|name| *name == word);
                                if let Some(of_name) = of_name.and_then(|number| texts.get_mut(number)) {
                                    *of_name = Some(self.slice(text));
                                }
                                if self.found.len() == first {
                                    others.push((word, text.clone()));
                                }
                            }
                        }
                        (Token::Mark("{"), at) => {
                            self.block((name, at.start..at.start), start, path, (is_secret, depth), &mut counts)?
                        }
                        (Token::Text(label), _) => {
                            let (Token::Mark("{"), _) = self.tokens.next()? else {
                                return None;
                            };
                            self.block((name, label), start, path, (is_secret, depth), &mut counts)?;
                        }
                        _ => return None,
                    }
                    // A statement ends with its line, or with its block.
                    if !matches!(
                        self.tokens.peek()?,
                        Token::Line | Token::End | Token::Mark("}") | Token::Comment
                    ) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        for (key, bytes) in others {
            if is_named_secret(key, |name| named(name, &texts)) {
                self.push(bytes, path.then(key).to_string(), true);
            }
        }
        Some(texts)
    }

    fn block(
        &mut self,
        (name, label): (Cow<'t, str>, Range<usize>),
        start: usize,
        path: Path<'_>,
        (is_secret, depth): (bool, usize),
        counts: &mut Counts<'t>,
    ) -> Option<()> {
        let number = counts.entry((name.clone(), self.slice(&label))).or_default();
        *number += 1;
        let block = Some((self.slice(&label), *number));
        let path = Path {
            block,
            ..path.then(&name)
        };
        let is_secret = is_secret || is_secret_block(&name, &mut self.keys);
        if depth == MAX_DEPTH {
            return None;
        }
        let texts = self.body(path, is_secret, depth + 1)?;
        if depth == 0 {
            self.components.push(Component {
                name,
                label,
                bytes: start..self.tokens.at,
                job_name: named("job_name", &texts),
            });
        }
        Some(())
    }

    /// A value, up to the end of its line. Gives the texts in it.
    fn expression(&mut self, path: Path<'_>, is_secret: bool) -> Option<Vec<Range<usize>>> {
        let mut open: Vec<Open<'t>> = Vec::new();
        let mut texts = Vec::new();
        loop {
            let is_end = matches!(
                self.tokens.peek()?,
                Token::Line | Token::End | Token::Mark("}") | Token::Comment
            );
            if open.is_empty() && is_end {
                return Some(texts);
            }
            let (token, bytes) = self.tokens.next()?;
            let is_secret = open.last().map_or(is_secret, |open| open.is_secret);
            let is_key = open.last().is_some_and(|open| open.close == "}")
                && matches!(token, Token::Word(_) | Token::Text(_))
                && *self.tokens.peek()? == Token::Mark("=");
            match token {
                Token::End | Token::Mark("=") => return None,
                Token::Comment => self.comment(bytes, path),
                Token::Word(_) | Token::Text(_) if is_key => {
                    let key = self.slice(&bytes).trim_matches(['"', '`']);
                    self.tokens.next();
                    let is_secret = self.keys.is_secret(key);
                    if let Some(inner) = open.last_mut() {
                        inner.key = key;
                        inner.is_secret = inner.is_in_secret || is_secret;
                    }
                }
                Token::Mark(mark @ ("(" | "[" | "{")) => open.push(Open {
                    close: match mark {
                        "(" => ")",
                        "[" => "]",
                        _ => "}",
                    },
                    key: "",
                    is_secret,
                    is_in_secret: is_secret,
                }),
                Token::Mark(mark @ (")" | "]" | "}")) => {
                    if open.pop()?.close != mark {
                        return None;
                    }
                }
                Token::Word(_) => self.words.push(bytes),
                Token::Text(inner) => {
                    let text = self.slice(&inner);
                    if is_secret || hides(text) {
                        self.push(inner.clone(), literal_path(path, &open, texts.len()), is_secret);
                    }
                    texts.push(inner);
                }
                Token::Number if is_secret => self.push(bytes, literal_path(path, &open, texts.len()), true),
                Token::Number | Token::Line | Token::Mark(_) => {}
            }
        }
    }

    fn comment(&mut self, bytes: Range<usize>, path: Path<'_>) {
        let text = self.slice(&bytes);
        if hides(text) || names_a_credential(text, true) {
            self.push(bytes, format!("{path}/comment"), true);
        }
    }

    /// A secret, line by line.
    fn push(&mut self, bytes: Range<usize>, path: String, is_whole: bool) {
        let text = self.slice(&bytes);
        let mut start = bytes.start;
        for line in text.split('\n') {
            let bytes = start..start + line.len();
            start = bytes.end + 1;
            if !line.trim().is_empty() {
                self.found.push(AlloySecret {
                    bytes,
                    path: path.clone(),
                    is_whole,
                });
            }
        }
    }

    /// All secrets. A component that was made of a Secret is secret line by line, and with its label.
    fn finish(mut self) -> Vec<AlloySecret> {
        let text = self.tokens.text;
        let slice = |bytes: &Range<usize>| text.get(bytes.clone()).unwrap_or_default();
        let hidden = hidden(&self.components, slice);
        if !hidden.is_empty() {
            let mut components = std::mem::take(&mut self.components);
            components.retain(|component| hidden.contains(slice(&component.label)));
            let is_inside = |at: usize| {
                let next = components.partition_point(|component| component.bytes.end <= at);
                components
                    .get(next)
                    .is_some_and(|component| component.bytes.start <= at)
            };
            self.found.retain(|secret| !is_inside(secret.bytes.start));
            let words = std::mem::take(&mut self.words).into_iter();
            for word in words.filter(|word| !is_inside(word.start) && hidden.contains(slice(word))) {
                let path = format!("label {}", slice(&word));
                self.push(word, path, true);
            }
            for Component { name, label, bytes, .. } in components {
                let path = format!("{name}.{}", slice(&label));
                let body = label.end..bytes.end;
                self.push(label, path.clone(), true);
                let lines = slice(&body);
                if let (Some(first), Some(last)) = (lines.find('\n'), lines.rfind('\n')) {
                    self.push_lines(body.start + first..body.start + last, &path);
                }
            }
        }
        self.found.sort_by_key(|secret| secret.bytes.start);
        self.found
    }

    /// Whole lines, each behind what indents it.
    fn push_lines(&mut self, bytes: Range<usize>, path: &str) {
        let text = self.slice(&bytes);
        let mut start = bytes.start;
        for (number, line) in text.split('\n').enumerate() {
            let indent = line.len() - line.trim_start().len();
            self.push(start + indent..start + line.len(), format!("{path}/{number}"), true);
            start += line.len() + 1;
        }
    }
}

/// Whether all in blocks of this name is secret.
pub(super) fn is_secret_block(name: &str, keys: &mut Keys) -> bool {
    let has_its_secret_in_a_field = name.ends_with("auth") || name.ends_with("authorization");
    keys.is_secret(name) && !has_its_secret_in_a_field
}

/// Whether a component was made of a scrape job in a Secret.
pub(super) fn is_of_secret(name: &str, label: &str, job_name: Option<&str>) -> bool {
    match job_name {
        Some(job) => label.starts_with("metrics_") && !is_name_of_monitor(job),
        None => name.starts_with("loki.source.") && label.starts_with("logs_") && !label.contains("_podLogs_"),
    }
}

/// The labels of components that were made of scrape jobs in a Secret.
fn hidden<'t>(components: &[Component<'t>], slice: impl Fn(&Range<usize>) -> &'t str) -> BTreeSet<&'t str> {
    let jobs = components.iter().filter(|component| {
        let label = slice(&component.label);
        is_of_secret(&component.name, label, component.job_name)
    });
    let jobs: BTreeSet<_> = jobs.map(|component| slice(&component.label)).collect();
    // A job has several discoveries, whose labels are numbered.
    let discoveries = components
        .iter()
        .filter(|component| component.name.starts_with("discovery."));
    let discoveries = discoveries.map(|component| slice(&component.label)).filter(|label| {
        let without = label.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_');
        without.is_some_and(|label| jobs.contains(label))
    });
    jobs.iter().copied().chain(discoveries).collect()
}

fn literal_path(path: Path<'_>, open: &[Open<'_>], number: usize) -> String {
    let keys = open.iter().map(|open| open.key).filter(|key| !key.is_empty());
    let keys: String = keys.flat_map(|key| ["/", key]).collect();
    format!("{path}{keys}#{number}")
}

/// Whether a text is secret, or holds a secret: one of several lines or of JSON may be a configuration of its own.
pub(super) fn hides(text: &str) -> bool {
    let text = unescaped(text);
    tells_a_secret(&text) || ((text.contains('\n') || text.starts_with('{')) && names_a_credential(&text, true))
}

/// A text without the escapes that Alloy's own layout writes.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    text.replace("\\n", "\n")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
        .into()
}

#[cfg(test)]
mod tests {
    use super::super::key::NAMED;
    use super::*;

    #[test]
    fn every_name_beside_a_secret_is_read() {
        for name in NAMED.iter().flat_map(|(_, names)| *names) {
            assert!(NAMES.contains(name), "{name}");
        }
    }

    #[test]
    fn credentials_are_secret_and_references_are_not() {
        for (text, expected) in [
            (
                "a \"b\" {\n\tpassword = \"x\"\n}\n",
                "a \"b\" {\n\tpassword = \"***\"\n}\n",
            ),
            (
                "a.b \"c\" {\n\tpassword = local.file.p.content\n}\n",
                "a.b \"c\" {\n\tpassword = local.file.p.content\n}\n",
            ),
            ("a {\n\turl = \"http://u:p@h\"\n}", "a {\n\turl = \"http://***@h\"\n}"),
            (
                "a {\n\tis_secret = true\n\tsasl_password = 1234\n}",
                "a {\n\tis_secret = true\n\tsasl_password = ***\n}",
            ),
            (
                "a {\n\theaders = {\n\t\tX = \"y\",\n\t\t\"Z\" = [\"w\"],\n\t}\n\tb = \"c\"\n}",
                "a {\n\theaders = {\n\t\tX = \"***\",\n\t\t\"Z\" = [\"***\"],\n\t}\n\tb = \"c\"\n}",
            ),
            (
                "a {\n\tparams = {\n\t\ttoken = [\"y\"],\n\t\tmodule = [\"m\"],\n\t}\n}",
                "a {\n\tparams = {\n\t\ttoken = [\"***\"],\n\t\tmodule = [\"m\"],\n\t}\n}",
            ),
            (
                "a {\n\trule {\n\t\treplacement = \"y\"\n\t\ttarget_label = \"__param_token\"\n\t}\n}",
                "a {\n\trule {\n\t\treplacement = \"***\"\n\t\ttarget_label = \"__param_token\"\n\t}\n}",
            ),
            ("// password: x\na { }\n", "***\na { }\n"),
            (
                "a {\n\tconfig = `m:\n  password: x\n`\n}",
                "a {\n\tconfig = `***\n***\n`\n}",
            ),
            (
                "a {\n\tconfig = \"m:\\n  password: x\"\n}",
                "a {\n\tconfig = \"***\"\n}",
            ),
            ("basic_auth {\n\tx = \"y\"\n}", "basic_auth {\n\tx = \"y\"\n}"),
        ] {
            assert_eq!(masked_alloy(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn scrape_jobs_of_a_secret_are_secret_with_their_names() {
        let text = "discovery.kubernetes \"metrics_n_m_x\" {\n\trole = \"pod\"\n}\n\n\
                    discovery.relabel \"metrics_n_m_serviceMonitor_n_s_0\" {\n\ttargets = discovery.kubernetes.metrics_n_m_x.targets\n}\n\n\
                    prometheus.scrape \"metrics_n_m_serviceMonitor_n_s_0\" {\n\tjob_name = \"serviceMonitor/n/s/0\"\n}\n\n\
                    prometheus.scrape \"metrics_n_m_x\" {\n\tjob_name = \"x\"\n\ttargets  = discovery.kubernetes.metrics_n_m_x.targets\n}\n";
        let expected = "discovery.kubernetes \"***\" {\n\t***\n}\n\n\
                        discovery.relabel \"metrics_n_m_serviceMonitor_n_s_0\" {\n\ttargets = discovery.kubernetes.***.targets\n}\n\n\
                        prometheus.scrape \"metrics_n_m_serviceMonitor_n_s_0\" {\n\tjob_name = \"serviceMonitor/n/s/0\"\n}\n\n\
                        prometheus.scrape \"***\" {\n\t***\n\t***\n}\n";
        assert_eq!(masked_alloy(text).as_deref(), Some(expected));
    }

    #[test]
    fn what_is_no_configuration_is_not_read() {
        for text in [
            "x",
            "a: b",
            "a {",
            "a = \"x",
            "a = [1)",
            "a \"b\"",
            "a = 1 b = 2\n",
            "}",
            "a = {\n",
            "é€",
        ] {
            assert_eq!(alloy_secrets(text), None, "{text}");
        }
        assert_eq!(alloy_secrets(&"a {\n".repeat(100_000)), None);
        assert_eq!(alloy_secrets(&format!("a = {}", "[".repeat(100_000))), None);
    }
}
