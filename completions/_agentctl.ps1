
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'agentctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'agentctl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'agentctl' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Write the objects that a cluster receives')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what applying the rendered manifests would change')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what belongs to each agent, down to the keys of Secrets')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Explain why a resource is or is not selected')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Print an agent''s configuration, or show where its parts come from')
            [CompletionResult]::new('shards', 'shards', [CompletionResultType]::ParameterValue, 'Show each target''s shard, and which targets resharding moves')
            [CompletionResult]::new('targets', 'targets', [CompletionResultType]::ParameterValue, 'Show the agents'' targets with their labels')
            [CompletionResult]::new('rbac', 'rbac', [CompletionResultType]::ParameterValue, 'Write the RBAC objects that the agents need')
            [CompletionResult]::new('affected', 'affected', [CompletionResultType]::ParameterValue, 'Show which agents and objects a change affects')
            [CompletionResult]::new('aggregate', 'aggregate', [CompletionResultType]::ParameterValue, 'Compile APIServices and ExternalNames for Grafana''s aggregator')
            [CompletionResult]::new('krm', 'krm', [CompletionResultType]::ParameterValue, 'Render as a KRM function for kustomize or kpt')
            [CompletionResult]::new('exec-plugin', 'exec-plugin', [CompletionResultType]::ParameterValue, 'Render as a kustomize exec plugin')
            [CompletionResult]::new('argocd', 'argocd', [CompletionResultType]::ParameterValue, 'Render as an Argo CD config management plugin')
            [CompletionResult]::new('lsp', 'lsp', [CompletionResultType]::ParameterValue, 'Show findings and fixes in an editor as you type')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a finding''s code or a flag, or list all codes')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write an agentctl.yaml with a comment for every setting')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Write JSON Schemas for editors, or the CustomResourceDefinitions')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual page, or all pages to a directory')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of agentctl, the operator and Alloy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;render' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file per object to this directory')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail if Kubernetes or the agent would reject the result, as `check` does')
            [CompletionResult]::new('--with-rbac', '--with-rbac', [CompletionResultType]::ParameterName, 'Also write the RBAC objects that the agents need, as `agentctl rbac` does')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Add ownerReferences that point to GrafanaAgents with a metadata.uid')
            [CompletionResult]::new('--no-sync', '--no-sync', [CompletionResultType]::ParameterName, 'Do not sync --output-dir to disk: faster, but a power failure can lose files')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Remove files that are no longer rendered')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Only show changes; exit with 1 if there are any')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Watch the inputs and render again when they change')
            [CompletionResult]::new('--pass-through', '--pass-through', [CompletionResultType]::ParameterName, 'Also write objects of kinds that agentctl does not compile')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;check' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--output-file', '--output-file', [CompletionResultType]::ParameterName, 'Write the findings to this file')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that the CA bundles of APIServices are valid at this time')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if there is nothing to check')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply fixes that are certain')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Show what --fix would change')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Watch the inputs and check again when they change')
            [CompletionResult]::new('--each', '--each', [CompletionResultType]::ParameterName, 'Check each PATH separately, for example clusters/*')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;build' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the objects')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the objects')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--origins', '--origins', [CompletionResultType]::ParameterName, 'Also show the build and the entry that each object comes from')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;diff' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'File, directory or - to compare with')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of differences')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of differences')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Lines of context around each difference')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Show all differing jobs, not only the first 100')
            [CompletionResult]::new('--show-secrets', '--show-secrets', [CompletionResultType]::ParameterName, 'Show secret values')
            [CompletionResult]::new('--with-rbac', '--with-rbac', [CompletionResultType]::ParameterName, 'Also compare the ServiceAccounts, roles and bindings that `render --with-rbac` writes')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Render and compare ownerReferences that point to GrafanaAgents with a metadata.uid')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered and everything would be removed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;tree' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the tree: text|json|mermaid|html')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the tree: text|json|mermaid|html')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--problems', '--problems', [CompletionResultType]::ParameterName, 'Show only entries with problems')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;why' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format: text|json|patch')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format: text|json|patch')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with 1 if no agent selects a resource')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;config' {
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Type of configuration to print')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--line', '--line', [CompletionResultType]::ParameterName, 'Show where this line of the configuration comes from')
            [CompletionResult]::new('--of', '--of', [CompletionResultType]::ParameterName, 'Show what comes from a FILE:LINE, path or resource')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--source-map', '--source-map', [CompletionResultType]::ParameterName, 'Add comments that show where each part comes from')
            [CompletionResult]::new('--show-secrets', '--show-secrets', [CompletionResultType]::ParameterName, 'Show secret values')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;shards' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--shards', '--shards', [CompletionResultType]::ParameterName, 'Number of shards, instead of spec.metrics.shards')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Compare with this number of shards')
            [CompletionResult]::new('--targets', '--targets', [CompletionResultType]::ParameterName, 'File with the targets, or - for standard input')
            [CompletionResult]::new('--series', '--series', [CompletionResultType]::ParameterName, 'Number of series for targets listed without one')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format: text|list|json')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format: text|list|json')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;targets' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--job', '--job', [CompletionResultType]::ParameterName, 'Show only this job; may be repeated')
            [CompletionResult]::new('--monitor', '--monitor', [CompletionResultType]::ParameterName, 'Show only jobs of this monitor, Probe or PodLogs')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Show what each rule does to this target')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'Compare with earlier JSON output or a server''s response')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format: text|list|json')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format: text|list|json')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--dropped', '--dropped', [CompletionResultType]::ParameterName, 'List every dropped target')
            [CompletionResult]::new('--all-labels', '--all-labels', [CompletionResultType]::ParameterName, 'Show all labels of each target')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;rbac' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file per object to this directory')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--no-sync', '--no-sync', [CompletionResultType]::ParameterName, 'Do not sync --output-dir to disk: faster, but a power failure can lose files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;affected' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Compare with the files at this git revision')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format: text|json|names')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format: text|json|names')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write APIServices and ExternalNames with their defaults, and expand remote services')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show which routes and preferred versions are added, removed or changed')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Create test certificates for a CA, a server, and the aggregator as a client')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;aggregate;render' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'File with the aggregator''s remote services')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'Namespace for ExternalNames generated from remote services')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'CA certificates for remote services')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of manifests: yaml|json|name')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file per object to this directory')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--no-sync', '--no-sync', [CompletionResultType]::ParameterName, 'Do not sync --output-dir to disk: faster, but a power failure can lose files')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered; applying empty output may delete everything')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate;routes' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'File with the aggregator''s remote services')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'Namespace for ExternalNames generated from remote services')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'CA certificates for remote services')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of routes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of routes')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate;discovery' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'File with the aggregator''s remote services')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'Namespace for ExternalNames generated from remote services')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'CA certificates for remote services')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the document')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the document')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--aggregated', '--aggregated', [CompletionResultType]::ParameterName, 'Write an APIGroupDiscoveryList')
            [CompletionResult]::new('--own-group', '--own-group', [CompletionResultType]::ParameterName, 'List the aggregator''s own group first')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate;diff' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File, directory or - [default: .]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--kustomize', '--kustomize', [CompletionResultType]::ParameterName, 'Read kustomize''s output for this directory')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'File with the aggregator''s remote services')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for objects without one')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'Namespace for ExternalNames generated from remote services')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'CA certificates for remote services')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'File, directory or - to compare with')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of changes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of changes')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'No effect, unlike in kubectl: directories are always read recursively')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate;pki' {
            [CompletionResult]::new('--server-name', '--server-name', [CompletionResultType]::ParameterName, 'DNS name of the server; may be repeated')
            [CompletionResult]::new('--client-name', '--client-name', [CompletionResultType]::ParameterName, 'Name of the client')
            [CompletionResult]::new('--days', '--days', [CompletionResultType]::ParameterName, 'Validity of the certificates in days')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;aggregate;help' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write APIServices and ExternalNames with their defaults, and expand remote services')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show which routes and preferred versions are added, removed or changed')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Create test certificates for a CA, a server, and the aggregator as a client')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;aggregate;help;render' {
            break
        }
        'agentctl;aggregate;help;routes' {
            break
        }
        'agentctl;aggregate;help;discovery' {
            break
        }
        'agentctl;aggregate;help;diff' {
            break
        }
        'agentctl;aggregate;help;pki' {
            break
        }
        'agentctl;aggregate;help;help' {
            break
        }
        'agentctl;krm' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail if Kubernetes or the agent would reject the result, as `check` does')
            [CompletionResult]::new('--with-rbac', '--with-rbac', [CompletionResultType]::ParameterName, 'Also write the RBAC objects that the agents need, as `agentctl rbac` does')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Add ownerReferences that point to GrafanaAgents with a metadata.uid')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;exec-plugin' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail if Kubernetes or the agent would reject the result, as `check` does')
            [CompletionResult]::new('--with-rbac', '--with-rbac', [CompletionResultType]::ParameterName, 'Also write the RBAC objects that the agents need, as `agentctl rbac` does')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Add ownerReferences that point to GrafanaAgents with a metadata.uid')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;argocd' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write the manifests of an Argo CD application')
            [CompletionResult]::new('parameters', 'parameters', [CompletionResultType]::ParameterValue, 'Announce the parameters that `generate` reads')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;argocd;generate' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace for resources without one')
            [CompletionResult]::new('--namespace-labels', '--namespace-labels', [CompletionResultType]::ParameterName, 'Labels of a namespace that is not defined in the input; may be repeated')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels for every created object, like the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only GrafanaAgents with these labels, like the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, like the operator''s --kubelet-service')
            [CompletionResult]::new('--operator-version', '--operator-version', [CompletionResultType]::ParameterName, 'Operator release whose output to reproduce [default: v0.44.8]')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Program to compile for')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Grafana Alloy, with --target=alloy')
            [CompletionResult]::new('--alloy-discovery', '--alloy-discovery', [CompletionResultType]::ParameterName, 'Whether agentctl or Alloy reads the monitors, with --target=alloy: static|dynamic')
            [CompletionResult]::new('--config-kind', '--config-kind', [CompletionResultType]::ParameterName, 'Kind of object to store configurations in, with --target=alloy: secret|configmap')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'Handling of unknown fields: strict|warn|ignore')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'Handling of missing Secrets: error|placeholder')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'Secret values: inline|placeholder|external')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'Store for values that no ExternalSecret provides, with --secrets=external')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'Remote key with --secret-store, from the Secret''s {namespace}, {name} and {key}')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set a limit: shards, jobs, output-size, file-size, …; may be repeated')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where symbolic links in the input may point: root-only|none')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report findings with this code as errors')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report findings with this code as warnings; --deny takes precedence')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report findings with this code')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-remote-bases', '--allow-remote-bases', [CompletionResultType]::ParameterName, 'Let kustomize fetch the URLs and Git repositories that kustomizations refer to')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Succeed even if nothing is rendered')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail if Kubernetes or the agent would reject the result, as `check` does')
            [CompletionResult]::new('--with-rbac', '--with-rbac', [CompletionResultType]::ParameterName, 'Also write the RBAC objects that the agents need, as `agentctl rbac` does')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Add ownerReferences that point to GrafanaAgents with a metadata.uid')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;argocd;parameters' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;argocd;help' {
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write the manifests of an Argo CD application')
            [CompletionResult]::new('parameters', 'parameters', [CompletionResultType]::ParameterValue, 'Announce the parameters that `generate` reads')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;argocd;help;generate' {
            break
        }
        'agentctl;argocd;help;parameters' {
            break
        }
        'agentctl;argocd;help;help' {
            break
        }
        'agentctl;lsp' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Accepted because editors pass it; standard input and output are always used')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;explain' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;init' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;schema' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of CustomResourceDefinitions [default: yaml]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of CustomResourceDefinitions [default: yaml]')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file per kind to this directory')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--crd', '--crd', [CompletionResultType]::ParameterName, 'Write CustomResourceDefinitions')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;completions' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--static', '--static', [CompletionResultType]::ParameterName, 'Write a script that does not run agentctl, for packages')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;man' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the versions')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the versions')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'Format: human|short|json|github|sarif|junit')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'Show at most this many findings, errors first')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto|always|never')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Also show notes, such as skipped objects')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only errors, warnings and results')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            break
        }
        'agentctl;help' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Write the objects that a cluster receives')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what applying the rendered manifests would change')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what belongs to each agent, down to the keys of Secrets')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Explain why a resource is or is not selected')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Print an agent''s configuration, or show where its parts come from')
            [CompletionResult]::new('shards', 'shards', [CompletionResultType]::ParameterValue, 'Show each target''s shard, and which targets resharding moves')
            [CompletionResult]::new('targets', 'targets', [CompletionResultType]::ParameterValue, 'Show the agents'' targets with their labels')
            [CompletionResult]::new('rbac', 'rbac', [CompletionResultType]::ParameterValue, 'Write the RBAC objects that the agents need')
            [CompletionResult]::new('affected', 'affected', [CompletionResultType]::ParameterValue, 'Show which agents and objects a change affects')
            [CompletionResult]::new('aggregate', 'aggregate', [CompletionResultType]::ParameterValue, 'Compile APIServices and ExternalNames for Grafana''s aggregator')
            [CompletionResult]::new('krm', 'krm', [CompletionResultType]::ParameterValue, 'Render as a KRM function for kustomize or kpt')
            [CompletionResult]::new('exec-plugin', 'exec-plugin', [CompletionResultType]::ParameterValue, 'Render as a kustomize exec plugin')
            [CompletionResult]::new('argocd', 'argocd', [CompletionResultType]::ParameterValue, 'Render as an Argo CD config management plugin')
            [CompletionResult]::new('lsp', 'lsp', [CompletionResultType]::ParameterValue, 'Show findings and fixes in an editor as you type')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a finding''s code or a flag, or list all codes')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write an agentctl.yaml with a comment for every setting')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Write JSON Schemas for editors, or the CustomResourceDefinitions')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual page, or all pages to a directory')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of agentctl, the operator and Alloy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;help;render' {
            break
        }
        'agentctl;help;check' {
            break
        }
        'agentctl;help;build' {
            break
        }
        'agentctl;help;diff' {
            break
        }
        'agentctl;help;tree' {
            break
        }
        'agentctl;help;why' {
            break
        }
        'agentctl;help;config' {
            break
        }
        'agentctl;help;shards' {
            break
        }
        'agentctl;help;targets' {
            break
        }
        'agentctl;help;rbac' {
            break
        }
        'agentctl;help;affected' {
            break
        }
        'agentctl;help;aggregate' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write APIServices and ExternalNames with their defaults, and expand remote services')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show which routes and preferred versions are added, removed or changed')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Create test certificates for a CA, a server, and the aggregator as a client')
            break
        }
        'agentctl;help;aggregate;render' {
            break
        }
        'agentctl;help;aggregate;routes' {
            break
        }
        'agentctl;help;aggregate;discovery' {
            break
        }
        'agentctl;help;aggregate;diff' {
            break
        }
        'agentctl;help;aggregate;pki' {
            break
        }
        'agentctl;help;krm' {
            break
        }
        'agentctl;help;exec-plugin' {
            break
        }
        'agentctl;help;argocd' {
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write the manifests of an Argo CD application')
            [CompletionResult]::new('parameters', 'parameters', [CompletionResultType]::ParameterValue, 'Announce the parameters that `generate` reads')
            break
        }
        'agentctl;help;argocd;generate' {
            break
        }
        'agentctl;help;argocd;parameters' {
            break
        }
        'agentctl;help;lsp' {
            break
        }
        'agentctl;help;explain' {
            break
        }
        'agentctl;help;init' {
            break
        }
        'agentctl;help;schema' {
            break
        }
        'agentctl;help;completions' {
            break
        }
        'agentctl;help;man' {
            break
        }
        'agentctl;help;version' {
            break
        }
        'agentctl;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
