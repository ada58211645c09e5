// All outputs for one input at once. The page knows sentences and places, and nothing of their origin.
import { byId, element, instruct, isOurs, read, Saver } from "./common.js";

let task; // criteria and scale
let shown = { input: -1, texts: [] }; // what is before the judge
let last = Promise.resolve(); // the last write
let doing = Promise.resolve(); // what was asked for last
let step = 0; // writes that the server knows of, or will

const saver = new Saver((waiting, trouble) => {
  byId("saved").textContent = waiting ? "saving" : "saved";
  complain(trouble ? new Error(trouble) : null);
});

function complain(error) {
  byId("trouble").textContent = error?.message ?? "";
  byId("trouble").hidden = !error;
}

/** A write that was refused: show what is on the disk, which another window may have changed. */
async function refused(error) {
  await go(shown.input);
  complain(error);
}

/** One more write; the same sent twice is done once, and what is based on old scores is refused. */
function save(path, body) {
  last = saver.save(path, { ...body, step: step++ });
  return last;
}

const nameOf = (place, criterion) => `${place} ${criterion}`;

function question(text, { name, question }) {
  const choices = [];
  for (let value = task.low; value <= task.high; value++) {
    const radio = element("input", {
      type: "radio", name: nameOf(text.place, name), value, onchange: () => give(text, name, value),
    });
    radio.checked = text.scores[name] === value;
    choices.push(element("label", {}, radio, element("b", {}, `${value}`)));
  }
  return element(
    "fieldset",
    { title: question, "data-place": text.place, "data-criterion": name },
    element("legend", {}, name),
    element("div", { class: "points" }, ...choices),
  );
}

function row(text) {
  const questions = task.criteria.map((criterion) => question(text, criterion));
  const sentence = element("p", { class: "sentence", dir: "auto" }, text.text);
  return element("li", {}, sentence, element("div", { class: "questions" }, ...questions));
}

function show(found) {
  shown = found;
  byId("original").textContent = found.original;
  byId("texts").replaceChildren(...found.texts.map(row));
  byId("back").disabled = found.input === 0;
  count(found);
}

function count({ done, total, undo }) {
  byId("progress").max = total;
  byId("progress").value = done;
  byId("count").textContent = `original ${shown.input + 1} of ${total}, ${done} judged`;
  byId("finished").hidden = done < total;
  byId("undo").disabled = !undo;
}

const fields = () => [...document.querySelectorAll("#texts fieldset")];
const isOpen = (field) => !field.querySelector(":checked");
const focus = (field) => (field.querySelector(":checked") ?? field.querySelector("input")).focus();

/** The first question that is open, from a place on; when there is none, the next original. */
function focusOpen(from = 0) {
  const all = fields();
  const open = all.slice(from).find(isOpen) ?? all.find(isOpen);
  if (open) focus(open);
  else byId("next").focus();
}

async function give(text, criterion, value) {
  text.scores[criterion] = value;
  try {
    count(await save("together/score", { place: text.place, criterion, score: value }));
  } catch (error) {
    refused(error);
  }
}

async function go(input) {
  try {
    await last.catch(() => {}); // so that what was said counts
    const found = await read("together/input", { input });
    step = found.step;
    show(found);
    focusOpen();
  } catch (error) {
    complain(error);
  }
}

async function next() {
  if (fields().some(isOpen)) {
    focusOpen();
    return;
  }
  await last.catch(() => {});
  const { place, total } = await read("together/state");
  await go(shown.input + 1 < total ? shown.input + 1 : place);
}

async function undo() {
  if (byId("undo").disabled) return;
  try {
    const { input, place, criterion } = await save("together/undo", {});
    await go(input);
    focus(document.querySelector(`[data-place="${place}"][data-criterion="${criterion}"]`));
  } catch (error) {
    refused(error);
  }
}

const back = () => shown.input > 0 && go(shown.input - 1);

/** One thing after the other: what is typed while an original loads is meant for that one. */
function inTurn(act) {
  doing = doing.then(act).catch(complain);
}

/** The score of the question that has the focus, or of the first that is open; then to the next. */
function score(point) {
  const all = fields();
  const field = document.activeElement.closest("fieldset") ?? all.find(isOpen);
  if (!field) return;
  field.querySelector(`input[value="${point}"]`).checked = true;
  const text = shown.texts.find(({ place }) => `${place}` === field.dataset.place);
  give(text, field.dataset.criterion, point);
  focusOpen(all.indexOf(field) + 1);
}

function key(event) {
  if (!isOurs(event) || event.repeat) return; // a key that is held is one answer
  const point = /^[0-9]$/.test(event.key) ? Number(event.key) : NaN;
  if (point >= task.low && point <= task.high) {
    event.preventDefault();
    inTurn(() => score(point));
  } else if (event.key === "Enter" && !event.target.closest?.("button, summary")) {
    event.preventDefault();
    inTurn(next);
  } else if (event.key === "b") inTurn(back);
  else if (event.key === "u") inTurn(undo);
  else if (event.key === "?") byId("keys").showModal();
}

function meaning({ name, question, points }) {
  const lines = points.map((point, at) => element("dd", {}, `${task.low + at}: ${point}`));
  return element("dl", {}, element("dt", {}, `${name}: ${question}`), ...lines);
}

async function start() {
  task = await read("together/state");
  byId("judge").textContent = task.judge;
  instruct(task.instructions);
  byId("points").textContent = `${task.low}–${task.high}`;
  byId("meanings").append(...task.criteria.map(meaning));
  for (const [name, act] of Object.entries({ next, back, undo })) {
    byId(name).addEventListener("click", () => inTurn(act));
  }
  byId("help").addEventListener("click", () => byId("keys").showModal());
  document.addEventListener("keydown", key);
  await go(task.place);
}

start().catch(complain);
