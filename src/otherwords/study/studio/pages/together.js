// All outputs for one input at once. The page knows sentences and places, and nothing of their origin.
import { byId, element, read } from "./common.js";
import { begin, complain, Writes } from "./judging.js";

let task; // criteria and scale
let shown = { input: -1, texts: [] }; // what is before the judge
const writes = new Writes();

/** A write that was refused: show what is on the disk, which another window may have changed. */
async function refused(error) {
  await go(shown.input);
  complain(error);
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
    count(await writes.save("together/score", { place: text.place, criterion, score: value }));
  } catch (error) {
    refused(error);
  }
}

async function go(input) {
  try {
    await writes.settled(); // so that what was said counts
    const found = await read("together/input", { input });
    writes.step = found.step;
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
  await writes.settled();
  const { place, total } = await read("together/state");
  await go(shown.input + 1 < total ? shown.input + 1 : place);
}

async function undo() {
  if (byId("undo").disabled) return;
  try {
    const { input, place, criterion } = await writes.save("together/undo", {});
    await go(input);
    focus(document.querySelector(`[data-place="${place}"][data-criterion="${criterion}"]`));
  } catch (error) {
    refused(error);
  }
}

const back = () => shown.input > 0 && go(shown.input - 1);

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

function meaning({ name, question, points }) {
  const lines = points.map((point, at) => element("dd", {}, `${task.low + at}: ${point}`));
  return element("dl", {}, element("dt", {}, `${name}: ${question}`), ...lines);
}

async function start() {
  task = await read("together/state");
  byId("meanings").append(...task.criteria.map(meaning));
  begin(task, writes, { score, next, back, undo });
  await go(task.place);
}

start().catch(complain);
