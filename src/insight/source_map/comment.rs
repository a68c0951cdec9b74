//! The map as comments in the configuration.

use super::map::SourceMap;
use crate::printable::printable;

/// Comments in the order of their lines.
#[derive(Default)]
struct Comments {
    text: String,
    /// The line after each comment, and the end of its text.
    ends: Vec<(u32, usize)>,
}

impl SourceMap<'_, '_> {
    /// Passes on the configuration with a comment in front of each part, on a line of its own and as far indented: where the
    /// part comes from. In a list, a comment holds for the items behind it too, up to the next one. With `show_secrets` it is
    /// that of [`SourceMap::each_text`], otherwise that of [`SourceMap::each_masked_text`]; it says whether secrets are
    /// hidden.
    ///
    /// What a parser reads from it stays the same.
    pub fn each_commented_text(&self, show_secrets: bool, pass: &mut dyn FnMut(&str)) -> bool {
        let comments = self.comments();
        let mut ends = comments.ends.iter().peekable();
        let (mut number, mut written, mut out) = (0, 0, String::new());
        let mut comment = |text: &str| {
            out.clear();
            for line in text.split_inclusive('\n') {
                number += 1;
                while let Some((_, end)) = ends.next_if(|(before, _)| *before == number) {
                    out.push_str(comments.text.get(written..*end).unwrap_or_default());
                    written = *end;
                }
                out.push_str(line);
            }
            pass(&out);
        };
        if show_secrets {
            self.each_text(&mut comment);
            return false;
        }
        self.each_masked_text(&mut comment)
    }

    /// The comments by line, those of parts around others in front.
    fn comments(&self) -> Comments {
        let mut comments = Comments::default();
        let (indent, mark) = self.comment_style();
        self.each_part(&mut |part| {
            if let (true, Some(source)) = (part.is_news, part.source()) {
                let Comments { text, ends } = &mut comments;
                text.extend(std::iter::repeat_n(indent, part.indent));
                text.extend([mark, &printable(&source.to_string()), "\n"]);
                ends.push((part.line, text.len()));
            }
        });
        comments
    }
}
