// What the pages of judgements share: writes in their order, keys, buttons and the judge's task.
import { byId, instruct, isOurs, Saver } from "./common.js";

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

/** Show the task, and let keys and buttons do what `acts` says: score, next, back, undo. */
export function begin(task, writes, acts) {
  byId("judge").textContent = task.judge;
  instruct(task.instructions);
  byId("points").textContent = `${task.low}–${task.high}`;
  for (const name of ["next", "back", "undo"]) {
    byId(name).addEventListener("click", () => writes.inTurn(acts[name]));
  }
  byId("help").addEventListener("click", () => byId("keys").showModal());
  document.addEventListener("keydown", (event) => {
    if (!isOurs(event) || event.repeat) return; // a key that is held is one answer
    const point = /^[0-9]$/.test(event.key) ? Number(event.key) : NaN;
    if (point >= task.low && point <= task.high) {
      event.preventDefault();
      writes.inTurn(() => acts.score(point));
    } else if (event.key === "Enter" && !event.target.closest?.("button, summary")) {
      event.preventDefault();
      writes.inTurn(acts.next);
    } else if (event.key === "b") writes.inTurn(acts.back);
    else if (event.key === "u") writes.inTurn(acts.undo);
    else if (event.key === "?") byId("keys").showModal();
  });
}
