//! Tests the report about a failure within agentctl. No input is known to cause such a failure, so the test binary runs
//! itself again and fails on purpose.

use std::env;
use std::process::{Command, Output};
use std::thread::{self, JoinHandle};

const VARIABLE: &str = "AGENTCTL_TEST_FAILURE";
const NAME: &str = "hostile::failure::reports_panics_once_without_their_message";

fn fail_again(backtrace: &str) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", NAME, "--nocapture", "--test-threads=1"]);
    command.env(VARIABLE, "1").env("RUST_BACKTRACE", backtrace);
    command.output().unwrap()
}

#[test]
fn reports_panics_once_without_their_message() {
    if env::var_os(VARIABLE).is_some() {
        agentctl::cli::report_panics();
        let threads = [(); 2].map(|()| thread::spawn(|| panic!("the password is hunter2")));
        let _ = threads.map(JoinHandle::join);
        panic!("the failure of a thread did not end the process");
    }
    let stderr = |output: Output| {
        assert_eq!(output.status.code(), Some(101));
        String::from_utf8(output.stderr).unwrap()
    };
    let quiet_stderr = stderr(fail_again("0"));
    assert_eq!(quiet_stderr.matches("error: agentctl crashed").count(), 1, "{quiet_stderr}");
    assert!(quiet_stderr.contains("location: testdata/tests/hostile/failure.rs:"), "{quiet_stderr}");
    assert!(!quiet_stderr.contains("hunter2"), "{quiet_stderr}");
    let backtrace_stderr = stderr(fail_again("1"));
    assert!(backtrace_stderr.contains("hunter2"), "{backtrace_stderr}");
}
