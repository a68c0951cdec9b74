//! The integrations of the agent v0.44.8 with `-enable-features=integrations-next`, which the operator switches on: what
//! `static/integrations/v2` registers itself, and the older ones that are registered there under new names.

use crate::diagnostic::suggest::closest;

/// Number of times that an integration may be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicity {
    /// Once an agent (`TypeSingleton`).
    Singleton,
    /// Any number of times (`TypeMultiplex`).
    Multiplex,
}

use Multiplicity::{Multiplex, Singleton};

/// The keys of every integration except `eventhandler` (`common.MetricsConfig`).
const COMMON: &str = "autoscrape autoscrape.enable autoscrape.metric_relabel_configs autoscrape.metrics_instance \
                      autoscrape.relabel_configs autoscrape.scrape_interval autoscrape.scrape_timeout extra_labels instance";

/// Names without the suffix `_configs` that the operator appends, and the YAML keys of each `Config`; both sorted. A nested key is
/// written `outer.inner`, also inside lists. Below a key without nested keys here, everything is allowed.
const CATALOGUE: [(&str, Multiplicity, &str); 28] = [
    ("agent", Singleton, ""),
    ("apache_http", Multiplex, "host_override insecure scrape_uri"),
    (
        "app_agent_receiver",
        Multiplex,
        "logs_instance logs_labels logs_send_timeout server server.api_key server.cors_allowed_origins \
         server.host server.max_allowed_payload_size server.port server.rate_limiting \
         server.rate_limiting.burstiness server.rate_limiting.enabled server.rate_limiting.rps sourcemaps \
         sourcemaps.download sourcemaps.download_origins sourcemaps.download_timeout sourcemaps.filesystem \
         sourcemaps.filesystem.minified_path_prefix sourcemaps.filesystem.path traces_instance",
    ),
    (
        "azure",
        Multiplex,
        "azure_cloud_environment included_dimensions included_resource_tags metric_aggregations \
         metric_help_template metric_name_template metric_namespace metrics regions \
         resource_graph_query_filter resource_type subscriptions timespan validate_dimensions",
    ),
    (
        "blackbox",
        Singleton,
        "blackbox_config blackbox_targets blackbox_targets.address blackbox_targets.module \
         blackbox_targets.name config_file probe_timeout_offset",
    ),
    (
        "cadvisor",
        Singleton,
        "allowlisted_container_labels containerd containerd_namespace disable_root_cgroup_stats \
         disabled_metrics docker docker_only docker_tls docker_tls_ca docker_tls_cert docker_tls_key \
         enabled_metrics env_metadata_allowlist perf_events_config raw_cgroup_prefix_allowlist \
         resctrl_interval storage_duration store_container_labels",
    ),
    (
        "cloudwatch",
        Multiplex,
        "debug decoupled_scraping decoupled_scraping.enabled decoupled_scraping.scrape_interval discovery \
         discovery.exported_tags discovery.jobs discovery.jobs.custom_tags discovery.jobs.custom_tags.key \
         discovery.jobs.custom_tags.value discovery.jobs.dimension_name_requirements discovery.jobs.metrics \
         discovery.jobs.metrics.length discovery.jobs.metrics.name discovery.jobs.metrics.nil_to_zero \
         discovery.jobs.metrics.period discovery.jobs.metrics.statistics discovery.jobs.nil_to_zero \
         discovery.jobs.regions discovery.jobs.roles discovery.jobs.roles.external_id \
         discovery.jobs.roles.role_arn discovery.jobs.search_tags discovery.jobs.search_tags.key \
         discovery.jobs.search_tags.value discovery.jobs.type fips_disabled static static.custom_tags \
         static.custom_tags.key static.custom_tags.value static.dimensions static.dimensions.name \
         static.dimensions.value static.metrics static.metrics.length static.metrics.name \
         static.metrics.nil_to_zero static.metrics.period static.metrics.statistics static.name \
         static.namespace static.nil_to_zero static.regions static.roles static.roles.external_id \
         static.roles.role_arn sts_region",
    ),
    (
        "consul",
        Multiplex,
        "allow_stale ca_file cert_file concurrent_request_limit generate_health_summary insecure_skip_verify \
         key_file kv_filter kv_prefix require_consistent server server_name timeout",
    ),
    ("dnsmasq", Multiplex, "dnsmasq_address expose_leases leases_path"),
    (
        "elasticsearch",
        Multiplex,
        "address aliases all basic_auth ca client_cert client_private_key cluster_settings \
         clusterinfo_interval data_stream indices indices_settings node shards slm snapshots ssl_skip_verify \
         timeout",
    ),
    (
        "eventhandler",
        Singleton,
        "cache_path extra_labels flush_interval informer_resync instance kubeconfig_path log_format \
         logs_instance namespace send_timeout",
    ),
    (
        "gcp",
        Multiplex,
        "drop_delegated_projects extra_filters gcp_client_timeout ingest_delay metrics_prefixes project_ids \
         request_interval request_offset",
    ),
    (
        "github",
        Multiplex,
        "api_token api_token_file api_url organizations repositories users",
    ),
    (
        "kafka",
        Multiplex,
        "allow_auto_topic_creation allow_concurrency ca_file cert_file groups_exclude_regex \
         groups_filter_regex gssapi_kerberos_auth_type gssapi_kerberos_config_path gssapi_key_tab_path \
         gssapi_realm gssapi_service_name insecure_skip_verify instance kafka_cluster_name kafka_uris \
         kafka_version key_file max_offsets metadata_refresh_interval offset_show_all prune_interval_seconds \
         sasl_disable_pafx_fast sasl_mechanism sasl_password sasl_username tls_server_name topic_workers \
         topics_exclude_regex topics_filter_regex use_sasl use_sasl_handshake use_tls use_zookeeper_lag \
         zookeeper_uris",
    ),
    ("memcached", Multiplex, "memcached_address timeout tls_config"),
    (
        "mongodb",
        Multiplex,
        "direct_connect discovering_mode mongodb_uri tls_basic_auth_config_path",
    ),
    (
        "mssql",
        Multiplex,
        "connection_string max_idle_connections max_open_connections query_config timeout",
    ),
    (
        "mysql",
        Multiplex,
        "data_source_name disable_collectors enable_collectors heartbeat_database heartbeat_table \
         heartbeat_utc info_schema_processlist_min_time info_schema_processlist_processes_by_host \
         info_schema_processlist_processes_by_user info_schema_tables_databases lock_wait_timeout \
         log_slow_filter mysql_user_privileges perf_schema_eventsstatements_digtext_text_limit \
         perf_schema_eventsstatements_limit perf_schema_eventsstatements_time_limit \
         perf_schema_file_instances_filter perf_schema_file_instances_remove_prefix \
         perf_schema_memory_events_remove_prefix set_collectors",
    ),
    (
        "node_exporter",
        Singleton,
        "cpu_bugs_include cpu_flags_include disable_collectors diskstats_device_exclude \
         diskstats_device_include diskstats_ignored_devices enable_bcache_priority_stats enable_collectors \
         enable_cpu_guest_seconds_metric enable_cpu_info_metric ethtool_device_exclude ethtool_device_include \
         ethtool_metrics_include filesystem_fs_types_exclude filesystem_ignored_fs_types \
         filesystem_ignored_mount_points filesystem_mount_points_exclude filesystem_mount_timeout \
         include_exporter_metrics ipvs_backend_labels netclass_ignore_invalid_speed_device \
         netclass_ignored_devices netdev_address_info netdev_device_blacklist netdev_device_exclude \
         netdev_device_include netdev_device_whitelist netstat_fields ntp_ip_ttl ntp_local_offset_tolerance \
         ntp_max_distance ntp_protocol_version ntp_server ntp_server_is_local perf_cache_profilers perf_cpus \
         perf_disable_cache_profilers perf_disable_hardware_profilers perf_disable_software_profilers \
         perf_hardware_profilers perf_software_profilers perf_tracepoint powersupply_ignored_supplies \
         procfs_path rootfs_path runit_service_dir set_collectors supervisord_url sysctl_include \
         sysctl_include_info sysfs_path systemd_enable_restarts_metrics systemd_enable_start_time_metrics \
         systemd_enable_task_metrics systemd_unit_blacklist systemd_unit_exclude systemd_unit_include \
         systemd_unit_whitelist tapestats_ignored_devices textfile_directory udev_data_path vmstat_fields",
    ),
    (
        "oracledb",
        Multiplex,
        "connection_string max_idle_connections max_open_connections query_timeout",
    ),
    (
        "postgres",
        Multiplex,
        "autodiscover_databases data_source_names disable_default_metrics disable_settings_metrics \
         enabledcollectors exclude_databases include_databases instance query_path",
    ),
    (
        "process",
        Singleton,
        "gather_smaps process_names procfs_path recheck_on_scrape track_children track_threads",
    ),
    (
        "redis",
        Multiplex,
        "check_key_groups check_key_groups_batch_size check_keys check_single_keys check_single_streams \
         check_streams config_command connection_timeout count_keys export_client_list export_client_port \
         export_key_values incl_system_metrics include_exporter_metrics is_cluster is_tile38 \
         max_distinct_key_groups namespace ping_on_connect redis_addr redis_metrics_only redis_password \
         redis_password_file redis_password_map_file redis_user script_path set_client_name \
         skip_tls_verification tls_ca_cert_file tls_client_cert_file tls_client_key_file",
    ),
    (
        "snmp",
        Singleton,
        "config_file snmp_config snmp_targets snmp_targets.address snmp_targets.auth snmp_targets.module \
         snmp_targets.name snmp_targets.snmp_context snmp_targets.walk_params walk_params",
    ),
    ("snowflake", Multiplex, "account_name password role username warehouse"),
    ("squid", Multiplex, "address host password port username"),
    (
        "statsd",
        Singleton,
        "cache_size cache_type event_flush_interval event_flush_threshold event_queue_size listen_tcp \
         listen_udp listen_unixgram mapping_config parse_dogstatsd_tags parse_influxdb_tags \
         parse_librato_tags parse_signalfx_tags read_buffer relay_addr relay_packet_length unix_socket_mode",
    ),
    (
        "vsphere",
        Multiplex,
        "collect_concurrency discovery_interval enable_exporter_metrics request_chunk_size vsphere_password \
         vsphere_url vsphere_user",
    ),
];

/// Other names that people know an integration by, without `_exporter`.
const ALIASES: [(&str, &str); 9] = [
    ("apache", "apache_http"),
    ("faro", "app_agent_receiver"),
    ("kubernetes_events", "eventhandler"),
    ("mongo", "mongodb"),
    ("mysqld", "mysql"),
    ("node", "node_exporter"),
    ("oracle", "oracledb"),
    ("postgresql", "postgres"),
    ("vmware", "vsphere"),
];

/// All names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|(name, ..)| *name)
}

/// Number of times that the integration of this name may be configured; `None` if there is no such integration.
pub fn multiplicity(name: &str) -> Option<Multiplicity> {
    let entry = CATALOGUE.iter().find(|(other, ..)| *other == name);
    entry.map(|(_, multiplicity, _)| *multiplicity)
}

/// The keys of the integration of this name; `None` if there is none.
pub fn keys(name: &str) -> Option<Vec<&'static str>> {
    let (_, _, own) = CATALOGUE.iter().find(|(other, ..)| *other == name)?;
    let common = if name == "eventhandler" { "" } else { COMMON };
    Some(own.split_whitespace().chain(common.split_whitespace()).collect())
}

/// The keys that an integration does not start without, sorted by its name (its `New` or `Validate`).
const REQUIRED: [(&str, &[&str]); 6] = [
    ("gcp", &["project_ids", "metrics_prefixes"]),
    ("kafka", &["kafka_uris"]),
    ("mssql", &["connection_string"]),
    ("oracledb", &["connection_string"]),
    ("redis", &["redis_addr"]),
    ("squid", &["address"]),
];

/// The keys that an integration does not start without.
pub fn required(name: &str) -> &'static [&'static str] {
    let found = REQUIRED.iter().find(|(other, _)| *other == name);
    found.map_or(&[], |(_, keys)| keys)
}

/// The name that somebody most likely meant.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.strip_suffix("_configs").unwrap_or(&name);
    let known = |name: &str| names().find(|other| *other == name);
    let short = name.strip_suffix("_exporter").unwrap_or(name);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == short).map(|(_, name)| *name);
    known(name)
        .or_else(|| known(short))
        .or_else(alias)
        .or_else(|| closest(name, names()))
        .or_else(|| closest(short, names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        let names: Vec<_> = names().collect();
        assert!(names.is_sorted());
    }

    #[test]
    fn required_keys_are_known() {
        for (name, required) in REQUIRED {
            let known = keys(name).unwrap();
            assert!(required.iter().all(|key| known.contains(key)), "{name}");
        }
    }

    #[test]
    fn aliases_lead_to_names() {
        for (alias, name) in ALIASES {
            assert!(multiplicity(name).is_some(), "{name}");
            assert!(multiplicity(alias).is_none(), "{alias}");
        }
    }

    #[test]
    fn what_was_meant() {
        for (name, expected) in [
            ("mysqld_exporter", Some("mysql")),
            ("process_exporter", Some("process")),
            ("vmware_exporter", Some("vsphere")),
            ("redis_configs", Some("redis")),
            ("node-exporter", Some("node_exporter")),
            ("Postgres", Some("postgres")),
            ("postgers", Some("postgres")),
            ("windows_exporter", None),
            ("", None),
        ] {
            assert_eq!(suggestion(name), expected, "{name}");
        }
    }

    #[test]
    fn keys_are_sorted_and_have_their_outer_ones() {
        for (name, _, keys) in CATALOGUE {
            let keys: Vec<_> = keys.split_whitespace().collect();
            assert!(keys.is_sorted(), "{name}");
            for (outer, _) in keys.iter().filter_map(|key| key.rsplit_once('.')) {
                assert!(keys.contains(&outer), "{name}: {outer}");
            }
        }
    }
}
