use crate::observed;

/// Which objects are targets (`Role`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Endpoints,
    EndpointSlice,
    Ingress,
    Node,
    Pod,
    Service,
}

impl Role {
    pub const ALL: [Role; 6] = [
        Role::Endpoints,
        Role::EndpointSlice,
        Role::Ingress,
        Role::Node,
        Role::Pod,
        Role::Service,
    ];

    /// The role with this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// The name that Prometheus has for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Endpoints => "endpoints",
            Role::EndpointSlice => "endpointslice",
            Role::Ingress => "ingress",
            Role::Node => "node",
            Role::Pod => "pod",
            Role::Service => "service",
        }
    }

    /// The kind of object that it watches.
    pub fn kind(self) -> observed::Kind {
        match self {
            Role::Endpoints => observed::Kind::Endpoints,
            Role::EndpointSlice => observed::Kind::EndpointSlice,
            Role::Ingress => observed::Kind::Ingress,
            Role::Node => observed::Kind::Node,
            Role::Pod => observed::Kind::Pod,
            Role::Service => observed::Kind::Service,
        }
    }
}
