//! What is rendered of the values of Secrets.

use clap::{Args, ValueEnum};

use crate::resolve::{KeyTemplate, Remote, SecretMode, Store};

/// How the values of Secrets get to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// The values are rendered, as by the operator
    Inline,
    /// A token that names it is rendered for each value, so that the output can be committed and reviewed
    Placeholder,
    /// No values: <agent>-secrets is left out, or an ExternalSecret is rendered in its place
    External,
}

/// `--secrets` and what belongs to it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Compilation")]
pub(super) struct SecretsArgs {
    /// What is rendered of the values of Secrets [default: inline]
    #[arg(long, value_name = "MODE")]
    secrets: Option<Mode>,

    /// With --secrets=external: the store of values that no ExternalSecret of the input tells about
    #[arg(long, value_name = "KIND/NAME", value_parser = store, requires = "secrets")]
    secret_store: Option<Store>,

    /// With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret
    #[arg(long, value_name = "TEMPLATE", default_value_t, value_parser = KeyTemplate::new)]
    remote_key: KeyTemplate,
}

impl SecretsArgs {
    /// The mode that the flags mean.
    pub(super) fn mode(&self) -> SecretMode {
        match self.secrets {
            None | Some(Mode::Inline) => SecretMode::Inline,
            Some(Mode::Placeholder) => SecretMode::Placeholder,
            Some(Mode::External) => SecretMode::External(Remote {
                store: self.secret_store.clone(),
                key: self.remote_key.clone(),
            }),
        }
    }
}

fn store(text: &str) -> Result<Store, String> {
    match text.split_once('/') {
        Some((kind @ ("SecretStore" | "ClusterSecretStore"), name)) if !name.is_empty() => Ok(Store {
            kind: kind.to_owned(),
            name: name.to_owned(),
        }),
        _ => Err("expected SecretStore/NAME or ClusterSecretStore/NAME".to_owned()),
    }
}
