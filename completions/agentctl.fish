# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_agentctl_global_optspecs
    string join \n message-format= v/verbose max-findings= q/quiet color= V/version settings= no-settings trust-settings h/help
end

function __fish_agentctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_agentctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_agentctl_using_subcommand
    set -l cmd (__fish_agentctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c agentctl -n "__fish_agentctl_needs_command" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_needs_command" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_needs_command" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_needs_command" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_needs_command" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_needs_command" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_needs_command" -s V -l version -d 'Print version'
complete -c agentctl -n "__fish_agentctl_needs_command" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_needs_command" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "render" -d 'Write the manifests that the operator would create'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "check" -d 'Find every mistake in the resources without writing manifests'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "build" -d 'Write the objects that a cluster receives'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "diff" -d 'Show what applying the rendered manifests would change'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "tree" -d 'Show what belongs to each agent, down to the keys of Secrets'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "why" -d 'Explain why a resource is or is not selected'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "config" -d 'Print an agent\'s configuration, or show where its parts come from'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "shards" -d 'Show each target\'s shard, and which targets resharding moves'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "targets" -d 'Show the agents\' targets with their labels'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "rbac" -d 'Write the RBAC objects that the agents need'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "affected" -d 'Show which agents and objects a change affects'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "aggregate" -d 'Compile APIServices and ExternalNames for Grafana\'s aggregator'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "krm" -d 'Render as a KRM function for kustomize or kpt'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "exec-plugin" -d 'Render as a kustomize exec plugin'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "argocd" -d 'Render as an Argo CD config management plugin'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "lsp" -d 'Show findings and fixes in an editor as you type'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "explain" -d 'Explain a finding\'s code or a flag, or list all codes'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "init" -d 'Write an agentctl.yaml with a comment for every setting'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "schema" -d 'Write JSON Schemas for editors, or the CustomResourceDefinitions'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "completions" -d 'Write a completion script for a shell'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "man" -d 'Write the manual page, or all pages to a directory'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "version" -d 'Show the versions of agentctl, the operator and Alloy'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s o -l output -d 'Format of the manifests: yaml|json|name' -r -f -a "yaml\t'One YAML document per object, as `kubectl get -o yaml` writes it'
json\t'One `List`, as `kubectl get -o json` writes it'
name\t'Only the names, one per line, as `kubectl get -o name` writes them'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l output-dir -d 'Write one file per object to this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l allow-empty -d 'Succeed even if nothing is rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l strict -d 'Fail if Kubernetes or the agent would reject the result, as `check` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l with-rbac -d 'Also write the RBAC objects that the agents need, as `agentctl rbac` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l owner-references -d 'Add ownerReferences that point to GrafanaAgents with a metadata.uid'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l no-sync -d 'Do not sync --output-dir to disk: faster, but a power failure can lose files'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l prune -d 'Remove files that are no longer rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l check -d 'Only show changes; exit with 1 if there are any'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l watch -d 'Watch the inputs and render again when they change'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l pass-through -d 'Also write objects of kinds that agentctl does not compile'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s o -l output -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l output-file -d 'Write the findings to this file' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l at -d 'Check that the CA bundles of APIServices are valid at this time' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l allow-empty -d 'Succeed even if there is nothing to check'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l fix -d 'Apply fixes that are certain'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l diff -d 'Show what --fix would change'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l statistics -d 'Show the number of findings for each code instead of the findings'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l watch -d 'Watch the inputs and check again when they change'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l each -d 'Check each PATH separately, for example clusters/*'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s o -l output -d 'Format of the objects' -r -f -a "yaml\t'One YAML document per object'
json\t'One List'"
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l origins -d 'Also show where each object comes from'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand build" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l against -d 'File, directory or - to compare with' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l since -d 'Compare with this git revision, and show a plan' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s o -l output -d 'Format of the differences: text|json|markdown' -r -f -a "text\t'Human-readable text'
json\t'JSON for scripts'
markdown\t'A comment for a pull request: the plan, with the differences folded'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l context -d 'Lines of context around each difference' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l full -d 'Show all differing jobs, not only the first 100'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l show-secrets -d 'Show secret values'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l with-rbac -d 'Also compare the ServiceAccounts, roles and bindings that `render --with-rbac` writes'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l owner-references -d 'Render and compare ownerReferences that point to GrafanaAgents with a metadata.uid'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l allow-empty -d 'Succeed even if nothing is rendered and everything would be removed'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand diff" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s o -l output -d 'Format of the tree: text|json|mermaid|html' -r -f -a "text\t'Indented lines'
json\t'One JSON object'
mermaid\t'A flowchart for Markdown'
html\t'A page that works offline, with folding, search, filters, sources and scrape jobs'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l problems -d 'Show only entries with problems'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand tree" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s o -l output -d 'Output format: text|json|patch' -r -f -a "text\t'Human-readable text'
json\t'One object with all answers'
patch\t'Only the merge patches, as YAML, for resources that no agent selects'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l exit-code -d 'Exit with 1 if no agent selects a resource'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand why" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l type -d 'Type of configuration to print' -r -f -a "metrics\t'For the StatefulSets that scrape metrics'
logs\t'For the DaemonSet that reads logs'
integrations\t'For integrations: in the Deployment if there is one, otherwise in the DaemonSet'
integrations-deploy\t'For integrations in the Deployment'
integrations-ds\t'For integrations in the DaemonSet, on all nodes'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s o -l output -d 'Output format' -r -f -a "text\t'The configuration, or a table of the parts that --line or --of finds'
json\t'Origins of all parts, as one object'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l line -d 'Show where this line of the configuration comes from' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l of -d 'Show what comes from a FILE:LINE, path or resource' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l source-map -d 'Add comments that show where each part comes from'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l show-secrets -d 'Show secret values'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand config" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l shards -d 'Number of shards, instead of spec.metrics.shards' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l to -d 'Compare with this number of shards' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l targets -d 'File with the targets, or - for standard input' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l series -d 'Number of series for targets listed without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s o -l output -d 'Output format: text|list|json' -r -f -a "text\t'Plot of the balance, and the targets that move'
list\t'One line per target: its shard and address, and its new shard with --to'
json\t'[{"target": "…", "shard": 0}] in input order; with --to, also "to"'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand shards" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l job -d 'Show only this job; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l monitor -d 'Show only jobs of this monitor, Probe or PodLogs' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l explain -d 'Show what each rule does to this target' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l against -d 'Compare with earlier JSON output or a server\'s response' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s o -l output -d 'Output format: text|list|json' -r -f -a "text\t'Table'
list\t'Addresses of scraped targets, one per line, as `shards` reads them'
json\t'One object with all targets and all their labels'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l dropped -d 'List every dropped target'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l all-labels -d 'Show all labels of each target'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand targets" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s o -l output -d 'Format of the manifests: yaml|json|name' -r -f -a "yaml\t'One YAML document per object, as `kubectl get -o yaml` writes it'
json\t'One `List`, as `kubectl get -o json` writes it'
name\t'Only the names, one per line, as `kubectl get -o name` writes them'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l output-dir -d 'Write one file per object to this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l no-sync -d 'Do not sync --output-dir to disk: faster, but a power failure can lose files'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand rbac" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l since -d 'Compare with the files at this git revision' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s o -l output -d 'Output format: text|json|names' -r -f -a "text\t'Human-readable text'
json\t'One object with all agents'
names\t'The agents to render again, one NAMESPACE/NAME per line'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand affected" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "render" -d 'Write APIServices and ExternalNames with their defaults, and expand remote services'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "routes" -d 'List every route in the order in which requests are matched'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "discovery" -d 'Write the document that the aggregator would serve at /apis'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "diff" -d 'Show which routes and preferred versions are added, removed or changed'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "pki" -d 'Create test certificates for a CA, a server, and the aggregator as a client'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and not __fish_seen_subcommand_from render routes discovery diff pki help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l remote-services -d 'File with the aggregator\'s remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s n -l namespace -d 'Namespace for objects without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l external-names-namespace -d 'Namespace for ExternalNames generated from remote services' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l ca-bundle -d 'CA certificates for remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l at -d 'Check that CA bundles are valid at this time' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s o -l output -d 'Format of the manifests: yaml|json|name' -r -f -a "yaml\t'One YAML document per object, as `kubectl get -o yaml` writes it'
json\t'One `List`, as `kubectl get -o json` writes it'
name\t'Only the names, one per line, as `kubectl get -o name` writes them'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l output-dir -d 'Write one file per object to this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l no-sync -d 'Do not sync --output-dir to disk: faster, but a power failure can lose files'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l allow-empty -d 'Succeed even if nothing is rendered; applying empty output may delete everything'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from render" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l remote-services -d 'File with the aggregator\'s remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s n -l namespace -d 'Namespace for objects without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l external-names-namespace -d 'Namespace for ExternalNames generated from remote services' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l ca-bundle -d 'CA certificates for remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l at -d 'Check that CA bundles are valid at this time' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s o -l output -d 'Format of the routes' -r -f -a "table\t'Table with one line per route'
json\t'A list of objects'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from routes" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l remote-services -d 'File with the aggregator\'s remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s n -l namespace -d 'Namespace for objects without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l external-names-namespace -d 'Namespace for ExternalNames generated from remote services' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l ca-bundle -d 'CA certificates for remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l at -d 'Check that CA bundles are valid at this time' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s o -l output -d 'Format of the document' -r -f -a "json\t'As the server writes it'
yaml\t'YAML'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l aggregated -d 'Write an APIGroupDiscoveryList'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l own-group -d 'List the aggregator\'s own group first'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from discovery" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s f -l filename -d 'File, directory or - [default: .]' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s k -l kustomize -d 'Read kustomize\'s output for this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l remote-services -d 'File with the aggregator\'s remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s n -l namespace -d 'Namespace for objects without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l external-names-namespace -d 'Namespace for ExternalNames generated from remote services' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l ca-bundle -d 'CA certificates for remote services' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l at -d 'Check that CA bundles are valid at this time' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l against -d 'File, directory or - to compare with' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s o -l output -d 'Format of the changes' -r -f -a "text\t'Human-readable text'
json\t'JSON for scripts'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s R -l recursive -d 'Accepted for compatibility with kubectl: directories are always read recursively'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from diff" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l server-name -d 'DNS name of the server; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l client-name -d 'Name of the client' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l days -d 'Validity of the certificates in days' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l force -d 'Replace existing files'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from pki" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "render" -d 'Write APIServices and ExternalNames with their defaults, and expand remote services'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "routes" -d 'List every route in the order in which requests are matched'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "discovery" -d 'Write the document that the aggregator would serve at /apis'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "diff" -d 'Show which routes and preferred versions are added, removed or changed'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "pki" -d 'Create test certificates for a CA, a server, and the aggregator as a client'
complete -c agentctl -n "__fish_agentctl_using_subcommand aggregate; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l allow-empty -d 'Succeed even if nothing is rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l strict -d 'Fail if Kubernetes or the agent would reject the result, as `check` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l with-rbac -d 'Also write the RBAC objects that the agents need, as `agentctl rbac` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l owner-references -d 'Add ownerReferences that point to GrafanaAgents with a metadata.uid'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand krm" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l allow-empty -d 'Succeed even if nothing is rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l strict -d 'Fail if Kubernetes or the agent would reject the result, as `check` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l with-rbac -d 'Also write the RBAC objects that the agents need, as `agentctl rbac` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l owner-references -d 'Add ownerReferences that point to GrafanaAgents with a metadata.uid'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand exec-plugin" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -f -a "generate" -d 'Write the manifests of an Argo CD application'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -f -a "parameters" -d 'Announce the parameters that `generate` reads'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and not __fish_seen_subcommand_from generate parameters help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -s n -l namespace -d 'Namespace for resources without one' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l namespace-labels -d 'Labels of a namespace that is not defined in the input; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l labels -d 'Labels for every created object, like the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l agent-selector -d 'Compile only GrafanaAgents with these labels, like the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l agent -d 'Compile only this GrafanaAgent; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, like the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l operator-version -d 'Operator release whose output to reproduce [default: v0.44.8]' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l target -d 'Program to compile for' -r -f -a "agent\t'Grafana Agent, as the operator runs it'
alloy\t'Grafana Alloy, instead of the agent'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l alloy-image -d 'Image of Grafana Alloy, with --target=alloy' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l alloy-discovery -d 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic' -r -f -a "static\t'agentctl, which writes a pipeline for each endpoint'
dynamic\t'Alloy, which needs no new configuration for a new monitor'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l config-kind -d 'Kind of object to store configurations in, with --target=alloy: secret|configmap' -r -f -a "secret\t'Secrets, as in the operator\'s output'
configmap\t'ConfigMaps, which contain no Secret values'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l validate -d 'Handling of unknown fields: strict|warn|ignore' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Unknown fields are not reported'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l missing-secrets -d 'Handling of missing Secrets: error|placeholder' -r -f -a "error\t'A missing value is an error'
placeholder\t'A missing value is a warning, and a placeholder is rendered instead'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l secrets -d 'Secret values: inline|placeholder|external' -r -f -a "inline\t'Values are rendered, as in the operator\'s output'
placeholder\t'A token that identifies the value is rendered, so that the output can be committed and reviewed'
external\t'No values are rendered: <agent>-secrets is omitted, or replaced by an ExternalSecret'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l secret-store -d 'Store for values that no ExternalSecret provides, with --secrets=external' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l remote-key -d 'Remote key with --secret-store, from the Secret\'s {namespace}, {name} and {key}' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l limit -d 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l load-restrictor -d 'Restrict where symbolic links in the input may point: root-only|none' -r -f -a "root-only\t'A link that points outside the repository, or into its .git, is an error'
none\t'Links may lead anywhere; use this only for input that you trust'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l source -d 'Read a Flux source from a directory in the repository: KIND/NAMESPACE/NAME=DIR; may be repeated' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l deny -d 'Report findings with this code as errors' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l warn -d 'Report findings with this code as warnings; --deny takes precedence' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l allow -d 'Do not report findings with this code' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l pass-through -d 'Also write objects of kinds that agentctl does not compile' -r -f -a "true\t''
false\t''"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l allow-remote-bases -d 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l no-follow -d 'Read directories as they are, even if they contain Flux or Argo CD objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l allow-empty -d 'Succeed even if nothing is rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l strict -d 'Fail if Kubernetes or the agent would reject the result, as `check` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l with-rbac -d 'Also write the RBAC objects that the agents need, as `agentctl rbac` does'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l owner-references -d 'Add ownerReferences that point to GrafanaAgents with a metadata.uid'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from generate" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from parameters" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from help" -f -a "generate" -d 'Write the manifests of an Argo CD application'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from help" -f -a "parameters" -d 'Announce the parameters that `generate` reads'
complete -c agentctl -n "__fish_agentctl_using_subcommand argocd; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l stdio -d 'Accepted because editors pass it; standard input and output are always used'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand lsp" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s o -l output -d 'Output format' -r -f -a "text\t'Human-readable text'
json\t'JSON for scripts'"
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand init" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -s o -l output -d 'Format of CustomResourceDefinitions [default: yaml]' -r -f -a "yaml\t'One YAML document per object, as `kubectl get -o yaml` writes it'
json\t'One `List`, as `kubectl get -o json` writes it'"
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l output-dir -d 'Write one file per kind to this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l crd -d 'Write CustomResourceDefinitions'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand schema" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l static -d 'Write a script that does not run agentctl, for packages'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s o -l output -d 'Format of the versions' -r -f -a "text\t'Human-readable text'
json\t'JSON for scripts'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l message-format -d 'Format of findings: human|short|json|github|sarif|junit' -r -f -a "human\t'Human-readable reports with the relevant source lines'
short\t'One line per finding: `file:line:column: error[code]: message (help)`'
json\t'One JSON object per line'
github\t'GitHub Actions annotations'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l max-findings -d 'Show at most this many findings, errors first' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l color -d 'When to use colors: auto|always|never' -r -f -a "auto\t'On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; everywhere if CLICOLOR_FORCE=1 is set'
always\t'Even if the output is not a terminal'
never\t'Never, not even on a terminal'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l settings -d 'Read settings from this file instead of the nearest agentctl.yaml' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s v -l verbose -d 'Also show notes, such as skipped objects'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s q -l quiet -d 'Show only errors and results'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l no-settings -d 'Ignore agentctl.yaml'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l trust-settings -d 'Let the settings file raise limits above their defaults'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "render" -d 'Write the manifests that the operator would create'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "check" -d 'Find every mistake in the resources without writing manifests'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "build" -d 'Write the objects that a cluster receives'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "diff" -d 'Show what applying the rendered manifests would change'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "tree" -d 'Show what belongs to each agent, down to the keys of Secrets'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "why" -d 'Explain why a resource is or is not selected'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "config" -d 'Print an agent\'s configuration, or show where its parts come from'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "shards" -d 'Show each target\'s shard, and which targets resharding moves'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "targets" -d 'Show the agents\' targets with their labels'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "rbac" -d 'Write the RBAC objects that the agents need'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "affected" -d 'Show which agents and objects a change affects'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "aggregate" -d 'Compile APIServices and ExternalNames for Grafana\'s aggregator'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "krm" -d 'Render as a KRM function for kustomize or kpt'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "exec-plugin" -d 'Render as a kustomize exec plugin'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "argocd" -d 'Render as an Argo CD config management plugin'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "lsp" -d 'Show findings and fixes in an editor as you type'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "explain" -d 'Explain a finding\'s code or a flag, or list all codes'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "init" -d 'Write an agentctl.yaml with a comment for every setting'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "schema" -d 'Write JSON Schemas for editors, or the CustomResourceDefinitions'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "completions" -d 'Write a completion script for a shell'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "man" -d 'Write the manual page, or all pages to a directory'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "version" -d 'Show the versions of agentctl, the operator and Alloy'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check build diff tree why config shards targets rbac affected aggregate krm exec-plugin argocd lsp explain init schema completions man version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from aggregate" -f -a "render" -d 'Write APIServices and ExternalNames with their defaults, and expand remote services'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from aggregate" -f -a "routes" -d 'List every route in the order in which requests are matched'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from aggregate" -f -a "discovery" -d 'Write the document that the aggregator would serve at /apis'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from aggregate" -f -a "diff" -d 'Show which routes and preferred versions are added, removed or changed'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from aggregate" -f -a "pki" -d 'Create test certificates for a CA, a server, and the aggregator as a client'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from argocd" -f -a "generate" -d 'Write the manifests of an Argo CD application'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and __fish_seen_subcommand_from argocd" -f -a "parameters" -d 'Announce the parameters that `generate` reads'
