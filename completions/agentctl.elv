
use builtin;
use str;

set edit:completion:arg-completer[agentctl] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'agentctl'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'agentctl'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand render 'Write the manifests that the operator would create'
            cand check 'Find every mistake in the resources without writing manifests'
            cand explain 'Say what the code of a diagnostic means, or list all codes'
            cand completions 'Write a completion script for a shell'
            cand man 'Write the manual page, or all of them into a directory'
            cand version 'Show the version, and that of the operator whose output is rendered'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;render'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --max-shards 'Refuse an agent with more shards'
            cand -o 'How manifests are written'
            cand --output 'How manifests are written'
            cand --output-dir 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand --owner-references 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;check'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --max-shards 'Refuse an agent with more shards'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;explain'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;completions'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;man'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;version'= {
            cand -o 'How the versions are written'
            cand --output 'How the versions are written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;help'= {
            cand render 'Write the manifests that the operator would create'
            cand check 'Find every mistake in the resources without writing manifests'
            cand explain 'Say what the code of a diagnostic means, or list all codes'
            cand completions 'Write a completion script for a shell'
            cand man 'Write the manual page, or all of them into a directory'
            cand version 'Show the version, and that of the operator whose output is rendered'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;help;render'= {
        }
        &'agentctl;help;check'= {
        }
        &'agentctl;help;explain'= {
        }
        &'agentctl;help;completions'= {
        }
        &'agentctl;help;man'= {
        }
        &'agentctl;help;version'= {
        }
        &'agentctl;help;help'= {
        }
    ]
    $completions[$command]
}
