// The page of scored pairs. What is sorted, filtered and opened is in the address, after the #, so
// that a reload, or a bookmark, shows the same.
import { byId, element, isOurs, read } from "./common.js";

let metrics = [];
let listed = []; // the rows in the list
let asked = 0; // the number of the last request, so that a late answer to an older one is dropped
let wanted = 0; // the same of explanations

const state = () => new URLSearchParams(location.hash.slice(1));

function change(values) {
  const next = state();
  for (const [name, value] of Object.entries(values)) {
    if (value === "" || value == null) next.delete(name);
    else next.set(name, value);
  }
  history.replaceState(null, "", `#${next}`);
}

function tell(trouble) {
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
}

const complain = (error) => tell(error.message);

/** Explanations come as HTML that report/spans.py made, with all text escaped. It is the only string
 *  that becomes elements, and the content policy runs no script that could be in it. */
function ours(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

const number = (score) => Number(score.toPrecision(4)).toString();

function line(row) {
  const open = element("button", { onclick: () => explain(row.row) }, row.hypothesis || "(empty)");
  open.dir = "auto";
  return element(
    "tr",
    { "data-row": row.row },
    element("td", { class: "quiet" }, row.item ?? `${row.row + 1}`),
    element("td", {}, row.system),
    element("td", {}, open),
    ...row.scores.map((score) => element("td", { class: "score" }, number(score))),
  );
}

function mark() {
  const opened = state().get("row");
  for (const row of byId("rows").children) {
    if (row.dataset.row === opened) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

async function list(more = false) {
  const mine = ++asked;
  const { sort, down, text, system } = Object.fromEntries(state());
  const query = { sort: sort ?? "", down: down ?? "", text: text ?? "", system: system ?? "" };
  const found = await read("show/list", { ...query, from: more ? listed.length : 0 });
  if (mine !== asked) return;
  tell("");
  listed = more ? [...listed, ...found.rows] : found.rows;
  byId("rows").replaceChildren(...listed.map(line));
  byId("count").textContent = `${found.found} of ${byId("count").dataset.total} pairs`;
  byId("more").hidden = listed.length >= found.found;
  for (const head of byId("heads").querySelectorAll("[data-sort]")) {
    const sorted = head.dataset.sort === query.sort;
    head.setAttribute("aria-sort", sorted ? (query.down ? "descending" : "ascending") : "none");
  }
  mark();
}

async function explain(row, { focus = true } = {}) {
  try {
    const mine = ++wanted;
    const found = await read("show/explain", { row });
    if (mine !== wanted) return;
    tell("");
    change({ row });
    byId("opened-title").textContent = `${found.item ?? row + 1}, ${found.system}`;
    const human = Object.entries(found.human).map(([name, score]) => `${name} ${number(score)}`);
    byId("human").textContent = human.length ? `people said: ${human.join(", ")}` : "";
    byId("drawn").replaceChildren(...found.html.map((html) => ours(html)));
    byId("opened").hidden = false;
    mark();
    if (focus) byId("opened").focus();
  } catch (error) {
    complain(error);
  }
}

function close() {
  wanted += 1; // an explanation that is under way is not wanted any more
  const row = state().get("row");
  byId("opened").hidden = true;
  change({ row: "" });
  mark();
  byId("rows").querySelector(`[data-row="${CSS.escape(row)}"] button`)?.focus();
}

/** The row before or after the one that is open, in the order of the list. */
function step(by) {
  const opened = state().get("row");
  const place = listed.findIndex((row) => `${row.row}` === opened);
  const next = listed[opened === null ? 0 : place + by];
  if (next) explain(next.row);
}

function sort(label) {
  const now = state();
  const same = (now.get("sort") ?? "") === label;
  change({ sort: label, down: same && !now.get("down") ? "1" : "" });
  list().catch(complain);
}

function head(label, shown) {
  const button = element("button", { type: "button", onclick: () => sort(label) }, shown);
  const kind = label ? "score" : "";
  return element("th", { scope: "col", "data-sort": label, class: kind }, button);
}

function key(event) {
  if (!isOurs(event)) return;
  if (event.key === "n") step(1);
  else if (event.key === "b") step(-1);
  else if (event.key === "Escape" && !byId("opened").hidden) close();
}

async function start() {
  const found = await read("show/state");
  metrics = found.metrics;
  byId("count").dataset.total = found.total;
  byId("system").append(...found.systems.map((name) => element("option", { value: name }, name)));
  byId("heads").append(
    head("", "pair"),
    element("th", { scope: "col" }, "system"),
    element("th", { scope: "col" }, "hypothesis"),
    ...metrics.map((label) => head(label, label)),
  );
  const now = state();
  byId("text").value = now.get("text") ?? "";
  byId("system").value = now.get("system") ?? "";
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("filter").addEventListener("input", () => {
    change({ text: byId("text").value, system: byId("system").value });
    list().catch(complain);
  });
  byId("more").addEventListener("click", () => list(true).catch(complain));
  byId("close").addEventListener("click", close);
  document.addEventListener("keydown", key);
  await list();
  if (now.get("row") !== null) await explain(Number(now.get("row")), { focus: false });
}

start().catch(complain);
