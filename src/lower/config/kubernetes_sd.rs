//! How targets are discovered (`kube_sd_config.libsonnet`).

use super::assets::Assets;
use super::fields::{Fields, texts};
use super::origin::Site;
use super::{auth, tls};
use crate::api::{ApiServer, GrafanaAgent, NamespaceSelector};
use crate::yaml::Value;

/// What is discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Endpoints,
    Ingress,
    Pod,
}

impl Role {
    fn as_str(self) -> &'static str {
        match self {
            Role::Endpoints => "endpoints",
            Role::Ingress => "ingress",
            Role::Pod => "pod",
        }
    }
}

/// How an agent discovers targets.
#[derive(Clone, Copy)]
pub(super) struct Discovery<'a, 'd> {
    api_server: Option<&'d ApiServer<'d>>,
    assets: Assets<'a, 'd>,
    ignores_selectors: bool,
    /// The agent's field that says so.
    ignoring: Site<'a, 'd>,
}

impl<'a, 'd> Discovery<'a, 'd> {
    /// Through the API server of an agent; `assets` are those of its namespace. An agent that ignores namespace selectors
    /// discovers targets in the namespace of their monitor only.
    pub(super) fn new(
        agent: &'d GrafanaAgent<'d>,
        assets: Assets<'a, 'd>,
        ignores_selectors: bool,
        ignoring: Site<'a, 'd>,
    ) -> Self {
        Self {
            ignoring,
            api_server: agent.api_server.as_ref(),
            assets,
            ignores_selectors,
        }
    }

    /// `kubernetes_sd_configs` of a job whose monitor lives in `namespace` and has the selector at `site`.
    pub(super) fn configs(
        &self,
        role: Role,
        selector: &NamespaceSelector<'d>,
        namespace: &'d str,
        site: Site<'_, 'd>,
    ) -> Value<'d> {
        let namespaces = self.namespaces(selector, namespace);
        let namespaces = namespaces.map(|names| Fields::new().always("names", names));
        let mark = match self.ignores_selectors {
            true => self.ignoring.mark(),
            false => site.mark(),
        };
        let mut fields = Fields::new()
            .origin(mark)
            .always("role", role.as_str())
            .option("namespaces", namespaces);
        if let Some(api_server) = self.api_server {
            fields = self.through(api_server, fields);
        }
        Value::Sequence(vec![fields.into()])
    }

    /// The namespaces that are looked at; `None` for all.
    fn namespaces(&self, selector: &NamespaceSelector<'d>, own: &'d str) -> Option<Value<'d>> {
        if !self.ignores_selectors && selector.any {
            return None;
        }
        if self.ignores_selectors || selector.match_names.is_empty() {
            return Some(texts(&[own]));
        }
        Some(texts(&selector.match_names))
    }

    fn through(&self, api_server: &'d ApiServer<'d>, fields: Fields<'d>) -> Fields<'d> {
        let basic_auth = api_server.basic_auth.as_ref();
        let tls_config = api_server.tls_config.as_ref();
        let site = self.ignoring.at("spec.apiServer");
        ["basic_auth", "authorization", "tls_config"]
            .into_iter()
            .fold(fields, |fields, key| fields.origin_of(key, site.mark()))
            .text("api_server", api_server.host)
            .origin_of("api_server", self.ignoring.at("spec.apiServer.host").mark())
            .option("basic_auth", basic_auth.map(|auth| auth::basic_auth(auth, self.assets)))
            .option(
                "authorization",
                auth::bearer(api_server.bearer_token, api_server.bearer_token_file),
            )
            .option("tls_config", tls_config.map(|tls| tls::config(tls, self.assets)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ObjectMeta;
    use crate::resolve::SecretStore;

    #[test]
    fn namespaces_follow_the_selector_unless_it_is_ignored() {
        let (store, agent) = (SecretStore::default(), GrafanaAgent::default());
        let meta = ObjectMeta::default();
        type Names<'n> = &'n [&'n str];
        let cases: [(bool, bool, Names<'_>, Option<Names<'_>>); 6] = [
            (false, false, &[], Some(&["own"])),
            (false, false, &["a", "b"], Some(&["a", "b"])),
            (false, true, &[], None),
            (false, true, &["a"], None),
            (true, true, &["a"], Some(&["own"])),
            (true, false, &["a"], Some(&["own"])),
        ];
        for (ignored, any, names, expected) in cases {
            let discovery = Discovery::new(&agent, Assets::new(&store, "agent"), ignored, Site::unrecorded(&meta));
            let selector = NamespaceSelector {
                any,
                match_names: names.to_vec(),
            };
            assert_eq!(discovery.namespaces(&selector, "own"), expected.map(texts));
        }
    }
}
