//! Messages over a pair of streams.
//!
//! The streams in `lsp_server` are not used. They end a session at the first malformed message and repeat that message
//! in the error, although it may contain the value of a Secret. They also allocate as much memory as a header requests.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use serde_json::Value;

/// Maximum size of a message in bytes.
const MAX_MESSAGE_SIZE: u64 = 256 << 20;
/// Maximum size of a header line in bytes.
const MAX_HEADER_SIZE: u64 = 1 << 12;

/// Threads that serve a connection.
pub struct Streams {
    read: Receiver<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Streams {
    /// Returns a connection that uses the streams.
    pub fn connect(
        mut input: impl BufRead + Send + 'static,
        mut output: impl Write + Send + 'static,
    ) -> (Arc<Connection>, Self) {
        let (server, Connection { sender, receiver }) = Connection::memory();
        let server = Arc::new(server);
        let (ended, read) = mpsc::channel();
        // The reader may block forever, so it must not keep the session alive.
        let rejections = Arc::downgrade(&server);
        // The end of either stream ends the session, because an editor that no longer reads is gone.
        let exit = || Message::from(Notification::new("exit".to_owned(), Value::Null));
        let error_sender = sender.clone();
        thread::spawn(move || {
            let result = read_all(&mut input, &mut |message| match message {
                Ok(message) => sender.send(message).is_ok(),
                Err(rejection) => {
                    rejections.upgrade().is_some_and(|server| server.sender.send(rejection.into()).is_ok())
                }
            });
            // The result must be sent before the session ends. If the session has already ended, the result is not
            // needed.
            _ = ended.send(result);
            _ = sender.send(exit());
        });
        let writer = thread::spawn(move || {
            let result = receiver.into_iter().try_for_each(|message| message.write(&mut output));
            _ = error_sender.send(exit());
            result
        });
        (server, Self { read, writer })
    }

    /// Waits until all messages are written. Must be called after the session has ended.
    ///
    /// # Errors
    ///
    /// Returns an error if a stream breaks.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(result) = self.read.try_recv() {
            result?;
        }
        self.writer.join().unwrap_or(Ok(()))
    }
}

/// Reads messages until the end of input, or until `take` returns false.
fn read_all(input: &mut impl BufRead, take: &mut dyn FnMut(Result<Message, Response>) -> bool) -> io::Result<()> {
    while let Some(text) = read(input)? {
        let message = serde_json::from_slice(&text).map_err(|_| rejection(&text));
        let is_exit = matches!(&message, Ok(Message::Notification(notification)) if notification.method == "exit");
        if !take(message) || is_exit {
            break;
        }
    }
    Ok(())
}

/// Reads the next message, or returns `None` at the end of input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER_SIZE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let Some(line) = line.strip_suffix('\n') else {
            return Err(io::Error::other("a message header is not terminated"));
        };
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => return Err(io::Error::other("a message header is malformed")),
        }
    }
    let Some(length) = length.filter(|length| *length <= MAX_MESSAGE_SIZE) else {
        return Err(io::Error::other("a message has no valid Content-Length"));
    };
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    Ok(Some(text).filter(|text| text.len() as u64 == length))
}

/// Returns the error response to an invalid message.
fn rejection(text: &[u8]) -> Response {
    let message: Value = serde_json::from_slice(text).unwrap_or_default();
    let (code, problem) = match message.is_null() {
        true => (ErrorCode::ParseError, "not JSON"),
        false => (ErrorCode::InvalidRequest, "not a message"),
    };
    let id = message.get("id").cloned().unwrap_or_default();
    // `lsp_server` cannot represent a response with a null ID.
    let id = serde_json::from_value(id).unwrap_or_else(|_| RequestId::from(String::new()));
    Response::new_err(id, code as i32, problem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_messages(input: &str) -> (Vec<String>, Result<(), String>) {
        let mut messages = Vec::new();
        let result = read_all(&mut input.as_bytes(), &mut |message| {
            messages.push(match message {
                Ok(Message::Notification(notification)) => notification.method,
                Ok(_) => "other".to_owned(),
                Err(rejection) => format!("{} {:?}", rejection.id, rejection.response_result.unwrap_err().code),
            });
            true
        });
        (messages, result.map_err(|problem| problem.to_string()))
    }

    fn frame(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn rejects_malformed_messages_and_continues() {
        let texts = [r#"{"method":"a"}"#, "secret", r#"{"id":7}"#, "[]", "{\"id\":{}}", "", r#"{"method":"b"}"#];
        let input = texts.map(frame).concat() + "a: 1\r\nCONTENT-LENGTH:17\ncontent-type: x\r\n\n{\"method\":\"exit\"}";
        let (messages, result) = read_messages(&(input + &frame("after the end")));
        assert_eq!(
            messages,
            ["a", "\"\" -32700", "7 -32600", "\"\" -32600", "\"\" -32600", "\"\" -32700", "b", "exit"]
        );
        assert_eq!(result, Ok(()));
    }

    #[test]
    fn malformed_frames_end_the_session_without_allocating() {
        for (input, expected) in [
            ("secret\r\n\r\n{}", "malformed"),
            ("\r\n{}", "Content-Length"),
            ("Content-Length: -1\r\n\r\n{}", "Content-Length"),
            ("Content-Length: 18446744073709551615\r\n\r\n{}", "Content-Length"),
            (&"x".repeat(9000), "not terminated"),
        ] {
            let (messages, result) = read_messages(input);
            let problem = result.unwrap_err();
            assert!(messages.is_empty() && problem.contains(expected) && !problem.contains("secret"), "{problem}");
        }
        for input in ["", "Content-Length: 99\r\n\r\n{}", "Content-Length: 250000000\r\n\r\n{}"] {
            assert_eq!(read_messages(input), (Vec::new(), Ok(())), "{input}");
        }
    }
}
