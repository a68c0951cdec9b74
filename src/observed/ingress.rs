use super::{Fields, Meta};

#[derive(Clone, Debug)]
pub struct Ingress<'d> {
    pub meta: Meta<'d>,
    /// `spec.ingressClassName`.
    pub class: &'d str,
    /// The hosts of `spec.tls`.
    pub tls_hosts: Vec<&'d str>,
    pub rules: Vec<IngressRule<'d>>,
}

#[derive(Clone, Debug)]
pub struct IngressRule<'d> {
    /// The host; empty for every host.
    pub host: &'d str,
    /// The paths; `None` for a rule without them.
    pub paths: Option<Vec<&'d str>>,
}

impl<'d> Ingress<'d> {
    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>) -> Self {
        let spec = root.part("spec");
        let hosts = spec.items("tls").flat_map(|tls| tls.items("hosts"));
        let rules = spec.items("rules").map(|rule| IngressRule {
            host: rule.text("host"),
            paths: Some(rule.part("http"))
                .filter(|http| http.is_mapping())
                .map(|http| http.items("paths").map(|path| path.text("path")).collect()),
        });
        Self {
            class: spec.text("ingressClassName"),
            tls_hosts: hosts.filter_map(Fields::as_text).collect(),
            rules: rules.collect(),
            meta,
        }
    }
}
