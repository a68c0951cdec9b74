//! Messages over a pair of streams. The library's own ends a session at the first odd message and repeats it in the error, which may
//! hold the value of a Secret; and it takes as much memory as a header asks for.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use serde_json::Value;

/// Bytes of a message at the most.
const MESSAGE: u64 = 256 << 20;
/// Bytes of a line of a header at the most.
const HEADER: u64 = 1 << 12;

/// What goes on below a connection.
pub struct Streams {
    read: Receiver<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Streams {
    /// A connection over streams.
    pub fn connect(
        mut input: impl BufRead + Send + 'static,
        mut output: impl Write + Send + 'static,
    ) -> (Arc<Connection>, Self) {
        let (server, Connection { sender, receiver }) = Connection::memory();
        let server = Arc::new(server);
        let (ended, read) = mpsc::channel();
        // The one that reads may wait for ever: it keeps nothing from its end.
        let refusals = Arc::downgrade(&server);
        // Either end of the way ends the session: an editor that reads nothing more is gone.
        let exit = || Message::from(Notification::new("exit".to_owned(), Value::Null));
        let broken = sender.clone();
        thread::spawn(move || {
            let result = read_all(&mut input, &mut |message| match message {
                Ok(message) => sender.send(message).is_ok(),
                Err(refusal) => refusals
                    .upgrade()
                    .is_some_and(|server| server.sender.send(refusal.into()).is_ok()),
            });
            // Sent before the session ends; if the session is gone, the result is not needed.
            _ = ended.send(result);
            _ = sender.send(exit());
        });
        let writer = thread::spawn(move || {
            let result = receiver.into_iter().try_for_each(|message| message.write(&mut output));
            _ = broken.send(exit());
            result
        });
        (server, Self { read, writer })
    }

    /// Waits until all is written, where the session has ended.
    ///
    /// # Errors
    /// Streams that broke.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(result) = self.read.try_recv() {
            result?;
        }
        self.writer.join().unwrap_or(Ok(()))
    }
}

/// Reads messages to the end, or as long as somebody takes them.
fn read_all(input: &mut impl BufRead, take: &mut dyn FnMut(Result<Message, Response>) -> bool) -> io::Result<()> {
    while let Some(text) = read(input)? {
        let message = serde_json::from_slice(&text).map_err(|_| refusal(&text));
        let is_exit = matches!(&message, Ok(Message::Notification(one)) if one.method == "exit");
        if !take(message) || is_exit {
            break;
        }
    }
    Ok(())
}

/// The text of the next message; nothing at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let Some(line) = line.strip_suffix('\n') else {
            return Err(io::Error::other("a header of a message does not end"));
        };
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => return Err(io::Error::other("a header of a message is malformed")),
        }
    }
    let Some(length) = length.filter(|length| *length <= MESSAGE) else {
        return Err(io::Error::other("a message has no valid Content-Length"));
    };
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    Ok(Some(text).filter(|text| text.len() as u64 == length))
}

/// The answer to a text that is not a valid message.
fn refusal(text: &[u8]) -> Response {
    let message: Value = serde_json::from_slice(text).unwrap_or_default();
    let (code, said) = match message.is_null() {
        true => (ErrorCode::ParseError, "not JSON"),
        false => (ErrorCode::InvalidRequest, "not a message"),
    };
    let id = message.get("id").cloned().unwrap_or_default();
    // The library knows no answer to nobody.
    let id = serde_json::from_value(id).unwrap_or_else(|_| RequestId::from(String::new()));
    Response::new_err(id, code as i32, said.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(input: &str) -> (Vec<String>, Result<(), String>) {
        let mut taken = Vec::new();
        let result = read_all(&mut input.as_bytes(), &mut |message| {
            taken.push(match message {
                Ok(Message::Notification(one)) => one.method,
                Ok(_) => "other".to_owned(),
                Err(refusal) => format!("{} {:?}", refusal.id, refusal.response_result.unwrap_err().code),
            });
            true
        });
        (taken, result.map_err(|problem| problem.to_string()))
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn odd_messages_are_refused_and_the_next_is_read() {
        let texts = [
            r#"{"method":"a"}"#,
            "secret",
            r#"{"id":7}"#,
            "[]",
            "{\"id\":{}}",
            "",
            r#"{"method":"b"}"#,
        ];
        let input =
            texts.map(framed).concat() + "a: 1\r\nCONTENT-LENGTH:17\ncontent-type: x\r\n\n{\"method\":\"exit\"}";
        let (taken, result) = taken(&(input + &framed("after the end")));
        assert_eq!(
            taken,
            [
                "a",
                "\"\" -32700",
                "7 -32600",
                "\"\" -32600",
                "\"\" -32600",
                "\"\" -32700",
                "b",
                "exit"
            ]
        );
        assert_eq!(result, Ok(()));
    }

    #[test]
    fn a_broken_frame_ends_the_session_and_takes_no_memory() {
        for (input, said) in [
            ("secret\r\n\r\n{}", "malformed"),
            ("\r\n{}", "Content-Length"),
            ("Content-Length: -1\r\n\r\n{}", "Content-Length"),
            ("Content-Length: 18446744073709551615\r\n\r\n{}", "Content-Length"),
            (&"x".repeat(9000), "does not end"),
        ] {
            let (taken, result) = taken(input);
            let problem = result.unwrap_err();
            assert!(
                taken.is_empty() && problem.contains(said) && !problem.contains("secret"),
                "{problem}"
            );
        }
        for input in [
            "",
            "Content-Length: 99\r\n\r\n{}",
            "Content-Length: 250000000\r\n\r\n{}",
        ] {
            assert_eq!(taken(input), (Vec::new(), Ok(())), "{input}");
        }
    }
}
