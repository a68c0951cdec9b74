//! Formatting as in `fmt.Sprintf`.

use super::failure::Failure;
use super::function::Call;
use super::value::TemplateValue;
use crate::go::literal::quote;

/// Maximum width or precision in a format, as in Go.
const MAX_WIDTH: usize = 1_000_000;

/// Flags, width and precision of a formatting verb.
#[derive(Default)]
struct Layout {
    is_left: bool,
    has_plus: bool,
    has_space: bool,
    has_sharp: bool,
    has_zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats operands as `fmt.Sprintf` does.
///
/// # Errors
///
/// Fails if the format uses an unsupported feature: `*`, argument indexes or rare verbs.
pub fn sprintf(call: &Call<'_>, format: &str, operands: &[TemplateValue]) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = format;
    let mut operands = operands.iter();
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let (layout, after) = parse_layout(after)?;
        let mut characters = after.chars();
        let Some(verb) = characters.next() else {
            out.push_str("%!(NOVERB)");
            rest = "";
            break;
        };
        rest = characters.as_str();
        if verb == '%' {
            out.push('%');
            continue;
        }
        let Some(operand) = operands.next() else {
            out.push_str(&format!("%!{verb}(MISSING)"));
            continue;
        };
        call.spend(layout.width)?;
        let text = format_operand(call, &layout, verb, operand)?;
        let padding = layout.width.saturating_sub(text.chars().count());
        match layout.is_left {
            true => out.push_str(&(text + &" ".repeat(padding))),
            false => out.push_str(&(" ".repeat(padding) + &text)),
        }
    }
    out.push_str(rest);
    let extra: Vec<_> = operands.map(|operand| format_extra_operand(call, operand)).collect::<Result<_, _>>()?;
    if !extra.is_empty() {
        out.push_str(&format!("%!(EXTRA {})", extra.join(", ")));
    }
    Ok(out)
}

fn parse_layout(text: &str) -> Result<(Layout, &str), Failure> {
    let mut layout = Layout::default();
    let mut rest = text;
    while let Some(flag) = rest.chars().next() {
        match flag {
            '-' => layout.is_left = true,
            '+' => layout.has_plus = true,
            ' ' => layout.has_space = true,
            '#' => layout.has_sharp = true,
            '0' => layout.has_zero = true,
            _ => break,
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    let (width, after) = number(rest)?;
    layout.width = width.unwrap_or_default();
    rest = after;
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = number(after)?;
        layout.precision = Some(precision.unwrap_or_default());
        rest = after;
    }
    if rest.starts_with(['*', '[']) {
        return Err(Failure::Unsupported("uses a format with `*` or `[`".to_owned()));
    }
    Ok((layout, rest))
}

fn number(text: &str) -> Result<(Option<usize>, &str), Failure> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).unwrap_or_default();
    if digits.is_empty() {
        return Ok((None, rest));
    }
    let number = digits.parse().ok().filter(|number| *number <= MAX_WIDTH);
    number.map(|number| (Some(number), rest)).ok_or(Failure::Limit)
}

fn format_extra_operand(call: &Call<'_>, operand: &TemplateValue) -> Result<String, Failure> {
    if operand.is_nil() {
        return Ok("<nil>".to_owned());
    }
    Ok(format!("{}={}", operand.type_name(), call.format(operand)?))
}

fn format_operand(call: &Call<'_>, layout: &Layout, verb: char, operand: &TemplateValue) -> Result<String, Failure> {
    let unsupported = || Failure::Unsupported(format!("uses the format `%{verb}`"));
    if layout.has_sharp {
        return Err(unsupported());
    }
    if operand.is_nil() && matches!(verb, 'v' | 'T') {
        return Ok("<nil>".to_owned());
    }
    if operand.is_nil() {
        return Ok(format!("%!{verb}(<nil>)"));
    }
    let cut = |text: &str| match layout.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    };
    match (verb, operand) {
        ('T', value) => Ok(value.type_name().to_owned()),
        ('v' | 's', TemplateValue::Text(text)) if !layout.has_zero => Ok(cut(text)),
        ('q', TemplateValue::Text(text)) => Ok(quote(&cut(text))),
        ('x', TemplateValue::Text(text)) => Ok(text.bytes().map(|byte| format!("{byte:02x}")).collect()),
        ('X', TemplateValue::Text(text)) => Ok(text.bytes().map(|byte| format!("{byte:02X}")).collect()),
        ('v' | 't', TemplateValue::Bool(value)) => Ok(value.to_string()),
        ('v' | 'd' | 'x' | 'X' | 'o' | 'b', TemplateValue::Int(value) | TemplateValue::Int64(value)) => {
            if layout.precision.is_some() {
                return Err(unsupported());
            }
            Ok(integer(layout, verb, *value))
        }
        ('v', TemplateValue::Float(_)) if layout.precision.is_none() && !layout.has_zero => call.format(operand),
        ('f', TemplateValue::Float(value)) => {
            let text = format!("{:.*}", layout.precision.unwrap_or(6), value.abs());
            Ok(add_sign(layout, value.is_sign_negative(), text))
        }
        ('v', TemplateValue::List(..) | TemplateValue::Map(..)) => call.format(operand),
        ('s', TemplateValue::List(..)) => {
            let items = operand.as_list().unwrap_or_default().iter();
            let items: Vec<_> = items.map(|item| format_operand(call, layout, verb, item)).collect::<Result<_, _>>()?;
            Ok(format!("[{}]", items.join(" ")))
        }
        (
            's' | 'q',
            TemplateValue::Int(_) | TemplateValue::Int64(_) | TemplateValue::Float(_) | TemplateValue::Bool(_),
        )
        | ('d', TemplateValue::Text(_) | TemplateValue::Float(_) | TemplateValue::Bool(_))
        | ('t', TemplateValue::Text(_) | TemplateValue::Int(_) | TemplateValue::Float(_)) => {
            Ok(format!("%!{verb}({})", format_extra_operand(call, operand)?))
        }
        _ => Err(unsupported()),
    }
}

fn integer(layout: &Layout, verb: char, value: i64) -> String {
    let size = value.unsigned_abs();
    let digits = match verb {
        'x' => format!("{size:x}"),
        'X' => format!("{size:X}"),
        'o' => format!("{size:o}"),
        'b' => format!("{size:b}"),
        _ => size.to_string(),
    };
    add_sign(layout, value < 0, digits)
}

/// Adds the sign, and zeros to fill the width.
fn add_sign(layout: &Layout, is_negative: bool, digits: String) -> String {
    let sign = match is_negative {
        true => "-",
        false if layout.has_plus => "+",
        false if layout.has_space => " ",
        false => "",
    };
    let zeros = match layout.has_zero && !layout.is_left {
        true => layout.width.saturating_sub(sign.len() + digits.len()),
        false => 0,
    };
    format!("{sign}{}{digits}", "0".repeat(zeros))
}
