// Elements. Text is only ever set as text.

function element(tag, properties = {}, ...content) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    // The policy of the page allows no attribute with a style.
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  node.append(...content.filter((part) => part !== null && part !== undefined && part !== ""));
  return node;
}

const $ = (id) => document.getElementById(id);

function tile(kind) {
  return element("span", { className: `tile k-${short(kind)}`, "aria-hidden": "true" }, short(kind));
}

/** A sentence; what it has in backticks is code. */
function prose(sentence) {
  return sentence.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
}

/** The name of a resource. Where there is no room, the namespace is cut and the name goes on in the next line. */
function nameOf({ namespace, name, ref }, words = []) {
  return element("span", { className: "name", "aria-label": ref, title: ref },
    element("span", { className: "space" }, ...marked(`${namespace}/`, words)), element("span", { className: "own" }, ...marked(name, words)));
}

/** A text with the words of the search marked. */
function marked(value, words) {
  const lower = value.toLowerCase();
  const parts = [];
  let from = 0;
  while (from < value.length) {
    let at = -1;
    let length = 0;
    for (const word of words) {
      const found = lower.indexOf(word, from);
      if (found >= 0 && (at < 0 || found < at)) [at, length] = [found, word.length];
    }
    if (at < 0) break;
    if (at > from) parts.push(value.slice(from, at));
    parts.push(element("mark", {}, value.slice(at, at + length)));
    from = at + length;
  }
  parts.push(value.slice(from));
  return parts;
}

/** YAML with its keys and masks told apart. */
function highlighted(source) {
  const code = element("code");
  const isAlloy = /^[\w.]+ (?:"\w+" )?\{/.test(source);
  const keyed = isAlloy ? /^(\s*)(\w+|"[^"]*")(\s+=)(\s.*)$/ : /^(\s*(?:- )*)([^\s:#'"][^:]*|'[^']*'|"[^"]*")(:)(\s.*|)$/;
  for (const line of source.split("\n")) {
    const match = keyed.exec(line);
    if (match) {
      code.append(match[1], element("span", { className: "y-key" }, match[2]), match[3], ...value(match[4]), "\n");
    } else {
      code.append(...(line === "---" ? [element("span", { className: "y-dim" }, line)] : value(line)), "\n");
    }
  }
  return code;
}

function value(part) {
  const mask = /'?\*\*\*(?: \([^)]*\))?'?/.exec(part);
  if (!mask) return [part];
  return [part.slice(0, mask.index), element("span", { className: "y-mask" }, mask[0]), part.slice(mask.index + mask[0].length)];
}
