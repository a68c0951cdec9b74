//! Time zone names (`time.LoadLocation`).

/// Names in the time zone database that the agent embeds.
const NAMES: &str = include_str!("time_zones.txt");

/// Whether Go recognizes a time zone. Names are case-sensitive.
pub fn is_known(name: &str) -> bool {
    if matches!(name, "" | "UTC" | "Local") {
        return true;
    }
    let is_confined = !name.contains("..") && !name.starts_with(['/', '\\']);
    // The time zone database on disk also contains all names in these directories.
    let plain = ["posix/", "right/"].into_iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    is_confined && NAMES.lines().any(|candidate| candidate == plain)
}

/// Returns the names of all time zones.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_time_zone_names() {
        for (name, expected) in [
            ("", true),
            ("UTC", true),
            ("Local", true),
            ("CET", true),
            ("Europe/Berlin", true),
            ("America/Argentina/Buenos_Aires", true),
            ("posix/Asia/Tokyo", true),
            ("GMT+0", true),
            ("Etc/GMT-14", true),
            ("europe/berlin", false),
            ("Europe", false),
            ("Europe/", false),
            ("x", false),
            ("../x", false),
            ("/Europe/Berlin", false),
            ("GMT+1", false),
            ("CEST", false),
            ("+01:00", false),
        ] {
            assert_eq!(is_known(name), expected, "{name}");
        }
        assert!(NAMES.lines().is_sorted());
    }
}
