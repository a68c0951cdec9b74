"""Reader of Alloy's Go sources: the arguments of components, with their types and their defaults.

Only as much Go is understood as these declarations use. Alloy is read as it is built for Linux.
"""
import json
import re
from typing import NamedTuple

MODULE = "github.com/grafana/alloy/"

# Arguments of the blocks that configure Alloy itself, which are not registered as components.
SERVICES = {"logging": ("internal/runtime/logging", "Options"), "http": ("internal/service/http", "Arguments")}

# The catalog's names of Go types. A target and a receiver exist only in lists.
TYPES = {
    "string": "text", "bool": "bool", "time.Duration": "duration", "units.Base2Bytes": "size", "url.Values": "map-of-texts",
    "flagext.StringSlice": "texts", "alloytypes.Secret": "secret", "alloytypes.OptionalSecret": "optional-secret",
    "discovery.Target": "target", "relabel.Rules": "rules", "storage.Appendable": "receiver", "loki.LogsReceiver": "receiver",
    "otelcol.Consumer": "receiver",
}
NUMBER = re.compile(r"u?int\d*|float\d+")
LISTS = {"text": "texts", "encoded": "texts", "secret": "secrets", "number": "numbers", "map": "maps", "target": "targets",
         "receiver": "receivers"}
MAPS = {"text": "map", "texts": "map-of-texts", "secrets": "map-of-secrets"}

# Constants of other modules; durations are in nanoseconds.
CONSTANTS = {"time.Nanosecond": 1, "time.Microsecond": 10**3, "time.Millisecond": 10**6, "time.Second": 10**9,
             "time.Minute": 60 * 10**9, "time.Hour": 3600 * 10**9, "units.KiB": 2**10, "units.MiB": 2**20, "units.GiB": 2**30,
             "math.MaxInt64": 2**63 - 1, "true": True, "false": False, "nil": None}

TOKEN = re.compile(r"""(?:[ \t\r]|//[^\n]*|/\*.*?\*/)+|(`[^`]*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\d[\w.]*|\w+|:=|.)""", re.S)
OPEN, CLOSE = "([{", ")]}"


class Struct(NamedTuple):
    """Type of a block."""

    package: object
    name: str
    is_list: bool = False


class Field(NamedTuple):
    """Argument or block: the Go fields that lead to it, its name, the rest of its tag, and its type."""

    path: tuple
    name: str
    marks: list
    type: object
    is_pointer: bool


class Unknown(str):
    """Go expression that this reader cannot compute."""


def statements(tokens):
    """Splits tokens at the line ends that end a statement."""
    found, depth = [], 0
    for token in tokens:
        depth += (token in OPEN) - (token in CLOSE)
        if depth == 0 and token == "\n" and found and re.search(r"[\w`\"')\]}]$", found[-1]):
            yield found
            found = []
        elif depth > 0 or token != "\n":
            found.append(token)
    if found:
        yield found


def split(tokens, mark):
    """Splits tokens at `mark` outside of brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token in OPEN) - (token in CLOSE)
        if token == mark and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def opening(tokens):
    """Index of the bracket that the last token closes."""
    depth = 0
    for i in reversed(range(len(tokens))):
        depth += (tokens[i] in CLOSE) - (tokens[i] in OPEN)
        if depth == 0:
            return i


def holds(constraint):
    """Whether a build constraint, such as `linux && !(arm || cgo)`, holds for Linux."""
    while inner := re.search(r"\(([^()]*)\)", constraint):
        constraint = constraint[:inner.start()] + ("linux" if holds(inner[1]) else "never") + constraint[inner.end():]
    tags = ("linux", "amd64", "cgo", "promtail_journal_enabled")
    term = lambda text: (text.strip("! ") in tags) != (text.count("!") % 2 == 1)
    return any(all(map(term, part.split("&&"))) for part in constraint.split("||"))


def is_built(path, text):
    """Whether a file is part of the build for Linux."""
    if re.search(r"_(test|windows|darwin|freebsd|netbsd|openbsd)\.go$", path.name):
        return False
    constraint = re.search(r"^//go:build (.+)$", text, re.M)
    return not constraint or holds(constraint[1])


class Package:
    """Declarations of a Go package by name, each with the package, the imports of its file, and its tokens.

    A function is declared as `name()`, a method as `Type.name` with its receiver, and what `init` sets as `variable.Field`.
    """

    def __init__(self, directory):
        self.name, self.declared, self.imports = directory.name, {}, []
        for path in sorted(directory.glob("*.go")):
            text = path.read_text(encoding="utf-8")
            if is_built(path, text):
                self.imports.append({})
                for words in statements(filter(None, TOKEN.findall(text))):
                    self.declare(self.imports[-1], words)

    def declare(self, imports, words):
        kind, *words = words
        if kind in ("import", "type", "var", "const"):
            for line in statements(words[1:-1]) if words[0] == "(" else [words]:
                if kind == "import":
                    name = re.sub(r"/v\d+$", "", line[-1].strip('"')).split("/")[-1]
                    imports[line[0] if len(line) > 1 else name] = line[-1].strip('"')
                elif kind == "type":
                    self.declared[line[0]] = (self, imports, line[1 + (line[1] == "="):])
                elif "=" in line:
                    self.declared[line[0]] = (self, imports, line[line.index("=") + 1:])
        elif words[0] == "init":
            for i in range(1, len(words) - 3):
                if words[i] == "." and words[i + 2] == "=":
                    # The first assignment is the one for Linux.
                    value = next(statements(words[i + 3:]))
                    self.declared.setdefault(f"{words[i - 1]}.{words[i + 1]}", (self, imports, value))
        elif kind == "func" and words[-1] == "}":
            body = (self, imports, words[opening(words) + 1:-1])
            if words[0] == "(":
                end = words.index(")")
                self.declared[f"{words[end - 1]}.{words[end + 1]}"] = (*body, words[1])
            else:
                self.declared[f"{words[0]}()"] = body


class Sources:
    def __init__(self, root):
        self.root, self.packages, self.components, self.squashed = root, {}, dict(SERVICES), {}
        self.version = json.loads((root / ".release-please-manifest.json").read_text(encoding="utf-8"))["."]
        for path in sorted((root / "internal/component").rglob("*.go")):
            text = path.read_text(encoding="utf-8")
            if "component.Registration{" in text and is_built(path, text):
                for name, arguments in re.findall(r"Name:\s*(\S+),.*?Args:\s*&?([\w.]+)\{", text, re.S):
                    name = name if name[0] == '"' else re.search(rf'\b{name}\s*=\s*("[^"]+")', text)[1]
                    self.components[name.strip('"')] = (path.parent.relative_to(root).as_posix(), arguments)

    def package(self, path):
        if path not in self.packages:
            self.packages[path] = Package(self.root / path)
        return self.packages[path]

    def look_up(self, package, imports, name):
        """Declaration of a name, which an alias of an imported package may precede."""
        path, name = (imports.get(name.split(".")[0], ""), name.split(".", 1)[1]) if "." in name else (None, name)
        if path is not None:
            package = self.package(path.removeprefix(MODULE)) if path.startswith(MODULE) else None
        return package.declared.get(name) if package else None

    def arguments(self, component):
        """Struct of a component's arguments."""
        path, name = self.components[component]
        package = self.package(path)
        found = next(filter(None, (self.look_up(package, imports, name) for imports in package.imports)))
        return Struct(found[0], name.split(".")[-1])

    def type(self, package, imports, tokens):
        """A `Struct` for a block, and otherwise the catalog's name of a Go type, or `?` if it has none."""
        tokens = [token for token in tokens if token != "*"]
        if tokens[0] == "[":
            item = self.type(package, imports, tokens[2:])
            return item._replace(is_list=True) if isinstance(item, Struct) else LISTS.get(item, "?")
        if tokens[0] == "map":
            return MAPS.get(self.type(package, imports, tokens[4:]), "?")
        *alias, name = "".join(tokens).split(".")
        if NUMBER.fullmatch(name):
            return "number"
        full = ".".join([*(imports.get(part, "").split("/")[-1] for part in alias), name])
        known = TYPES.get(full) or TYPES.get(f"{package.name}.{name}" if not alias else "")
        found = known or self.look_up(package, imports, "".join(tokens))
        if not found or known:
            return known or "?"
        if f"{name}.UnmarshalText" in found[0].declared:
            return "text" if found[2] == ["string"] else "encoded"
        return Struct(found[0], name) if found[2][0] == "struct" else self.type(*found)

    def fields(self, struct):
        """Arguments and blocks of a struct, with those of structs that are squashed into it."""
        package, imports, tokens = struct.package.declared[struct.name]
        for line in statements(tokens[2:-1]):
            tag = re.search(r'alloy:"([^"]*)"', line[-1])
            if not tag:
                continue
            names = line[::2][:1 + line.count(",")]
            kind = line[len(names) * 2 - 1:-1]
            name, *marks = tag[1].split(",")
            found = self.type(package, imports, kind)
            for go_name in names:
                if marks == ["squash"]:
                    self.squashed[f"{found.package.name}.{found.name}"] = found
                    yield from (field._replace(path=(go_name, *field.path)) for field in self.fields(found))
                else:
                    yield Field((go_name,), name, marks, found, kind[0] == "*")

    def default(self, struct):
        """Value that Alloy sets before it decodes a block, or `None` if the struct has no method for this."""
        methods = (f"{struct.name}.{method}" for method in ("SetToDefault", "UnmarshalAlloy"))
        method = next(filter(None, map(struct.package.declared.get, methods)), None)
        if method:
            *body, receiver = method
            scope = {receiver: {}}
            self.call(*body, scope, struct)
            return scope[receiver]

    def call(self, package, imports, tokens, scope, struct=None):
        """Runs a function body. An `if` is skipped: in these functions, it is about errors and Windows."""
        for words in statements(tokens):
            words = words[words[0] == "var":]
            mark = next((mark for mark in (":=", "=") if mark in words), None)
            target = "".join(words[:words.index(mark) if mark else -2]).lstrip("*").split(".")
            if words[0] == "return":
                return self.value(package, imports, words[1:], scope)
            if words[0] in ("if", "for", "switch", "type"):
                continue
            if mark:
                value = self.value(package, imports, words[words.index(mark) + 1:], scope)
            elif target.pop() == "SetToDefault":
                value = self.default(next(field.type for field in self.fields(struct) if field.path == (target[1],)))
            else:
                continue
            place = scope
            for name in target[:-1]:
                place = place.setdefault(name, {})
            place[target[-1]] = value

    def value(self, package, imports, tokens, scope=()):
        """Value of an expression: a dict for a struct, and an `Unknown` if it cannot be computed."""
        tokens = [token for token in tokens if token != "\n"]
        text = "".join(tokens)
        within = lambda tokens: self.value(package, imports, tokens, scope)
        for mark, operation in ("+", lambda a, b: a + b), ("*", lambda a, b: a * b):
            first, *rest = map(within, split(tokens, mark)) if mark in tokens[1:] and len(split(tokens, mark)) > 1 else [None]
            for value in rest:
                first = operation(first, value) if Unknown not in map(type, (first, value)) else Unknown(text)
            if rest:
                return first
        if tokens[0] in "&*":
            return within(tokens[1:])
        if tokens[0][0] in "`\"":
            return json.loads(text) if text[0] == '"' else text[1:-1]
        if re.fullmatch(r"-?[\d_.]+", text):
            return float(text) if "." in text else int(text)
        if tokens[-1] == "}":
            items = split(tokens[opening(tokens) + 1:-1], ",")
            if tokens[0] == "[":
                return [within(item) for item in items]
            return {item[0]: within(item[2:]) for item in items} if all(":" in item for item in items) else Unknown(text)
        if tokens[-1] == ")":
            name, arguments = "".join(tokens[:opening(tokens)]), tokens[opening(tokens) + 1:-1]
            function = self.look_up(package, imports, name + "()")
            if function:
                value = self.call(*function, {})
                return Unknown(text) if value is None else value
            is_conversion = name in TYPES or NUMBER.fullmatch(name) or self.look_up(package, imports, name)
            return within(arguments) if is_conversion or name == "slices.Clone" else Unknown(text)
        if text in CONSTANTS:
            return CONSTANTS[text]
        names = text.split(".")
        if names[0] in scope:
            value, names = scope[names[0]], names[1:]
        else:
            # A name, a field that `init` sets, or a field of a variable.
            found = [(count, self.look_up(package, imports, ".".join(names[:count]))) for count in range(len(names), 0, -1)]
            count, found = next((pair for pair in found if pair[1]), (0, None))
            value, names = self.value(*found) if found else Unknown(text), names[count:]
        for name in names:
            value = value.get(name) if isinstance(value, dict) else Unknown(text)
        return dict(value) if isinstance(value, dict) else value
