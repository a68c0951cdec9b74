//! Lines of a configuration of Alloy in which nothing is secret, whatever is around them.

use std::ops::Range;

use super::alloy::{MAX_DEPTH, NAMES, hides, is_of_secret, is_secret_block};
use super::alloy_tokens::{Token, Tokens};
use super::key::Keys;
use super::value::is_name_of_monitor;

/// Judges lines one by one, which takes less than a walk over the text where most of them are there many times.
#[derive(Default)]
pub struct OpenLines {
    keys: Keys,
}

impl OpenLines {
    /// Whether a line is open: in a text that `target` wrote and all of whose lines are open, nothing is secret. Says no where it
    /// is not sure.
    pub fn is_open(&mut self, line: &str) -> bool {
        let depth = line.bytes().take_while(|&byte| byte == b'\t').count();
        let (tokens, keys) = (Tokens::of(line), &mut self.keys);
        depth < MAX_DEPTH && Line { tokens, keys }.judge().is_some()
    }
}

struct Line<'t, 'k> {
    tokens: Tokens<'t>,
    keys: &'k mut Keys,
}

impl<'t> Line<'t, '_> {
    fn slice(&self, bytes: &Range<usize>) -> &'t str {
        self.tokens.text.get(bytes.clone()).unwrap_or_default()
    }

    /// `None` where it is not known that the line is open.
    fn judge(&mut self) -> Option<()> {
        let mut name = match self.tokens.next()? {
            (Token::Word(_), bytes) | (Token::Text(bytes), _) => bytes,
            (Token::Mark("{" | "}" | "[" | "]" | ")"), _) => return self.brackets(),
            (Token::End, _) => return Some(()),
            _ => return None,
        };
        while *self.tokens.peek()? == Token::Mark(".") {
            self.tokens.next()?;
            name.end = self.tokens.next()?.1.end;
        }
        let name = self.slice(&name);
        match self.tokens.next()? {
            (Token::Mark("="), _) => {
                let is_secret = name.contains(['.', '\\', '`']) || self.keys.is_secret(name);
                self.value(name, is_secret)
            }
            (Token::Mark("{"), _) => self.block(name, ""),
            (Token::Text(label), _) if self.tokens.next()?.0 == Token::Mark("{") => {
                self.block(name, self.slice(&label))
            }
            (Token::Mark(","), _) => self.brackets(),
            _ => None,
        }
    }

    fn block(&mut self, name: &str, label: &str) -> Option<()> {
        let is_secret = is_secret_block(name, self.keys) || is_of_secret(name, label, None);
        self.brackets().filter(|()| !is_secret)
    }

    /// The rest of a line that is nothing but the starts and ends of collections.
    fn brackets(&mut self) -> Option<()> {
        loop {
            match self.tokens.next()?.0 {
                Token::Mark("{" | "}" | "[" | "]" | ")" | ",") => {}
                end => return (end == Token::End).then_some(()),
            }
        }
    }

    /// The rest of a line that is a value. One that is secret is a name, all of it.
    fn value(&mut self, key: &str, is_secret: bool) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.tokens.next()?.0 {
                Token::End => return (!is_secret || depth == 0).then_some(()),
                Token::Mark("(" | "[" | "{") => depth += 1,
                Token::Mark(")" | "]" | "}") => depth -= 1,
                Token::Number if is_secret => return None,
                Token::Text(bytes) => {
                    let text = self.slice(&bytes);
                    let tells = match key {
                        "job_name" => !is_name_of_monitor(text),
                        _ => NAMES.contains(&key) && self.keys.is_secret(text),
                    };
                    if is_secret || tells || hides(text) {
                        return None;
                    }
                }
                Token::Mark("=") | Token::Line | Token::Comment => return None,
                Token::Word(_) | Token::Number | Token::Mark(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_open_where_it_tells_no_secret() {
        for (line, expected) in [
            ("", true),
            ("prometheus.scrape \"metrics_n_m_serviceMonitor_n_s_0\" {", true),
            ("\tjob_name = \"serviceMonitor/n/s/0\"", true),
            ("\tjob_name = \"x\"", false),
            ("\ttargets  = discovery.kubernetes.token.targets", true),
            ("\tpassword = convert.nonsensitive(local.file.p.content)", true),
            ("\tpassword = convert.nonsensitive(", false),
            ("\tpassword = \"x\"", false),
            ("\tsasl_password = 1234", false),
            ("\tbasic_auth {", true),
            ("\twal { }", true),
            ("\tsecret \"x\" {", false),
            ("loki.source.file \"logs_n_l_x\" {", false),
            ("loki.source.file \"logs_n_l_podLogs_n_p\" {", true),
            ("\theaders = {", false),
            ("\tparams = {", true),
            ("\t\ttoken = [\"y\"],", false),
            ("\t\tmodule = [\"y\"],", true),
            ("\t\t\"match[]\" = [\"y\"],", true),
            ("\t\t\"a\\\\\" = [\"y\"],", false),
            ("\t\ttarget_label = \"__param_token\"", false),
            ("\t\tregex = \"(go|process)_.*\"", true),
            ("\turl = \"http://me:pw@host/\"", false),
            ("\tconfig = \"m:\\n  password: x\"", false),
            ("\tconfig = `m:", false),
            ("// a", false),
            ("\ta = 1 // b", false),
            ("\ta = 1 b = 2", false),
            ("\t}],", true),
            ("\t[{", true),
            ("a {} b", false),
            ("é€", false),
        ] {
            assert_eq!(OpenLines::default().is_open(line), expected, "{line}");
        }
        assert!(!OpenLines::default().is_open(&format!("{}a {{", "\t".repeat(MAX_DEPTH))));
    }
}
