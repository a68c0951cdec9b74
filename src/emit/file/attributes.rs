//! Owner, group and mode of a file that replaces another.

use std::fs::{File, Metadata};
use std::io;

/// Copies the old file's owner, group and mode, except for setuid and setgid, to the extent that the system permits.
#[cfg(unix)]
pub(super) fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    // Only root may change the owner, but the owner may set any of their own groups.
    if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
    let has_group = file.metadata()?.gid() == old.gid();
    file.set_permissions(PermissionsExt::from_mode(mode_to_keep(old.mode(), has_group)))
}

#[cfg(not(unix))]
pub(super) fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Returns the mode for the new file. If its group differs from the old file's, the group gets no more permissions than
/// other users.
#[cfg(unix)]
fn mode_to_keep(old: u32, has_group: bool) -> u32 {
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
    fn drops_setuid_and_foreign_group_permissions() {
        for (old, same_group, other_group) in [
            (0o100_644, 0o644, 0o644),
            (0o106_755, 0o755, 0o755),
            (0o101_640, 0o640, 0o600),
            (0o100_664, 0o664, 0o644),
            (0o100_604, 0o604, 0o604),
            (0o100_400, 0o400, 0o400),
        ] {
            assert_eq!((mode_to_keep(old, true), mode_to_keep(old, false)), (same_group, other_group), "{old:o}");
        }
    }
}
