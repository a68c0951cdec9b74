//! Execution of programs that produce an input.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::printable::ByteSize;

/// Maximum duration of a program. The input may refer to a remote base that never responds.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Start of the error message for a program that exceeds the maximum duration.
pub(super) const TOO_SLOW: &str = "it took more than";

/// Maximum size of a program's data segment. For a Go program, this is roughly the size of its heap.
const MAX_MEMORY: u64 = 2 << 30;

/// Variables that make the garbage collector of a Go program run less often, but often enough to stay within
/// [`MAX_MEMORY`]. kustomize spends a quarter of its time on garbage collection if a patch makes it read its OpenAPI
/// schema.
const GARBAGE_COLLECTION: [(&str, &str); 2] = [("GOGC", "400"), ("GOMEMLIMIT", "1GiB")];

/// Maximum size of error output to keep. Further error output is discarded so that the program does not block.
const MAX_MESSAGES: u64 = 64 << 10;

/// Runs a program. Its input is written while its output is read, because both may exceed the capacity of a pipe.
pub(super) fn output(program: &mut Command, input: &[u8], limit: ByteSize) -> io::Result<Output> {
    output_within(MAX_TIME, program, input, limit)
}

fn output_within(longest: Duration, program: &mut Command, input: &[u8], limit: ByteSize) -> io::Result<Output> {
    let end = Instant::now() + longest;
    program.envs(GARBAGE_COLLECTION);
    let pipes = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn()?;
    limit_memory(&child, MAX_MEMORY);
    let (stdin, input) = (child.stdin.take(), input.to_vec());
    // A write error is ignored. If the program does not read all of its input, its exit status indicates the problem.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Closing the pipe terminates a program that prints too much.
    let stdout = read(stdout, limit.0.saturating_add(1), false);
    let stderr = read(stderr, MAX_MESSAGES, true);
    let streams = receive(&stdout, end).and_then(|stdout| Ok((stdout, receive(&stderr, end)?)));
    let status = streams.and_then(|streams| Ok((streams, wait(&mut child, end)?)));
    let ((stdout, stderr), status) = status.inspect_err(|_| {
        // The program may already have terminated. Its child processes terminate on their next write.
        let _ = child.kill().and_then(|()| child.wait());
    })?;
    match stdout.len() as u64 > limit.0 {
        true => Err(io::Error::other(format!("its output is larger than {limit}"))),
        false => Ok(Output { status, stdout, stderr }),
    }
}

/// Limits a program's memory, so that the program fails instead of exhausting the machine's memory. A build can
/// multiply its input in unpredictable ways, for example by applying a large patch to many objects.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // The program may already have terminated. Its running time is limited in any case.
    let _ = pid.map(|pid| prlimit(Some(pid), Resource::Data, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child, _: u64) {}

/// Reads the first bytes of a stream. If `to_its_end` is set, discards the remaining bytes so that the writer does not
/// block.
fn read(
    stream: Option<impl Read + Send + 'static>,
    limit: u64,
    to_its_end: bool,
) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(()), |mut stream| {
            (&mut stream).take(limit).read_to_end(&mut bytes)?;
            if to_its_end {
                io::copy(&mut stream, &mut io::sink())?;
            }
            Ok(())
        });
        sender.send(read.map(|()| bytes))
    });
    receiver
}

fn receive(stream: &mpsc::Receiver<io::Result<Vec<u8>>>, end: Instant) -> io::Result<Vec<u8>> {
    let left = end.saturating_duration_since(Instant::now());
    stream.recv_timeout(left).unwrap_or_else(|_| Err(timeout_error()))
}

/// Waits for a program that has closed its streams.
fn wait(child: &mut Child, end: Instant) -> io::Result<ExitStatus> {
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= end {
            return Err(timeout_error());
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn timeout_error() -> io::Error {
    let longest = MAX_TIME.as_secs();
    io::Error::new(ErrorKind::TimedOut, format!("{TOO_SLOW} {longest} seconds"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn shell(script: &str, longest: Duration) -> io::Result<Output> {
        let mut program = Command::new("sh");
        output_within(longest, program.args(["-c", script]), b"in", ByteSize(100))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_memory_of_programs() {
        let succeeds = |bytes| {
            // The program starts to use memory after it has read a line.
            let script = "read line; head -c 100000000 /dev/zero | tail -n 1 > /dev/null";
            let mut program = Command::new("sh");
            let quiet = program.args(["-c", script]).stdin(Stdio::piped()).stderr(Stdio::null());
            let mut child = quiet.spawn().unwrap();
            limit_memory(&child, bytes);
            child.stdin.take().unwrap().write_all(b"\n").unwrap();
            child.wait().unwrap().success()
        };
        assert!(succeeds(1 << 30) && !succeeds(50 << 20));
    }

    #[cfg(unix)]
    #[test]
    fn programs_collect_garbage_within_their_memory() {
        let output = shell("echo $GOGC $GOMEMLIMIT", Duration::from_secs(60)).unwrap();
        assert_eq!(output.stdout, b"400 1GiB\n");
    }

    #[cfg(unix)]
    #[test]
    fn limits_duration_and_output() {
        let longest = Duration::from_secs(60);
        let output = shell("cat; echo no >&2; exit 3", longest).unwrap();
        assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"in"[..], &b"no\n"[..]));
        assert_eq!(output.status.code(), Some(3));
        let loud = shell("yes | head -c 1000000 >&2", longest).unwrap();
        assert_eq!((loud.stderr.len() as u64, loud.status.success()), (MAX_MESSAGES, true));
        assert!(shell("yes", longest).unwrap_err().to_string().starts_with("its output is larger than"));
        for script in ["sleep 50", "exec >&- 2>&-; sleep 50", "sleep 50 & echo"] {
            let error = shell(script, Duration::from_millis(200)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut, "{script}");
        }
    }
}
