//! The one table of codes.

macro_rules! is_late {
    () => {
        false
    };
    (late) => {
        true
    };
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $severity:ident $(, $late:ident)?;)+) => {
        /// A stable name for each rule. The table is sorted by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, sorted by name.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The name as users write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// The default severity.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// Whether the operator renders it all the same, and Kubernetes or the agent refuses it later: an error of
            /// `check`, but a warning of `render`.
            pub fn is_late(self) -> bool {
                match self { $(Code::$variant => is_late!($($late)?),)+ }
            }

            /// The page about the rule, in Markdown: what it finds, why it matters, a wrong and a right example.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("explain/", $name, ".md")),)+ }
            }

            /// One sentence about the rule.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// Several resources have the name that was given.
    AmbiguousResource = "ambiguous-resource", Error;
    /// The name of an APIService is not its version and group.
    ApiServiceName = "api-service-name", Error;
    /// An APIService hands a group of Kubernetes itself to another server.
    BuiltInGroup = "built-in-group", Warning;
    /// The certificates of an APIService's bundle have expired.
    CaBundleExpired = "ca-bundle-expired", Error, late;
    /// A certificate of an APIService's bundle expires within 30 days, or one of several has.
    CaBundleExpiresSoon = "ca-bundle-expires-soon", Warning;
    /// Alloy and the agent put different labels on the metrics of an integration.
    ChangedLabel = "changed-label", Warning;
    /// Two values get the same key in `<agent>-secrets`.
    CollidingSecretKeys = "colliding-secret-keys", Error;
    /// A client has two kinds of authentication.
    ConflictingAuthentication = "conflicting-authentication", Error, late;
    /// A relabelling rule has a field that its action must not have.
    ConflictingRelabeling = "conflicting-relabeling", Error, late;
    /// An APIService sets both a CA bundle and the insecure flag, or sets one without a service.
    ConflictingTrust = "conflicting-trust", Error;
    /// A credential holds text that the agent takes for a variable of its environment.
    CredentialExpanded = "credential-expanded", Warning;
    /// A value that the operator cannot decode.
    DecodeFailed = "decode-failed", Error;
    /// A mount of an Integration is dropped, since another one has its path or volume.
    DroppedMount = "dropped-mount", Warning;
    /// Two APIServices are for the same group and version.
    DuplicateGroupVersion = "duplicate-group-version", Error;
    /// An integration that is allowed only once is defined twice.
    DuplicateIntegration = "duplicate-integration", Warning;
    /// A list whose items must be told apart by a key has two with the same.
    DuplicateItem = "duplicate-item", Error;
    /// Two scrape jobs of an instance have the same name.
    DuplicateJob = "duplicate-job", Error, late;
    /// A mapping has the same key twice.
    DuplicateKey = "duplicate-key", Error;
    /// Two agents would write the same object.
    DuplicateObject = "duplicate-object", Error;
    /// An instance sends to two receivers that the agent cannot tell apart.
    DuplicateReceiver = "duplicate-receiver", Error, late;
    /// The same resource is defined twice.
    DuplicateResource = "duplicate-resource", Error;
    /// The same targets are scraped twice.
    DuplicateScrape = "duplicate-scrape", Warning;
    /// Nothing is checked.
    EmptyCheck = "empty-check", Error;
    /// A value is needed, but the field names no Secret.
    EmptyReference = "empty-reference", Error;
    /// Nothing is rendered.
    EmptyRender = "empty-render", Error;
    /// A receiver has an empty URL, so nothing can be sent.
    EmptyUrl = "empty-url", Warning;
    /// A value that a field refers to is encrypted.
    EncryptedValue = "encrypted-value", Error;
    /// A ServiceMonitor names files although the agent denies it.
    FileSystemAccessDenied = "file-system-access-denied", Warning;
    /// A setting or annotation lowers the severity of a code that must stay an error.
    FixedSeverity = "fixed-severity", Error;
    /// A text has more than one document, of which only the first is used.
    IgnoredDocument = "ignored-document", Warning;
    /// A field that the operator accepts and ignores.
    IgnoredField = "ignored-field", Warning;
    /// A client lacks a part of what it proves who it is with.
    IncompleteAuthentication = "incomplete-authentication", Error, late;
    /// A client has a certificate without its key, or a key without its certificate.
    IncompleteCertificate = "incomplete-certificate", Error, late;
    /// A relabelling rule lacks a field that its action needs.
    IncompleteRelabeling = "incomplete-relabeling", Error, late;
    /// A value that must not be rendered can be in the agent's configuration only.
    InlinedSecret = "inlined-secret", Error;
    /// A number does not fit in the operator's field, which has 32 bits.
    IntegerOutOfRange = "integer-out-of-range", Error;
    /// An integration runs on every node, or on one only, although it is not made for that.
    IntegrationPlacement = "integration-placement", Warning;
    /// Targets are scraped less often than the write-ahead log is cut.
    IntervalAboveTruncation = "interval-above-truncation", Warning;
    /// A value of a Secret or ConfigMap is not the base64 that it must be.
    InvalidBase64 = "invalid-base64", Error;
    /// A bucket of a histogram is not a number.
    InvalidBucket = "invalid-bucket", Error;
    /// The bundle of an APIService holds no certificates that could be used.
    InvalidCaBundle = "invalid-ca-bundle", Warning;
    /// A claim of a volume is not what Kubernetes allows.
    InvalidClaim = "invalid-claim", Error, late;
    /// A container is not what Kubernetes allows.
    InvalidContainer = "invalid-container", Error, late;
    /// A port of a container or of the Service is not what Kubernetes allows.
    InvalidContainerPort = "invalid-container-port", Error, late;
    /// A probe or hook of a container is not what Kubernetes allows.
    InvalidContainerProbe = "invalid-container-probe", Error, late;
    /// A key of a Secret or ConfigMap is not a valid file name.
    InvalidDataKey = "invalid-data-key", Error;
    /// The name of an agent makes names that Kubernetes refuses.
    InvalidDerivedName = "invalid-derived-name", Error, late;
    /// A duration is not written as the agent reads it, or is out of its bounds.
    InvalidDuration = "invalid-duration", Error, late;
    /// A variable of a container is not what Kubernetes allows.
    InvalidEnvironment = "invalid-environment", Error, late;
    /// The group or the version of an APIService is not what Kubernetes allows.
    InvalidGroupVersion = "invalid-group-version", Error;
    /// The host of an ExternalName is neither a DNS name nor an address.
    InvalidHost = "invalid-host", Error;
    /// A label or annotation is not what Kubernetes allows.
    InvalidLabel = "invalid-label", Error;
    /// The name of a label in Prometheus or Loki has other characters than letters, digits and `_`.
    InvalidLabelName = "invalid-label-name", Error, late;
    /// The agent has no log level of this name.
    InvalidLogLevel = "invalid-log-level", Error, late;
    /// The selector of a `match` stage is not what Promtail reads.
    InvalidLogSelector = "invalid-log-selector", Warning;
    /// A field of `metadata` is not what Kubernetes allows.
    InvalidMetadata = "invalid-metadata", Error;
    /// A mount of a container is not what Kubernetes allows, or its volume is missing.
    InvalidMount = "invalid-mount", Error, late;
    /// A name or namespace is not what Kubernetes allows.
    InvalidName = "invalid-name", Error;
    /// A parameter of a KRM function or of an Argo CD application is unknown, or has an invalid value.
    InvalidParameter = "invalid-parameter", Error;
    /// A label or annotation of the pods is not what Kubernetes allows.
    InvalidPodMetadata = "invalid-pod-metadata", Error, late;
    /// A Namespace has a label of Pod Security that is not valid.
    InvalidPodSecurityLabel = "invalid-pod-security-label", Error, late;
    /// The port of an APIService's service is not valid.
    InvalidPort = "invalid-port", Error;
    /// The address of a prober is empty or a URL, where host and port are expected.
    InvalidProbeAddress = "invalid-probe-address", Error, late;
    /// The name of an account or class of the pods is not what Kubernetes allows.
    InvalidReferredName = "invalid-referred-name", Error, late;
    /// A regular expression is not what Go (RE2) accepts.
    InvalidRegex = "invalid-regex", Error, late;
    /// The file of remote services is not a list.
    InvalidRemoteServices = "invalid-remote-services", Error;
    /// The input of a KRM function is not the ResourceList that it must be.
    InvalidResourceList = "invalid-resource-list", Error;
    /// Resources of a container are not what Kubernetes allows.
    InvalidResources = "invalid-resources", Error, late;
    /// Tolerations, affinity or the spread of pods are not what Kubernetes allows.
    InvalidScheduling = "invalid-scheduling", Error, late;
    /// The text of additional scrape configurations is not a YAML list.
    InvalidScrapeConfigs = "invalid-scrape-configs", Error;
    /// An additional scrape configuration is not what the agent reads.
    InvalidScrapeJob = "invalid-scrape-job", Error, late;
    /// A Secret lacks a key that its type requires.
    InvalidSecretType = "invalid-secret-type", Error;
    /// A security context is not what Kubernetes allows.
    InvalidSecurityContext = "invalid-security-context", Error, late;
    /// A label selector that Kubernetes refuses to evaluate.
    InvalidSelector = "invalid-selector", Error;
    /// `agentctl.yaml` has an unknown setting, or one with an invalid value.
    InvalidSettings = "invalid-settings", Error;
    /// A pipeline stage lacks what it needs, or has fields that cannot be combined.
    InvalidStage = "invalid-stage", Warning;
    /// The text of nested pipeline stages is not a YAML list of stages.
    InvalidStages = "invalid-stages", Error;
    /// A list of targets has an entry that is not a target.
    InvalidTarget = "invalid-target", Error;
    /// A point in time is not in RFC 3339 format.
    InvalidTime = "invalid-time", Error;
    /// A URL cannot be parsed, or has a scheme that the agent cannot send to.
    InvalidUrl = "invalid-url", Error, late;
    /// A volume of the pods is not what Kubernetes allows.
    InvalidVolume = "invalid-volume", Error, late;
    /// Alloy skips something on shutdown that the agent does.
    LostOnShutdown = "lost-on-shutdown", Warning;
    /// Alloy does not support a setting of the agent.
    LostSetting = "lost-setting", Warning;
    /// A manifest could not be made.
    ManifestFailed = "manifest-failed", Error;
    /// A merge key replaces what the mapping itself set before.
    MergeOverride = "merge-override", Warning;
    /// An unquoted key such as `on` is a boolean in YAML 1.1, so that Kubernetes reads it as `true`.
    MisreadKey = "misread-key", Warning;
    /// The agent reads another text than was written, or none at all.
    MisreadText = "misread-text", Warning;
    /// A ConfigMap that a field refers to is not in the input.
    MissingConfigMap = "missing-config-map", Error;
    /// A field that must be there is missing or `null`.
    MissingField = "missing-field", Error;
    /// The configuration of an Integration lacks a key that the agent does not start without.
    MissingIntegrationKey = "missing-integration-key", Error, late;
    /// A Secret or ConfigMap lacks the key that a field refers to.
    MissingKey = "missing-key", Error;
    /// A ServiceAccount may not do what its agents need.
    MissingPermission = "missing-permission", Error, late;
    /// A Secret that a field refers to is not in the input.
    MissingSecret = "missing-secret", Error;
    /// The service of an APIService is not in the input.
    MissingService = "missing-service", Warning;
    /// Agents need the API server, but their pods get no ServiceAccount token.
    MissingToken = "missing-token", Error, late;
    /// An object is too large for client-side `kubectl apply`, which copies it into an annotation.
    NeedsServerSideApply = "needs-server-side-apply", Warning;
    /// A LogsInstance has no clients, and neither has its agent, so the agent reads no logs for it.
    NoClients = "no-clients", Warning;
    /// An input directory has no manifests, or standard input is empty.
    NoInput = "no-input", Error;
    /// A list of targets is empty.
    NoTargets = "no-targets", Warning;
    /// A Node has no address for the kubelet Endpoints.
    NodeWithoutAddress = "node-without-address", Error;
    /// Alloy writes whole numbers in the labels `le` and `quantile` as `1.0`.
    NormalizedLabel = "normalized-label", Note;
    /// A document that was named is not a Kubernetes object.
    NotAnObject = "not-an-object", Error;
    /// Alloy has no component for something that the agent collects.
    NotCollected = "not-collected", Error, late;
    /// A kustomization or a chart is in the input without its output.
    NotRendered = "not-rendered", Warning;
    /// A file is not UTF-8 text.
    NotUtf8 = "not-utf8", Error;
    /// `port` of an endpoint is a number, where the name of a port is expected.
    NumericPortName = "numeric-port-name", Warning;
    /// The values of a Secret or ConfigMap are larger than 1 MiB together.
    ObjectTooLarge = "object-too-large", Error;
    /// The manifests have more bytes than `--max-output-size` allows.
    OutputLimit = "output-limit", Error;
    /// A link leads out of the repository or directory around it, or to something that is not a file.
    OutsideLink = "outside-link", Error;
    /// A string does not match the pattern of its field, such as that of a duration.
    PatternMismatch = "pattern-mismatch", Error;
    /// An agent is paused, so nothing is rendered for it.
    PausedAgent = "paused-agent", Warning;
    /// A Namespace refuses pods by the Pod Security Standards.
    PodSecurity = "pod-security", Error, late;
    /// A priority of an APIService is out of its bounds.
    PriorityOutOfRange = "priority-out-of-range", Error;
    /// A Probe has neither static targets nor ingresses.
    ProbeWithoutTargets = "probe-without-targets", Error;
    /// A regular expression needs an agent built with a recent Go.
    RecentRegexSyntax = "recent-regex-syntax", Warning;
    /// A rendered object takes the place of one that agentctl did not render.
    ReplacedObject = "replaced-object", Warning;
    /// A header is set that the agent sets itself.
    ReservedHeader = "reserved-header", Error, late;
    /// A Secret of the agent would hold more than 1 MiB.
    SecretTooLarge = "secret-too-large", Error, late;
    /// A selector of an agent or instance selects nothing.
    SelectsNothing = "selects-nothing", Warning;
    /// An instance is selected by two agents.
    SharedInstance = "shared-instance", Warning;
    /// A scrape may take longer than the time to the next one.
    TimeoutAboveInterval = "timeout-above-interval", Error, late;
    /// More shards than the limit allows.
    TooManyShards = "too-many-shards", Error;
    /// A string is shorter than its field allows.
    TooShort = "too-short", Error;
    /// A setting or annotation names a code that does not exist.
    UnknownCode = "unknown-code", Error;
    /// A field is not in the schema of its kind: the API server drops it.
    UnknownField = "unknown-field", Warning;
    /// An Integration sends to a MetricsInstance or LogsInstance that its agent does not have.
    UnknownInstance = "unknown-instance", Warning;
    /// The agent has no integration of this name.
    UnknownIntegration = "unknown-integration", Warning;
    /// The configuration of an Integration has a key that the agent does not know.
    UnknownIntegrationKey = "unknown-integration-key", Error, late;
    /// A kind in a group of the operator that it does not read, most likely one that is misspelt.
    UnknownKind = "unknown-kind", Warning;
    /// Prometheus does not know the action of a relabelling rule.
    UnknownRelabelAction = "unknown-relabel-action", Error, late;
    /// No resource has the name that was given.
    UnknownResource = "unknown-resource", Error;
    /// An additional scrape configuration has a field that the agent refuses.
    UnknownScrapeField = "unknown-scrape-field", Warning;
    /// A kind of the operator in a version that it does not read.
    UnknownVersion = "unknown-version", Warning;
    /// Nothing selects a monitor, PodLogs, instance or Integration.
    Unselected = "unselected", Warning;
    /// An object is of a version that the aggregator does not serve.
    UnservedVersion = "unserved-version", Warning;
    /// Probes of an agent with several shards: each shard probes all of them.
    UnshardedProbe = "unsharded-probe", Note;
    /// The buckets of a histogram are not in ascending order.
    UnsortedBuckets = "unsorted-buckets", Warning;
    /// The preferred version of a group promises less than another one.
    UnstablePreferredVersion = "unstable-preferred-version", Warning;
    /// A string is not one of those that its field allows.
    UnsupportedValue = "unsupported-value", Error;
    /// An annotation allows a code for which its resource has no finding.
    UnusedAllowance = "unused-allowance", Warning;
    /// No APIService leads to an ExternalName.
    UnusedExternalName = "unused-external-name", Note;
    /// A value is of another type than its field, such as an unquoted `yes` where a string belongs.
    WrongType = "wrong-type", Error;
    /// An alias refers to no anchor, or to one that contains it.
    YamlAlias = "yaml-alias", Error;
    /// A mapping key has no form in JSON.
    YamlKey = "yaml-key", Error;
    /// A text is too large, too deep, or its aliases expand too far.
    YamlLimit = "yaml-limit", Error;
    /// A text has a character that YAML 1.1 takes for a line break, and YAML 1.2 does not.
    YamlLineBreak = "yaml-line-break", Error;
    /// A merge key refers to something that is not a mapping.
    YamlMerge = "yaml-merge", Error;
    /// A scalar has no form in JSON, or does not fit its tag.
    YamlScalar = "yaml-scalar", Error;
    /// The text is not YAML.
    YamlSyntax = "yaml-syntax", Error;
}

impl Code {
    /// The code of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Whether there is a finding with this code that can be allowed or made a warning. An error that is not late cannot:
    /// what it is about is left out, so that without the error too little would be written. A missing object is one only
    /// where the operator needs its value.
    pub fn can_be_lowered(self) -> bool {
        let can_be_milder = matches!(self, Code::MissingConfigMap | Code::MissingSecret);
        self.severity() < Severity::Error || self.is_late() || can_be_milder
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Renders all the same, but most likely not what was meant.
    Warning,
    /// Nothing is rendered.
    Error,
}

impl Severity {
    /// The word used in every format.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }

    #[test]
    fn names_are_lower_case_words() {
        for code in Code::ALL {
            assert!(
                code.as_str()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit()),
                "{code}"
            );
            assert!(!code.summary().is_empty(), "{code}");
        }
    }
}
