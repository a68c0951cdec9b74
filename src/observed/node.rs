use super::{Fields, Meta};

#[derive(Clone, Debug)]
pub struct Node<'d> {
    pub meta: Meta<'d>,
    /// `spec.providerID`.
    pub provider_id: &'d str,
    /// Type and address of each of `status.addresses`.
    pub addresses: Vec<(&'d str, &'d str)>,
    /// The port of the kubelet, or 0.
    pub kubelet_port: i32,
}

impl<'d> Node<'d> {
    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>) -> Self {
        let (spec, status) = (root.part("spec"), root.part("status"));
        let addresses = status
            .items("addresses")
            .map(|address| (address.text("type"), address.text("address")));
        let kubelet = status.part("daemonEndpoints").part("kubeletEndpoint");
        Self {
            meta,
            provider_id: spec.text("providerID"),
            addresses: addresses.collect(),
            kubelet_port: kubelet.number("Port").unwrap_or_default(),
        }
    }
}
