# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_agentctl_global_optspecs
    string join \n message-format= v/verbose color= h/help V/version
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

complete -c agentctl -n "__fish_agentctl_needs_command" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_needs_command" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_needs_command" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_needs_command" -s V -l version -d 'Print version'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "render" -d 'Write the manifests that the operator would create'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "check" -d 'Find every mistake in the resources without writing manifests'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "explain" -d 'Say what the code of a diagnostic means, or list all codes'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "completions" -d 'Write a completion script for a shell'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "man" -d 'Write the manual page, or all of them into a directory'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "version" -d 'Show the version, and that of the operator whose output is rendered'
complete -c agentctl -n "__fish_agentctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s f -l filename -d 'The same, as kubectl takes it; may be repeated' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s n -l namespace -d 'The namespace of resources that name none' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l labels -d 'Labels of everything that is created, as the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l agent-selector -d 'Compile only the GrafanaAgents with these labels, as the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, as the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l validate -d 'What is done about unknown fields' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Nothing is said of unknown fields'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l max-shards -d 'Refuse an agent with more shards' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s o -l output -d 'How manifests are written' -r -f -a "yaml\t'One YAML document an object, as `kubectl get -o yaml` writes it'
json\t'One `List`, as `kubectl get -o json` writes it'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l output-dir -d 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory' -r -f -a "(__fish_complete_directories)"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s R -l recursive -d 'Accepted because kubectl has it: directories are always walked'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l allow-empty -d 'Accept that nothing comes out; what applies an empty output may delete everything'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -l owner-references -d 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s f -l filename -d 'The same, as kubectl takes it; may be repeated' -r -F
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s n -l namespace -d 'The namespace of resources that name none' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l labels -d 'Labels of everything that is created, as the operator\'s --labels' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l agent-selector -d 'Compile only the GrafanaAgents with these labels, as the operator\'s --agent-selector' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l kubelet-service -d 'Create a Service and Endpoints for the kubelets, as the operator\'s --kubelet-service' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l validate -d 'What is done about unknown fields' -r -f -a "strict\t'An unknown field is an error'
warn\t'An unknown field is a warning'
ignore\t'Nothing is said of unknown fields'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l max-shards -d 'Refuse an agent with more shards' -r
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s R -l recursive -d 'Accepted because kubectl has it: directories are always walked'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s o -l output -d 'How the versions are written' -r -f -a "text\t'A line for people'
json\t'A JSON object'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l message-format -d 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]' -r -f -a "human\t'Reports with the lines in question, for people'
short\t'One line a diagnostic: `file:line:column: error[code]: message (help)`'
json\t'One JSON object a line'
github\t'Annotations of GitHub Actions'
sarif\t'One SARIF 2.1.0 document'
junit\t'One JUnit document'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless the environment says otherwise'
always\t'In any case'
never\t'Not at all'"
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s v -l verbose -d 'Show notes too, such as how many objects of other kinds were skipped'
complete -c agentctl -n "__fish_agentctl_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "render" -d 'Write the manifests that the operator would create'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "check" -d 'Find every mistake in the resources without writing manifests'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "explain" -d 'Say what the code of a diagnostic means, or list all codes'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "completions" -d 'Write a completion script for a shell'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "man" -d 'Write the manual page, or all of them into a directory'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "version" -d 'Show the version, and that of the operator whose output is rendered'
complete -c agentctl -n "__fish_agentctl_using_subcommand help; and not __fish_seen_subcommand_from render check explain completions man version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
