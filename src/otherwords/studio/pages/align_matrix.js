// The alignment as a matrix: a row a word of the first sentence, a column a word of the second.

import { element } from "./common.js";

const SIGNS = { none: "", sure: "■", possible: "▨" };

export class Matrix {
  #place;
  #row;
  #names;
  #cells = [];
  #heads = [[], []];
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
  }

  show(row) {
    this.#row = row;
    this.#heads = [row.source, row.target].map((words, side) =>
      words.map((word) => element("th", { scope: side ? "col" : "row", title: word }, element("span", {}, word))),
    );
    this.#cells = row.source.map((_, i) => row.target.map((_, j) => this.#cell(i, j)));
    const top = element("tr", {}, element("td", { class: "corner" }), ...this.#heads[1]);
    const body = this.#cells.map((cells, i) => element("tr", {}, this.#heads[0][i], ...cells));
    const label = "Words of the first sentence down, of the second across";
    this.#place.replaceChildren(element("table", { role: "grid", "aria-label": label }, top, ...body));
  }

  #cell(i, j) {
    const cell = element("td", { role: "gridcell", tabindex: -1, "data-i": i, "data-j": j });
    this.#paint(cell, i, j);
    return cell;
  }

  /** The cell of a word pair as it is now. */
  update(i, j) {
    this.#paint(this.#cells[i][j], i, j);
  }

  #paint(cell, i, j, mark = this.#row.mark(i, j)) {
    const { source, target } = this.#row;
    const told = [`${source[i]} – ${target[j]}: ${mark}`];
    const signs = [element("span", { class: "sign" }, SIGNS[mark])];
    const differs = this.#row.differs(i, j);
    if (differs) {
      this.#names.forEach((name, which) => {
        const other = this.#row.other(which, i, j);
        told.push(`${name}: ${other}`);
        if (other !== "none") signs.push(element("span", { class: `other other-${which}` }, SIGNS[other]));
      });
    }
    cell.className = differs ? `${mark} differs` : mark;
    cell.setAttribute("aria-label", told.join("; "));
    cell.title = told.join("\n");
    cell.replaceChildren(...signs);
  }

  /** Show where we are; with `focus` the cell is also focused. */
  point(i, j, focus) {
    this.#lit(this.#at.i, this.#at.j, false);
    this.#at = { i, j };
    this.#lit(i, j, true);
    if (focus) this.#cells[i]?.[j]?.focus({ preventScroll: false });
  }

  #lit(i, j, on) {
    this.#heads[0][i]?.classList.toggle("lit", on);
    this.#heads[1][j]?.classList.toggle("lit", on);
    const cell = this.#cells[i]?.[j];
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
