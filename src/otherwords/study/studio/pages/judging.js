// What the pages of judgements share: questions, notes, writes in their order, keys and buttons.
import { byId, element, instruct, isOurs, Saver, timeLeft } from "./common.js";

export function complain(error) {
  byId("trouble").textContent = error?.message ?? "";
  byId("trouble").hidden = !error;
}

export class Writes {
  constructor() {
    this.last = Promise.resolve(); // the last write
    this.doing = Promise.resolve(); // what was asked for last
    this.step = 0; // writes that the server knows of, or will
    this.saver = new Saver((waiting, trouble) => {
      byId("saved").textContent = waiting ? "saving" : "saved";
      complain(trouble ? new Error(trouble) : null);
    });
  }

  /** One more write; the same sent twice is done once, and what is based on old scores is refused. */
  save(path, body) {
    this.last = this.saver.save(path, { ...body, step: this.step++ });
    return this.last;
  }

  /** When all that was said counts, whether it was taken or refused. */
  settled() {
    return this.last.catch(() => {});
  }

  /** One thing after the other: what is typed while a page loads is meant for that page. */
  inTurn(act) {
    this.doing = this.doing.then(act).catch(complain);
  }
}

const hasKeys = (task) => task.high <= 9; // one key per point
const anchorsOf = (task, points) =>
  points.map((meaning, at) => [task.low + at, meaning]).filter(([, meaning]) => meaning);

/** The points of a criterion and their meanings, in one line. */
export function anchors(task, { name, points }) {
  const parts = anchorsOf(task, points).map(([value, meaning]) => element("span", {}, element("b", {}, `${value}`), ` ${meaning}`));
  return element("p", { class: "anchors", "data-criterion": name }, element("b", {}, name), ...parts);
}

/** A question with one button per point, or with a field and a slider if there are many points.
 *  `give(value)` is called with each answer, `next()` after one that was typed. */
export function question(task, { name, question, points }, { group = name, isBrief = false, give, next }) {
  const answers = hasKeys(task)
    ? buttons(task, isBrief ? [] : points, group, give)
    : slider(task, isBrief ? [] : points, `${group}: ${question}`, give, next);
  const asked = isBrief ? [] : [element("span", { class: "quiet" }, question)];
  return element(
    "fieldset", { title: isBrief ? question : "", "data-criterion": name, "data-answer": "" },
    element("legend", {}, name), ...asked, answers,
  );
}

function buttons(task, points, group, give) {
  const choices = [];
  for (let value = task.low; value <= task.high; value++) {
    const radio = element("input", { type: "radio", name: group, value, onchange: () => give(value) });
    choices.push(element("label", {}, radio, element("b", {}, `${value}`), points[value - task.low] ?? ""));
  }
  return element("div", { class: "points" }, ...choices);
}

function slider(task, points, label, give, next) {
  const ends = { min: task.low, max: task.high, step: 1, "aria-label": label };
  const range = element("input", { type: "range", ...ends, oninput: () => { field.value = range.value; } });
  const field = element("input", { type: "number", ...ends, placeholder: "–" });
  const take = (value) => {
    const own = field.closest("fieldset");
    if (value === "" || !field.reportValidity()) field.value = own.dataset.answer;
    else if (value !== own.dataset.answer) give(Number(value));
  };
  range.addEventListener("change", () => take(range.value));
  range.addEventListener("click", () => take(range.value)); // also where the thumb is already
  field.addEventListener("change", () => take(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    take(field.value);
    next();
  });
  const marks = anchorsOf(task, points).map(([value, meaning]) => element("span", {}, element("b", {}, `${value}`), ` ${meaning}`));
  return element("div", { class: "slider" }, field, element("div", {}, range, element("div", { class: "marks" }, ...marks)));
}

/** Show the answer to a question, or that there is none. */
export function setAnswer(field, value) {
  field.dataset.answer = value ?? "";
  for (const input of field.querySelectorAll("input")) {
    if (input.type === "radio") input.checked = input.value === `${value}`;
    else input.value = value ?? (input.type === "range" ? (Number(input.min) + Number(input.max)) / 2 : "");
  }
}

export const fields = () => [...document.querySelectorAll("fieldset[data-criterion]")];
export const isOpen = (field) => field.dataset.answer === "";

/** Focus a question. One without an answer is framed as a whole: no point looks chosen. */
export const focus = (field) => (field?.querySelector(":checked") ?? field?.querySelector("input"))?.focus();

/** The first question that is open, from a place on; when there is none, the button Next. */
export function focusOpen(from = 0) {
  const all = fields();
  const open = all.slice(from).find(isOpen) ?? all.find(isOpen);
  if (open) focus(open);
  else byId("next").focus();
}

/** A point for the question that has the focus, or the first that is open; then to the next. */
export function score(point) {
  const all = fields();
  const field = document.activeElement.closest("fieldset[data-criterion]") ?? all.find(isOpen);
  if (!field) return;
  field.querySelector(`input[value="${point}"]`).click();
  focusOpen(all.indexOf(field) + 1);
}

/** A comment, folded away while there is none; `save(text)` is called when it was changed. */
export function comment(text, save) {
  const field = element("textarea", { rows: 2, maxlength: 2000, "aria-label": "Comment" });
  field.value = text ?? "";
  field.addEventListener("change", () => save(field.value));
  const folded = element("details", { class: "comment" }, element("summary", {}, "Comment"), field);
  folded.open = Boolean(text);
  return folded;
}

/** Progress in numbers and as a bar, and the end. */
export function count(what, place, { done, skipped, total, undo, left }) {
  byId("progress").max = total;
  byId("progress").value = done;
  const judged = `${done - skipped} judged${skipped ? `, ${skipped} skipped` : ""}`;
  byId("count").textContent = `${what} ${place + 1} of ${total}, ${judged}${done < total ? timeLeft(left) : ""}`;
  byId("finished").hidden = done < total;
  byId("finished-count").textContent = judged;
  byId("undo").disabled = !undo;
}

/** Show that all is done; what was said can still be changed. */
export function finish() {
  byId("finished").scrollIntoView({ block: "start" });
  byId("finished").focus();
}

/** Show the task, and let keys and buttons do what `acts` says: next, back, undo, skip. */
export function begin(task, writes, acts) {
  byId("judge").textContent = task.judge;
  instruct(task.instructions);
  byId("points").textContent = hasKeys(task) ? `${task.low}–${task.high}` : `${task.low} to ${task.high}, Enter`;
  for (const name of ["next", "back", "undo", "skip"]) {
    byId(name).addEventListener("click", () => writes.inTurn(acts[name]));
  }
  byId("help").addEventListener("click", () => byId("keys").showModal());
  document.addEventListener("keydown", (event) => {
    if (!isOurs(event) || event.repeat) return; // a key that is held is one answer
    const point = hasKeys(task) && /^[0-9]$/.test(event.key) ? Number(event.key) : NaN;
    if (point >= task.low && point <= task.high) {
      event.preventDefault();
      writes.inTurn(() => score(point));
    } else if (event.key === "Enter" && !event.target.closest?.("button, summary")) {
      event.preventDefault();
      writes.inTurn(acts.next);
    } else if (event.key === "b") writes.inTurn(acts.back);
    else if (event.key === "u") writes.inTurn(acts.undo);
    else if (event.key === "s") writes.inTurn(acts.skip);
    else if (event.key === "?") byId("keys").showModal();
  });
}
