// The script of every page: tables that sort, points that say what they are, and the rows of a
// report to search, filter, open and export. Text only ever becomes text; what is read as HTML
// (`ours`) was made by metrics/drawing.py with all text escaped.

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** An element; attributes `onclick: f` listen, children are nodes or text. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same within SVG. */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A score with the decimals of its measure, or of a difference. */
const shown = (score, decimals = 3) => (score == null ? "n/a" : (Math.abs(score) < 10 ** -decimals / 2 ? 0 : score).toFixed(decimals));
const counted = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

// Tables that sort.

function value(row, place) {
  const cell = row.cells[place];
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = /^[<+]?\s*(-?[\d,]*\.?\d+)(?![\p{L}\d-])/u.exec(text);
  return number ? parseFloat(number[1].replaceAll(",", "")) : text;
}

function compared(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
  return typeof a === "number" ? -1 : 1;
}

/** The best first, or names from a to z; pressed again the other way round. */
function sortBy(table, head, place) {
  const rows = [...table.tBodies[0].rows].map((row) => [value(row, place), row]);
  const before = head.getAttribute("aria-sort");
  const up = head.matches(".up") || rows.every(([one]) => typeof one === "string");
  const down = before ? before !== "descending" : !up;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.classList.add("sorted");
  rows.sort((a, b) => (down ? compared(b[0], a[0]) : compared(a[0], b[0])));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sorts")) {
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const words = [...head.childNodes];
    const press = () => sortBy(table, head, place);
    head.replaceChildren(element("button", { class: "sort", type: "button", onclick: press }, ...words));
  });
}

// The rows. State is in the address after the #, so that a link to a row or to a filter works.

const FIELDS = ["mode", "near", "text", "system", "doc", "flag", "by", "from", "to", "one", "other", "least"];
const COLUMNS = 7; // measures of the list; an opened row has them all
const FIRST = 10; // rows of a new list
const STEP = 50; // rows that are added to it at once
const QUIET = ["missing", "added"]; // flags that most rows have: to filter by, not to mark
const NOTES = { starred: (note) => note.star, "marked right": (note) => note.mark === "right",
  "marked wrong": (note) => note.mark === "wrong", commented: (note) => note.comment };

class Explorer {
  #data;
  #explain;
  #place;
  #found = [];
  #listed = 0;
  #folded = null;
  #ranks = new Map();
  #fields = {};
  #asked = 0;
  #name;
  #notes = {}; // stars, marks and comments by row

  /** `explain(row)` resolves to nodes that are shown below an opened row. */
  constructor(place, data, explain, name) {
    this.#place = place;
    this.#data = data;
    this.#explain = explain;
    this.#name = `otherwords ${name}`;
    try { this.#notes = JSON.parse(localStorage.getItem(this.#name)) ?? {}; } catch { /* not kept */ }
    this.rows = new Map(data.rows.map((row, at) => [row[0], at]));
    this.differ = new Set(); // segments whose texts are not all the same
    const texts = new Map();
    for (const row of data.rows) {
      if ((texts.get(row[1]) ?? row[3]) !== row[3]) this.differ.add(row[1]);
      texts.set(row[1], row[3]);
    }
    this.#build();
    addEventListener("hashchange", () => this.#read());
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#read();
  }

  text(number) {
    const row = this.#data.rows[this.rows.get(number)];
    return row && `${this.#names(row)}: ${row[3]}`;
  }

  open(number) {
    this.#write({ row: number });
    this.#read({ scroll: true });
  }

  #names(row) {
    return row[2].map((system) => this.#data.systems[system]).join(", ");
  }

  #build() {
    const { systems, measures, items, rows } = this.#data;
    const docs = [...new Set(items.map((item) => item.doc).filter((doc) => doc != null))];
    const flags = [...new Set(rows.flatMap((row) => row[5]))];
    const named = measures.map((one) => one.name);
    const field = (name, label, made) => {
      this.#fields[name] = made;
      made.setAttribute("aria-label", label);
      return element("label", {}, label, made);
    };
    const chosen = (first, names) => element(
      "select", {}, element("option", { value: "" }, first),
      ...names.map((name) => element("option", { value: name }, name)),
    );
    const either = () => {
      const made = chosen("–", []);
      for (const [label, names] of [["systems", systems], ["scores", [...named, "length"]]]) {
        const options = names.map((name) => element("option", { value: `${label}:${name}` }, name));
        made.append(element("optgroup", { label }, ...options));
      }
      return made;
    };
    const form = element(
      "form", { class: "filters", role: "search", "aria-label": "Filter rows" },
      element("div", { class: "modes", role: "group", "aria-label": "Show" }, ...this.#modes()),
      field("text", "Text", element("input", { type: "search", autocomplete: "off" })),
      systems.length > 1 ? field("system", "System", chosen("all", systems)) : null,
      field("flag", "Flag", chosen("any", [...flags, ...Object.keys(NOTES)])),
      element("details", {}, element("summary", {}, "More filters"), element("div", { class: "filters" },
      docs.length > 1 ? field("doc", "Document", chosen("all", docs)) : null,
      element(
        "fieldset", {},
        field("by", "Score or length", chosen("–", [...named, "length"])),
        field("from", "from", element("input", { type: "number", step: "any" })),
        field("to", "to", element("input", { type: "number", step: "any" })),
      ),
      element(
        "fieldset", {},
        field("one", "Difference of", either()),
        field("other", "and", either()),
        field("least", "at least", element("input", { type: "number", step: "any", min: "0" })),
      ))),
    );
    this.chips = element("div", { class: "chips" });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      this.#write(Object.fromEntries(Object.entries(this.#fields).map(([name, one]) => [name, one.value])));
      this.#list();
    });
    this.count = element("span", { role: "status", "aria-live": "polite", class: "quiet" });
    const save = (kind) => element("button", { type: "button", onclick: () => this.#export(kind) }, kind);
    const bar = element("div", { class: "bar" }, this.count, element("span", { class: "grow" }),
      element("span", { class: "quiet" }, "Export these"), save("JSONL"), save("CSV"));
    this.heads = element("tr");
    this.body = element("tbody", { onclick: (event) => {
      if (event.target.closest("a, button") || String(getSelection())) return;
      const line = event.target.closest("tr");
      if (line) this.open(Number(line.dataset.number));
    } });
    this.more = element("button", { class: "more", type: "button", onclick: () => this.#add() }, "Show more");
    const table = element("table", { class: "list" }, element("thead", {}, this.heads), this.body);
    this.opened = element("section", { class: "opened", "aria-label": "Opened row", tabindex: "-1", hidden: true });
    this.grid = element("div", { class: "explorer" },
      element("div", { class: "table" }, table, this.more), this.opened);
    this.#place.replaceChildren(form, this.chips, bar, this.grid);
  }

  /** All segments, those with a text that fails, those whose texts differ. */
  #modes() {
    const { rows, items, systems } = this.#data;
    const failing = new Set(rows.filter((row) => this.#fails(row)).map((row) => row[1]));
    const sizes = { "": ["All", items.length], failures: ["Failures", failing.size] };
    if (systems.length > 1) sizes.different = ["Different", this.differ.size];
    this.modes = Object.entries(sizes).map(([mode, [name, size]]) => element(
      "button", { type: "button", "data-mode": mode, onclick: () => this.filter({ mode, sort: "", up: "" }) },
      name, element("small", {}, ` ${size.toLocaleString("en")}`)));
    return this.modes;
  }

  #fails(row) {
    return row[5].some((flag) => !QUIET.includes(flag));
  }

  /** Set some filters and show what they leave. */
  filter(values) {
    this.#write(values);
    this.#read();
  }

  /** The filters in use, each to be taken away. */
  #chip(state) {
    const range = state.by && (state.from || state.to) && `${state.by} ${state.from ?? "…"} to ${state.to ?? "…"}`;
    const gap = state.one && state.other && `${this.#split(state.one)[1]} − ${this.#split(state.other)[1]}`;
    const used = [
      [state.near && "Chosen segments", "near"], [state.text && `Text: ${state.text}`, "text"],
      [state.system && `System: ${state.system}`, "system"], [state.doc && `Document: ${state.doc}`, "doc"],
      [state.flag && `Flag: ${state.flag}`, "flag"], [range, "by", "from", "to"],
      [gap && (state.least ? `${gap}: at least ${state.least}` : gap), "one", "other", "least"],
    ].filter(([words]) => words);
    const none = (names) => Object.fromEntries(names.map((name) => [name, ""]));
    const button = (label, words, names) => element(
      "button", { type: "button", "aria-label": label, onclick: () => this.filter(none(names)) }, words);
    const chips = used.map(([words, ...names]) => button(`Remove filter ${words}`, `${words} ×`, names));
    if (used.length) chips.push(button("Clear", "Clear", [...FIELDS, "sort", "up"]));
    this.chips.replaceChildren(...chips);
    for (const one of this.modes) one.setAttribute("aria-pressed", one.dataset.mode === (state.mode ?? ""));
  }

  /** Names and actions that Ctrl-K finds. */
  *commands(words) {
    const { systems, rows } = this.#data;
    for (const one of this.modes) yield [`Show: ${one.firstChild.textContent}`, () => one.click()];
    if (systems.length > 1) for (const system of systems) yield [`System: ${system}`, () => this.filter({ system })];
    for (const flag of Object.keys(NOTES)) yield [`Flag: ${flag}`, () => this.filter({ flag })];
    for (const kind of ["JSONL", "CSV"]) yield [`Export ${kind}`, () => this.#export(kind)];
    if (words) {
      yield [`Text: ${words}`, () => this.filter({ text: words })];
      for (const row of rows) yield [`${this.#title(row)}, ${this.text(row[0])}`, () => this.open(row[0])];
    }
  }

  #state() {
    return Object.fromEntries(new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : ""));
  }

  #write(values) {
    const next = new URLSearchParams(this.#state());
    for (const [name, one] of Object.entries(values)) {
      if (one === "" || one == null) next.delete(name);
      else next.set(name, one);
    }
    history.replaceState(null, "", next.size ? `#${next}` : "#rows");
  }

  #read({ scroll = false } = {}) {
    const state = this.#state();
    if (!Object.keys(state).length && !this.opened.hidden) return; // a link to a section
    if (state.near) this.#place.scrollIntoView();
    for (const [name, one] of Object.entries(this.#fields)) one.value = state[name] ?? "";
    this.#list();
    if (state.row !== undefined) this.#show(Number(state.row), scroll || !this.#shown);
    else this.#close();
    this.#shown = true;
  }
  #shown = false;

  /** A score or the length of a row. */
  #score(row, name) {
    if (name === "length") return this.#data.items[row[1]].length;
    const place = this.#data.measures.findIndex((one) => one.name === name);
    return place < 0 ? null : row[4][place];
  }

  /** The share of rows with a lower score, from 0 to 100, better ones higher. */
  #rank(at, name) {
    if (!this.#ranks.has(name)) {
      const up = this.#data.measures.find((one) => one.name === name)?.higher ?? true;
      const scores = this.#data.rows.map((row) => this.#score(row, name));
      const known = scores.filter((score) => score != null).sort((a, b) => a - b);
      const below = new Map();
      known.forEach((score, place) => below.has(score) || below.set(score, place));
      const last = Math.max(known.length - 1, 1);
      this.#ranks.set(name, scores.map((score) => {
        const share = score == null ? null : (100 * below.get(score)) / last;
        return share == null || up ? share : 100 - share;
      }));
    }
    return this.#ranks.get(name)[at];
  }

  /** What the difference filter says of a row, or null. */
  #difference(at, { one, other, by }) {
    const [kind, first] = this.#split(one);
    const [same, second] = this.#split(other);
    if (!first || !second || kind !== same) return null;
    if (kind === "scores") {
      const [a, b] = [this.#rank(at, first), this.#rank(at, second)];
      return a == null || b == null ? null : a - b;
    }
    const row = this.#data.rows[at];
    const name = by || this.#data.measures[0]?.name;
    const of = (system) => (this.#byItem(row[1]) ?? []).find((place) =>
      this.#data.rows[place][2].some((number) => this.#data.systems[number] === system));
    if (!row[2].some((number) => this.#data.systems[number] === first)) return null;
    const [mine, theirs] = [of(first), of(second)].map((place) =>
      place === undefined ? null : this.#score(this.#data.rows[place], name));
    return mine == null || theirs == null ? null : mine - theirs;
  }

  #split(text = "") {
    const place = text.indexOf(":");
    return [text.slice(0, Math.max(place, 0)), text.slice(place + 1)];
  }

  #items = null;
  #byItem(item) {
    if (!this.#items) {
      this.#items = new Map();
      this.#data.rows.forEach((row, at) => this.#items.set(row[1], [...(this.#items.get(row[1]) ?? []), at]));
    }
    return this.#items.get(item);
  }

  #list() {
    const state = this.#state();
    const { rows, items, systems } = this.#data;
    const wanted = (state.text ?? "").toLowerCase();
    if (wanted && !this.#folded) {
      const about = items.map((item) =>
        [item.name, item.source ?? "", ...item.references].join("\n").toLowerCase());
      this.#folded = rows.map((row) => `${row[3].toLowerCase()}\n${about[row[1]]}`);
    }
    const system = systems.indexOf(state.system);
    const compares = state.one && state.other;
    const [from, to, least] = [state.from, state.to, state.least].map((text) => parseFloat(text));
    this.apart = compares ? rows.map((_, at) => this.#difference(at, state)) : null;
    const near = state.near && new Set(state.near.split(",").map((n) => rows[this.rows.get(Number(n))]?.[1]));
    this.#found = rows.map((_, at) => at).filter((at) => {
      const row = rows[at];
      if (near && !near.has(row[1])) return false;
      if (wanted && !this.#folded[at].includes(wanted)) return false;
      if (system >= 0 && !row[2].includes(system)) return false;
      if (state.doc && items[row[1]].doc !== state.doc) return false;
      if (state.mode === "failures" && !this.#fails(row)) return false;
      if (state.mode === "different" && !this.differ.has(row[1])) return false;
      if (state.flag && !(NOTES[state.flag]?.(this.#note(row)) ?? row[5].includes(state.flag))) return false;
      if (state.by && (state.from || state.to)) {
        const score = this.#score(row, state.by);
        if (score == null || score < from || score > to) return false;
      }
      if (!compares) return true;
      return this.apart[at] != null && !(Math.abs(this.apart[at]) < least);
    });
    if (state.sort || state.mode) {
      const key = (at) => {
        if (!state.sort) return this.#order(at, state.mode);
        if (state.sort === "difference") return this.apart?.[at] ?? null;
        if (state.sort === "system") return this.#names(rows[at]);
        if (state.sort === "text") return rows[at][3];
        return state.sort === "segment" ? at : this.#score(rows[at], state.sort);
      };
      const keys = new Map(this.#found.map((at) => [at, key(at)]));
      this.#found.sort((a, b) => {
        const [one, other] = [keys.get(a), keys.get(b)];
        if (one == null || other == null) return (one == null) - (other == null) || a - b;
        return (state.up ? compared(one, other) : compared(other, one)) || a - b;
      });
    }
    const segments = new Set(this.#found.map((at) => rows[at][1])).size.toLocaleString("en");
    const texts = systems.length > 1 ? `, ${counted(this.#found.length, "text")}` : "";
    this.count.textContent = `${segments} of ${counted(items.length, "segment")}${texts}`;
    this.#chip(state);
    const names = ["segment", "system", "text", ...this.#columns(state).map((one) => one.name)];
    if (compares) names.push("difference");
    this.key = names.slice(3).includes(state.sort) ? state.sort : names[3]; // shown next to an opened row
    this.heads.replaceChildren(...names.map((name, place) => this.#head(name, place > 2, state)));
    this.body.replaceChildren();
    this.#listed = 0;
    this.#add();
  }

  /** The default order of a mode: the worst failure first, the largest difference first. */
  #order(at, mode) {
    const [first] = this.#data.measures;
    const places = mode === "different" ? this.#byItem(this.#data.rows[at][1]) : [at];
    const scores = places.map((place) => this.#rank(place, first?.name) ?? 0);
    return mode === "different" ? Math.max(...scores) - Math.min(...scores) : -scores[0];
  }

  /** The measures that have a column: the first ones, and what rows are sorted or filtered by. */
  #columns({ sort, by }) {
    return this.#data.measures.filter((one, place) => place < COLUMNS || one.name === sort || one.name === by);
  }

  #head(name, isNumber, state) {
    const press = () => {
      const again = state.sort === name;
      const low = this.#data.measures.find((one) => one.name === name)?.higher === false;
      this.#write({ sort: name, up: again ? (state.up ? "" : "1") : isNumber && !low ? "" : "1" });
      this.#list();
    };
    const order = state.sort === name ? (state.up ? "ascending" : "descending") : null;
    const kind = isNumber ? `number${name === this.key ? " key" : ""}` : null;
    return element("th", { scope: "col", class: kind, "aria-sort": order },
      element("button", { class: "sort", type: "button", onclick: press },
        ...name.split(" ").flatMap((word) => [" ", element("span", { class: "word" }, word)])));
  }

  #add() {
    const next = this.#found.slice(this.#listed, this.#listed + (this.#listed ? STEP : FIRST));
    this.body.append(...next.map((at) => this.#line(at)));
    this.#listed += next.length;
    this.more.hidden = this.#listed >= this.#found.length;
    this.#mark();
  }

  #line(at) {
    const row = this.#data.rows[at];
    const numbers = this.#columns(this.#state()).map((one) => [one.name, shown(this.#score(row, one.name), one.decimals)]);
    if (this.apart) numbers.push(["difference", shown(this.apart[at], this.#gapDecimals())]);
    const press = () => this.open(row[0]);
    const text = element("button", { type: "button", dir: "auto", onclick: press }, row[3] || "(empty)");
    return element(
      "tr", { "data-number": row[0] },
      element("td", { class: "name quiet", "data-head": "segment", title: this.#title(row) }, this.#title(row)),
      element("td", { class: "name", "data-head": "system", title: this.#names(row) }, this.#names(row)),
      element("td", { class: "text" }, text, ...this.#flags(row)),
      ...numbers.map(([name, score]) => element("td", { class: name === this.key ? "number key" : "number", "data-head": name }, score)),
    );
  }

  /** Decimals of differences: those of the score, or none for ranks. */
  #gapDecimals() {
    const { one, by } = this.#state();
    if (one?.startsWith("scores:")) return 0;
    return (this.#data.measures.find(({ name }) => name === by) ?? this.#data.measures[0])?.decimals;
  }

  #flags(row) {
    const { star, mark, comment } = this.#note(row);
    const notes = [star && "★", mark === "right" && "✓ right", mark === "wrong" && "✗ wrong", comment && `“${comment}”`];
    return [...row[5].filter((flag) => !QUIET.includes(flag)), ...notes.filter(Boolean)]
      .map((flag) => element("span", { class: "flag" }, flag));
  }

  #note(row) {
    return this.#notes[row[0]] ?? {};
  }

  /** Keep what a reader notes on a row in this browser, and show it in the list. */
  #keep(row, values) {
    this.#notes[row[0]] = { ...this.#note(row), ...values };
    try { localStorage.setItem(this.#name, JSON.stringify(this.#notes)); } catch { /* until the page closes */ }
    const line = this.body.querySelector(`[data-number="${row[0]}"]`);
    line?.replaceWith(this.#line(this.rows.get(row[0])));
    this.#mark();
  }

  /** Buttons to star and mark a row, and a field for a comment. */
  #desk(row) {
    const kinds = { Star: ["★", "s", { star: true }], Right: ["✓", "r", { mark: "right" }], Wrong: ["✗", "w", { mark: "wrong" }] };
    const buttons = Object.entries(kinds).map(([name, [sign, key, on]]) => {
      const [field] = Object.keys(on);
      const isOn = () => this.#note(row)[field] === on[field];
      return element("button", { type: "button", "data-key": key, title: key, "aria-pressed": String(isOn()), onclick: () => {
        this.#keep(row, isOn() ? { [field]: undefined } : on);
        desk.replaceWith(this.#desk(row));
      } }, `${sign} ${name}`);
    });
    const comment = element("input", { type: "text", class: "grow", "data-key": "c", placeholder: "Comment",
      "aria-label": "Comment", value: this.#note(row).comment ?? "",
      onchange: (event) => this.#keep(row, { comment: event.target.value || undefined }) });
    const desk = element("div", { class: "bar desk" }, ...buttons, comment);
    return desk;
  }

  #title(row) {
    return this.#data.items[row[1]].name || `${row[0] + 1}`;
  }

  #mark() {
    const { row } = this.#state();
    for (const line of this.body.rows) {
      if (line.dataset.number === row) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
  }

  #close() {
    this.#asked += 1;
    this.opened.hidden = true;
    this.grid.classList.remove("open");
    this.#mark();
  }

  #step(by) {
    const { row } = this.#state();
    const now = this.#found.findIndex((at) => `${this.#data.rows[at][0]}` === row);
    const at = this.#found[row === undefined ? 0 : now + by];
    if (at === undefined) return;
    while (this.#listed <= this.#found.indexOf(at)) this.#add();
    this.open(this.#data.rows[at][0]);
  }

  #key(event) {
    if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") this.#step(1);
    else if (event.key === "b") this.#step(-1);
    else if (event.key === "Escape" && !this.opened.hidden) this.#leave();
    else if (/^[a-z]$/.test(event.key)) {
      const one = this.opened.querySelector(`[data-key="${event.key}"]`);
      if (one) event.preventDefault();
      if (one?.matches("input")) one.focus();
      else one?.click();
    }
  }

  #leave() {
    const { row } = this.#state();
    this.#write({ row: "" });
    this.#close();
    this.body.querySelector(`[data-number="${CSS.escape(row ?? "")}"] button`)?.focus({ preventScroll: true });
  }

  async #show(number, scroll) {
    const at = this.rows.get(number);
    if (at === undefined) return this.#close();
    const mine = ++this.#asked;
    const row = this.#data.rows[at];
    const item = this.#data.items[row[1]];
    const others = this.#byItem(row[1]).filter((place) => place !== at);
    const link = element("a", { href: `#row=${number}`, onclick: async (event) => {
      event.preventDefault();
      await navigator.clipboard.writeText(new URL(`#row=${number}`, location.href).href);
      link.textContent = "Copied";
    } }, "Copy link");
    const origin = this.#data.measures.some((one) => one.against === "source") ? "original" : "source";
    const said = (name, text) => [element("p", { class: "who" }, name), element("p", { dir: "auto" }, text)];
    const drawings = element("div", {}, element("p", { class: "quiet" }, "…"));
    this.opened.replaceChildren(
      element("div", { class: "bar" }, element("h3", {}, this.#title(row).replace(/^(?=\d+$)/, "segment ")), element("span", { class: "grow" }),
        link,
        element("button", { type: "button", onclick: () => this.#step(-1), title: "b" }, "‹ Back"),
        element("button", { type: "button", onclick: () => this.#step(1), title: "n" }, "Next ›"),
        element("button", { type: "button", onclick: () => this.#leave(), title: "Esc" }, "Close")),
      this.#desk(row),
      ...(item.doc == null ? [] : said("document", item.doc)),
      ...(item.source == null ? [] : said(origin, item.source)),
      ...item.references.flatMap((text, n) => said(`reference${item.references.length > 1 ? ` ${n + 1}` : ""}`, text)),
      element("div", { class: "this" }, ...this.#version(row, null)),
      drawings,
      ...(others.length ? [element("h4", {}, "Other systems"), element("p", { class: "who" }, `Grey: words that ${this.#names(row)} does not have.`)] : []),
      ...others.flatMap((place) => this.#version(this.#data.rows[place], row[3])),
    );
    this.opened.hidden = false;
    this.grid.classList.add("open");
    this.#mark();
    if (scroll) {
      this.#place.scrollIntoView();
      this.opened.focus({ preventScroll: true });
    }
    this.opened.scrollTop = 0;
    const nodes = await this.#explain(row, item, this.#data.measures);
    if (mine === this.#asked) drawings.replaceChildren(...nodes);
  }

  /** A system's text with its scores; words that are not in `against` are marked. */
  #version(row, against) {
    const scores = this.#data.measures.map((one, place) => `${one.name} ${shown(row[4][place], one.decimals)}`);
    const words = against === null ? [row[3]] : differing(row[3], against);
    const open = () => this.open(row[0]);
    const name = against === null ? this.#names(row)
      : element("a", { href: `#row=${row[0]}`, onclick: (event) => { event.preventDefault(); open(); } }, this.#names(row));
    return [
      element("p", { class: "who" }, element("b", {}, name), ` ${scores.join(" · ")}`),
      element("p", { dir: "auto" }, ...words),
    ];
  }

  #export(kind) {
    const { rows, items, measures, systems } = this.#data;
    const records = this.#found.map((at) => {
      const row = rows[at];
      const item = items[row[1]];
      const scores = (isHuman) => Object.fromEntries(measures.flatMap((one, place) =>
        (one.against == null) === isHuman && row[4][place] != null
          ? [[isHuman ? one.name.replace("human: ", "") : one.name, row[4][place]]] : []));
      const names = row[2].map((number) => systems[number]);
      return {
        row: row[0], item: item.name || null, doc: item.doc, system: names[0],
        ...(names.length > 1 ? { systems: names } : {}), source: item.source,
        references: item.references, hypothesis: row[3], human: scores(true), scores: scores(false),
        flags: row[5], ...this.#note(row),
      };
    });
    const text = kind === "JSONL" ? records.map((one) => JSON.stringify(one)).join("\n") : csv(records, measures);
    const type = kind === "JSONL" ? "application/jsonl" : "text/csv";
    const address = URL.createObjectURL(new Blob([`${text}\n`], { type }));
    element("a", { href: address, download: `rows.${kind.toLowerCase()}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

function csv(records, measures) {
  const cell = (one) => {
    const text = one == null ? "" : Array.isArray(one) ? one.join(" | ") : String(one);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const plain = ["row", "item", "doc", "system", "source", "references", "hypothesis", "flags", "star", "mark", "comment"];
  const lines = records.map((one) => [
    ...plain.map((name) => one[name]),
    ...measures.map(({ name }) => one.scores[name] ?? one.human[name.replace("human: ", "")]),
  ]);
  return [[...plain, ...measures.map(({ name }) => name)], ...lines].map((line) => line.map(cell).join(",")).join("\n");
}

// Texts side by side.

const tokens = (text) => text.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*|\s+|[^\s]/gu) ?? [];

/** The common subsequence of two lists of words, as a set of places in the first. */
function common(one, other) {
  const width = other.length + 1;
  const best = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      best[i * width + j] = one[i] === other[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const kept = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (one[i] === other[j]) kept.push([i++, j++]);
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

/** A text as nodes, with the words marked that another text lacks. */
function differing(text, against) {
  const [mine, theirs] = [tokens(text), tokens(against).filter((word) => word.trim())];
  const words = mine.flatMap((word, place) => (word.trim() ? [place] : []));
  const same = new Set(common(words.map((place) => mine[place].toLowerCase()), theirs.map((word) => word.toLowerCase()))
    .map(([place]) => words[place]));
  return mine.map((word, place) =>
    word.trim() && !same.has(place) ? element("mark", { class: "differs" }, word) : word);
}

/** Words that only one of the texts has, as spans: for a metric that names no matches of its own. */
function differingSpans(text, target) {
  const placed = (whole) => {
    let at = 0;
    return tokens(whole).flatMap((word) => {
      const start = at;
      at += Array.from(word).length;
      return word.trim() ? [[word.toLowerCase(), start, at]] : [];
    });
  };
  const [one, other] = [placed(text), placed(target)];
  const shared = common(one.map(([word]) => word), other.map(([word]) => word));
  const [mine, theirs] = [0, 1].map((side) => new Set(shared.map((places) => places[side])));
  const added = one.filter((word, place) => !mine.has(place)).map((word) => ["added", "", word[1], word[2], 0, 0]);
  return [...added, ...other.filter((word, place) => !theirs.has(place))
    .map((word) => ["missing", "", 0, 0, word[1], word[2]])];
}

const VERDICTS = { contradicted: "contradicted", missing: "missing", added: "added", equivalent: "other words", unknown: "unclear" };
const priority = (span) => Object.keys(VERDICTS).indexOf(span[0]);

const paired = ([, , a, b, c, d]) => a < b && c < d;

/** A text with its spans marked, pairs of spans numbered; `from` is where a span has its span. */
function marked(text, spans, from) {
  const letters = Array.from(text); // Python counts code points
  const cuts = [...new Set([0, letters.length, ...spans.flatMap((span) => [span[from], span[from + 1]])])]
    .sort((a, b) => a - b);
  return cuts.slice(0, -1).map((begin, place) => {
    const piece = letters.slice(begin, cuts[place + 1]).join("");
    const here = spans.flatMap((span, n) => (span[from] <= begin && begin < span[from + 1] ? [n] : []));
    if (!here.length) return piece;
    const best = here.reduce((a, b) => (priority(spans[b]) < priority(spans[a]) ? b : a));
    const [verdict, sentence] = spans[best];
    return element(
      "mark",
      { class: `ow-${verdict} ow-m${best + 1}`, title: sentence || VERDICTS[verdict] },
      piece, paired(spans[best]) && spans[best][from] === begin
        ? element("sup", {}, String(spans.slice(0, best + 1).filter(paired).length)) : null,
    );
  });
}

/** A metric's score with the texts it compared, aligned spans marked on both sides. */
function drawing(measure, score, text, targets, found) {
  const pairs = targets.map((target, place) => {
    const spans = (found ? found[place] ?? [] : differingSpans(text, target))
      .toSorted((a, b) => (a[2] === a[3]) - (b[2] === b[3]) || a[2] - b[2] || a[4] - b[4]);
    const used = new Set(spans.map((span) => span[0]));
    const [mine, theirs] = measure.against === "source" ? ["rewrite", "original"] : ["text", "reference"];
    const reasons = new Set(spans.filter(([verdict]) => verdict === "contradicted").map((span) => span[1]));
    return element("div", { class: "ow-pair" },
      element("p", { class: "ow-label" }, theirs),
      element("p", { class: "ow-text", dir: "auto" }, ...marked(target, spans, 4)),
      element("p", { class: "ow-label" }, mine),
      element("p", { class: "ow-text", dir: "auto" }, ...marked(text, spans, 2)),
      reasons.size ? element("ul", { class: "ow-reasons" }, ...[...reasons].map((reason) => element("li", {}, reason))) : null,
      element("p", { class: "ow-legend" }, ...Object.entries(VERDICTS).flatMap(([verdict, name]) =>
        (used.has(verdict) ? [element("span", { class: `ow-${verdict}` }, name)] : []))));
  });
  const how = found || !pairs.length ? "" : " marked: words that only one of the texts has";
  return element("section", { class: "ow-spans" },
    element("h4", {}, `${measure.name} ${shown(score, measure.decimals)}`, element("small", {}, how)), ...pairs);
}

/** The spans of a row, if the page has them. */
async function spansOf(number) {
  for (const block of document.querySelectorAll("script.spans")) {
    if (number < Number(block.dataset.first) || number > Number(block.dataset.last)) continue;
    block.read ??= (async () => {
      const bytes = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      return JSON.parse(await new Response(stream).text());
    })();
    return (await block.read)[number];
  }
  return undefined;
}

async function embedded(row, item, measures) {
  const found = (await spansOf(row[0])) ?? {};
  const drawn = new Set(); // what metrics without matches compare is drawn once
  return measures.flatMap((measure, place) => {
    const targets = measure.against === "source" ? [item.source ?? ""] : item.references;
    if (measure.against == null || !targets.length || row[4][place] == null) return [];
    const again = !found[measure.name] && drawn.has(measure.against);
    if (!found[measure.name]) drawn.add(measure.against);
    return [drawing(measure, row[4][place], row[3], again ? [] : targets, found[measure.name])];
  });
}

let explorer = null;
const place = document.getElementById("explorer");
if (place) {
  const data = document.getElementById("row-data");
  explorer = new Explorer(place, JSON.parse(data.textContent), embedded, data.dataset.name);
}

// A row of a table with a link leads where the link does; a link to what is folded unfolds it.

document.addEventListener("click", (event) => {
  if (event.target.closest("a, button, summary") || String(getSelection())) return;
  event.target.closest("tr")?.querySelector("th > a")?.click();
});

function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target?.closest("details");
  if (folded) folded.open = true;
  if (folded) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Ctrl-K: go to a section, a system, a mode or a segment by its name.

const sections = document.querySelector("nav.pages");
if (sections) {
  const input = element("input", { type: "search", "aria-label": "Go to", placeholder: "Section, system, segment or text", autocomplete: "off" });
  const list = element("ul", {});
  const palette = element("dialog", { class: "palette", "aria-label": "Go to" }, input, list);
  const find = () => {
    const words = input.value.trim().toLowerCase();
    const found = [];
    const links = [...sections.querySelectorAll("a")].map((link) => [link.textContent, () => link.click()]);
    for (const [name, run] of [...links, ...(explorer?.commands(words) ?? [])]) {
      if (found.length === 12) break;
      if (name.toLowerCase().includes(words)) found.push([name, run]);
    }
    list.replaceChildren(...found.map(([name, run]) => element("li", {}, element(
      "button", { type: "button", onclick: () => { palette.close(); run(); } }, name))));
  };
  const ask = () => { input.value = ""; find(); palette.showModal(); };
  input.addEventListener("input", find);
  palette.addEventListener("keydown", (event) => {
    const places = [input, ...list.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) places[Math.max(places.indexOf(document.activeElement) + step, 0)]?.focus();
    else if (event.key === "Enter" && document.activeElement === input) places[1]?.click();
    if (step || event.key === "Enter" && document.activeElement === input) event.preventDefault();
    event.stopPropagation();
  });
  palette.addEventListener("click", (event) => { if (event.target === palette) palette.close(); });
  document.body.append(palette);
  sections.firstChild.append(element("li", { class: "ask" }, element(
    "button", { type: "button", onclick: ask }, "Go to ", element("kbd", {}, "Ctrl K"))));
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      ask();
    }
  });
}

// Points that say what they are, and lead to their row.

const tip = element("div", { class: "tip", hidden: true });
document.body.append(tip);
const pointAt = (event) => event.target.closest?.("[data-row], [data-tip]");
document.addEventListener("pointerover", (event) => {
  const point = pointAt(event);
  const text = point && (point.dataset.tip ?? explorer?.text(Number(point.dataset.row)));
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
});
document.addEventListener("click", (event) => {
  const row = pointAt(event)?.dataset.row;
  if (row !== undefined) explorer?.open(Number(row));
});
