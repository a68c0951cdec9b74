use super::pod::protocol;
use super::{Fields, Meta, Port, Service};

/// The Endpoints of a Service.
#[derive(Clone, Debug)]
pub struct Endpoints<'d> {
    pub meta: Meta<'d>,
    /// Addresses and the ports that they all have.
    pub subsets: Vec<Subset<'d>>,
    /// Whether they are not in the input, and only expected for a Service that selects pods.
    pub is_potential: bool,
}

/// Addresses and the ports that they all have.
#[derive(Clone, Debug)]
pub struct Subset<'d> {
    pub ready: Vec<Address<'d>>,
    pub not_ready: Vec<Address<'d>>,
    pub ports: Vec<Port<'d>>,
}

/// An address of Endpoints.
#[derive(Clone, Copy, Debug)]
pub struct Address<'d> {
    /// The IP address.
    pub ip: &'d str,
    /// The host name.
    pub hostname: &'d str,
    /// The node, if there is one.
    pub node: Option<&'d str>,
    pub target: Option<Reference<'d>>,
}

/// A reference to an object.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'d> {
    pub kind: &'d str,
    pub namespace: &'d str,
    pub name: &'d str,
}

impl<'d> Reference<'d> {
    fn read(node: Fields<'d>) -> Option<Self> {
        let target = Some(node.part("targetRef")).filter(|target| target.is_mapping())?;
        Some(Self {
            kind: target.text("kind"),
            namespace: target.text("namespace"),
            name: target.text("name"),
        })
    }
}

impl<'d> Endpoints<'d> {
    /// Those that the cluster will make for a Service: they have its name and labels.
    pub(super) fn expected(service: &Service<'d>) -> Self {
        let mut meta = service.meta.clone();
        meta.annotations.clear();
        Self {
            meta,
            subsets: Vec::new(),
            is_potential: true,
        }
    }

    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>) -> Self {
        let addresses = |subset: Fields<'d>, field: &str| -> Vec<_> {
            let addresses = subset.items(field).map(|address| Address {
                ip: address.text("ip"),
                hostname: address.text("hostname"),
                node: address.optional("nodeName"),
                target: Reference::read(address),
            });
            addresses.collect()
        };
        let subsets = root.items("subsets").map(|subset| Subset {
            ready: addresses(subset, "addresses"),
            not_ready: addresses(subset, "notReadyAddresses"),
            ports: Port::all(subset, "port"),
        });
        Self {
            subsets: subsets.collect(),
            is_potential: false,
            meta,
        }
    }
}

/// A part of the endpoints of a Service.
#[derive(Clone, Debug)]
pub struct EndpointSlice<'d> {
    pub meta: Meta<'d>,
    /// `addressType`.
    pub address_type: &'d str,
    pub endpoints: Vec<SliceEndpoint<'d>>,
    /// The ports that they all have.
    pub ports: Vec<SlicePort<'d>>,
}

/// An endpoint of an EndpointSlice.
#[derive(Clone, Debug)]
pub struct SliceEndpoint<'d> {
    pub addresses: Vec<&'d str>,
    /// `conditions.ready`.
    pub ready: Option<bool>,
    /// `conditions.serving`.
    pub serving: Option<bool>,
    /// `conditions.terminating`.
    pub terminating: Option<bool>,
    pub hostname: Option<&'d str>,
    pub node: Option<&'d str>,
    pub target: Option<Reference<'d>>,
    /// `topology` of v1beta1, `deprecatedTopology` of v1.
    pub topology: Vec<(&'d str, &'d str)>,
}

/// A port of an EndpointSlice. Without a number it is every port.
#[derive(Clone, Copy, Debug)]
pub struct SlicePort<'d> {
    pub name: Option<&'d str>,
    pub number: Option<i32>,
    pub protocol: Option<&'d str>,
    pub app_protocol: Option<&'d str>,
}

impl<'d> EndpointSlice<'d> {
    /// The Service that it is a part of.
    pub fn service(&self) -> Option<&'d str> {
        self.meta.label("kubernetes.io/service-name")
    }

    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>, api_version: &str) -> Self {
        let is_beta = api_version == "discovery.k8s.io/v1beta1";
        let topology = if is_beta { "topology" } else { "deprecatedTopology" };
        let endpoints = root.items("endpoints").map(|endpoint| {
            let conditions = endpoint.part("conditions");
            SliceEndpoint {
                addresses: endpoint.items("addresses").filter_map(Fields::as_text).collect(),
                ready: conditions.boolean("ready"),
                serving: conditions.boolean("serving"),
                terminating: conditions.boolean("terminating"),
                hostname: endpoint.optional("hostname"),
                node: endpoint.optional("nodeName"),
                target: Reference::read(endpoint),
                topology: endpoint.texts(topology),
            }
        });
        // The API server defaults name and protocol of a port.
        let ports = root.items("ports").map(|port| SlicePort {
            name: Some(port.text("name")),
            number: port.number("port"),
            protocol: Some(protocol(port)),
            app_protocol: port.optional("appProtocol"),
        });
        Self {
            address_type: root.text("addressType"),
            endpoints: endpoints.collect(),
            ports: ports.collect(),
            meta,
        }
    }
}
