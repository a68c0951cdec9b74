//! Templates of Go (`text/template`) with the functions of log stages: mistakes that are sure, and nothing else of the language.
//!
//! Actions are split into words as Go does (`text/template/parse/lex.go`). What is in doubt is accepted.

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The rest of a sentence that starts with the template.
    pub predicate: String,
    /// What to do about it.
    pub help: &'static str,
}

/// The most characters of a name that a message repeats.
const MAX_QUOTED: usize = 40;

/// Finds the first mistake for which Promtail and Alloy refuse a template. Where it cannot be told, there is none.
pub fn check(template: &str) -> Result<(), Error> {
    let mut rest = template;
    let mut blocks: Vec<(&str, &str)> = Vec::new();
    let line = |at: &str| {
        let before = template.get(..template.len() - at.len()).unwrap_or_default();
        match template.trim_end().contains('\n') {
            true => format!(" on line {}", before.matches('\n').count() + 1),
            false => String::new(),
        }
    };
    let error = |what: &str, at: &str, help| Error {
        predicate: format!("{what}{}", line(at)),
        help,
    };
    while let Some(start) = rest.find("{{") {
        let (_, action) = rest.split_at_checked(start).unwrap_or_default();
        let Action {
            keyword,
            unknown,
            after,
        } = Action::read(action).map_err(|Open(what, help)| error(what, action, help))?;
        if let Some(name) = unknown {
            let name: String = name.chars().take(MAX_QUOTED).collect();
            let what = format!("calls `{name}`, which is not a function");
            return Err(error(&what, action, "use a function of Go's templates or of Sprig"));
        }
        let around = blocks.last().map(|(keyword, _)| *keyword);
        match keyword {
            "if" | "range" | "with" | "define" | "block" => blocks.push((keyword, action)),
            "else" if !matches!(around, Some("if" | "range" | "with")) => {
                let help = "put it between `{{ if … }}` and `{{ end }}`";
                return Err(error("has an `{{ else }}` without `{{ if }}`", action, help));
            }
            "end" if blocks.pop().is_none() => {
                return Err(error("has an `{{ end }}` that closes nothing", action, "remove it"));
            }
            _ => {}
        }
        rest = after;
    }
    match blocks.pop() {
        Some((keyword, at)) => {
            let what = format!("has `{{{{ {keyword} }}}}` without `{{{{ end }}}}`");
            Err(error(&what, at, "close the block with `{{ end }}`"))
        }
        None => Ok(()),
    }
}

/// Something that is not closed: what, and how to close it.
struct Open(&'static str, &'static str);

const OPEN_ACTION: Open = Open("has a `{{` without `}}`", "close the action with `}}`");
const OPEN_STRING: Open = Open(
    "has a string that is not closed",
    "close the string with the quote that it starts with",
);
const OPEN_COMMENT: Open = Open("has a comment that is not closed", "close the comment with `*/}}`");

/// What is between `{{` and `}}`.
struct Action<'t> {
    /// The first word, if it is one that opens or closes a block, or is between the two.
    keyword: &'t str,
    /// A word in the place of a function that is not the name of one.
    unknown: Option<&'t str>,
    /// The text behind it.
    after: &'t str,
}

impl<'t> Action<'t> {
    /// Reads the action that a text starts with (`lexLeftDelim`, `lexInsideAction`).
    fn read(text: &'t str) -> Result<Self, Open> {
        let mut rest = text.strip_prefix("{{").unwrap_or(text);
        // A dash and a space trim the text in front.
        let trimmed = rest.strip_prefix('-').filter(|rest| rest.starts_with(is_space));
        rest = trimmed.and_then(|rest| rest.get(1..)).unwrap_or(rest);
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").ok_or(OPEN_COMMENT)?.1;
        }
        let (mut keyword, mut unknown, mut is_first) = ("", None, true);
        loop {
            if let Some(after) = rest.strip_prefix("}}") {
                return Ok(Self {
                    keyword,
                    unknown,
                    after,
                });
            }
            let Some(first) = rest.chars().next() else {
                return Err(OPEN_ACTION);
            };
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            if is_space(first) {
                rest = behind
                    .strip_prefix('-')
                    .filter(|rest| rest.starts_with("}}"))
                    .unwrap_or(behind);
                continue;
            }
            rest = match first {
                '"' | '\'' => after_quote(behind, first).ok_or(OPEN_STRING)?,
                '`' => behind.split_once('`').ok_or(OPEN_STRING)?.1,
                '.' | '$' | '0'..='9' => behind.trim_start_matches(is_word),
                first if is_word(first) => {
                    let after = rest.trim_start_matches(is_word);
                    let word = rest.strip_suffix(after).unwrap_or(rest);
                    if is_first && KEYWORDS.contains(&word) {
                        keyword = word;
                    } else if !KEYWORDS.contains(&word) && !FUNCTIONS.split_whitespace().any(|name| name == word) {
                        unknown = unknown.or(Some(word));
                    }
                    after
                }
                _ => behind,
            };
            is_first = false;
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The text behind a string or character constant, whose first quote is in front (`lexQuote`, `lexChar`).
fn after_quote(text: &str, quote: char) -> Option<&str> {
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '\n' => return None,
            '\\' => drop(characters.next().filter(|c| *c != '\n')?),
            c if c == quote => return Some(characters.as_str()),
            _ => {}
        }
    }
}

const KEYWORDS: [&str; 10] = [
    "block", "break", "continue", "define", "else", "end", "if", "range", "template", "with",
];

/// The functions and constants of Go 1.26, of Sprig 3.3.0 (`genericMap`), and of the stages (`extraFunctionMap`). The agent's Sprig
/// 3.2.3 lacks `sha512sum` only.
const FUNCTIONS: &str = "\
    Hash Replace Sha2Hash ToLower ToUpper Trim TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix abbrev abbrevboth \
    add add1 add1f addf adler32sum ago all and any append atoi b32dec b32enc b64dec b64enc base bcrypt biggest \
    buildCustomCert call camelcase cat ceil chunk clean coalesce compact concat contains date dateInZone dateModify \
    date_in_zone date_modify decryptAES deepCopy deepEqual default derivePassword dict dig dir div divf duration \
    durationRound empty encryptAES env eq expandenv ext fail false first float64 floor fromJson ge genCA \
    genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey get \
    getHostByName gt has hasKey hasPrefix hasSuffix hello html htmlDate htmlDateInZone htpasswd indent index initial \
    initials int int64 isAbs join js kebabcase keys kindIs kindOf last le len list lower lt max maxf merge \
    mergeOverwrite min minf mod mul mulf mustAppend mustChunk mustCompact mustDateModify mustDeepCopy mustFirst \
    mustFromJson mustHas mustInitial mustLast mustMerge mustMergeOverwrite mustPrepend mustRegexFind \
    mustRegexFindAll mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest \
    mustReverse mustSlice mustToDate mustToJson mustToPrettyJson mustToRawJson mustUniq mustWithout must_date_modify \
    ne nil nindent nospace not now omit or osBase osClean osDir osExt osIsAbs pick pluck plural prepend print printf \
    println quote randAlpha randAlphaNum randAscii randBytes randInt randNumeric regexFind regexFindAll regexMatch \
    regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat replace rest reverse round semver \
    semverCompare seq set sha1sum sha256sum sha512sum shuffle slice snakecase sortAlpha split splitList splitn \
    squote sub subf substr swapcase ternary title toDate toDecimal toJson toPrettyJson toRawJson toString toStrings \
    trim trimAll trimPrefix trimSuffix trimall true trunc tuple typeIs typeIsLike typeOf uniq unixEpoch unset until \
    untilStep untitle upper urlJoin urlParse urlquery uuidv4 values without wrap wrapWith";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_that_go_takes() {
        for template in [
            "",
            "}} { {% x %} }",
            "{{ .Value }}-{{ .Entry | ToUpper | printf \"%s }} {{\" }}",
            "{{- /* if nope }} -}} */ -}} {{/* {{ */}}",
            "{{- if and .a.b (eq $.c 'x') -}} {{ else if .d }} {{ else }} {{ end }}",
            "{{ with $x := index . \"nope\\\"\" }}{{ range $i, $e := list 1 0x1F 1_000 .5 1e+3 }}{{ break }}{{ end }}{{ end }}",
            "{{ define \"t\" }}{{ end }}{{ template \"t\" . }}{{ `}} nope` }}{{ regexReplaceAllLiteral \"(\" .Value `` }}",
            "{{ Replace .Value \" \" \"_\" -1 | trunc 63 | default\n\"ä\" }}",
            "{{-\t.a -}}{{ 1.5 }}{{ .5.a }}{{ date_in_zone .a \"\\\"\" '\\'' }}",
            // In doubt.
            "{{ }}{{ .a | if }}{{ $undefined }}{{ .a ( }}",
        ] {
            assert_eq!(check(template), Ok(()), "{template}");
        }
    }

    #[test]
    fn templates_that_go_refuses() {
        for (template, expected) in [
            ("a {{ .Value", "has a `{{` without `}}`"),
            ("{{ .Value }\n{{ .b }", "has a `{{` without `}}` on line 1"),
            ("{{ .a }}\n{{ .b -}", "has a `{{` without `}}` on line 2"),
            ("{{ \"a }}", "has a string that is not closed"),
            ("{{ 'a\n' }}", "has a string that is not closed on line 1"),
            ("{{ `a }}", "has a string that is not closed"),
            ("{{/* a }}", "has a comment that is not closed"),
            ("{{ .foo | nope }}", "calls `nope`, which is not a function"),
            ("{{ toupper .foo }}", "calls `toupper`, which is not a function"),
            ("{{ é }}", "calls `é`, which is not a function"),
            ("{{ add 1.5 nope }}", "calls `nope`, which is not a function"),
            ("{{ if }}{{ nope_1 x }}", "calls `nope_1`, which is not a function"),
            ("{{ \"a\\\n\" }}", "has a string that is not closed on line 1"),
            ("{{ end }}", "has an `{{ end }}` that closes nothing"),
            ("{{ else }}", "has an `{{ else }}` without `{{ if }}`"),
            (
                "{{ if .a }}{{ with .b }}{{ end }}",
                "has `{{ if }}` without `{{ end }}`",
            ),
            (
                "a\n{{- range(.a) }}\n",
                "has `{{ range }}` without `{{ end }}` on line 2",
            ),
            ("{{ .a }}{{end}}", "has an `{{ end }}` that closes nothing"),
            ("{{ define \"a\" }}{{ else }}", "has an `{{ else }}` without `{{ if }}`"),
        ] {
            let found = check(template).map_err(|error| error.predicate);
            assert_eq!(found, Err(expected.to_owned()), "{template}");
        }
        let long = "x".repeat(41);
        let expected = format!("calls `{}`, which is not a function", &long[1..]);
        assert_eq!(check(&format!("{{{{ {long} }}}}")).unwrap_err().predicate, expected);
    }
}
