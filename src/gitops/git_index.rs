//! Paths of the files that git tracks, from `.git/index` (`gitformat-index`). git is not run.

use std::collections::BTreeSet;

/// Size of an entry's fields before its name, with the object name of a SHA-1 repository.
const FIXED_SIZE: usize = 62;

/// Flag of an entry with two more bytes of flags.
const EXTENDED: u8 = 0x40;

/// Maximum total length of the paths. In version 4, a short entry can stand for a long path.
const MAX_LENGTH: usize = 64 << 20;

/// Returns the paths in an index, or `None` if it is damaged, too large or of an unknown version. Paths that are not
/// UTF-8 are omitted.
pub(super) fn tracked_paths(index: &[u8]) -> Option<BTreeSet<String>> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let version = number(4).filter(|version| index.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let (mut paths, mut path, mut at, mut length) = (BTreeSet::new(), Vec::new(), 12, 0);
    for _ in 0..number(8)? {
        let flags = *index.get(at + FIXED_SIZE - 2)?;
        let mut name_start = at + FIXED_SIZE + if flags & EXTENDED == 0 { 0 } else { 2 };
        if version == 4 {
            let removed_bytes = read_offset(index, &mut name_start)?;
            path.truncate(path.len().checked_sub(removed_bytes)?);
        } else {
            path.clear();
        }
        let name_length = index.get(name_start..)?.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(index.get(name_start..name_start + name_length)?);
        length += path.len();
        if length > MAX_LENGTH {
            return None;
        }
        paths.extend(String::from_utf8(path.clone()).ok());
        let end = name_start + name_length + 1;
        // Before version 4, entries are padded with NUL bytes to a multiple of eight bytes.
        at = if version == 4 { end } else { at + (end - at).next_multiple_of(8) };
    }
    Some(paths)
}

/// Reads a number in the encoding for offsets in pack files (`decode_varint`), and advances `at`.
fn read_offset(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut next_byte = || {
        *at += 1;
        bytes.get(*at - 1).copied()
    };
    let mut byte = next_byte()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = next_byte()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}

#[cfg(test)]
pub(super) mod testing {
    use super::{EXTENDED, FIXED_SIZE};

    /// Returns an index with these paths. Version 4 shares each path's prefix with the path before it.
    pub fn index(version: u32, paths: &[&str]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(paths.len()).unwrap().to_be_bytes());
        let mut last = "";
        for (i, path) in paths.iter().enumerate() {
            let start = bytes.len();
            bytes.extend([0; FIXED_SIZE]);
            if version > 2 && i % 2 == 1 {
                bytes[start + FIXED_SIZE - 2] = EXTENDED;
                bytes.extend([0; 2]);
            }
            if version == 4 {
                let shared = last.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
                let removed_bytes = last.len() - shared;
                if removed_bytes >= 128 {
                    bytes.push(0x80 | u8::try_from((removed_bytes - 128) >> 7).unwrap());
                }
                bytes.push(u8::try_from(removed_bytes & 0x7f).unwrap());
                bytes.extend(path[shared..].bytes());
                bytes.push(0);
                last = path;
            } else {
                bytes.extend(path.bytes());
                bytes.extend(vec![0; 8 - (bytes.len() - start) % 8]);
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::testing::index;
    use super::*;

    #[test]
    fn reads_every_version() {
        let long = format!("a/{}", "x".repeat(200));
        let paths = ["a", "a/b.yaml", "a/build/c.yaml", long.as_str(), "b/é.yaml"];
        let expected: BTreeSet<_> = paths.iter().map(|path| (*path).to_owned()).collect();
        for version in 2..=4 {
            assert_eq!(tracked_paths(&index(version, &paths)), Some(expected.clone()), "{version}");
        }
    }

    #[test]
    fn rejects_damaged_and_unknown_indexes() {
        for version in 2..=4 {
            let whole = index(version, &["a/b", "c"]);
            assert!((0..whole.len() - 9).all(|end| tracked_paths(&whole[..end]).is_none()), "{version}");
        }
        assert_eq!(tracked_paths(&index(5, &[])), None);
        // Each entry of version 4 repeats a long path in a few bytes.
        let long = "x".repeat(1 << 20);
        let repeated_paths: Vec<_> = (0..65).map(|_| long.as_str()).collect();
        assert_eq!(tracked_paths(&index(4, &repeated_paths)), None);
        assert_eq!(tracked_paths(&index(4, &repeated_paths[1..])).unwrap().len(), 1);
        assert_eq!(tracked_paths(b"DIRC\0\0\0\x02\xff\xff\xff\xff"), None);
    }
}
