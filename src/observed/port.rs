//! The ports of containers, Endpoints and Services.

use super::Fields;

/// A port of a container, of Endpoints or of a Service.
#[derive(Clone, Copy, Debug)]
pub struct Port<'d> {
    pub name: &'d str,
    pub number: i32,
    pub protocol: &'d str,
}

impl<'d> Port<'d> {
    /// The port in these fields, where it has a number in this one.
    pub fn read(port: Fields<'d>, number: &str) -> Option<Self> {
        Some(Self {
            name: port.text("name"),
            number: port.number(number)?,
            protocol: Self::protocol(port),
        })
    }

    /// The ports of a part that have a number in this field.
    pub fn all(part: Fields<'d>, number: &str) -> impl Iterator<Item = Self> {
        part.items("ports").filter_map(move |port| Self::read(port, number))
    }

    /// Without a protocol, the API server sets TCP.
    pub fn protocol(port: Fields<'d>) -> &'d str {
        match port.text("protocol") {
            "" => "TCP",
            protocol => protocol,
        }
    }
}
