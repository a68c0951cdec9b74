
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
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what applying the rendered manifests would change')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what belongs to each agent, down to the keys of Secrets')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Say why agents take a resource in, or why not')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Print an agent''s configuration, or say where its parts come from')
            [CompletionResult]::new('shards', 'shards', [CompletionResultType]::ParameterValue, 'Show which shard scrapes which target, and what another number of shards would move')
            [CompletionResult]::new('affected', 'affected', [CompletionResultType]::ParameterValue, 'Say which agents, and which of their objects, a change reaches')
            [CompletionResult]::new('aggregate', 'aggregate', [CompletionResultType]::ParameterValue, 'Compile APIServices and ExternalNames, as Grafana''s aggregator and kube-aggregator do')
            [CompletionResult]::new('krm', 'krm', [CompletionResultType]::ParameterValue, 'Render inside a ResourceList, as a function of kustomize or kpt')
            [CompletionResult]::new('exec-plugin', 'exec-plugin', [CompletionResultType]::ParameterValue, 'Render as an exec plugin of kustomize')
            [CompletionResult]::new('argocd', 'argocd', [CompletionResultType]::ParameterValue, 'Generate manifests as a config management plugin of Argo CD')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what the code of a diagnostic means, or list all codes')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write an agentctl.yaml with a comment for every setting')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Write JSON Schemas for editors, or the CustomResourceDefinitions')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual page, or all of them into a directory')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the version, and that of the operator whose output is rendered')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;render' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory; - is standard output')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Remove files from --output-dir that agentctl wrote and that are not rendered any more, but not those of agents that are paused or not asked for')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Write nothing: show how --output-dir would change, and exit with 1 where it would')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on: render again when an input changes, and write what differs; findings are told when they are new')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;check' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that the CA bundles of APIServices are valid at this time: YYYY-MM-DD, or now')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that there is nothing to check')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;diff' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifests as they are: a file, a directory, or - for standard input')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How differences are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How differences are written')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'How many lines around a difference are shown')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--show-secrets', '--show-secrets', [CompletionResultType]::ParameterName, 'Show secret values')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Compare ownerReferences too, and render them for GrafanaAgents that have a metadata.uid')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing is rendered: everything is removed then')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;tree' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the tree is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the tree is written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;why' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with 1 where a resource is taken in by no agent')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;config' {
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Which configuration [default: the first of these that the agent has]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--line', '--line', [CompletionResultType]::ParameterName, 'Show what this line of agent.yml comes from')
            [CompletionResult]::new('--of', '--of', [CompletionResultType]::ParameterName, 'Show what in agent.yml comes from this line of a file, this file or directory, or this resource')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--source-map', '--source-map', [CompletionResultType]::ParameterName, 'Say in comments where each part comes from')
            [CompletionResult]::new('--show-secrets', '--show-secrets', [CompletionResultType]::ParameterName, 'Show secret values')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;shards' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('--shards', '--shards', [CompletionResultType]::ParameterName, 'How many shards there are, in the place of spec.metrics.shards of an agent')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'How many shards there would be: shows what moves')
            [CompletionResult]::new('--targets', '--targets', [CompletionResultType]::ParameterName, 'The targets: a file, or - for standard input')
            [CompletionResult]::new('--series', '--series', [CompletionResultType]::ParameterName, 'How many series a target has whose number the list does not give')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;affected' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Compare with the files as they were at this git revision')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the answer is written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the APIServices and ExternalNames with their defaults, remote services expanded')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show the routes that appear, vanish or change, and the preferred versions that flip')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Make the certificates of a local test: an authority, a server, and the aggregator as its client')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;aggregate;render' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'The aggregator''s remote_services_file: a list of group, version, host and port')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'The namespace of the ExternalNames that remote services become')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory; - is standard output')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate;routes' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'The aggregator''s remote_services_file: a list of group, version, host and port')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'The namespace of the ExternalNames that remote services become')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How routes are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How routes are written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate;discovery' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'The aggregator''s remote_services_file: a list of group, version, host and port')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'The namespace of the ExternalNames that remote services become')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the document is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the document is written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--aggregated', '--aggregated', [CompletionResultType]::ParameterName, 'Write the APIGroupDiscoveryList of aggregated discovery instead of the APIGroupList')
            [CompletionResult]::new('--own-group', '--own-group', [CompletionResultType]::ParameterName, 'Put the aggregator''s own group, apiregistration.k8s.io, in front, as it does')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate;diff' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'The same, as kubectl takes it; may be repeated')
            [CompletionResult]::new('--remote-services', '--remote-services', [CompletionResultType]::ParameterName, 'The aggregator''s remote_services_file: a list of group, version, host and port')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of ExternalNames and Services that name none')
            [CompletionResult]::new('--external-names-namespace', '--external-names-namespace', [CompletionResultType]::ParameterName, 'The namespace of the ExternalNames that remote services become')
            [CompletionResult]::new('--ca-bundle', '--ca-bundle', [CompletionResultType]::ParameterName, 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifests as they were: a file, a directory, or - for standard input')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How changes are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How changes are written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate;pki' {
            [CompletionResult]::new('--server-name', '--server-name', [CompletionResultType]::ParameterName, 'A name of the server; may be repeated. The aggregator expects <name>.<namespace>.svc of the service')
            [CompletionResult]::new('--client-name', '--client-name', [CompletionResultType]::ParameterName, 'The client''s name, as the server''s --requestheader-allowed-names has it')
            [CompletionResult]::new('--days', '--days', [CompletionResultType]::ParameterName, 'For how many days the certificates are valid')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace files that are there already')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;aggregate;help' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the APIServices and ExternalNames with their defaults, remote services expanded')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show the routes that appear, vanish or change, and the preferred versions that flip')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Make the certificates of a local test: an authority, a server, and the aggregator as its client')
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
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;exec-plugin' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;argocd' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write the manifests of an Argo CD application')
            [CompletionResult]::new('parameters', 'parameters', [CompletionResultType]::ParameterValue, 'Announce the parameters that `generate` reads')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;argocd;generate' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that name none')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Labels of everything that is created, as the operator''s --labels')
            [CompletionResult]::new('--agent-selector', '--agent-selector', [CompletionResultType]::ParameterName, 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Compile only this GrafanaAgent; may be repeated')
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Compile for Grafana Agent, or for Grafana Alloy in its place')
            [CompletionResult]::new('--alloy-image', '--alloy-image', [CompletionResultType]::ParameterName, 'Image of Alloy, with --target=alloy')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--missing-secrets', '--missing-secrets', [CompletionResultType]::ParameterName, 'What is done where a Secret, ConfigMap or key is not in the input')
            [CompletionResult]::new('--secrets', '--secrets', [CompletionResultType]::ParameterName, 'What is rendered of the values of Secrets [default: inline]')
            [CompletionResult]::new('--secret-store', '--secret-store', [CompletionResultType]::ParameterName, 'With --secrets=external: the store of values that no ExternalSecret of the input tells about')
            [CompletionResult]::new('--remote-key', '--remote-key', [CompletionResultType]::ParameterName, 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'How many shards an agent may have')
            [CompletionResult]::new('--max-output-size', '--max-output-size', [CompletionResultType]::ParameterName, 'How many bytes all manifests together may have')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'How many bytes a file or standard input may have, 4GiB at the most')
            [CompletionResult]::new('--max-document-size', '--max-document-size', [CompletionResultType]::ParameterName, 'How many bytes a document may have')
            [CompletionResult]::new('--max-documents', '--max-documents', [CompletionResultType]::ParameterName, 'How many documents a file may have')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'How many mappings and lists may stand in one another, 1000 at the most')
            [CompletionResult]::new('--max-alias-expansion', '--max-alias-expansion', [CompletionResultType]::ParameterName, 'How many nodes the aliases of a file may add')
            [CompletionResult]::new('--load-restrictor', '--load-restrictor', [CompletionResultType]::ParameterName, 'Restrict where links in the input may lead')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Make findings with this code warnings; --deny of the same code counts more')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Say nothing of findings with this code; --deny and --warn of the same code count more')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;argocd;parameters' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
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
        'agentctl;explain' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;init' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;schema' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How CustomResourceDefinitions are written [default: yaml]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How CustomResourceDefinitions are written [default: yaml]')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file a kind into this directory: <kind>.json, and all.json for several kinds in a file; with --crd <group>_<plural>.yaml')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--crd', '--crd', [CompletionResultType]::ParameterName, 'Write CustomResourceDefinitions that admit what those of the operator admit')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;completions' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('--static', '--static', [CompletionResultType]::ParameterName, 'Write a script that needs no agentctl, for packages')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;man' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the versions are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the versions are written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--settings', '--settings', [CompletionResultType]::ParameterName, 'Read settings from this file instead of the nearest agentctl.yaml')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--no-settings', '--no-settings', [CompletionResultType]::ParameterName, 'Ignore agentctl.yaml')
            [CompletionResult]::new('--trust-settings', '--trust-settings', [CompletionResultType]::ParameterName, 'Let the settings file raise limits above their defaults')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;help' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what applying the rendered manifests would change')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what belongs to each agent, down to the keys of Secrets')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Say why agents take a resource in, or why not')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Print an agent''s configuration, or say where its parts come from')
            [CompletionResult]::new('shards', 'shards', [CompletionResultType]::ParameterValue, 'Show which shard scrapes which target, and what another number of shards would move')
            [CompletionResult]::new('affected', 'affected', [CompletionResultType]::ParameterValue, 'Say which agents, and which of their objects, a change reaches')
            [CompletionResult]::new('aggregate', 'aggregate', [CompletionResultType]::ParameterValue, 'Compile APIServices and ExternalNames, as Grafana''s aggregator and kube-aggregator do')
            [CompletionResult]::new('krm', 'krm', [CompletionResultType]::ParameterValue, 'Render inside a ResourceList, as a function of kustomize or kpt')
            [CompletionResult]::new('exec-plugin', 'exec-plugin', [CompletionResultType]::ParameterValue, 'Render as an exec plugin of kustomize')
            [CompletionResult]::new('argocd', 'argocd', [CompletionResultType]::ParameterValue, 'Generate manifests as a config management plugin of Argo CD')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what the code of a diagnostic means, or list all codes')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write an agentctl.yaml with a comment for every setting')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Write JSON Schemas for editors, or the CustomResourceDefinitions')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual page, or all of them into a directory')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the version, and that of the operator whose output is rendered')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'agentctl;help;render' {
            break
        }
        'agentctl;help;check' {
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
        'agentctl;help;affected' {
            break
        }
        'agentctl;help;aggregate' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the APIServices and ExternalNames with their defaults, remote services expanded')
            [CompletionResult]::new('routes', 'routes', [CompletionResultType]::ParameterValue, 'List every route in the order in which requests are matched')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Write the document that the aggregator would serve at /apis')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show the routes that appear, vanish or change, and the preferred versions that flip')
            [CompletionResult]::new('pki', 'pki', [CompletionResultType]::ParameterValue, 'Make the certificates of a local test: an authority, a server, and the aggregator as its client')
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
