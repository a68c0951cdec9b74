//! The one table of codes, and the one of consequences, which severities come from.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $consequence:ident;)+) => {
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

            /// What happens because of the mistake.
            pub fn consequence(self) -> Consequence {
                match self { $(Code::$variant => Consequence::$consequence,)+ }
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

/// What happens because of a mistake. It decides the severity, for every code alike; docs/settings.md has the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Consequence {
    /// Everything works, and this is worth knowing.
    Works,
    /// Everything works for now, and is better done otherwise.
    Unwise,
    /// It runs, but not as it is written: something is ignored, collected twice or not at all.
    Differs,
    /// The operator renders it, and Kubernetes, the agent or Alloy then refuses it or fails with it.
    Fails,
    /// agentctl, the API server or the operator refuses it: nothing is rendered.
    Refused,
}

impl Consequence {
    /// Every consequence, the mildest first.
    pub const ALL: [Self; 5] = [Self::Works, Self::Unwise, Self::Differs, Self::Fails, Self::Refused];

    /// The severity of a finding.
    pub fn severity(self) -> Severity {
        match self {
            Self::Works => Severity::Note,
            Self::Unwise | Self::Differs => Severity::Warning,
            Self::Fails | Self::Refused => Severity::Error,
        }
    }

    /// What it is, in the words of the documentation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Works => "everything works",
            Self::Unwise => "everything works for now, and is better done otherwise",
            Self::Differs => "it runs, but not as it is written",
            Self::Fails => "the operator renders it, and Kubernetes, the agent or Alloy refuses it or fails with it",
            Self::Refused => "agentctl, the API server or the operator refuses it",
        }
    }
}

codes! {
    /// The image of the agent is not used for Alloy.
    AgentImage = "agent-image", Works;
    /// Several resources have the name that was given.
    AmbiguousResource = "ambiguous-resource", Refused;
    /// The name of an APIService is not its version and group.
    ApiServiceName = "api-service-name", Refused;
    /// An APIService hands a group of Kubernetes itself to another server.
    BuiltInGroup = "built-in-group", Unwise;
    /// The certificates of an APIService's bundle have expired.
    CaBundleExpired = "ca-bundle-expired", Fails;
    /// A certificate of an APIService's bundle expires within 30 days, or one of several has.
    CaBundleExpiresSoon = "ca-bundle-expires-soon", Unwise;
    /// Alloy counts the samples of a scrape before rules drop any.
    ChangedCounter = "changed-counter", Differs;
    /// Alloy and the agent put different labels on the metrics of an integration.
    ChangedLabel = "changed-label", Differs;
    /// Alloy scrapes a target, or sends a series, that the agent does not.
    ChangedScrape = "changed-scrape", Differs;
    /// Two values get the same key in `<agent>-secrets`.
    CollidingSecretKeys = "colliding-secret-keys", Refused;
    /// A client has two kinds of authentication.
    ConflictingAuthentication = "conflicting-authentication", Fails;
    /// A relabelling rule has a field that its action must not have.
    ConflictingRelabeling = "conflicting-relabeling", Fails;
    /// An APIService sets both a CA bundle and the insecure flag, or sets one without a service.
    ConflictingTrust = "conflicting-trust", Refused;
    /// A credential holds text that the agent takes for a variable of its environment.
    CredentialExpanded = "credential-expanded", Differs;
    /// A value that the operator cannot decode.
    DecodeFailed = "decode-failed", Refused;
    /// A key of a map has no value, so the API server drops it.
    DroppedKey = "dropped-key", Differs;
    /// A mount of an Integration is dropped, since another one has its path or volume.
    DroppedMount = "dropped-mount", Differs;
    /// A relabeling drops every target of a job.
    DropsEveryTarget = "drops-every-target", Differs;
    /// Two APIServices are for the same group and version.
    DuplicateGroupVersion = "duplicate-group-version", Refused;
    /// An integration that is allowed only once is defined twice.
    DuplicateIntegration = "duplicate-integration", Fails;
    /// A list whose items must be told apart by a key has two with the same.
    DuplicateItem = "duplicate-item", Refused;
    /// Two scrape jobs that the agent runs together have the same name.
    DuplicateJob = "duplicate-job", Fails;
    /// A mapping has the same key twice.
    DuplicateKey = "duplicate-key", Refused;
    /// Two agents would write the same object.
    DuplicateObject = "duplicate-object", Refused;
    /// An instance sends to two receivers that the agent cannot tell apart.
    DuplicateReceiver = "duplicate-receiver", Fails;
    /// The same resource is defined twice.
    DuplicateResource = "duplicate-resource", Refused;
    /// The same targets are scraped twice.
    DuplicateScrape = "duplicate-scrape", Differs;
    /// Alloy applies a limit on samples before the rules of metric relabeling.
    EarlyLimit = "early-limit", Differs;
    /// Nothing is checked.
    EmptyCheck = "empty-check", Refused;
    /// A value is needed, but the field names no Secret.
    EmptyReference = "empty-reference", Refused;
    /// Nothing is rendered.
    EmptyRender = "empty-render", Refused;
    /// A receiver has an empty URL, so nothing can be sent.
    EmptyUrl = "empty-url", Differs;
    /// A value that a field refers to is encrypted.
    EncryptedValue = "encrypted-value", Refused;
    /// A certificate of a client has expired.
    ExpiredCertificate = "expired-certificate", Fails;
    /// A ServiceMonitor names files although the agent denies it.
    FileSystemAccessDenied = "file-system-access-denied", Differs;
    /// Alloy leaves out pods that have ended, which the agent scrapes.
    FinishedPods = "finished-pods", Differs;
    /// A setting or annotation lowers the severity of a code that must stay an error.
    FixedSeverity = "fixed-severity", Refused;
    /// Alloy follows a field of a monitor that the operator ignores.
    FollowedField = "followed-field", Works;
    /// Namespaces that are chosen by label are those of now: Alloy cannot choose them itself.
    FrozenNamespaces = "frozen-namespaces", Differs;
    /// An Integration collects nothing.
    IdleIntegration = "idle-integration", Differs;
    /// A text has more than one document, of which only the first is used.
    IgnoredDocument = "ignored-document", Differs;
    /// A field that the operator accepts and ignores.
    IgnoredField = "ignored-field", Differs;
    /// The configuration of an Integration has a key that the agent ignores.
    IgnoredIntegrationKey = "ignored-integration-key", Differs;
    /// A client lacks a part of what it proves who it is with.
    IncompleteAuthentication = "incomplete-authentication", Fails;
    /// A client has a certificate without its key, or a key without its certificate.
    IncompleteCertificate = "incomplete-certificate", Fails;
    /// A relabelling rule lacks a field that its action needs.
    IncompleteRelabeling = "incomplete-relabeling", Fails;
    /// A value that must not be rendered can be in the agent's configuration only.
    InlinedSecret = "inlined-secret", Refused;
    /// A number does not fit in the operator's field, which has 32 bits.
    IntegerOutOfRange = "integer-out-of-range", Refused;
    /// An integration runs on every node, or on one only, although it is not made for that.
    IntegrationPlacement = "integration-placement", Differs;
    /// A value in the configuration of an Integration is of another type than the agent reads.
    IntegrationType = "integration-type", Fails;
    /// Targets are scraped less often than the write-ahead log is cut.
    IntervalAboveTruncation = "interval-above-truncation", Fails;
    /// A value of a Secret or ConfigMap is not the base64 that it must be.
    InvalidBase64 = "invalid-base64", Refused;
    /// A bucket of a histogram is not a number.
    InvalidBucket = "invalid-bucket", Refused;
    /// The bundle of an APIService holds no certificates that could be used.
    InvalidCaBundle = "invalid-ca-bundle", Differs;
    /// A certificate or key of a client cannot be read.
    InvalidCertificate = "invalid-certificate", Fails;
    /// A claim of a volume is not what Kubernetes allows.
    InvalidClaim = "invalid-claim", Fails;
    /// A container is not what Kubernetes allows.
    InvalidContainer = "invalid-container", Fails;
    /// A port of a container or of the Service is not what Kubernetes allows.
    InvalidContainerPort = "invalid-container-port", Fails;
    /// A probe or hook of a container is not what Kubernetes allows.
    InvalidContainerProbe = "invalid-container-probe", Fails;
    /// A key of a Secret or ConfigMap is not a valid file name.
    InvalidDataKey = "invalid-data-key", Refused;
    /// The name of an agent makes names that Kubernetes refuses.
    InvalidDerivedName = "invalid-derived-name", Fails;
    /// A duration is not written as the agent reads it, or is out of its bounds.
    InvalidDuration = "invalid-duration", Fails;
    /// A variable of a container is not what Kubernetes allows.
    InvalidEnvironment = "invalid-environment", Fails;
    /// The group or the version of an APIService is not what Kubernetes allows.
    InvalidGroupVersion = "invalid-group-version", Refused;
    /// The host of an ExternalName is neither a DNS name nor an address.
    InvalidHost = "invalid-host", Refused;
    /// The kubelet cannot read the name of an image.
    InvalidImage = "invalid-image", Fails;
    /// The configuration of an Integration has a value that the integration refuses.
    InvalidIntegration = "invalid-integration", Fails;
    /// A label or annotation is not what Kubernetes allows.
    InvalidLabel = "invalid-label", Refused;
    /// The name of a label in Prometheus or Loki has other characters than letters, digits and `_`.
    InvalidLabelName = "invalid-label-name", Fails;
    /// The agent has no log level of this name.
    InvalidLogLevel = "invalid-log-level", Fails;
    /// The selector of a `match` stage is not what Promtail reads.
    InvalidLogSelector = "invalid-log-selector", Fails;
    /// A field of `metadata` is not what Kubernetes allows.
    InvalidMetadata = "invalid-metadata", Refused;
    /// A mount of a container is not what Kubernetes allows, or its volume is missing.
    InvalidMount = "invalid-mount", Fails;
    /// A name or namespace is not what Kubernetes allows.
    InvalidName = "invalid-name", Refused;
    /// A parameter of a KRM function or of an Argo CD application is unknown, or has an invalid value.
    InvalidParameter = "invalid-parameter", Refused;
    /// A label or annotation of the pods is not what Kubernetes allows.
    InvalidPodMetadata = "invalid-pod-metadata", Fails;
    /// A Namespace has a label of Pod Security that is not valid.
    InvalidPodSecurityLabel = "invalid-pod-security-label", Fails;
    /// The port of an APIService's service is not valid.
    InvalidPort = "invalid-port", Refused;
    /// The address of a prober is empty or a URL, where host and port are expected.
    InvalidProbeAddress = "invalid-probe-address", Fails;
    /// The queue of a receiver has a setting with which the agent crashes.
    InvalidQueue = "invalid-queue", Fails;
    /// The name of an account or class of the pods is not what Kubernetes allows.
    InvalidReferredName = "invalid-referred-name", Fails;
    /// A regular expression is not what Go (RE2) accepts.
    InvalidRegex = "invalid-regex", Fails;
    /// The file of remote services is not a list.
    InvalidRemoteServices = "invalid-remote-services", Refused;
    /// The input of a KRM function is not the ResourceList that it must be.
    InvalidResourceList = "invalid-resource-list", Refused;
    /// Resources of a container are not what Kubernetes allows.
    InvalidResources = "invalid-resources", Fails;
    /// Tolerations, affinity or the spread of pods are not what Kubernetes allows.
    InvalidScheduling = "invalid-scheduling", Fails;
    /// The text of additional scrape configurations is not a YAML list.
    InvalidScrapeConfigs = "invalid-scrape-configs", Refused;
    /// An additional scrape configuration is not what the agent reads.
    InvalidScrapeJob = "invalid-scrape-job", Fails;
    /// A Secret lacks a key that its type requires.
    InvalidSecretType = "invalid-secret-type", Refused;
    /// A security context is not what Kubernetes allows.
    InvalidSecurityContext = "invalid-security-context", Fails;
    /// A label selector that Kubernetes refuses to evaluate.
    InvalidSelector = "invalid-selector", Refused;
    /// `agentctl.yaml` has an unknown setting, or one with an invalid value.
    InvalidSettings = "invalid-settings", Refused;
    /// A pipeline stage lacks what it needs, or has fields that cannot be combined.
    InvalidStage = "invalid-stage", Fails;
    /// The text of nested pipeline stages is not a YAML list of stages.
    InvalidStages = "invalid-stages", Refused;
    /// A list of targets has an entry that is not a target.
    InvalidTarget = "invalid-target", Refused;
    /// A point in time is not in RFC 3339 format.
    InvalidTime = "invalid-time", Refused;
    /// A URL cannot be parsed, or has a scheme that the agent cannot send to.
    InvalidUrl = "invalid-url", Fails;
    /// A volume of the pods is not what Kubernetes allows.
    InvalidVolume = "invalid-volume", Fails;
    /// The agents select more scrape jobs than the limit allows.
    JobLimit = "job-limit", Refused;
    /// Alloy sends no metadata of metrics.
    LostMetadata = "lost-metadata", Differs;
    /// Alloy does something else on shutdown than the agent.
    LostOnShutdown = "lost-on-shutdown", Differs;
    /// Alloy does not support a setting of the agent.
    LostSetting = "lost-setting", Differs;
    /// A manifest could not be made.
    ManifestFailed = "manifest-failed", Refused;
    /// A merge key replaces what the mapping itself set before.
    MergeOverride = "merge-override", Differs;
    /// An unquoted key such as `on` is a boolean in YAML 1.1, so that Kubernetes reads it as `true`.
    MisreadKey = "misread-key", Differs;
    /// The agent reads another text than was written, or none at all.
    MisreadText = "misread-text", Fails;
    /// The agent takes `${…}` for a variable of its environment where none is meant, or cannot read it as one.
    MisreadVariable = "misread-variable", Fails;
    /// A ConfigMap that a field refers to is not in the input.
    MissingConfigMap = "missing-config-map", Refused;
    /// A field that must be there is missing or `null`.
    MissingField = "missing-field", Refused;
    /// The configuration of an Integration lacks a key that the agent does not start without.
    MissingIntegrationKey = "missing-integration-key", Fails;
    /// A Secret or ConfigMap lacks the key that a field refers to.
    MissingKey = "missing-key", Refused;
    /// A ServiceAccount may not do what its agents need.
    MissingPermission = "missing-permission", Fails;
    /// A Secret that a field refers to is not in the input.
    MissingSecret = "missing-secret", Refused;
    /// The service of an APIService is not in the input.
    MissingService = "missing-service", Differs;
    /// Agents need the API server, but their pods get no ServiceAccount token.
    MissingToken = "missing-token", Fails;
    /// An object is too large for client-side `kubectl apply`, which copies it into an annotation.
    NeedsServerSideApply = "needs-server-side-apply", Unwise;
    /// A LogsInstance has no clients, and neither has its agent, so the agent reads no logs for it.
    NoClients = "no-clients", Differs;
    /// An input directory has no manifests, or standard input is empty.
    NoInput = "no-input", Refused;
    /// The selector of a monitor, Probe or PodLogs matches no object.
    NoMatchingObject = "no-matching-object", Differs;
    /// A list of targets is empty.
    NoTargets = "no-targets", Differs;
    /// A Node has no address for the kubelet Endpoints.
    NodeWithoutAddress = "node-without-address", Refused;
    /// Alloy writes whole numbers in the labels `le` and `quantile` as `1.0`.
    NormalizedLabel = "normalized-label", Differs;
    /// A document that was named is not a Kubernetes object.
    NotAnObject = "not-an-object", Refused;
    /// Alloy has no component for something that the agent collects.
    NotCollected = "not-collected", Fails;
    /// A kustomization or a chart is in the input without its output.
    NotRendered = "not-rendered", Differs;
    /// A file is not UTF-8 text.
    NotUtf8 = "not-utf8", Refused;
    /// `port` of an endpoint is a number, where the name of a port is expected.
    NumericPortName = "numeric-port-name", Differs;
    /// The values of a Secret or ConfigMap are larger than 1 MiB together.
    ObjectTooLarge = "object-too-large", Refused;
    /// The manifests have more bytes than `--limit output-size=SIZE` allows.
    OutputLimit = "output-limit", Refused;
    /// A link leads out of the repository or directory around it, or to something that is not a file.
    OutsideLink = "outside-link", Refused;
    /// A string does not match the pattern of its field, such as that of a duration.
    PatternMismatch = "pattern-mismatch", Refused;
    /// An image of the agent is older than a flag that the operator passes.
    OutdatedImage = "outdated-image", Fails;
    /// An agent is paused, so nothing is rendered for it.
    PausedAgent = "paused-agent", Differs;
    /// A Namespace refuses pods by the Pod Security Standards.
    PodSecurity = "pod-security", Fails;
    /// A priority of an APIService is out of its bounds.
    PriorityOutOfRange = "priority-out-of-range", Refused;
    /// A Probe has neither static targets nor ingresses.
    ProbeWithoutTargets = "probe-without-targets", Refused;
    /// A regular expression needs an agent built with a recent Go.
    RecentRegexSyntax = "recent-regex-syntax", Unwise;
    /// The agent rejects every rule with this action when it copies the configuration of an instance.
    RejectedRelabelAction = "rejected-relabel-action", Fails;
    /// The config-reloader has no value for a variable in a text of the configuration, and stops.
    ReloaderVariable = "reloader-variable", Fails;
    /// A rendered object takes the place of one that agentctl did not render.
    ReplacedObject = "replaced-object", Differs;
    /// A header is set that the agent sets itself.
    ReservedHeader = "reserved-header", Fails;
    /// A Secret of the agent would hold more than 1 MiB.
    SecretTooLarge = "secret-too-large", Fails;
    /// A selector of an agent or instance selects nothing.
    SelectsNothing = "selects-nothing", Differs;
    /// A Service that a monitor selects has no endpoints.
    ServiceWithoutEndpoints = "service-without-endpoints", Differs;
    /// An instance is selected by two agents.
    SharedInstance = "shared-instance", Differs;
    /// Alloy cannot find monitors itself as this agent wants them scraped, so their pipelines stay static.
    StaticDiscovery = "static-discovery", Differs;
    /// The jobs of the agents have more targets than are shown at a time.
    TargetLimit = "target-limit", Refused;
    /// A scrape may take longer than the time to the next one.
    TimeoutAboveInterval = "timeout-above-interval", Fails;
    /// More shards than the limit allows.
    TooManyShards = "too-many-shards", Refused;
    /// A string is shorter than its field allows.
    TooShort = "too-short", Refused;
    /// A credential ends in a newline.
    TrailingNewline = "trailing-newline", Differs;
    /// The labels of a Namespace decide, and no manifest describes it.
    UndescribedNamespace = "undescribed-namespace", Differs;
    /// A setting or annotation names a code that does not exist.
    UnknownCode = "unknown-code", Refused;
    /// A field is not in the schema of its kind: the API server drops it.
    UnknownField = "unknown-field", Differs;
    /// A kind of the operator in a group that is nearly, but not quite, its own.
    UnknownGroup = "unknown-group", Differs;
    /// An Integration sends to a MetricsInstance or LogsInstance that its agent does not have.
    UnknownInstance = "unknown-instance", Fails;
    /// The agent has no integration of this name.
    UnknownIntegration = "unknown-integration", Fails;
    /// The configuration of an Integration has a key that the agent does not know.
    UnknownIntegrationKey = "unknown-integration-key", Fails;
    /// A kind that its group does not have, most likely one that is misspelt.
    UnknownKind = "unknown-kind", Refused;
    /// A monitor searches a namespace that is not in the input.
    UnknownNamespace = "unknown-namespace", Differs;
    /// An endpoint asks for a port that nothing it selects has.
    UnknownPort = "unknown-port", Differs;
    /// Prometheus does not know the action of a relabelling rule.
    UnknownRelabelAction = "unknown-relabel-action", Fails;
    /// No resource has the name that was given.
    UnknownResource = "unknown-resource", Refused;
    /// An additional scrape configuration has a field that the agent refuses.
    UnknownScrapeField = "unknown-scrape-field", Fails;
    /// A kind of the operator in a version that does not exist.
    UnknownVersion = "unknown-version", Refused;
    /// The configuration of an Integration names a file that its pods do not have.
    UnmountedFile = "unmounted-file", Differs;
    /// A file is a template, and not the YAML that is made of it.
    UnrenderedTemplate = "unrendered-template", Refused;
    /// Nothing selects a monitor, PodLogs, instance or Integration.
    Unselected = "unselected", Differs;
    /// An object is of a version that the aggregator does not serve.
    UnservedVersion = "unserved-version", Differs;
    /// Nothing in the pod sets a variable that the agent replaces.
    UnsetVariable = "unset-variable", Differs;
    /// Probes of an agent with several shards: each shard probes all of them.
    UnshardedProbe = "unsharded-probe", Works;
    /// The buckets of a histogram are not in ascending order.
    UnsortedBuckets = "unsorted-buckets", Differs;
    /// The preferred version of a group promises less than another one.
    UnstablePreferredVersion = "unstable-preferred-version", Unwise;
    /// A string is not one of those that its field allows.
    UnsupportedValue = "unsupported-value", Refused;
    /// An annotation allows a code for which its resource has no finding.
    UnusedAllowance = "unused-allowance", Unwise;
    /// No APIService leads to an ExternalName.
    UnusedExternalName = "unused-external-name", Works;
    /// A flag of the command line changes nothing for the input.
    UnusedFlag = "unused-flag", Unwise;
    /// A setting of the repository may hide mistakes from a check that denies warnings.
    WeakenedCheck = "weakened-check", Refused;
    /// A value is of another type than its field, such as an unquoted `yes` where a string belongs.
    WrongType = "wrong-type", Refused;
    /// An alias refers to no anchor, or to one that contains it.
    YamlAlias = "yaml-alias", Refused;
    /// A mapping key has no form in JSON.
    YamlKey = "yaml-key", Refused;
    /// A text is too large, too deep, or its aliases expand too far.
    YamlLimit = "yaml-limit", Refused;
    /// A text has a character that YAML 1.1 takes for a line break, and YAML 1.2 does not.
    YamlLineBreak = "yaml-line-break", Refused;
    /// A merge key refers to something that is not a mapping.
    YamlMerge = "yaml-merge", Refused;
    /// A scalar has no form in JSON, or does not fit its tag.
    YamlScalar = "yaml-scalar", Refused;
    /// The text is not YAML.
    YamlSyntax = "yaml-syntax", Refused;
}

impl Code {
    /// The default severity.
    pub fn severity(self) -> Severity {
        self.consequence().severity()
    }

    /// Whether the operator renders it all the same, and Kubernetes or the agent refuses it later: an error of `check`, but a
    /// warning of `render`.
    pub fn fails_at_runtime(self) -> bool {
        self.consequence() == Consequence::Fails
    }

    /// The code of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Whether there is a finding with this code that can be allowed or made a warning. An error that is not late cannot:
    /// what it is about is left out, so that without the error too little would be written. A missing object is one only
    /// where the operator needs its value.
    pub fn can_be_lowered(self) -> bool {
        let can_be_milder = matches!(self, Code::MissingConfigMap | Code::MissingSecret);
        self.severity() < Severity::Error || self.fails_at_runtime() || can_be_milder
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
    fn what_becomes_of_mistakes() {
        for (code, consequence, severity, can_be_lowered) in [
            (Code::UnshardedProbe, Consequence::Works, Severity::Note, true),
            (Code::Unselected, Consequence::Differs, Severity::Warning, true),
            (Code::TimeoutAboveInterval, Consequence::Fails, Severity::Error, true),
            (Code::YamlSyntax, Consequence::Refused, Severity::Error, false),
            (Code::MissingSecret, Consequence::Refused, Severity::Error, true),
            (Code::MissingConfigMap, Consequence::Refused, Severity::Error, true),
        ] {
            assert_eq!((code.consequence(), code.severity()), (consequence, severity), "{code}");
            assert_eq!(code.fails_at_runtime(), consequence == Consequence::Fails, "{code}");
            assert_eq!(code.can_be_lowered(), can_be_lowered, "{code}");
            assert_eq!(Code::parse(code.as_str()), Some(code));
        }
        assert_eq!(Code::parse("Unselected"), None);
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
