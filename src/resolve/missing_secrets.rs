/// What to do when a Secret, ConfigMap or key is missing from the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MissingSecrets {
    /// A missing value is an error
    #[default]
    Error,
    /// A missing value is a warning, and a placeholder is rendered in its place
    Placeholder,
}
