// The alignment as two lines of words, with a line drawn for every link.

import { drawn, element } from "./common.js";

const HEIGHT = 130;

export class Lines {
  #place;
  #act;
  #row;
  #names;
  #words = [[], []];
  #drawing = drawn("svg", { height: HEIGHT, "aria-hidden": "true" });
  #from = null; // { side, index, moved } while the mouse is down on a word
  #picked = null; // { side, index } after a click on a word, until one of the other side follows
  #at = { i: 0, j: 0, side: 0 };

  constructor(place, act, names) {
    this.#place = place;
    this.#act = act;
    this.#names = names;
    place.addEventListener("pointerdown", (event) => this.#begin(event));
    place.addEventListener("pointermove", (event) => this.#drag(event));
    addEventListener("pointerup", (event) => this.#end(event));
    addEventListener("pointercancel", () => this.#drop());
    addEventListener("resize", () => this.draw());
  }

  show(row) {
    this.#row = row;
    this.#picked = this.#from = null;
    this.#words = [row.source, row.target].map((words, side) =>
      words.map((word, index) =>
        element("span", { class: "word", role: "button", tabindex: -1, "data-side": side, "data-index": index }, word),
      ),
    );
    const sides = this.#words.map((words, side) =>
      element("div", { class: "side", role: "group", "aria-label": side ? "Second sentence" : "First sentence" }, ...words),
    );
    this.#place.replaceChildren(element("div", { class: "sheet" }, sides[0], this.#drawing, sides[1]));
    this.draw();
  }

  /** All lines again: where words stand depends on the width of the window. */
  draw() {
    if (!this.#row || this.#place.hidden) return;
    this.#drawing.setAttribute("width", this.#drawing.parentElement.scrollWidth);
    const lines = this.#row.links().flatMap(([i, j, mark]) => this.#link(i, j, mark));
    const differing = this.#row.differences().flatMap(([i, j]) =>
      this.#names.map((_, which) => this.#other(i, j, which)).filter(Boolean),
    );
    const ghost = this.#line(this.#at.i, this.#at.j, { class: "ghost" });
    this.#drawing.replaceChildren(...(ghost ? [ghost] : []), ...differing, ...lines);
    this.#words.flat().forEach((word) => word.classList.remove("linked"));
    for (const [i, j] of this.#row.links()) {
      this.#words[0][i].classList.add("linked");
      this.#words[1][j].classList.add("linked");
    }
  }

  #middle(side, index) {
    const word = this.#words[side][index];
    return word.offsetLeft + word.offsetWidth / 2;
  }

  #line(i, j, attributes, shift = 0) {
    if (!this.#words[0][i] || !this.#words[1][j]) return null;
    const ends = { x1: this.#middle(0, i) + shift, y1: 2, x2: this.#middle(1, j) + shift, y2: HEIGHT - 2 };
    return drawn("line", { ...ends, ...attributes });
  }

  #link(i, j, mark) {
    const links = `${this.#row.source[i]} – ${this.#row.target[j]}: ${mark}`;
    const change = () => {
      this.#act.move(i, j);
      this.#act.set([[i, j, this.#row.following(i, j)]]);
    };
    const near = this.#line(i, j, { class: "near", "data-link": `${i}-${j}`, onclick: change });
    near.append(drawn("title", {}, links));
    return [this.#line(i, j, { class: mark }), near];
  }

  #other(i, j, which) {
    const mark = this.#row.other(which, i, j);
    return mark === "none" ? null : this.#line(i, j, { class: `other-${which} ${mark}` }, which ? 5 : -5);
  }

  /** Show where we are: the pair of words, and on which side the keys move. */
  point(i, j, side, focus) {
    this.#at = { i, j, side };
    this.#words.forEach((words, which) =>
      words.forEach((word, index) => {
        const here = index === (which ? j : i);
        word.classList.toggle("lit", here);
        word.classList.toggle("here", here && which === side);
        word.setAttribute("tabindex", here && which === side ? 0 : -1);
        this.#describe(word, which, index);
      }),
    );
    const word = this.#words[side][side ? j : i];
    if (focus) word?.focus();
    this.draw();
  }

  #describe(word, side, index) {
    const ends = this.#row.links().filter((link) => link[side] === index);
    const other = side ? this.#row.source : this.#row.target;
    const links = ends.map((link) => `${other[link[1 - side]]} (${link[2]})`).join(", ");
    word.setAttribute("aria-label", `${word.textContent}: ${links || "no link"}`);
  }

  #word(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".word");
    if (!found || !this.#place.contains(found)) return null;
    return { side: Number(found.dataset.side), index: Number(found.dataset.index) };
  }

  #begin(event) {
    const word = this.#word(event);
    if (!word || event.button !== 0) return;
    this.#from = word;
    event.preventDefault(); // no selection of text
  }

  #drag(event) {
    if (!this.#from) return;
    const box = this.#drawing.getBoundingClientRect();
    const y = this.#from.side ? HEIGHT - 2 : 2;
    const ends = { x1: this.#middle(this.#from.side, this.#from.index), y1: y, x2: event.clientX - box.left, y2: event.clientY - box.top };
    this.#drawing.querySelector(".drag")?.remove();
    this.#drawing.append(drawn("line", { ...ends, class: "drag" }));
  }

  #drop() {
    this.#from = null;
    this.#drawing.querySelector(".drag")?.remove();
  }

  #end(event) {
    if (!this.#from) return;
    const from = this.#from;
    const to = this.#word(event);
    this.#drop();
    if (!to) return;
    if (to.side !== from.side) this.#join(from, to);
    else if (to.index === from.index) this.#pick(to);
  }

  #pick(word) {
    if (this.#picked && this.#picked.side !== word.side) {
      this.#join(this.#picked, word);
      return;
    }
    const { i, j } = this.#at;
    this.#act.move(word.side ? i : word.index, word.side ? word.index : j, word.side);
    this.#picked = word;
  }

  #join(one, other) {
    this.#picked = null;
    const [first, second] = one.side ? [other, one] : [one, other];
    this.#act.move(first.index, second.index, other.side);
    this.#act.set([[first.index, second.index, this.#row.following(first.index, second.index)]]);
  }
}
