//! Programs that agentctl runs to read an input.

use std::io::{self, Read, Write};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::byte_size::ByteSize;

/// Input is written while output is read: each may be larger than a pipe holds.
pub(super) fn output(program: &mut Command, input: &[u8], limit: ByteSize) -> io::Result<Output> {
    let pipes = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (output, stdout) = thread::scope(|scope| {
        scope.spawn(move || {
            // That it does not read it all shows in its status.
            let _ = stdin.map(|mut stdin| stdin.write_all(input));
        });
        let reader = scope.spawn(move || {
            let mut bytes = Vec::new();
            // What is not read any more ends it.
            let read = stdout.map(|stdout| stdout.take(limit.0.saturating_add(1)).read_to_end(&mut bytes));
            read.transpose().map(|_| bytes)
        });
        let output = child.wait_with_output();
        let broken = |_| Err(io::Error::other("its output cannot be read"));
        (output, reader.join().unwrap_or_else(broken))
    });
    let stdout = stdout?;
    match stdout.len() as u64 > limit.0 {
        true => Err(io::Error::other(format!("it prints more than {limit}"))),
        false => Ok(Output { stdout, ..output? }),
    }
}
