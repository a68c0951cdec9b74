//! Configurations packed into their Secrets. A configuration larger than 100 KiB is compressed with gzip
//! (`createTelemetryConfigurationSecret`).

use std::io::{self, Write};
use std::mem;
use std::panic;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{Builder, JoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Maximum length of an uncompressed configuration, and the compressor's block size. Because the block size is fixed,
/// the output does not depend on the sizes of the written pieces.
const MAX_UNCOMPRESSED: usize = 100 * 1024;

/// Maximum number of blocks waiting for the compressor.
const MAX_WAITING_BLOCKS: usize = 8;

/// A configuration that is written in pieces and compressed when it exceeds the limit.
#[derive(Debug, Default)]
pub struct Packing {
    compression: Compression,
    /// Bytes that have not been compressed yet.
    plain: Vec<u8>,
    compressor: Option<io::Result<Compressor>>,
    /// Number of bytes that have been compressed.
    packed: u64,
}

impl Packing {
    pub fn new(compression: Compression) -> Self {
        Self { compression, ..Self::default() }
    }

    pub fn push(&mut self, piece: &str) {
        let mut rest = piece.as_bytes();
        while self.plain.len() + rest.len() > MAX_UNCOMPRESSED {
            let (piece_part, after) = rest.split_at(MAX_UNCOMPRESSED - self.plain.len());
            self.plain.extend_from_slice(piece_part);
            self.packed += MAX_UNCOMPRESSED as u64;
            let block = mem::take(&mut self.plain);
            let start = || Compressor::start(self.compression);
            if let Ok(compressor) = self.compressor.get_or_insert_with(start) {
                self.plain = compressor.push(block);
            }
            rest = after;
        }
        self.plain.extend_from_slice(rest);
    }

    /// Returns the number of bytes of the configuration that the Secret stores in compressed form.
    pub fn packed_size(&self) -> u64 {
        match self.compressor {
            Some(_) => self.packed + self.plain.len() as u64,
            None => 0,
        }
    }

    /// Returns the configuration, compressed if necessary, without a timestamp.
    ///
    /// # Errors
    ///
    /// Fails if the compressor thread cannot be started.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        match self.compressor {
            None => Ok(self.plain),
            Some(compressor) => compressor?.finish(self.plain),
        }
    }
}

/// A thread that compresses the blocks that another thread writes. It waits only for the next block, so the writing
/// thread can safely wait for it, even if the writing thread is the only worker.
#[derive(Debug)]
struct Compressor {
    blocks: SyncSender<Vec<u8>>,
    /// Buffers of compressed blocks, cleared for reuse.
    done: Receiver<Vec<u8>>,
    thread: JoinHandle<io::Result<Vec<u8>>>,
}

impl Compressor {
    fn start(compression: Compression) -> io::Result<Self> {
        let (blocks, received_blocks) = mpsc::sync_channel::<Vec<u8>>(MAX_WAITING_BLOCKS);
        let (compressed_blocks, free_blocks) = mpsc::channel();
        let thread = Builder::new().spawn(move || {
            let mut gzip = GzEncoder::new(Vec::new(), compression);
            for mut block in received_blocks {
                gzip.write_all(&block)?;
                block.clear();
                // The receiver may already have been dropped when the last blocks are sent.
                let _ = compressed_blocks.send(block);
            }
            gzip.finish()
        })?;
        Ok(Self { blocks, done: free_blocks, thread })
    }

    /// Sends a block to the compressor and returns an empty buffer for the next block.
    fn push(&self, block: Vec<u8>) -> Vec<u8> {
        // If the thread has ended, `finish` returns its error.
        let _ = self.blocks.send(block);
        self.done.try_recv().unwrap_or_default()
    }

    fn finish(self, last: Vec<u8>) -> io::Result<Vec<u8>> {
        self.push(last);
        drop(self.blocks);
        self.thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn packed_size(text: &str, piece: usize) -> Vec<u8> {
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
    fn compresses_only_long_configurations() {
        let short_text = "x".repeat(MAX_UNCOMPRESSED);
        assert_eq!(packed_size(&short_text, 1000), short_text.as_bytes());
        let long_text = "x".repeat(MAX_UNCOMPRESSED + 1);
        let compressed = packed_size(&long_text, 1000);
        // The gzip header contains no timestamp.
        assert_eq!(compressed[4..8], [0; 4]);
        let mut text = String::new();
        GzDecoder::new(compressed.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, long_text);
    }

    #[test]
    fn compresses_blocks_in_order() {
        let text: String = (0..200_000_u64).map(|i| format!("line {} of {}\n", i * i, i % 97)).collect();
        assert!(text.len() > 3 * MAX_WAITING_BLOCKS * MAX_UNCOMPRESSED);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        for block in text.as_bytes().chunks(MAX_UNCOMPRESSED) {
            gzip.write_all(block).unwrap();
        }
        assert!(packed_size(&text, 1000) == gzip.finish().unwrap());
    }

    #[test]
    fn output_does_not_depend_on_chunk_size() {
        let text: String = (0..40_000).map(|i| format!("line {} of {}\n", i * i, i % 97)).collect();
        let whole_size = packed_size(&text, text.len());
        for piece in [100, 65_536, 300_001] {
            assert!(packed_size(&text, piece) == whole_size, "{piece}");
        }
    }

    #[test]
    fn counts_compressed_bytes() {
        for (length, expected) in [
            (0, 0),
            (MAX_UNCOMPRESSED, 0),
            (MAX_UNCOMPRESSED + 1, MAX_UNCOMPRESSED + 1),
            (3 * MAX_UNCOMPRESSED + 5, 3 * MAX_UNCOMPRESSED + 5),
        ] {
            for pieces in [1, 7] {
                let mut packing = Packing::default();
                let text = "x".repeat(length);
                text.as_bytes()
                    .chunks((length / pieces).max(1))
                    .for_each(|piece| packing.push(std::str::from_utf8(piece).unwrap()));
                assert_eq!(packing.packed_size(), expected as u64, "{length} {pieces}");
            }
        }
    }
}
