//! Ports of containers, Endpoints and Services.

use super::ObjectFields;

/// Port of a container, of Endpoints, or of a Service.
#[derive(Clone, Copy, Debug)]
pub struct Port<'d> {
    pub name: &'d str,
    pub number: i32,
    pub protocol: &'d str,
}

impl<'d> Port<'d> {
    /// Reads a port. Returns `None` unless the field `number` contains a number.
    pub fn read(port: ObjectFields<'d>, number: &str) -> Option<Self> {
        Some(Self { name: port.text("name"), number: port.number(number)?, protocol: Self::protocol(port) })
    }

    /// Returns the ports of `part` whose field `number` contains a number.
    pub fn all(part: ObjectFields<'d>, number: &str) -> impl Iterator<Item = Self> {
        part.items("ports").filter_map(move |port| Self::read(port, number))
    }

    /// Returns the protocol, which defaults to TCP as in the API server.
    pub fn protocol(port: ObjectFields<'d>) -> &'d str {
        match port.text("protocol") {
            "" => "TCP",
            protocol => protocol,
        }
    }
}
