//! Sprig functions for regular expressions.

use crate::budget::Budget;
use crate::go::regexp::{Matcher, MatcherError};
use crate::go::template::{Call, Failure, Function, Outcome, TemplateValue};

/// Maximum size of an expression, in characters with all repeats expanded.
const MAX_EXPRESSION_SIZE: u64 = 10_000;

pub const FUNCTIONS: &[Function] = &[
    Function { name: "regexMatch", parameters: "ss", run: is_valid_match },
    Function { name: "mustRegexMatch", parameters: "ss", run: is_match },
    Function { name: "regexFind", parameters: "ss", run: find },
    Function { name: "mustRegexFind", parameters: "ss", run: find },
    Function { name: "regexFindAll", parameters: "ssi", run: find_all },
    Function { name: "mustRegexFindAll", parameters: "ssi", run: find_all },
    Function { name: "regexReplaceAll", parameters: "sss", run: |call| replace(call, false) },
    Function { name: "mustRegexReplaceAll", parameters: "sss", run: |call| replace(call, false) },
    Function { name: "regexReplaceAllLiteral", parameters: "sss", run: |call| replace(call, true) },
    Function { name: "mustRegexReplaceAllLiteral", parameters: "sss", run: |call| replace(call, true) },
    Function { name: "regexSplit", parameters: "ssi", run: split },
    Function { name: "mustRegexSplit", parameters: "ssi", run: split },
    Function { name: "regexQuoteMeta", parameters: "s", run: quote_meta },
];

fn matcher(call: &Call<'_>) -> Result<Matcher, Failure> {
    let sizes = Budget::new(MAX_EXPRESSION_SIZE.min(call.steps.remaining()));
    let remaining_before = sizes.remaining();
    let matcher = Matcher::unanchored(call.text(0), &sizes);
    call.spend((remaining_before - sizes.remaining()) as usize + call.text(1).len())?;
    matcher.map_err(|error| match error {
        MatcherError::Go(error) => Failure::Error(error.describe(call.text(0))),
        MatcherError::TooLarge => Failure::Limit,
    })
}

fn is_match(call: &mut Call<'_>) -> Outcome {
    Ok(TemplateValue::Bool(matcher(call)?.is_match(call.text(1))))
}

/// Port of `regexMatch`. Returns false for an invalid expression.
fn is_valid_match(call: &mut Call<'_>) -> Outcome {
    match is_match(call) {
        Err(Failure::Error(_)) => Ok(TemplateValue::Bool(false)),
        result => result,
    }
}

fn find(call: &mut Call<'_>) -> Outcome {
    let spans = matcher(call)?.spans(call.text(1), 1);
    let text = spans.first().and_then(|span| call.text(1).get(span.clone()));
    call.text_result(text.unwrap_or_default())
}

/// Returns the maximum number of matches. A negative argument means no limit.
fn limit(call: &Call<'_>, index: usize) -> usize {
    usize::try_from(call.int(index)).unwrap_or(usize::MAX)
}

fn find_all(call: &mut Call<'_>) -> Outcome {
    let spans = matcher(call)?.spans(call.text(1), limit(call, 2));
    Ok(TemplateValue::strings(spans.into_iter().filter_map(|span| call.text(1).get(span))))
}

fn replace(call: &mut Call<'_>, is_literal: bool) -> Outcome {
    let matcher = matcher(call)?;
    let (text, replacement) = (call.text(1), call.text(2));
    // Each replacement is at most as long as the template with every `$` replaced by the entire text.
    let groups = replacement.matches('$').count().saturating_mul(text.len());
    call.spend((text.len() + 1).saturating_mul(replacement.len() + groups))?;
    let replacement = if is_literal { replacement.replace('$', "$$") } else { replacement.to_owned() };
    Ok(TemplateValue::text(matcher.replace_all(text, &replacement)))
}

/// Port of `Regexp.Split`.
fn split(call: &mut Call<'_>) -> Outcome {
    let matcher = matcher(call)?;
    let (text, limit) = (call.text(1), limit(call, 2));
    if limit == 0 {
        return Ok(TemplateValue::strings::<&str>([]));
    }
    if !call.text(0).is_empty() && text.is_empty() {
        return Ok(TemplateValue::strings([""]));
    }
    let (mut parts, mut begin, mut end) = (Vec::new(), 0, 0);
    for span in matcher.spans(text, limit) {
        if parts.len() == limit - 1 {
            break;
        }
        end = span.start;
        if span.end != 0 {
            parts.push(text.get(begin..end).unwrap_or_default());
        }
        begin = span.end;
    }
    if end != text.len() {
        parts.push(text.get(begin..).unwrap_or_default());
    }
    Ok(TemplateValue::strings(parts))
}

/// Port of `regexp.QuoteMeta`.
fn quote_meta(call: &mut Call<'_>) -> Outcome {
    let mut quoted = String::new();
    for c in call.text(0).chars() {
        if "\\.+*?()|[]{}^$".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    call.text_result(quoted)
}
