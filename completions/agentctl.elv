
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
            cand diff 'Show what applying the rendered manifests would change'
            cand tree 'Show what belongs to each agent, down to the keys of Secrets'
            cand why 'Say why agents take a resource in, or why not'
            cand config 'Print an agent''s configuration, or say where its parts come from'
            cand shards 'Show which shard scrapes which target, and what another number of shards would move'
            cand affected 'Say which agents, and which of their objects, a change reaches'
            cand aggregate 'Compile APIServices and ExternalNames, as Grafana''s aggregator and kube-aggregator do'
            cand krm 'Render inside a ResourceList, as a function of kustomize or kpt'
            cand exec-plugin 'Render as an exec plugin of kustomize'
            cand argocd 'Generate manifests as a config management plugin of Argo CD'
            cand explain 'Say what the code of a diagnostic means, or list all codes'
            cand schema 'Write JSON Schemas for editors, or the CustomResourceDefinitions'
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
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand -o 'How manifests are written'
            cand --output 'How manifests are written'
            cand --output-dir 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand --strict 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it'
            cand --owner-references 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
            cand --prune 'Remove files from --output-dir that agentctl wrote and that are not rendered any more, but not those of agents that are paused or not asked for'
            cand --check 'Write nothing: show how --output-dir would change, and exit with 1 where it would'
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
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --at 'Check that the CA bundles of APIServices are valid at this time: YYYY-MM-DD, or now'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;diff'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand --against 'The manifests as they are: a file, a directory, or - for standard input'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand -o 'How differences are written'
            cand --output 'How differences are written'
            cand --context 'How many lines around a difference are shown'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --show-secrets 'Show secret values'
            cand --owner-references 'Compare ownerReferences too, and render them for GrafanaAgents that have a metadata.uid'
            cand --allow-empty 'Accept that nothing is rendered: everything is removed then'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;tree'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand -o 'How the tree is written'
            cand --output 'How the tree is written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;why'= {
            cand -f 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand --filename 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand -o 'How the answer is written'
            cand --output 'How the answer is written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --exit-code 'Exit with 1 where a resource is taken in by no agent'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;config'= {
            cand --type 'Which configuration [default: the first of these that the agent has]'
            cand -f 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand --filename 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --secrets 'What is rendered of the values of Secrets [default: inline]'
            cand --secret-store 'With --secrets=external: the store of values that no ExternalSecret of the input tells about'
            cand --remote-key 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret'
            cand --max-shards 'Refuse an agent with more shards'
            cand -o 'How the answer is written'
            cand --output 'How the answer is written'
            cand --line 'Show what this line of agent.yml comes from'
            cand --of 'Show what in agent.yml comes from this line of a file, this file or directory, or this resource'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --source-map 'Say in comments where each part comes from'
            cand --show-secrets 'Show secret values'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand --no-settings 'Do as if there were no agentctl.yaml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;shards'= {
            cand --shards 'How many shards there are'
            cand --to 'How many shards there would be: shows what moves'
            cand --targets 'The targets: a file, or - for standard input'
            cand --series 'How many series a target has whose number the list does not give'
            cand -o 'How the answer is written'
            cand --output 'How the answer is written'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;affected'= {
            cand --since 'Compare with the files as they were at this git revision'
            cand -f 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand --filename 'The whole input: files, directories, or - for standard input; may be repeated [default: the current directory]'
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --secrets 'What is rendered of the values of Secrets [default: inline]'
            cand --secret-store 'With --secrets=external: the store of values that no ExternalSecret of the input tells about'
            cand --remote-key 'With --secret-store: the key of a value in it, with {namespace}, {name} and {key} of its Secret'
            cand --max-shards 'Refuse an agent with more shards'
            cand -o 'How the answer is written'
            cand --output 'How the answer is written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand --no-settings 'Do as if there were no agentctl.yaml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand render 'Write the APIServices and ExternalNames with their defaults, remote services expanded'
            cand routes 'List every route in the order in which requests are matched'
            cand discovery 'Write the document that the aggregator would serve at /apis'
            cand diff 'Show the routes that appear, vanish or change, and the preferred versions that flip'
            cand pki 'Make the certificates of a local test: an authority, a server, and the aggregator as its client'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;aggregate;render'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand --remote-services 'The aggregator''s remote_services_file: a list of group, version, host and port'
            cand -n 'The namespace of ExternalNames and Services that name none'
            cand --namespace 'The namespace of ExternalNames and Services that name none'
            cand --external-names-namespace 'The namespace of the ExternalNames that remote services become'
            cand --ca-bundle 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates'
            cand --at 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand -o 'How manifests are written'
            cand --output 'How manifests are written'
            cand --output-dir 'Write one file an object, <namespace>/<kind>_<name>.yaml, into this directory'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate;routes'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand --remote-services 'The aggregator''s remote_services_file: a list of group, version, host and port'
            cand -n 'The namespace of ExternalNames and Services that name none'
            cand --namespace 'The namespace of ExternalNames and Services that name none'
            cand --external-names-namespace 'The namespace of the ExternalNames that remote services become'
            cand --ca-bundle 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates'
            cand --at 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand -o 'How routes are written'
            cand --output 'How routes are written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate;discovery'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand --remote-services 'The aggregator''s remote_services_file: a list of group, version, host and port'
            cand -n 'The namespace of ExternalNames and Services that name none'
            cand --namespace 'The namespace of ExternalNames and Services that name none'
            cand --external-names-namespace 'The namespace of the ExternalNames that remote services become'
            cand --ca-bundle 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates'
            cand --at 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand -o 'How the document is written'
            cand --output 'How the document is written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand --aggregated 'Write the APIGroupDiscoveryList of aggregated discovery instead of the APIGroupList'
            cand --own-group 'Put the aggregator''s own group, apiregistration.k8s.io, in front, as it does'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate;diff'= {
            cand -f 'The same, as kubectl takes it; may be repeated'
            cand --filename 'The same, as kubectl takes it; may be repeated'
            cand --remote-services 'The aggregator''s remote_services_file: a list of group, version, host and port'
            cand -n 'The namespace of ExternalNames and Services that name none'
            cand --namespace 'The namespace of ExternalNames and Services that name none'
            cand --external-names-namespace 'The namespace of the ExternalNames that remote services become'
            cand --ca-bundle 'The aggregator''s apiservice_ca_bundle_file: verify remote services against these certificates'
            cand --at 'Check that CA bundles are valid at this time: YYYY-MM-DD, or now'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --against 'The manifests as they were: a file, a directory, or - for standard input'
            cand -o 'How changes are written'
            cand --output 'How changes are written'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -R 'Accepted because kubectl has it: directories are always walked'
            cand --recursive 'Accepted because kubectl has it: directories are always walked'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate;pki'= {
            cand --server-name 'A name of the server; may be repeated. The aggregator expects <name>.<namespace>.svc of the service'
            cand --client-name 'The client''s name, as the server''s --requestheader-allowed-names has it'
            cand --days 'For how many days the certificates are valid'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand --force 'Replace files that are there already'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;aggregate;help'= {
            cand render 'Write the APIServices and ExternalNames with their defaults, remote services expanded'
            cand routes 'List every route in the order in which requests are matched'
            cand discovery 'Write the document that the aggregator would serve at /apis'
            cand diff 'Show the routes that appear, vanish or change, and the preferred versions that flip'
            cand pki 'Make the certificates of a local test: an authority, a server, and the aggregator as its client'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;aggregate;help;render'= {
        }
        &'agentctl;aggregate;help;routes'= {
        }
        &'agentctl;aggregate;help;discovery'= {
        }
        &'agentctl;aggregate;help;diff'= {
        }
        &'agentctl;aggregate;help;pki'= {
        }
        &'agentctl;aggregate;help;help'= {
        }
        &'agentctl;krm'= {
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand --strict 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it'
            cand --owner-references 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;exec-plugin'= {
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand --strict 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it'
            cand --owner-references 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;argocd'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand generate 'Write the manifests of an Argo CD application'
            cand parameters 'Announce the parameters that `generate` reads'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;argocd;generate'= {
            cand -n 'The namespace of resources that name none'
            cand --namespace 'The namespace of resources that name none'
            cand --labels 'Labels of everything that is created, as the operator''s --labels'
            cand --agent-selector 'Compile only the GrafanaAgents with these labels, as the operator''s --agent-selector'
            cand --agent 'Compile only this GrafanaAgent; may be repeated'
            cand --kubelet-service 'Create a Service and Endpoints for the kubelets, as the operator''s --kubelet-service'
            cand --validate 'What is done about unknown fields'
            cand --missing-secrets 'What is done where a Secret, ConfigMap or key is not in the input'
            cand --max-shards 'How many shards an agent may have'
            cand --max-output-size 'How many bytes all manifests together may have'
            cand --max-file-size 'How many bytes a file or standard input may have, 4GiB at the most'
            cand --max-document-size 'How many bytes a document may have'
            cand --max-documents 'How many documents a file may have'
            cand --max-depth 'How many mappings and lists may stand in one another, 1000 at the most'
            cand --max-alias-expansion 'How many nodes the aliases of a file may add'
            cand --deny 'Make findings with this code errors; `warnings` stands for all that warn and are not named themselves'
            cand --warn 'Make findings with this code warnings; --deny of the same code counts more'
            cand --allow 'Say nothing of findings with this code; --deny and --warn of the same code count more'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand --allow-empty 'Accept that nothing comes out; what applies an empty output may delete everything'
            cand --strict 'Refuse what Kubernetes or the agent would refuse later, as `check` does, although the operator renders it'
            cand --owner-references 'Name GrafanaAgents that have a metadata.uid as owners of what is created for them'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;argocd;parameters'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;argocd;help'= {
            cand generate 'Write the manifests of an Argo CD application'
            cand parameters 'Announce the parameters that `generate` reads'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;argocd;help;generate'= {
        }
        &'agentctl;argocd;help;parameters'= {
        }
        &'agentctl;argocd;help;help'= {
        }
        &'agentctl;explain'= {
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand -v 'Show notes too, such as how many objects of other kinds were skipped'
            cand --verbose 'Show notes too, such as how many objects of other kinds were skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'agentctl;schema'= {
            cand -o 'How CustomResourceDefinitions are written [default: yaml]'
            cand --output 'How CustomResourceDefinitions are written [default: yaml]'
            cand --output-dir 'Write one file a kind into this directory: <kind>.json, and all.json for several kinds in a file; with --crd <group>_<plural>.yaml'
            cand --message-format 'How diagnostics are written [default: human; github where GITHUB_ACTIONS is true]'
            cand --color 'When to use colours'
            cand --crd 'Write CustomResourceDefinitions, as the operator ships them'
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
            cand diff 'Show what applying the rendered manifests would change'
            cand tree 'Show what belongs to each agent, down to the keys of Secrets'
            cand why 'Say why agents take a resource in, or why not'
            cand config 'Print an agent''s configuration, or say where its parts come from'
            cand shards 'Show which shard scrapes which target, and what another number of shards would move'
            cand affected 'Say which agents, and which of their objects, a change reaches'
            cand aggregate 'Compile APIServices and ExternalNames, as Grafana''s aggregator and kube-aggregator do'
            cand krm 'Render inside a ResourceList, as a function of kustomize or kpt'
            cand exec-plugin 'Render as an exec plugin of kustomize'
            cand argocd 'Generate manifests as a config management plugin of Argo CD'
            cand explain 'Say what the code of a diagnostic means, or list all codes'
            cand schema 'Write JSON Schemas for editors, or the CustomResourceDefinitions'
            cand completions 'Write a completion script for a shell'
            cand man 'Write the manual page, or all of them into a directory'
            cand version 'Show the version, and that of the operator whose output is rendered'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'agentctl;help;render'= {
        }
        &'agentctl;help;check'= {
        }
        &'agentctl;help;diff'= {
        }
        &'agentctl;help;tree'= {
        }
        &'agentctl;help;why'= {
        }
        &'agentctl;help;config'= {
        }
        &'agentctl;help;shards'= {
        }
        &'agentctl;help;affected'= {
        }
        &'agentctl;help;aggregate'= {
            cand render 'Write the APIServices and ExternalNames with their defaults, remote services expanded'
            cand routes 'List every route in the order in which requests are matched'
            cand discovery 'Write the document that the aggregator would serve at /apis'
            cand diff 'Show the routes that appear, vanish or change, and the preferred versions that flip'
            cand pki 'Make the certificates of a local test: an authority, a server, and the aggregator as its client'
        }
        &'agentctl;help;aggregate;render'= {
        }
        &'agentctl;help;aggregate;routes'= {
        }
        &'agentctl;help;aggregate;discovery'= {
        }
        &'agentctl;help;aggregate;diff'= {
        }
        &'agentctl;help;aggregate;pki'= {
        }
        &'agentctl;help;krm'= {
        }
        &'agentctl;help;exec-plugin'= {
        }
        &'agentctl;help;argocd'= {
            cand generate 'Write the manifests of an Argo CD application'
            cand parameters 'Announce the parameters that `generate` reads'
        }
        &'agentctl;help;argocd;generate'= {
        }
        &'agentctl;help;argocd;parameters'= {
        }
        &'agentctl;help;explain'= {
        }
        &'agentctl;help;schema'= {
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
