// One sentence pair, its marks and their history: the same as studio/alignments.py keeps, so that
// what is seen and what is on the disk are one.

export const MARKS = ["none", "sure", "possible"];

const key = (i, j) => `${i}-${j}`;
const asMap = (listed) => new Map(listed.map(([i, j, mark]) => [key(i, j), mark]));

export class Row {
  constructor(found) {
    Object.assign(this, found);
    this.marks = asMap(found.marks);
    this.others = found.others.map(asMap);
  }

  mark(i, j) {
    return this.marks.get(key(i, j)) ?? "none";
  }

  /** The mark after this one: none, sure, possible, none ... */
  following(i, j) {
    return MARKS[(MARKS.indexOf(this.mark(i, j)) + 1) % MARKS.length];
  }

  /** The mark that annotator 0 or 1 gave, for an adjudicator. */
  other(which, i, j) {
    return this.others[which]?.get(key(i, j)) ?? "none";
  }

  differs(i, j) {
    return this.others.length === 2 && this.other(0, i, j) !== this.other(1, i, j);
  }

  /** All word pairs on which two annotators differ, in reading order. */
  differences() {
    const keys = new Set(this.others.flatMap((marks) => [...marks.keys()]));
    return [...keys]
      .map((text) => text.split("-").map(Number))
      .filter(([i, j]) => this.differs(i, j))
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }

  /** Links that have a mark, as [i, j, mark]. */
  links(marks = this.marks) {
    return [...marks].map(([text, mark]) => [...text.split("-").map(Number), mark]);
  }

  get canUndo() {
    return this.position > 0;
  }

  get canRedo() {
    return this.position < this.history.length;
  }

  /** Set marks, [[i, j, mark], ...]; the change as [[i, j, before, after], ...]. */
  set(cells) {
    const change = cells.map(([i, j, mark]) => {
      const before = this.mark(i, j);
      this.#put(i, j, mark);
      return [i, j, before, mark];
    });
    this.history.splice(this.position, Infinity, change);
    this.position += 1;
    this.step += 1;
    return change;
  }

  undo() {
    this.position -= 1;
    const change = this.history[this.position];
    for (const [i, j, before] of [...change].reverse()) this.#put(i, j, before);
    this.step += 1;
    return change;
  }

  redo() {
    const change = this.history[this.position];
    for (const [i, j, , after] of change) this.#put(i, j, after);
    this.position += 1;
    this.step += 1;
    return change;
  }

  finish(done) {
    this.done = done;
    this.step += 1;
  }

  #put(i, j, mark) {
    if (mark === "none") this.marks.delete(key(i, j));
    else this.marks.set(key(i, j), mark);
  }
}
