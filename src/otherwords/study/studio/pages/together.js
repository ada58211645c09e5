// All outputs for one input at once. The page knows sentences and places, and nothing of their origin.
import { byId, element, read } from "./common.js";
import {
  anchors, begin, comment, complain, count, fields, finish, focus, focusOpen, isOpen, question, setAnswer, Writes,
} from "./judging.js";

let task; // criteria and scale
let shown = { input: -1, texts: [] }; // what is before the judge
const writes = new Writes();

/** A write that was refused: show what is on the disk, which another window may have changed. */
async function refused(error) {
  await go(shown.input);
  complain(error);
}

async function save(path, body) {
  try {
    count("original", shown.input, await writes.save(path, body));
  } catch (error) {
    refused(error);
  }
}

function asked(text, criterion) {
  const { name } = criterion;
  const field = question(task, criterion, {
    group: `${text.place} ${name}`,
    isBrief: true,
    give: (value) => {
      setAnswer(field, value);
      save("together/score", { place: text.place, criterion: name, score: value });
    },
    next: () => focusOpen(fields().indexOf(field) + 1),
  });
  field.dataset.place = text.place;
  setAnswer(field, text.scores[name]);
  return field;
}

function row(text) {
  const questions = task.criteria.map((criterion) => asked(text, criterion));
  const sentence = element("p", { class: "sentence", dir: "auto" }, text.text);
  const said = comment(text.notes.comment, (value) => note(text, "comment", value));
  return element("li", {}, sentence, element("div", { class: "questions" }, ...questions, said));
}

function note(text, name, value) {
  text.notes[name] = value;
  return save("together/note", { place: text.place, note: name, value });
}

const isSkipped = () => shown.texts.some(({ notes }) => notes.skip);

function show(found) {
  shown = found;
  byId("original").textContent = found.original;
  byId("texts").replaceChildren(...found.texts.map(row));
  byId("back").disabled = found.input === 0;
  byId("skip").setAttribute("aria-pressed", isSkipped());
  count("original", found.input, found);
  // What has the focus is not hidden by what stays in view.
  document.documentElement.style.scrollPaddingTop = `${byId("held").offsetHeight + 24}px`;
}

async function go(input) {
  try {
    await writes.settled(); // so that what was said counts
    const found = await read("together/input", { input });
    writes.step = found.step;
    show(found);
    scrollTo(0, 0);
    focusOpen();
  } catch (error) {
    complain(error);
  }
}

async function next() {
  if (fields().some(isOpen) && !isSkipped()) {
    focusOpen();
    return;
  }
  await writes.settled();
  const { place, total, done } = await read("together/state");
  if (shown.input + 1 < total) await go(shown.input + 1);
  else if (done === total) finish();
  else await go(place);
}

/** Skip the texts that have no scores yet, or take that back. */
async function skip() {
  const value = !isSkipped();
  const open = new Set(fields().filter(isOpen).map(({ dataset }) => dataset.place));
  for (const text of shown.texts) {
    if (value ? open.has(`${text.place}`) : text.notes.skip) await note(text, "skip", value);
  }
  byId("skip").setAttribute("aria-pressed", isSkipped());
  if (value) await next();
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

async function start() {
  task = await read("together/state");
  byId("anchors").append(...task.criteria.map((criterion) => anchors(task, criterion)));
  for (const { name, question } of task.criteria) {
    byId("meanings").append(element("li", {}, element("b", {}, name), `: ${question}`));
  }
  document.addEventListener("focusin", ({ target }) => {
    const name = target.closest("fieldset")?.dataset.criterion;
    for (const line of byId("anchors").children) line.classList.toggle("asked", line.dataset.criterion === name);
  });
  begin(task, writes, { next, back, undo, skip });
  await go(task.place);
}

start().catch(complain);
