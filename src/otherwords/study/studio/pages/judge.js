// The page of judgements. It knows two sentences and their place, and nothing of their origin.
import { byId, element, read, timeLeft } from "./common.js";
import { begin, complain, Writes } from "./judging.js";

let task; // criteria and scale
let shown = { place: -1, scores: {} }; // the pair before the judge
const writes = new Writes();

/** A write that was refused: show what is on the disk, which another window may have changed. */
async function refused(error) {
  complain(error);
  await go(shown.place);
}

function criterion({ name, question, points }) {
  const choices = points.map((meaning, step) => {
    const value = task.low + step;
    const radio = element("input", {
      type: "radio", name, value, onchange: () => give(name, value),
    });
    return element("label", {}, radio, element("b", {}, `${value}`), meaning);
  });
  return element(
    "fieldset",
    { "data-criterion": name },
    element("legend", {}, name),
    element("span", { class: "quiet" }, question),
    element("div", { class: "points" }, ...choices),
  );
}

function show(pair) {
  shown = pair;
  byId("original").textContent = pair.original;
  byId("text").textContent = pair.text;
  for (const radio of document.querySelectorAll("input[type=radio]")) {
    radio.checked = pair.scores[radio.name] === Number(radio.value);
  }
  byId("back").disabled = pair.place === 0;
  count(pair);
}

function count({ done, total, undo, left }) {
  byId("progress").max = total;
  byId("progress").value = done;
  byId("count").textContent = `pair ${shown.place + 1} of ${total}, ${done} judged${done < total ? timeLeft(left) : ""}`;
  byId("finished").hidden = done < total;
  byId("undo").disabled = !undo;
}

const missing = () => task.criteria.find(({ name }) => !(name in shown.scores))?.name;

function focus(name) {
  const radios = [...document.querySelectorAll("input[type=radio]")].filter((one) => one.name === name);
  (radios.find((radio) => radio.checked) ?? radios[0])?.focus();
}

/** The questions that are open come first; when there is none, what comes next is the next pair. */
function focusOpen() {
  const name = missing();
  if (name) focus(name);
  else byId("next").focus();
}

async function give(name, value) {
  shown.scores[name] = value;
  const { place } = shown;
  try {
    count(await writes.save("judge/score", { place, criterion: name, score: value }));
  } catch (error) {
    refused(error);
  }
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
  if (missing()) {
    focusOpen();
    return;
  }
  try {
    await writes.settled();
    const { place, total } = await read("judge/state");
    await go(shown.place + 1 < total ? shown.place + 1 : place);
  } catch (error) {
    complain(error);
  }
}

async function undo() {
  if (byId("undo").disabled) return;
  try {
    const found = await writes.save("judge/undo", {});
    show(found);
    focus(found.criterion);
  } catch (error) {
    refused(error);
  }
}

const back = () => shown.place > 0 && go(shown.place - 1);

/** The score of the question that has the focus, or of the first that is open; then to the next. */
function score(point) {
  const name = document.activeElement.closest("fieldset")?.dataset.criterion ?? missing();
  if (!name) return;
  const radio = [...document.querySelectorAll("input[type=radio]")].find(
    (one) => one.name === name && Number(one.value) === point,
  );
  radio.checked = true;
  give(name, point);
  const rest = task.criteria.slice(task.criteria.findIndex((one) => one.name === name) + 1);
  const open = rest.find((one) => !(one.name in shown.scores));
  if (open) focus(open.name);
  else focusOpen();
}

async function start() {
  task = await read("judge/state");
  byId("criteria").append(...task.criteria.map(criterion));
  begin(task, writes, { score, next, back, undo });
  await go(task.place);
}

start().catch(complain);
