//! Table of codes and the consequences that determine their severities.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $consequence:ident;)+) => {
        /// Stable name of a rule. The table is sorted by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// All codes, sorted by name.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// Returns the name used on the command line and in output.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// Returns the consequence of the mistake.
            pub fn consequence(self) -> Consequence {
                match self { $(Code::$variant => Consequence::$consequence,)+ }
            }

            /// Returns the Markdown page about the rule: the summary, details, why this matters, and how to fix it,
            /// with an example as a diff.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("explain/", $name, ".md")),)+ }
            }

            /// Returns a one-sentence summary of the rule.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

/// Consequence of a mistake, which determines the severity of its code. docs/settings.md has the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Consequence {
    /// Everything works; the finding is informational.
    Works,
    /// Everything works for now, but something else is recommended.
    Unwise,
    /// The result runs, but not as written: something is ignored, collected twice or not collected at all.
    Differs,
    /// The operator renders the input, but Kubernetes, the agent or Alloy rejects the result or fails on it.
    Fails,
    /// agentctl, the API server or the operator rejects the input, and nothing is rendered.
    Rejected,
}

impl Consequence {
    /// All consequences, from the least to the most severe.
    pub const ALL: [Self; 5] = [Self::Works, Self::Unwise, Self::Differs, Self::Fails, Self::Rejected];

    /// Returns the severity of findings with this consequence.
    pub fn severity(self) -> Severity {
        match self {
            Self::Works => Severity::Note,
            Self::Unwise | Self::Differs => Severity::Warning,
            Self::Fails | Self::Rejected => Severity::Error,
        }
    }

    /// Returns the description used in the documentation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Works => "everything works",
            Self::Unwise => "everything works for now, but a change is recommended",
            Self::Differs => "it runs, but not as written",
            Self::Fails => "the operator renders it, but Kubernetes, the agent or Alloy rejects it or fails on it",
            Self::Rejected => "agentctl, the API server or the operator rejects it",
        }
    }
}

codes! {
    /// Alloy does not use the agent's image.
    AgentImage = "agent-image", Works;
    /// Several resources have the requested name.
    AmbiguousResource = "ambiguous-resource", Rejected;
    /// An APIService's name does not match its version and group.
    ApiServiceName = "api-service-name", Rejected;
    /// An APIService delegates a built-in Kubernetes API group to another server.
    BuiltInGroup = "built-in-group", Unwise;
    /// All certificates in an APIService's CA bundle have expired.
    CaBundleExpired = "ca-bundle-expired", Fails;
    /// A certificate in an APIService's CA bundle expires within 30 days, or one of several has already expired.
    CaBundleExpiresSoon = "ca-bundle-expires-soon", Unwise;
    /// Alloy counts a scrape's samples before rules drop any of them.
    ChangedCounter = "changed-counter", Differs;
    /// Alloy and the agent set different labels on the metrics of an integration.
    ChangedLabel = "changed-label", Differs;
    /// Alloy scrapes a target or sends a series that the agent does not.
    ChangedScrape = "changed-scrape", Differs;
    /// Discovery finds the same target or log file twice for one instance.
    CollectedTwice = "collected-twice", Differs;
    /// Two values have the same key in `<agent>-secrets`.
    CollidingSecretKeys = "colliding-secret-keys", Rejected;
    /// A client is configured with two kinds of authentication, such as `basicAuth` and a bearer token.
    ConflictingAuthentication = "conflicting-authentication", Fails;
    /// A relabeling rule sets a field that cannot be combined with its action.
    ConflictingRelabeling = "conflicting-relabeling", Fails;
    /// An APIService sets both a CA bundle and the insecure flag, or sets either of them without a Service.
    ConflictingTrust = "conflicting-trust", Rejected;
    /// A credential contains text such as `${NAME}` that the agent expands as an environment variable.
    CredentialExpanded = "credential-expanded", Differs;
    /// The operator cannot decode a value that the API server accepts.
    DecodeFailed = "decode-failed", Rejected;
    /// A pipeline stage, or a key in a map, has no value and is dropped.
    DroppedKey = "dropped-key", Differs;
    /// A mount of an Integration is dropped because another one has the same path or volume.
    DroppedMount = "dropped-mount", Differs;
    /// A relabeling rule drops every target of a job.
    DropsEveryTarget = "drops-every-target", Differs;
    /// A relabeling rule or pipeline stage drops everything.
    DropsEverything = "drops-everything", Differs;
    /// Two APIServices have the same group and version.
    DuplicateGroupVersion = "duplicate-group-version", Rejected;
    /// An integration that an agent can run only once is configured twice.
    DuplicateIntegration = "duplicate-integration", Fails;
    /// Two items in a list have the same key, which must be unique.
    DuplicateItem = "duplicate-item", Rejected;
    /// Two scrape jobs that run in the same agent have the same name.
    DuplicateJob = "duplicate-job", Fails;
    /// A mapping contains the same key twice.
    DuplicateKey = "duplicate-key", Rejected;
    /// Two agents would write the same object.
    DuplicateObject = "duplicate-object", Rejected;
    /// An instance has two receivers that the agent cannot distinguish.
    DuplicateReceiver = "duplicate-receiver", Fails;
    /// The same resource is defined twice.
    DuplicateResource = "duplicate-resource", Rejected;
    /// The same agent scrapes the same targets, or reads the same logs, twice.
    DuplicateScrape = "duplicate-scrape", Differs;
    /// Alloy applies a sample limit before metric relabeling, not after it.
    EarlyLimit = "early-limit", Differs;
    /// The input to `check` contains no resources of a kind that agentctl reads.
    EmptyCheck = "empty-check", Rejected;
    /// A `labelmap` rule copies labels to an empty name.
    EmptyLabelName = "empty-label-name", Fails;
    /// A required reference does not name a Secret or ConfigMap.
    EmptyReference = "empty-reference", Rejected;
    /// There is nothing to render.
    EmptyRender = "empty-render", Rejected;
    /// A receiver's URL is empty.
    EmptyUrl = "empty-url", Differs;
    /// A value that a field refers to is still encrypted with SOPS.
    EncryptedValue = "encrypted-value", Rejected;
    /// The client certificate, or every CA certificate, in a `tlsConfig` has expired.
    ExpiredCertificate = "expired-certificate", Fails;
    /// A relabeling rule removes or overwrites a label that scrapes need.
    FailingScrape = "failing-scrape", Fails;
    /// A ServiceMonitor refers to files although the agent denies file access.
    FileSystemAccessDenied = "file-system-access-denied", Differs;
    /// Alloy does not scrape finished pods, but the agent does.
    FinishedPods = "finished-pods", Differs;
    /// A pod that has finished is still scraped.
    FinishedTarget = "finished-target", Differs;
    /// A setting or annotation lowers the severity of a code that must stay an error.
    FixedSeverity = "fixed-severity", Rejected;
    /// Alloy applies a monitor's field that the operator ignores.
    FollowedField = "followed-field", Works;
    /// Alloy cannot select namespaces by label, so the configuration lists those that have the labels when you render.
    FrozenNamespaces = "frozen-namespaces", Differs;
    /// A GitOps controller cannot build a path.
    GitopsBuild = "gitops-build", Rejected;
    /// Two builds of a cluster apply different versions of an object.
    GitopsOwner = "gitops-owner", Rejected;
    /// The path of a Flux Kustomization or an Application does not exist.
    GitopsPath = "gitops-path", Rejected;
    /// A string becomes another type when Flux replaces its variables.
    GitopsRetyped = "gitops-retyped", Rejected;
    /// A selector depends on labels that Flux sets.
    GitopsSelector = "gitops-selector", Differs;
    /// A file contains resources of the operator but belongs to no cluster.
    GitopsUnreached = "gitops-unreached", Works;
    /// An entry point includes objects that agentctl does not read.
    GitopsUnread = "gitops-unread", Works;
    /// The variables of a Flux Kustomization cannot be substituted.
    GitopsVariable = "gitops-variable", Rejected;
    /// An Integration collects nothing.
    IdleIntegration = "idle-integration", Differs;
    /// A YAML string contains more than one document, but only the first is used.
    IgnoredDocument = "ignored-document", Differs;
    /// The API server accepts a field that the operator ignores.
    IgnoredField = "ignored-field", Differs;
    /// An Integration's configuration contains a key that the agent ignores.
    IgnoredIntegrationKey = "ignored-integration-key", Differs;
    /// A client lacks part of its credentials.
    IncompleteAuthentication = "incomplete-authentication", Fails;
    /// A client has a certificate without a key, or a key without a certificate.
    IncompleteCertificate = "incomplete-certificate", Fails;
    /// A relabeling rule lacks a field that its action requires, such as `modulus` for `hashmod`.
    IncompleteRelabeling = "incomplete-relabeling", Fails;
    /// A relabeling rule or pipeline stage has no effect.
    IneffectiveRule = "ineffective-rule", Differs;
    /// The agent's configuration needs a value that agentctl is not allowed to render.
    InlinedSecret = "inlined-secret", Rejected;
    /// A number does not fit into the operator's 32-bit field.
    IntegerOutOfRange = "integer-out-of-range", Rejected;
    /// An integration runs on every node or on a single node, although it is not designed for that.
    IntegrationPlacement = "integration-placement", Differs;
    /// A value in an Integration's configuration does not have the type that the agent expects.
    IntegrationType = "integration-type", Fails;
    /// The scrape interval is longer than the truncation interval of the write-ahead log.
    IntervalAboveTruncation = "interval-above-truncation", Fails;
    /// A value in a Secret's `data` or a ConfigMap's `binaryData` is not valid base64.
    InvalidBase64 = "invalid-base64", Rejected;
    /// A histogram bucket is not a number.
    InvalidBucket = "invalid-bucket", Rejected;
    /// An APIService's CA bundle does not contain any usable certificates.
    InvalidCaBundle = "invalid-ca-bundle", Differs;
    /// A client certificate or key cannot be read.
    InvalidCertificate = "invalid-certificate", Fails;
    /// A volume claim is not valid.
    InvalidClaim = "invalid-claim", Fails;
    /// A container is not valid.
    InvalidContainer = "invalid-container", Fails;
    /// A container or Service port is not valid.
    InvalidContainerPort = "invalid-container-port", Fails;
    /// A container's probe or lifecycle hook is not valid.
    InvalidContainerProbe = "invalid-container-probe", Fails;
    /// A key in a Secret or ConfigMap is not a valid file name.
    InvalidDataKey = "invalid-data-key", Rejected;
    /// Names derived from an agent's name are not valid.
    InvalidDerivedName = "invalid-derived-name", Fails;
    /// A duration is out of range, or has a form that the agent does not accept, such as `1.5s`.
    InvalidDuration = "invalid-duration", Fails;
    /// A container's environment variable is not valid.
    InvalidEnvironment = "invalid-environment", Fails;
    /// An APIService's group or version is not valid.
    InvalidGroupVersion = "invalid-group-version", Rejected;
    /// An ExternalName's host is neither a DNS name nor an address.
    InvalidHost = "invalid-host", Rejected;
    /// An image name is not valid.
    InvalidImage = "invalid-image", Fails;
    /// An Integration's configuration contains a value that the integration rejects.
    InvalidIntegration = "invalid-integration", Fails;
    /// A label, or the key of an annotation, is not valid.
    InvalidLabel = "invalid-label", Rejected;
    /// A Prometheus or Loki label name contains characters other than letters, digits and `_`.
    InvalidLabelName = "invalid-label-name", Fails;
    /// The agent does not support a log level.
    InvalidLogLevel = "invalid-log-level", Fails;
    /// The selector of a `match` stage is not a valid log stream selector.
    InvalidLogSelector = "invalid-log-selector", Fails;
    /// A field of `metadata` is not valid.
    InvalidMetadata = "invalid-metadata", Rejected;
    /// A container's mount is not valid, or its volume is missing.
    InvalidMount = "invalid-mount", Fails;
    /// A name or namespace is not valid.
    InvalidName = "invalid-name", Rejected;
    /// A parameter of a KRM function or Argo CD application is unknown or has an invalid value.
    InvalidParameter = "invalid-parameter", Rejected;
    /// A pod label or annotation is not valid.
    InvalidPodMetadata = "invalid-pod-metadata", Fails;
    /// A Namespace's Pod Security label is not valid.
    InvalidPodSecurityLabel = "invalid-pod-security-label", Fails;
    /// The Service port in an APIService is not between 1 and 65535.
    InvalidPort = "invalid-port", Rejected;
    /// A prober's address is empty, or is a URL instead of a host and port.
    InvalidProbeAddress = "invalid-probe-address", Fails;
    /// A receiver's queue has a setting that makes the agent crash.
    InvalidQueue = "invalid-queue", Fails;
    /// The name of a ServiceAccount, PriorityClass or RuntimeClass is not valid.
    InvalidReferredName = "invalid-referred-name", Fails;
    /// A regular expression is not valid in Go (RE2).
    InvalidRegex = "invalid-regex", Fails;
    /// The file of remote services is not a list.
    InvalidRemoteServices = "invalid-remote-services", Rejected;
    /// The input to a KRM function is not a valid ResourceList.
    InvalidResourceList = "invalid-resource-list", Rejected;
    /// A container's resources are not valid.
    InvalidResources = "invalid-resources", Fails;
    /// The pods' tolerations, affinity or topology spread constraints are not valid.
    InvalidScheduling = "invalid-scheduling", Fails;
    /// The YAML of additional scrape configurations is not a list.
    InvalidScrapeConfigs = "invalid-scrape-configs", Rejected;
    /// An additional scrape configuration is not valid.
    InvalidScrapeJob = "invalid-scrape-job", Fails;
    /// A Secret lacks a key that its type requires.
    InvalidSecretType = "invalid-secret-type", Rejected;
    /// A security context is not valid.
    InvalidSecurityContext = "invalid-security-context", Fails;
    /// A label selector is not valid.
    InvalidSelector = "invalid-selector", Rejected;
    /// `agentctl.yaml` has an unknown setting, or one with an invalid value.
    InvalidSettings = "invalid-settings", Rejected;
    /// A pipeline stage lacks a required field, has fields that cannot be combined, or has an invalid value.
    InvalidStage = "invalid-stage", Fails;
    /// The `stages` of a `match` stage are not a YAML list of stages.
    InvalidStages = "invalid-stages", Rejected;
    /// A list of targets contains an entry that is not a target.
    InvalidTarget = "invalid-target", Rejected;
    /// A timestamp is not in RFC 3339 format.
    InvalidTime = "invalid-time", Rejected;
    /// A URL cannot be parsed or has a scheme that the agent does not support.
    InvalidUrl = "invalid-url", Fails;
    /// A pod volume is not valid.
    InvalidVolume = "invalid-volume", Fails;
    /// The agents select more scrape jobs in total than `--limit jobs=NUMBER` allows.
    JobLimit = "job-limit", Rejected;
    /// kustomize cannot build a kustomization that `-k` refers to.
    KustomizeError = "kustomize-error", Rejected;
    /// Alloy does not send metric metadata.
    LostMetadata = "lost-metadata", Differs;
    /// Alloy behaves differently from the agent on shutdown.
    LostOnShutdown = "lost-on-shutdown", Differs;
    /// Alloy does not support one of the agent's settings.
    LostSetting = "lost-setting", Differs;
    /// A manifest cannot be generated.
    ManifestFailed = "manifest-failed", Rejected;
    /// A merge key (`<<`) overrides a key that precedes it in the mapping.
    MergeOverride = "merge-override", Differs;
    /// An unquoted key such as `on` is a boolean in YAML 1.1, so Kubernetes reads it as `true`.
    MisreadKey = "misread-key", Differs;
    /// The agent reads a string as a different string, or cannot read it.
    MisreadText = "misread-text", Fails;
    /// The agent treats `${…}` as an environment variable where none is intended, or cannot parse it.
    MisreadVariable = "misread-variable", Fails;
    /// A ConfigMap that a field refers to is not in the input.
    MissingConfigMap = "missing-config-map", Rejected;
    /// A required field is missing or `null`.
    MissingField = "missing-field", Rejected;
    /// A TLS or token file that the configuration refers to does not exist in the agent's pods.
    MissingFile = "missing-file", Fails;
    /// A relabeling rule refers to a group, such as `$1`, that its `regex` does not have.
    MissingGroup = "missing-group", Differs;
    /// An Integration's configuration lacks a key that the agent requires.
    MissingIntegrationKey = "missing-integration-key", Fails;
    /// A Secret or ConfigMap lacks the key that a field refers to.
    MissingKey = "missing-key", Rejected;
    /// A ServiceAccount lacks permissions that its agents need.
    MissingPermission = "missing-permission", Fails;
    /// A Secret that a field refers to is not in the input.
    MissingSecret = "missing-secret", Rejected;
    /// The Service that an APIService references is not in the input.
    MissingService = "missing-service", Differs;
    /// Agents need access to the API server, but their pods have no ServiceAccount token.
    MissingToken = "missing-token", Fails;
    /// A Secret or ConfigMap that the agent's pods need is not in the input.
    MissingVolumeSource = "missing-volume-source", Differs;
    /// An object is too large for client-side `kubectl apply`, which copies it into an annotation.
    NeedsServerSideApply = "needs-server-side-apply", Unwise;
    /// A pipeline stage reads a value that nothing extracts.
    NeverExtracted = "never-extracted", Differs;
    /// The selector of a `match` stage matches no line.
    NeverMatches = "never-matches", Differs;
    /// The agent looks for the logs of a static pod in the wrong directory.
    NeverRead = "never-read", Differs;
    /// A relabeling rule depends on labels that are never set.
    NeverSetLabel = "never-set-label", Differs;
    /// An agent's pods can never start.
    NeverStarts = "never-starts", Fails;
    /// Neither a LogsInstance nor its agent has clients, so the agent reads no logs for it.
    NoClients = "no-clients", Differs;
    /// An input directory contains no manifests, or standard input is empty.
    NoInput = "no-input", Rejected;
    /// The selector of a monitor, Probe or PodLogs matches no object.
    NoMatchingObject = "no-matching-object", Differs;
    /// A list of targets is empty.
    NoTargets = "no-targets", Differs;
    /// A Node has no address for the kubelet Endpoints.
    NodeWithoutAddress = "node-without-address", Rejected;
    /// Alloy writes whole numbers in the `le` and `quantile` labels as `1.0` instead of `1`.
    NormalizedLabel = "normalized-label", Differs;
    /// A document in a file that was passed explicitly is not a Kubernetes object.
    NotAnObject = "not-an-object", Rejected;
    /// Helm, Argo CD or kustomize does not leave the object in the cluster, because of an annotation.
    NotApplied = "not-applied", Works;
    /// Alloy has no component for something that the agent collects.
    NotCollected = "not-collected", Fails;
    /// The input contains a kustomization or a chart, but not its output.
    NotRendered = "not-rendered", Differs;
    /// A file is not UTF-8 text.
    NotUtf8 = "not-utf8", Rejected;
    /// An endpoint's `port` is a number instead of a port name.
    NumericPortName = "numeric-port-name", Differs;
    /// The values of a Secret or ConfigMap are larger than 1 MiB in total.
    ObjectTooLarge = "object-too-large", Rejected;
    /// The agent's image is older than v0.24.0, so it does not support a flag that the operator passes.
    OutdatedImage = "outdated-image", Fails;
    /// The output is larger than a limit allows.
    OutputLimit = "output-limit", Rejected;
    /// A symlink points outside its repository or directory, or to something that is not a file.
    OutsideLink = "outside-link", Rejected;
    /// The URL of a receiver or proxy contains a password in plain text.
    PasswordInUrl = "password-in-url", Unwise;
    /// A string does not match its field's pattern, for example that of a duration.
    PatternMismatch = "pattern-mismatch", Rejected;
    /// An agent is paused, so nothing is rendered for it.
    PausedAgent = "paused-agent", Differs;
    /// A Namespace rejects the agent's pods under the Pod Security Standards.
    PodSecurity = "pod-security", Fails;
    /// One of an APIService's priorities is out of range.
    PriorityOutOfRange = "priority-out-of-range", Rejected;
    /// A Probe has neither static targets nor ingresses.
    ProbeWithoutTargets = "probe-without-targets", Rejected;
    /// A regular expression uses syntax that was added in Go 1.22.
    RecentRegexSyntax = "recent-regex-syntax", Unwise;
    /// The agent rejects every metric relabeling rule with the action `keepequal` or `dropequal`.
    RejectedRelabelAction = "rejected-relabel-action", Fails;
    /// An address, label or rule makes the agent reject a target.
    RejectedTarget = "rejected-target", Fails;
    /// The config-reloader has no value for a variable in the configuration, and stops.
    ReloaderVariable = "reloader-variable", Fails;
    /// A kustomization refers to a remote file, a remote base, or a directory outside the repository.
    RemoteBase = "remote-base", Rejected;
    /// A rendered object replaces one that agentctl did not render.
    ReplacedObject = "replaced-object", Differs;
    /// A receiver sets a header that the agent sets itself.
    ReservedHeader = "reserved-header", Fails;
    /// An agent's Secret would exceed 1 MiB.
    SecretTooLarge = "secret-too-large", Fails;
    /// A selector in an agent or instance selects nothing.
    SelectsNothing = "selects-nothing", Differs;
    /// A Service that a monitor selects has no endpoints.
    ServiceWithoutEndpoints = "service-without-endpoints", Differs;
    /// Two agents select the same instance.
    SharedInstance = "shared-instance", Differs;
    /// A file in an input directory looks like a manifest but is not read.
    SkippedFile = "skipped-file", Differs;
    /// An endpoint without a port was probably meant to be part of another one.
    SplitItem = "split-item", Differs;
    /// Alloy cannot discover monitors itself with this agent's settings, so their pipelines stay static.
    StaticDiscovery = "static-discovery", Differs;
    /// The agents' jobs have more targets than agentctl can show.
    TargetLimit = "target-limit", Rejected;
    /// The scrape timeout is longer than the scrape interval.
    TimeoutAboveInterval = "timeout-above-interval", Fails;
    /// An agent has more shards than `--limit shards=NUMBER` allows (1000 by default).
    TooManyShards = "too-many-shards", Rejected;
    /// A string or list is shorter than its field allows.
    TooShort = "too-short", Rejected;
    /// A credential ends in a newline.
    TrailingNewline = "trailing-newline", Differs;
    /// The result depends on the labels of a Namespace that no manifest defines.
    UndescribedNamespace = "undescribed-namespace", Differs;
    /// A setting, or the annotation `agentctl.dev/allow`, refers to a code that does not exist.
    UnknownCode = "unknown-code", Rejected;
    /// A field is not in the schema of its kind, so the API server drops it.
    UnknownField = "unknown-field", Differs;
    /// An API group resembles the operator's, but is a different group.
    UnknownGroup = "unknown-group", Differs;
    /// An Integration sends to a MetricsInstance or LogsInstance that its agent does not have.
    UnknownInstance = "unknown-instance", Fails;
    /// The agent has no integration by this name.
    UnknownIntegration = "unknown-integration", Fails;
    /// An Integration's configuration contains a key that the agent does not support.
    UnknownIntegrationKey = "unknown-integration-key", Fails;
    /// A resource has a kind that its API group does not define.
    UnknownKind = "unknown-kind", Rejected;
    /// A monitor selects a namespace that is not in the input.
    UnknownNamespace = "unknown-namespace", Differs;
    /// An endpoint refers to a port that none of the selected objects have.
    UnknownPort = "unknown-port", Differs;
    /// A relabeling rule has an action that does not exist.
    UnknownRelabelAction = "unknown-relabel-action", Fails;
    /// No resource has the requested name.
    UnknownResource = "unknown-resource", Rejected;
    /// An additional scrape configuration has a field that the agent does not recognize.
    UnknownScrapeField = "unknown-scrape-field", Fails;
    /// A resource uses an API version that does not exist for one of the operator's kinds.
    UnknownVersion = "unknown-version", Rejected;
    /// The operator adds a second container instead of changing its own.
    UnmergedContainer = "unmerged-container", Differs;
    /// An Integration's configuration refers to a file that is not mounted in its pods.
    UnmountedFile = "unmounted-file", Differs;
    /// A `timestamp` stage's format cannot be parsed, or has no date.
    UnparsableTime = "unparsable-time", Differs;
    /// No request can be sent to a target's address, or with its scheme.
    UnreachableTarget = "unreachable-target", Differs;
    /// A file is a template instead of the YAML rendered from it.
    UnrenderedTemplate = "unrendered-template", Rejected;
    /// Nothing selects a monitor, PodLogs, instance or Integration.
    Unselected = "unselected", Differs;
    /// An object has a version that the aggregator does not serve.
    UnservedVersion = "unserved-version", Differs;
    /// Nothing in the pod sets a variable that the agent expands.
    UnsetVariable = "unset-variable", Differs;
    /// An agent with several shards scrapes some targets from each shard.
    UnshardedProbe = "unsharded-probe", Works;
    /// Histogram buckets are not in ascending order.
    UnsortedBuckets = "unsorted-buckets", Differs;
    /// A group's preferred version is less stable than another version.
    UnstablePreferredVersion = "unstable-preferred-version", Unwise;
    /// A string is not one of the values that its field allows.
    UnsupportedValue = "unsupported-value", Rejected;
    /// An annotation or exception allows a code that is not reported.
    UnusedAllowance = "unused-allowance", Unwise;
    /// No APIService refers to an ExternalName.
    UnusedExternalName = "unused-external-name", Works;
    /// A command-line flag has no effect on the input.
    UnusedFlag = "unused-flag", Unwise;
    /// TLS settings have no effect, because the client connects with http.
    UnusedTls = "unused-tls", Works;
    /// A setting in the repository may hide mistakes from a check that denies warnings.
    WeakenedCheck = "weakened-check", Rejected;
    /// A stage cannot parse the lines that the container runtime writes.
    WrongFormat = "wrong-format", Differs;
    /// A receiver's URL has a path that accepts no data.
    WrongPath = "wrong-path", Differs;
    /// The server name of an endpoint belongs to a Service that is not in the input.
    WrongServerName = "wrong-server-name", Differs;
    /// A value does not have the type that its field requires.
    WrongType = "wrong-type", Rejected;
    /// An alias does not refer to an anchor, or refers to one that contains it.
    YamlAlias = "yaml-alias", Rejected;
    /// A mapping key cannot be represented in JSON.
    YamlKey = "yaml-key", Rejected;
    /// A YAML document or file is too large or too deeply nested, or its aliases expand too far.
    YamlLimit = "yaml-limit", Rejected;
    /// YAML contains a character that is a line break in YAML 1.1, but not in YAML 1.2.
    YamlLineBreak = "yaml-line-break", Rejected;
    /// The value of a merge key (`<<`) is not a mapping.
    YamlMerge = "yaml-merge", Rejected;
    /// A scalar cannot be represented in JSON or does not match its tag.
    YamlScalar = "yaml-scalar", Rejected;
    /// A file or string is not valid YAML.
    YamlSyntax = "yaml-syntax", Rejected;
}

impl Code {
    /// Returns the default severity.
    pub fn severity(self) -> Severity {
        self.consequence().severity()
    }

    /// Whether the operator renders the input, but Kubernetes or the agent rejects the result. This is an error for
    /// `check`, but a warning for `render`.
    pub fn fails_at_runtime(self) -> bool {
        self.consequence() == Consequence::Fails
    }

    /// Whether findings with this code are about YAML syntax rather than its meaning.
    pub fn is_of_yaml(self) -> bool {
        use Code::{
            DuplicateKey, MergeOverride, UnrenderedTemplate, YamlAlias, YamlKey, YamlMerge, YamlScalar, YamlSyntax,
        };
        matches!(
            self,
            DuplicateKey
                | MergeOverride
                | UnrenderedTemplate
                | YamlAlias
                | YamlKey
                | YamlMerge
                | YamlScalar
                | YamlSyntax
        )
    }

    /// Returns the code with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Whether findings with this code may be allowed or lowered to warnings. Errors that occur before runtime may not,
    /// because the resource is excluded and the output would be incomplete. For missing objects, this applies only if
    /// the operator needs their values.
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

/// Severity of a finding, from lowest to highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The finding is informational.
    Note,
    /// The input is rendered, but probably does not work as intended.
    Warning,
    /// Nothing is rendered.
    Error,
}

impl Severity {
    /// Returns the name used in all formats.
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
    fn code_names_are_sorted_and_unique() {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }

    #[test]
    fn consequences_determine_severities() {
        for (code, consequence, severity, can_be_lowered) in [
            (Code::UnshardedProbe, Consequence::Works, Severity::Note, true),
            (Code::Unselected, Consequence::Differs, Severity::Warning, true),
            (Code::TimeoutAboveInterval, Consequence::Fails, Severity::Error, true),
            (Code::YamlSyntax, Consequence::Rejected, Severity::Error, false),
            (Code::MissingSecret, Consequence::Rejected, Severity::Error, true),
            (Code::MissingConfigMap, Consequence::Rejected, Severity::Error, true),
        ] {
            assert_eq!((code.consequence(), code.severity()), (consequence, severity), "{code}");
            assert_eq!(code.fails_at_runtime(), consequence == Consequence::Fails, "{code}");
            assert_eq!(code.can_be_lowered(), can_be_lowered, "{code}");
            assert_eq!(Code::parse(code.as_str()), Some(code));
        }
        assert_eq!(Code::parse("Unselected"), None);
    }

    #[test]
    fn code_names_are_lowercase_words() {
        for code in Code::ALL {
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit()), "{code}");
            assert!(!code.summary().is_empty(), "{code}");
        }
    }
}
