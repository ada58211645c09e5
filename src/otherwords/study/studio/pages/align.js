// The page on which word alignments are corrected, and two of them settled.

import { Lines } from "./align_lines.js";
import { Matrix } from "./align_matrix.js";
import { Row } from "./align_row.js";
import { Refusal, Saver, byId, element, isOurs, read } from "./common.js";

const state = await read("align/state");
const settling = state.names.length === 2;
const at = { i: 0, j: 0, side: 0 };
let row = null;
let view = "matrix";
let opening = 0; // rows that are being loaded
const waiting = []; // what keys ask for meanwhile

const saver = new Saver((waiting, trouble) => {
  byId("saved").textContent = waiting ? "Saving …" : "Saved";
  report(trouble ?? "");
});
const act = { set, move };
const matrix = new Matrix(byId("matrix"), act, state.names);
const lines = new Lines(byId("lines"), act, state.names);

function report(trouble) {
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
}

/** Send an event of this row; `sent` is the row as it was when the step was counted. */
async function save(kind, more = {}) {
  const sent = row;
  try {
    await saver.save(`align/${kind}`, { row: sent.row, step: sent.step - 1, ...more });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Another window was faster, or the studio was started again: show what is on the disk.
    if (row === sent) await open(sent.row);
    report(`${error.message}. The row is shown as saved.`);
  }
}

function set(cells) {
  if (!cells.length) return;
  changed(row.set(cells));
  save("set", { cells });
}

function undo() {
  if (!row.canUndo) return;
  changed(row.undo());
  save("undo");
}

function redo() {
  if (!row.canRedo) return;
  changed(row.redo());
  save("redo");
}

function changed(change) {
  for (const [i, j] of change) matrix.update(i, j);
  showPlace(false);
  showTools();
}

function finish(done) {
  row.finish(done);
  state.done[row.row] = done;
  save("done", { done });
  showTools();
  showProgress();
}

function move(i, j, side = at.side) {
  Object.assign(at, { i, j, side });
  showPlace(true);
}

function step(down, right) {
  if (!row.source.length || !row.target.length) return;
  const within = (value, words) => Math.min(Math.max(value, 0), words.length - 1);
  if (view === "matrix") move(within(at.i + down, row.source), within(at.j + right, row.target));
  else if (down) move(at.i, at.j, down > 0 ? 1 : 0);
  else if (at.side) move(at.i, within(at.j + right, row.target));
  else move(within(at.i + right, row.source), at.j);
}

function mark(wanted) {
  if (!row.source.length || !row.target.length) return;
  const { i, j } = at;
  const again = wanted === row.mark(i, j) ? "none" : wanted;
  set([[i, j, wanted === "next" ? row.following(i, j) : again]]);
}

function take(which) {
  const { i, j } = at;
  const wanted = row.other(which, i, j);
  if (row.mark(i, j) !== wanted) set([[i, j, wanted]]);
}

function takeAll(which) {
  const cells = row.differences().map(([i, j]) => [i, j, row.other(which, i, j)]);
  set(cells.filter(([i, j, wanted]) => row.mark(i, j) !== wanted));
}

function nextDifference() {
  const found = row.differences();
  if (!found.length) return;
  const after = found.find(([i, j]) => i > at.i || (i === at.i && j > at.j));
  move(...(after ?? found[0]));
}

/** Load a row. Keys that are pressed meanwhile are meant for it, and wait. */
async function open(number) {
  opening += 1;
  delete document.body.dataset.ready;
  try {
    await saver.settled();
    row = new Row(await read("align/row", { row: number }));
    showRow();
  } catch (error) {
    report(`The row cannot be loaded: ${error.message}`);
  } finally {
    opening -= 1;
  }
  while (!opening && waiting.length) waiting.shift()();
  if (!opening) document.body.dataset.ready = "true";
}

function showRow() {
  state.done[row.row] = row.done;
  history.replaceState(null, "", `#${row.row + 1}`);
  matrix.show(row);
  lines.show(row);
  Object.assign(at, { i: 0, j: 0, side: 0 });
  if (settling) [at.i, at.j] = row.differences()[0] ?? [0, 0];
  showAbout();
  showProgress();
  showTools();
  showPlace(true);
  showMore();
}

function go(number) {
  if (number >= 0 && number < state.done.length) open(number);
}

function finishAndGo() {
  if (!row.done) finish(true);
  const rest = [...state.done.keys()];
  const order = [...rest.slice(row.row + 1), ...rest.slice(0, row.row)];
  const open = order.find((number) => !state.done[number]);
  if (open !== undefined) go(open);
  else byId("finished").focus();
}

/** Say in which directions there are more words than are seen. */
function showMore() {
  const place = byId(view);
  const beyond = {
    "←": place.scrollLeft > 1,
    "→": place.scrollLeft + place.clientWidth < place.scrollWidth - 1,
    "↑": place.scrollTop > 1,
    "↓": place.scrollTop + place.clientHeight < place.scrollHeight - 1,
  };
  const ways = Object.keys(beyond).filter((way) => beyond[way]).join(" ");
  place.dataset.more = ways;
  byId("more").textContent = ways && `Scroll for more words: ${ways}`;
}

function showAbout() {
  const about = Object.entries(row.about).map(([name, value]) => `${name}: ${value}`);
  if (settling) about.push(`${row.differences().length} word pairs differ`);
  byId("about").textContent = about.join(" · ");
}

function showProgress() {
  const done = state.done.filter(Boolean).length;
  byId("count").textContent = `${done} of ${state.done.length} done`;
  byId("progress").max = Math.max(state.done.length, 1);
  byId("progress").value = done;
  byId("finished").hidden = done < state.done.length;
  const rows = byId("rows");
  if (rows.length !== state.done.length) {
    rows.replaceChildren(...state.done.map((_, number) => element("option", { value: number })));
  }
  state.done.forEach((is, number) => {
    rows.options[number].textContent = `Row ${number + 1}${is ? " ✓" : ""}`;
  });
  rows.value = String(row.row);
}

function showTools() {
  byId("undo").disabled = !row.canUndo;
  byId("redo").disabled = !row.canRedo;
  byId("back").disabled = row.row === 0;
  byId("next").disabled = row.row === state.done.length - 1;
  byId("done").setAttribute("aria-pressed", row.done);
}

function showPlace(focus) {
  const { i, j, side } = at;
  if (view === "matrix") matrix.point(i, j, focus);
  else lines.point(i, j, side, focus);
  const shown = [];
  if (row.source.length && row.target.length) {
    shown.push(`${row.source[i]} – ${row.target[j]}: ${row.mark(i, j)}`);
    if (row.differs(i, j)) state.names.forEach((name, which) => shown.push(`${name}: ${row.other(which, i, j)}`));
  }
  byId("current").textContent = shown.join(" · ") || "There are no words on one side.";
}

function show(wanted) {
  view = wanted;
  for (const name of ["matrix", "lines"]) {
    byId(name).hidden = name !== wanted;
    byId(`${name}-view`).setAttribute("aria-pressed", name === wanted);
  }
  showPlace(true);
  showMore();
}

function showLegend() {
  const entry = (kind, text) => element("span", {}, element("span", { class: `sample ${kind}` }), ` ${text} `);
  const entries = [entry("sure", "sure"), entry("possible", "possible")];
  if (settling) {
    entries.push(entry("differs", "they differ"), ...state.names.map((name, which) => entry(`other-${which}`, name)));
  }
  byId("legend").append(...entries);
}

function showSettling() {
  byId("title").textContent = "Adjudication";
  byId("settle").hidden = false;
  const button = (text, onclick) => element("button", { onclick }, text);
  byId("settle").append(
    button("Next difference", nextDifference),
    ...state.names.map((name, which) => button(`This as ${name}`, () => take(which))),
    ...state.names.map((name, which) => button(`All as ${name}`, () => takeAll(which))),
  );
  for (const one of document.querySelectorAll(".settling")) one.hidden = false;
}

const KEYS = {
  ArrowUp: () => step(-1, 0),
  ArrowDown: () => step(1, 0),
  ArrowLeft: () => step(0, -1),
  ArrowRight: () => step(0, 1),
  " ": () => mark("next"),
  s: () => mark("sure"),
  p: () => mark("possible"),
  u: undo,
  r: redo,
  n: () => go(row.row + 1),
  b: () => go(row.row - 1),
  x: () => finish(!row.done),
  v: () => show(view === "matrix" ? "lines" : "matrix"),
  Enter: finishAndGo,
  "?": () => byId("keys").showModal(),
  ...(settling ? { d: nextDifference, 1: () => take(0), 2: () => take(1) } : {}),
};

addEventListener("keydown", (event) => {
  if (!row || !isOurs(event)) return;
  const presses = [" ", "Enter"].includes(event.key);
  if (presses && event.target.closest("button, summary, a")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  if (event.repeat && presses) return; // a key that is held does not finish row after row
  if (opening) waiting.push(KEYS[key]);
  else KEYS[key]();
});

const CLICKS = {
  back: () => go(row.row - 1),
  next: () => go(row.row + 1),
  undo,
  redo,
  done: () => finish(!row.done),
  help: () => byId("keys").showModal(),
  "close-keys": () => byId("keys").close(),
  "matrix-view": () => show("matrix"),
  "lines-view": () => show("lines"),
};
for (const [id, action] of Object.entries(CLICKS)) byId(id).addEventListener("click", action);
byId("rows").addEventListener("change", (event) => go(Number(event.target.value)));
addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1));
for (const name of ["matrix", "lines"]) byId(name).addEventListener("scroll", showMore);
addEventListener("resize", showMore);
byId("guideline").addEventListener("toggle", showMore);
// The guideline is for the start; on a narrow screen it would push the work out of sight.
byId("guideline").open = !state.done.includes(true) && !matchMedia("(max-width: 60rem)").matches;

byId("annotator").textContent = state.annotator;
showLegend();
if (settling) showSettling();
const first = Number(location.hash.slice(1)) - 1;
await open(first in state.done ? first : Math.max(state.done.indexOf(false), 0));
