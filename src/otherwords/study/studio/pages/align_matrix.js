// The alignment as a matrix: one row per word of the first sentence, one column per word of the second.
// Of a large one only the cells around what is seen are drawn, and others when it is scrolled.

import { element } from "./common.js";

const SIGNS = { none: "", sure: "■", possible: "▨" };
const SMALL = 3600; // cells that are all drawn at once
const SPARE = 8; // cells that are drawn beyond what is seen, on each side
const CELL = 1.9; // rem, as in align.css

export class Matrix {
  #place;
  #row;
  #names;
  #cells = new Map(); // by "i-j", those that are drawn
  #heads = [new Map(), new Map()];
  #drawn = null; // the first and last words of both sentences that are drawn
  #at = { i: 0, j: 0 };
  #drawing = null; // { mark, cells } while the mouse is down

  /** `act` has `set(cells)` and `move(i, j)`; `names` those of two annotators, or none. */
  constructor(place, act, names) {
    this.#place = place;
    this.#names = names;
    place.addEventListener("pointerdown", (event) => this.#begin(event, act));
    place.addEventListener("pointermove", (event) => this.#draw(event));
    addEventListener("pointerup", () => this.#end(act));
    addEventListener("pointercancel", () => this.#drop());
    place.addEventListener("scroll", () => this.#follow());
  }

  show(row) {
    this.#row = row;
    this.#drawn = null;
    this.#place.scrollTo(0, 0);
    this.#follow();
  }

  /** The words of a side from the first that is seen to the last. */
  #seen(side) {
    const { length } = side ? this.#row.target : this.#row.source;
    if (this.#row.source.length * this.#row.target.length <= SMALL) return [0, length];
    const size = CELL * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const start = Math.floor((side ? this.#place.scrollLeft : this.#place.scrollTop) / size);
    const room = Math.ceil((side ? this.#place.clientWidth || innerWidth : innerHeight) / size);
    return [Math.max(0, Math.min(start, length - room)), Math.min(length, start + room)];
  }

  /** Draw the cells around what is seen, unless they are there. */
  #follow() {
    if (!this.#row) return;
    const seen = [this.#seen(0), this.#seen(1)];
    const has = ([first, last], [from, to]) => from <= first && last <= to;
    if (this.#drawn?.every((part, side) => has(seen[side], part))) return;
    const sizes = [this.#row.source.length, this.#row.target.length];
    this.#drawn = seen.map(([first, last], side) => [Math.max(0, first - SPARE), Math.min(sizes[side], last + SPARE)]);
    const focused = this.#place.contains(document.activeElement);
    this.#drawAll();
    this.point(this.#at.i, this.#at.j, false);
    if (focused) this.#cells.get(`${this.#at.i}-${this.#at.j}`)?.focus({ preventScroll: true });
  }

  #drawAll() {
    const { source, target } = this.#row;
    const [[top, bottom], [left, right]] = this.#drawn;
    const across = Array.from({ length: right - left }, (_, n) => left + n);
    this.#cells = new Map();
    this.#heads = [source, target].map((words, side) => new Map(
      words.slice(...this.#drawn[side]).map((word, n) => [
        this.#drawn[side][0] + n,
        element("th", { scope: side ? "col" : "row", title: word }, element("span", {}, word)),
      ]),
    ));
    const gap = (words, high) => {
      const made = element("td", { class: "gap", "aria-hidden": "true" });
      made.style[high ? "height" : "minWidth"] = `${words * CELL}rem`;
      return words ? [made] : [];
    };
    const line = (head, cells) => element("tr", {}, head, ...gap(left), ...cells, ...gap(target.length - right));
    const body = [...this.#heads[0]].map(([i, head]) => line(head, across.map((j) => this.#cell(i, j))));
    const between = (words) => gap(words, true).map((made) => element("tr", {}, made));
    const corner = element("td", { class: "corner" });
    // As wide and high as the longest word wants, so that nothing moves when it is scrolled.
    const longest = (words) => Math.max(0, ...words.map((word) => word.length));
    corner.style.minWidth = `min(12rem, ${longest(source)}ch)`;
    corner.style.height = `min(10rem, ${longest(target)}ch)`;
    const label = "Rows: words of the first sentence; columns: words of the second";
    const counts = { "aria-rowcount": source.length + 1, "aria-colcount": target.length + 1 };
    this.#place.replaceChildren(element(
      "table", { role: "grid", "aria-label": label, ...counts },
      line(corner, this.#heads[1].values()), ...between(top), ...body, ...between(source.length - bottom),
    ));
  }

  #cell(i, j) {
    const cell = element("td", { role: "gridcell", tabindex: -1, "data-i": i, "data-j": j });
    this.#paint(cell, i, j);
    this.#cells.set(`${i}-${j}`, cell);
    return cell;
  }

  /** The cell of a word pair as it is now. */
  update(i, j) {
    const cell = this.#cells.get(`${i}-${j}`);
    if (cell) this.#paint(cell, i, j);
  }

  #paint(cell, i, j, mark = this.#row.mark(i, j)) {
    const { source, target } = this.#row;
    const shown = [`${source[i]} – ${target[j]}: ${mark}`];
    const signs = [element("span", { class: "sign" }, SIGNS[mark])];
    const differs = this.#row.differs(i, j);
    if (differs) {
      this.#names.forEach((name, which) => {
        const other = this.#row.other(which, i, j);
        shown.push(`${name}: ${other}`);
        if (other !== "none") signs.push(element("span", { class: `other other-${which}` }, SIGNS[other]));
      });
    }
    cell.className = differs ? `${mark} differs` : mark;
    cell.setAttribute("aria-label", shown.join("; "));
    cell.title = shown.join("\n");
    cell.replaceChildren(...signs);
  }

  /** Show where we are; with `focus` the cell is also focused. */
  point(i, j, focus) {
    this.#lit(this.#at.i, this.#at.j, false);
    this.#at = { i, j };
    this.#lit(i, j, true);
    if (!focus) return;
    if (!this.#cells.has(`${i}-${j}`)) this.#go(i, j);
    this.#cells.get(`${i}-${j}`)?.focus({ preventScroll: false });
  }

  /** Scroll to a cell that is far away, and draw it. */
  #go(i, j) {
    const size = CELL * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#place.scrollTo(size * j - this.#place.clientWidth / 2, size * i - this.#place.clientHeight / 2);
    this.#follow();
  }

  #lit(i, j, on) {
    this.#heads[0].get(i)?.classList.toggle("lit", on);
    this.#heads[1].get(j)?.classList.toggle("lit", on);
    const cell = this.#cells.get(`${i}-${j}`);
    cell?.classList.toggle("here", on);
    cell?.setAttribute("tabindex", on ? 0 : -1);
  }

  #begin(event, act) {
    const cell = event.target.closest("td[data-i]");
    if (!cell || event.button !== 0) return;
    const [i, j] = [Number(cell.dataset.i), Number(cell.dataset.j)];
    act.move(i, j);
    this.#drawing = { mark: this.#row.following(i, j), cells: new Map(), touch: event.pointerType === "touch" };
    this.#add(cell);
  }

  #draw(event) {
    // A finger that moves scrolls the page; it does not draw.
    if (!this.#drawing || this.#drawing.touch) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("td[data-i]");
    if (cell && this.#place.contains(cell)) this.#add(cell);
  }

  #add(cell) {
    const [i, j] = [Number(cell.dataset.i), Number(cell.dataset.j)];
    this.#drawing.cells.set(cell, [i, j, this.#drawing.mark]);
    this.#paint(cell, i, j, this.#drawing.mark);
    cell.classList.toggle("here", i === this.#at.i && j === this.#at.j);
  }

  /** The browser took the finger for scrolling: nothing was meant. */
  #drop() {
    const cells = this.#drawing?.cells ?? new Map();
    this.#drawing = null;
    for (const [i, j] of cells.values()) this.update(i, j);
    this.point(this.#at.i, this.#at.j, false);
  }

  #end(act) {
    if (!this.#drawing) return;
    const { cells } = this.#drawing;
    this.#drawing = null;
    const changed = [...cells.values()].filter(([i, j, mark]) => this.#row.mark(i, j) !== mark);
    if (changed.length) act.set(changed);
    this.point(this.#at.i, this.#at.j, false);
  }
}
