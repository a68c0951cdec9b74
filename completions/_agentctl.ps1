
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
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what the code of a diagnostic means, or list all codes')
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
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'Refuse an agent with more shards')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How manifests are written')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Accept that nothing comes out; what applies an empty output may delete everything')
            [CompletionResult]::new('--owner-references', '--owner-references', [CompletionResultType]::ParameterName, 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
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
            [CompletionResult]::new('--kubelet-service', '--kubelet-service', [CompletionResultType]::ParameterName, 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service')
            [CompletionResult]::new('--validate', '--validate', [CompletionResultType]::ParameterName, 'What is done about unknown fields')
            [CompletionResult]::new('--max-shards', '--max-shards', [CompletionResultType]::ParameterName, 'Refuse an agent with more shards')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Accepted because kubectl has it: directories are always walked')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;explain' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;completions' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;man' {
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How the versions are written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How the versions are written')
            [CompletionResult]::new('--message-format', '--message-format', [CompletionResultType]::ParameterName, 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show notes too, such as how many objects of other kinds were skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'agentctl;help' {
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Write the manifests that the operator would create')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every mistake in the resources without writing manifests')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what the code of a diagnostic means, or list all codes')
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
        'agentctl;help;explain' {
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
