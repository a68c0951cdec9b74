//! Objects as files, one each: `<namespace>/<kind>_<name>.yaml`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::stream::text;
use super::{Format, Manifest};
use crate::environment::EnvironmentError;

/// The folder of objects without a namespace.
const CLUSTER: &str = "_cluster";

/// Writes each object to a file of its own below `directory`, which is made where it is missing. Every text is made
/// before the first file is touched, and a file is replaced as a whole; Secrets are readable by their owner only.
///
/// # Errors
///
/// The first file or folder that cannot be written.
pub fn write_directory<M: Manifest>(objects: &[M], format: Format, directory: &Path) -> Result<(), EnvironmentError> {
    let mut files = Vec::new();
    for object in objects {
        let path = directory.join(relative_path(object, format));
        let text = text(object, format).map_err(failed(&path))?;
        files.push((path, text, object.is_secret()));
    }
    for (path, text, secret) in files {
        put(&path, &text, secret)?;
    }
    Ok(())
}

/// Writes a text that holds no secret to a file, whose folder is made where it is missing.
///
/// # Errors
///
/// The file or folder that cannot be written.
pub fn write_file(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    put(path, text, false)
}

fn put(path: &Path, text: &str, secret: bool) -> Result<(), EnvironmentError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed(parent))?;
    }
    replace(path, text, secret).map_err(failed(path))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> EnvironmentError {
    let path = path.to_owned();
    move |error| EnvironmentError::Write {
        path: path.clone(),
        error,
    }
}

/// Where an object goes below the output directory. Names were admitted, so they hold no separators.
pub fn relative_path(object: &impl Manifest, format: Format) -> PathBuf {
    let namespace = Some(object.namespace()).filter(|n| !n.is_empty()).unwrap_or(CLUSTER);
    let kind = object.kind().to_ascii_lowercase();
    let extension = match format {
        Format::Yaml => "yaml",
        Format::Json => "json",
    };
    Path::new(namespace).join(format!("{kind}_{}.{extension}", object.name()))
}

/// Writes a neighbour of the file and renames it over the file.
pub(super) fn replace(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut temporary = path.to_owned();
    temporary.as_mut_os_string().push(".agentctl-new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if secret { 0o600 } else { 0o666 });
    }
    let written = options
        .open(&temporary)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The old file is intact; a neighbour that cannot be removed either is overwritten by the next run.
        let _ = fs::remove_file(&temporary);
    }
    written
}
