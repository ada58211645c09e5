// The page of judgements. It knows two sentences and their place, and nothing of their origin.
import { byId, read } from "./common.js";
import {
  begin, comment, complain, count, fields, finish, focus, focusOpen, isOpen, question, setAnswer, Writes,
} from "./judging.js";
import { Spans } from "./spans.js";

let task; // criteria and scale
let spans; // errors in the text, if they are asked for
let shown = { place: -1, scores: {}, notes: {} }; // the pair before the judge
const writes = new Writes();

/** A write that was refused: show what is on the disk, which another window may have changed. */
async function refused(error) {
  complain(error);
  await go(shown.place);
}

function show(pair) {
  shown = pair;
  byId("original").textContent = pair.original;
  if (spans) spans.show(pair.text, pair.notes.spans ?? []);
  else byId("text").textContent = pair.text;
  for (const field of fields()) setAnswer(field, pair.scores[field.dataset.criterion]);
  byId("comment").replaceChildren(comment(pair.notes.comment, (text) => note("comment", text)));
  byId("skip").setAttribute("aria-pressed", Boolean(pair.notes.skip));
  byId("back").disabled = pair.place === 0;
  count("pair", pair.place, pair);
}

async function save(path, body) {
  const { place } = shown;
  try {
    const found = await writes.save(path, { place, ...body });
    count("pair", shown.place, found);
  } catch (error) {
    refused(error);
  }
}

function give(field, value) {
  setAnswer(field, value);
  save("judge/score", { criterion: field.dataset.criterion, score: value });
}

function note(name, value) {
  shown.notes[name] = value;
  return save("judge/note", { note: name, value });
}

async function go(place) {
  try {
    await writes.settled(); // so that what was said counts
    const pair = await read("judge/pair", { place });
    writes.step = pair.step;
    show(pair);
    focusOpen();
  } catch (error) {
    complain(error);
  }
}

async function next() {
  if (fields().some(isOpen) && !shown.notes.skip) {
    focusOpen();
    return;
  }
  try {
    await writes.settled();
    const { place, total, done } = await read("judge/state");
    if (shown.place + 1 < total) await go(shown.place + 1);
    else if (done === total) finish();
    else await go(place);
  } catch (error) {
    complain(error);
  }
}

async function skip() {
  await note("skip", !shown.notes.skip);
  byId("skip").setAttribute("aria-pressed", Boolean(shown.notes.skip));
  if (shown.notes.skip) await next();
}

async function undo() {
  if (byId("undo").disabled) return;
  try {
    const found = await writes.save("judge/undo", {});
    show(found);
    const field = fields().find((one) => one.dataset.criterion === found.criterion);
    if (field) focus(field);
    else focusOpen();
  } catch (error) {
    refused(error);
  }
}

const back = () => shown.place > 0 && go(shown.place - 1);

async function start() {
  task = await read("judge/state");
  for (const criterion of task.criteria) {
    const field = question(task, criterion, {
      give: (value) => give(field, value),
      next: () => (fields().some(isOpen) ? focusOpen(fields().indexOf(field) + 1) : writes.inTurn(next)),
    });
    byId("criteria").append(field);
  }
  if (task.spans) spans = new Spans(byId("text"), byId("spans"), (found) => note("spans", found));
  begin(task, writes, { next, back, undo, skip });
  await go(task.place);
}

start().catch(complain);
