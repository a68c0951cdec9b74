//! A configuration packed into its Secret (`createTelemetryConfigurationSecret`): with gzip above 100 KiB.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Longer configurations are compressed, so many bytes at a time: how the compressor gets its input shows in its output,
/// which must not depend on the pieces.
const MAX_UNCOMPRESSED: usize = 100 * 1024;

/// A configuration that comes piece by piece, compressed as soon as it is too long to stay as it is.
#[derive(Debug, Default)]
pub struct Packing {
    /// What is not compressed yet.
    plain: Vec<u8>,
    gzip: Option<GzEncoder<Vec<u8>>>,
    failed: Option<io::Error>,
}

impl Packing {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &str) {
        let mut rest = piece.as_bytes();
        while self.plain.len() + rest.len() > MAX_UNCOMPRESSED {
            let (next, after) = rest.split_at(MAX_UNCOMPRESSED - self.plain.len());
            self.plain.extend_from_slice(next);
            self.compress();
            self.plain.clear();
            rest = after;
        }
        self.plain.extend_from_slice(rest);
    }

    fn compress(&mut self) {
        let new = || GzEncoder::new(Vec::new(), Compression::default());
        let result = self.gzip.get_or_insert_with(new).write_all(&self.plain);
        self.failed = self.failed.take().or(result.err());
    }

    /// The bytes of the configuration, without a time stamp.
    ///
    /// # Errors
    ///
    /// None: compression writes to memory.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        if self.gzip.is_some() {
            self.compress();
        }
        match (self.failed, self.gzip) {
            (Some(error), _) => Err(error),
            (None, Some(gzip)) => gzip.finish(),
            (None, None) => Ok(self.plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn packed(text: &str, piece: usize) -> Vec<u8> {
        let mut packing = Packing::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (next, after) = rest.split_at(piece.min(rest.len()));
            packing.push(next);
            rest = after;
        }
        packing.finish().unwrap()
    }

    #[test]
    fn only_long_configurations_are_compressed() {
        let short = "x".repeat(MAX_UNCOMPRESSED);
        assert_eq!(packed(&short, 1000), short.as_bytes());
        let long = "x".repeat(MAX_UNCOMPRESSED + 1);
        let compressed = packed(&long, 1000);
        // No time stamp.
        assert_eq!(compressed[4..8], [0; 4]);
        let mut text = String::new();
        GzDecoder::new(compressed.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, long);
    }

    #[test]
    fn the_pieces_do_not_change_the_bytes() {
        let text: String = (0..40_000).map(|i| format!("line {} of {}\n", i * i, i % 97)).collect();
        let whole = packed(&text, text.len());
        for piece in [100, 65_536, 300_001] {
            assert!(packed(&text, piece) == whole, "{piece}");
        }
    }
}
