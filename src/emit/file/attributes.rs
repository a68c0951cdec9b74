//! Owner, group and mode of a file that is replaced.

use std::fs::{File, Metadata};
use std::io;

/// Gives a new file the owner and the group of the old one, as far as the system permits, and its mode without setuid and setgid.
#[cfg(unix)]
pub(super) fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    // Only root may give a file away, but its owner may give it to a group of his own.
    if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
    let has_group = file.metadata()?.gid() == old.gid();
    file.set_permissions(PermissionsExt::from_mode(mode(old.mode(), has_group)))
}

#[cfg(not(unix))]
pub(super) fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// The mode of the new file. Another group than the old one may do no more than everybody.
#[cfg(unix)]
fn mode(old: u32, has_group: bool) -> u32 {
    match has_group {
        true => old & 0o777,
        false => (old & 0o707) | (old & ((old & 0o007) << 3)),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setuid_and_setgid_are_dropped_and_another_group_gains_nothing() {
        for (old, same_group, other_group) in [
            (0o100_644, 0o644, 0o644),
            (0o106_755, 0o755, 0o755),
            (0o101_640, 0o640, 0o600),
            (0o100_664, 0o664, 0o644),
            (0o100_604, 0o604, 0o604),
            (0o100_400, 0o400, 0o400),
        ] {
            assert_eq!(
                (mode(old, true), mode(old, false)),
                (same_group, other_group),
                "{old:o}"
            );
        }
    }
}
