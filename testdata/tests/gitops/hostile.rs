//! Attacks through GitOps entry points: Flux and Argo CD repositories that try to access something outside the
//! repository, run a program, grow without bound, or reveal a secret value.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::kustomize::places::has_kustomize;
use crate::support::{self, Run, agentctl_with_time_limit, feed, run, scratch};

/// Value that no output may contain.
const CANARY: &str = "CANARY-91d2";

/// Maximum CPU time in seconds of a run, and of each program that it starts.
const MAX_SECONDS: u32 = 60;

/// Start of a Flux Kustomization in the entry point `cluster`, up to its `spec`.
const FLUX: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux-system}\n\
                    spec:\n  sourceRef: {kind: GitRepository, name: flux-system}\n";

/// Start of an Application in the entry point `cluster`, up to its `spec`.
const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\n\
                           spec:\n  destination: {server: 'https://kubernetes.default.svc', namespace: x}\n";

/// ApplicationSet in the entry point `cluster` with the placeholders `GENERATORS` and `NAME`.
const APPLICATION_SET: &str = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec:\n  \
                   goTemplate: true\n  generators: GENERATORS\n  template:\n    metadata: {name: 'NAME'}\n    spec:\n      \
                   source: {repoURL: 'https://h/r', path: app}\n      \
                   destination: {server: 'https://kubernetes.default.svc', namespace: x}\n";

/// Flux Kustomization for the artifact `x`, and the start of an ArtifactGenerator in the entry point `cluster`, up to
/// its `spec`.
const ARTIFACT: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux-system}\n\
                        spec:\n  path: ./app\n  sourceRef: {kind: ExternalArtifact, name: x}\n---\n\
                        apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\n\
                        metadata: {name: g, namespace: flux-system}\nspec:\n";

/// A ConfigMap that a harmless build contains.
const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\n";

/// An attack: its name, the shared start of `cluster/a.yaml`, the lines that follow it, other files, and a string that
/// the output must contain. `SERVER` is the address of a server that must not be reached.
type Attack<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);

#[rustfmt::skip]
const ATTACKS: &[Attack<'static>] = &[
    ("path above the root", FLUX, "  path: ../../../outside\n", &[], "`outside` does not exist"),
    ("absolute path", FLUX, "  path: /etc\n", &[], "`etc` does not exist"),
    ("file as path", FLUX, "  path: ./app/x.yaml\n", &[("app/x.yaml", OBJECT)], "is a file, not a directory"),
    ("link as path", FLUX, "  path: ./link\n", &[], "`link` does not exist"),
    ("resource outside", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", "resources: [../../secret.yaml]")], "outside the repository"),
    ("linked resource", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", "resources: [../link/secret.yaml]")], "does not exist"),
    ("absolute file in a generator", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "configMapGenerator: [{name: a, files: [SECRET]}]")], "outside the repository"),
    ("schema outside", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", "openapi: {path: ../../secret.yaml}")], "outside the repository"),
    ("remote resource", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", "Resources: [HTSERVER]")], "remote base"),
    ("remote component in the spec", FLUX, "  path: ./app\n  components: [SERVER]\n", &[("app/x.yaml", OBJECT)], "relative path"),
    ("remote file of a generator", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "secretGenerator: [{name: a, files: ['k=SERVER']}]")], "remote base"),
    ("password in the address of a base", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "resources: ['https://user:CANARY-91d2@127.0.0.1/r']")], "remote base"),
    ("chart", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", "helmCharts: [{name: a, repo: 'SERVER'}]")], "needs helm"),
    ("program as a function", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "transformers: [t.yaml]"), ("app/evil.sh", "#!/bin/sh\ntouch ran\n"),
          ("app/t.yaml", "apiVersion: v1\nkind: T\nmetadata:\n  name: t\n  annotations: {config.kubernetes.io/function: 'exec: {path: ./evil.sh}'}\n")],
        "kustomize fails"),
    ("kustomizations that include each other", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "resources: [../b]"), ("b/kustomization.yaml", "resources: [../app]")], "cycle detected"),
    ("Kustomizations that make others without end", FLUX, "  path: ./app\n  postBuild: {substitute: {n: y}}\n",
        &[("app/next.yaml", GROWING_KUSTOMIZATION)], "more than 30 builds"),
    ("variables that double", FLUX, DOUBLING_SUBSTITUTION, &[("app/x.yaml", OBJECT_WITH_VARIABLE)], "x"),
    ("expressions without end", FLUX, "  path: ./app\n  postBuild: {substitute: {a: b}}\n",
        &[("app/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\ndata: {a: '${a:-${a:-${a:-'}\n")], "cannot parse"),
    ("aliases in a kustomization", FLUX, "  path: ./app\n", &[("app/kustomization.yaml", ALIASES)], "app"),
    ("patterns with many stars", FLUX, "  path: ./app\n", &[("app/x.yaml", OBJECT), (".sourceignore", SLOW_GLOBS)], "1 Flux Kustomization"),
    ("link out of the repository", APPLICATION, "  source: {repoURL: 'https://h/r', path: app}\n", &[("app/x.yaml", OBJECT)],
        "symlink that is absolute or points outside"),
    ("password in the address of a repository", APPLICATION, "  source: {repoURL: 'https://user:CANARY-91d2@h/other', path: missing}\n", &[], "another repository: https://user:xxxxx@h/other"),
    ("huge matrix", APPLICATION_SET, "[{matrix: {generators: [{list: {elementsYaml: '{{ range $i := until 6000 }}- {a: \"{{$i}}\"}\n{{ end }}'}}, {list: {elements: [{b: c}, {b: d}]}}]}}]|{{.a}}",
        &[], "a"),
    ("template without end", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ range $i := until 100000000 }}{{ range $j := until 100000000 }}x{{ end }}{{ end }}", &[], "a"),
    ("template that calls itself", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ define \"t\" }}{{ template \"t\" }}{{ end }}{{ template \"t\" }}", &[], "a"),
    ("repetition", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ repeat 2000000000 .a }}", &[], "a"),
    ("wide number", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ printf \"%2000000000d\" 1 }}", &[], "a"),
    ("large regular expression", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ regexMatch \"((a{1000}){1000}){1000}\" .a }}", &[], "a"),
    ("environment", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ env \"HOSTILE\" }}", &[], "env"),
    ("network of a template", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]|{{ getHostByName \"localhost\" }}", &[], "getHostByName"),
    ("generators that need the network", APPLICATION_SET,
        "[{scmProvider: {github: {api: 'SERVER', organization: x}}}, {pullRequest: {github: {api: 'SERVER', owner: x, repo: y}}}, {plugin: {configMapRef: {name: x}}}, {clusterDecisionResource: {configMapRef: x}}]|a",
        &[], "needs the network: scmProvider generator"),
    ("negative length", FLUX, "  path: ./app\n  postBuild: {substitute: {a: bcd}}\n",
        &[("app/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\ndata: {a: '${a:0:-1}'}\n")], "crashes on a negative length"),
    ("glob with many stars in an expression", FLUX, "  path: ./app\n  postBuild: {substitute: {a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}}\n",
        &[("app/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\ndata: {a: '${a##*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b}'}\n")], "1 Flux Kustomization"),
    ("variable with a line break that adds fields", FLUX, "  path: ./app\n  postBuild: {substitute: {a: \"b\\rkind: Secret\"}}\n",
        &[("app/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\ndata: {a: '${a}'}\n")], "app"),
    ("directory as a kustomization", FLUX, "  path: ./app\n", &[("app/kustomization.yaml/x.yaml", OBJECT)], "is a directory"),
    ("environment of the process", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "secretGenerator: [{name: a, envs: [/proc/self/environ]}]")], "outside the repository"),
    ("patch that tests a secret value", FLUX, "  path: ./app\n  patches:\n  - target: {kind: Secret}\n    patch: '[{op: test, path: /stringData/a, value: CANARY-91d2}]'\n",
        &[("app/x.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: x}\nstringData: {a: CANARY-91d2x}\n")], "kustomize fails"),
    ("script from a server", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "generators: [g.yaml]"),
          ("app/g.yaml", "apiVersion: v1\nkind: G\nmetadata:\n  name: g\n  annotations: {config.kubernetes.io/function: 'starlark: {url: SERVER}'}\n")], "kustomize fails"),
    ("container as a function", FLUX, "  path: ./app\n",
        &[("app/kustomization.yaml", "validators: [g.yaml]"),
          ("app/g.yaml", "apiVersion: v1\nkind: G\nmetadata:\n  name: g\n  annotations: {config.kubernetes.io/function: 'container: {image: evil, network: true}'}\n")], "kustomize fails"),
    ("artifact of itself", ARTIFACT, "  sources: [{alias: s, kind: ExternalArtifact, name: x}]\n  artifacts: [{name: x, copy: [{from: '@s/**', to: '@artifact/'}]}]\n",
        &[("app/x.yaml", OBJECT)], "is made of itself"),
    ("artifacts that are made of each other", ARTIFACT,
        "  sources: [{alias: s, kind: ExternalArtifact, name: y}]\n  artifacts: [{name: x, copy: [{from: '@s/**', to: '@artifact/'}]}, {name: y, copy: [{from: '@s/**', to: '@artifact/'}]}]\n",
        &[("app/x.yaml", OBJECT)], "is made of itself"),
    ("artifact from outside", ARTIFACT,
        "  sources: [{alias: s, kind: GitRepository, name: flux-system}]\n  artifacts: [{name: x, copy: [{from: '@s/../../*', to: '@artifact/app/'}]}]\n",
        &[("app/x.yaml", OBJECT)], "matches no file"),
    ("artifact to outside", ARTIFACT,
        "  sources: [{alias: s, kind: GitRepository, name: flux-system}]\n  artifacts: [{name: x, copy: [{from: '@s/app/x.yaml', to: '@artifact/../../ran'}]}]\n",
        &[("app/x.yaml", OBJECT)], "`app` does not exist"),
    ("Application of itself", APPLICATION, "  source: {repoURL: 'https://h/r', path: cluster}\n", &[], "1 Application"),
    ("other source in the overrides", APPLICATION, "  source: {repoURL: 'https://h/r', path: app}\n",
        &[("app/.argocd-source.yaml", "{path: /etc, repoURL: SERVER, plugin: {name: x}}\n"), ("app/x.yaml", OBJECT)], "needs a plugin"),
    ("environment in options", APPLICATION,
        "  source: {repoURL: 'https://h/r', path: app, kustomize: {commonAnnotations: {a: '${HOSTILE}$HOME'}, commonAnnotationsEnvsubst: true}}\n",
        &[("app/kustomization.yaml", "resources: [x.yaml]"), ("app/x.yaml", OBJECT)], "1 Application"),
    ("nested alternatives in a glob", APPLICATION,
        "  source: {repoURL: 'https://h/r', path: app, directory: {recurse: true, include: '{{{a,b}*,{c,d}*}{{a,b}*,{c,d}*},*}{*,*}{*,*}{*,*}{*,*}{*,*}{*,*}{*,*}{*,*}x'}}\n",
        &[("app/x.yaml", OBJECT)], "1 Application"),
    ("patch of a template without end", APPLICATION_SET, "[{list: {elements: [{a: b}]}}]\n  templatePatch: '{{ range $i := until 100000000 }}x{{ end }}'|{{.a}}", &[], "a"),
    ("globs that multiply", APPLICATION_SET, "[{git: {repoURL: 'https://h/r', directories: [{path: '*/*/*/*/*/*/*/*/*[a-'}, {path: '{a,{b,{c,{d,{e,{f'}]}}]|a", &[], "a"),
];

/// A Flux Kustomization that creates another one with a longer name.
const GROWING_KUSTOMIZATION: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
                    metadata: {name: 'a${n}', namespace: flux-system}\nspec:\n  path: ./app\n  \
                    sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substitute: {n: '${n}y'}}\n";

/// Variables with values of 1 KiB, and strings that refer to these variables many times.
const DOUBLING_SUBSTITUTION: &str = "  path: ./app\n  postBuild:\n    substitute: {a: '0123456789012345678901234567890123456789012345678901234567890123'}\n";
const OBJECT_WITH_VARIABLE: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: x}\ndata: {a: '${a//0/${a//1/${a//2/${a}}}}'}\n";

const ALIASES: &str = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n\
                       d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\n\
                       resources: [*f, *f, *f, *f, *f, *f, *f, *f, *f]\n";

const SLOW_GLOBS: &str = "/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n**/**/**/**/**/**/**/**/**/**/**/**/x.yml\n";

/// Returns the manifest for an attack.
fn manifest(start: &str, rest: &str) -> String {
    match rest.split_once('|').filter(|_| start == APPLICATION_SET) {
        Some((generators, name)) => start.replace("GENERATORS", generators).replace("NAME", name),
        None => format!("{start}{rest}"),
    }
}

/// Runs an attack in a repository next to a file with a secret, and returns the problem with the result, if any.
fn problem(number: usize, attack: &Attack<'_>, url: &str) -> Option<String> {
    let (name, start, rest, files, expected) = *attack;
    let folder = scratch(&format!("hostile-gitops-{number}"));
    let root = folder.join("repository");
    let secret = folder.join("secret.yaml");
    fs::write(&secret, format!("{OBJECT}data: {{a: {CANARY}}}\n")).unwrap();
    for directory in [".git", "cluster"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    let fill = |text: &str| text.replace("SERVER", url).replace("SECRET", &secret.display().to_string());
    fs::write(root.join("cluster/a.yaml"), fill(&manifest(start, rest))).unwrap();
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, fill(text)).unwrap();
    }
    if name.contains("link") {
        symlink(&folder, root.join("link")).unwrap();
    }
    let mut output = String::new();
    let runs = [
        &["check", "cluster", "-v", "--limit", "builds=30", "--message-format", "short"][..],
        &["build", "cluster", "-v", "--limit", "builds=30"],
    ];
    // `check` and `build` follow entry points in the same way, so `build` runs for only some of the attacks.
    let is_built = support::all_cases() || number.is_multiple_of(3);
    for args in runs.into_iter().take(1 + usize::from(is_built)) {
        let Run { status, stdout, stderr } = feed(agentctl_with_time_limit(&root, MAX_SECONDS).args(args), b"");
        if !matches!(status, Some(0 | 1)) {
            return Some(format!("{name}: {args:?} ends with {status:?}: {stderr}"));
        }
        // `build` writes objects as they are in the repository, so its output may contain the password.
        if !(args.contains(&"build") && name.contains("password")) {
            output.push_str(&stdout);
        }
        output.push_str(&stderr);
    }
    let ran_program = root.join("ran").exists() || root.join("app/ran").exists();
    let is_expected =
        output.contains(expected) && !output.contains(CANARY) && !output.contains("root:x:0") && !ran_program;
    (!is_expected)
        .then(|| format!("{name}: expected {expected:?}, found {}", output.chars().take(2_000).collect::<String>()))
}

#[test]
fn rejects_malicious_repositories() {
    if !has_kustomize() {
        return;
    }
    assert!(ATTACKS.len() >= 45);
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let url = format!("tp://{}/x.yaml", server.local_addr().unwrap());
    let (plain_attacks, attacks): (Vec<_>, Vec<_>) =
        support::sample((0..).zip(ATTACKS), 7).into_iter().partition(|(number, _)| number % 2 == 0);
    let problems = |attacks: Vec<(usize, &Attack<'_>)>| -> Vec<String> {
        attacks.into_iter().filter_map(|(number, attack)| problem(number, attack, &format!("ht{url}"))).collect()
    };
    let failures: Vec<_> = std::thread::scope(|scope| {
        let threads = [plain_attacks, attacks].map(|group| scope.spawn(|| problems(group)));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    support::report(&failures);
    assert!(server.accept().is_err(), "an attack reached the server");
}

#[test]
fn errors_mention_the_exceeded_limit() {
    if !has_kustomize() {
        return;
    }
    let root = scratch("hostile-gitops-limits");
    for (path, text) in [("cluster/a.yaml", &format!("{FLUX}  path: ./app\n")), ("app/x.yaml", &OBJECT.to_owned())] {
        fs::create_dir_all(root.join(Path::new(path).parent().unwrap())).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    for (limit, status, expected) in [
        ("builds=1", 1, "more than 1 builds (`--limit builds`)"),
        ("built-objects=1", 1, "more than 1 objects (`--limit built-objects`)"),
        ("build-time=0", 1, "longer than 0 seconds (`--limit build-time`)"),
        ("repository-files=1", 2, "more than 1 files (`--limit repository-files`)"),
    ] {
        for command in ["build", "check"] {
            let output = run(
                &root,
                [command, "cluster", "--limit", limit, "--allow-empty"].iter().take(if command == "build" {
                    4
                } else {
                    5
                }),
                b"",
            );
            let command_output = format!("{}{}", output.stdout, output.stderr);
            assert!(
                output.status == Some(status) && command_output.contains(expected),
                "{command} {limit}: {output:?}"
            );
        }
    }
}

/// Tests that kustomize is not run if it would multiply a small input, either for Flux or with `-k`.
#[test]
fn rejects_builds_that_multiply_their_input() {
    if !has_kustomize() {
        return;
    }
    let large_value = "x".repeat(200_000);
    let keys: String = (0..200).map(|key| format!("  k{key}: *a\n")).collect();
    let aliases = format!("{OBJECT}data:\n  a: &a {large_value}\n{keys}");
    let many_objects = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n---\n".repeat(400);
    let generators = "configMapGenerator:\n".to_owned() + &"- {name: a, files: [k=x.yaml]}\n".repeat(400);
    for (number, (kustomization, file, expected)) in [
        (
            "resources: [x.yaml]",
            aliases.as_str(),
            "app/x.yaml:89:8: error[CODE]: WHATthe aliases expand to more than 16MiB",
        ),
        (
            &format!("resources: [x.yaml]\ncommonAnnotations: {{a: {large_value}}}"),
            &many_objects,
            "a build of at most 64MiB",
        ),
        (&generators, &large_value, "a build of at most 64MiB"),
    ]
    .into_iter()
    .enumerate()
    {
        let root = scratch(&format!("hostile-gitops-multiply-{number}"));
        for directory in ["cluster", "app"] {
            fs::create_dir(root.join(directory)).unwrap();
        }
        fs::write(root.join("cluster/a.yaml"), format!("{FLUX}  path: ./app\n")).unwrap();
        fs::write(root.join("app/kustomization.yaml"), kustomization).unwrap();
        fs::write(root.join("app/x.yaml"), file).unwrap();
        for (input, code, what) in [
            (&["cluster"][..], "gitops-build", "Kustomization/flux-system/a: kustomize is not run: "),
            (&["-k", "app"], "kustomize-error", ""),
        ] {
            let check_run =
                feed(agentctl_with_time_limit(&root, 10).args(["check", "--message-format", "short"]).args(input), b"");
            let expected = expected.replace("CODE", code).replace("WHAT", what);
            assert!(
                check_run.status == Some(1) && check_run.stdout.contains(&expected),
                "{number} {input:?}: {check_run:?}"
            );
        }
    }
}
