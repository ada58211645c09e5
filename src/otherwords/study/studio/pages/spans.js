// Errors in a text: select them, and say how bad they are. Positions count characters as Python does.
import { element } from "./common.js";

const SEVERITIES = ["minor", "major", "critical"];
const length = (text) => [...text].length;

export class Spans {
  #place;
  #tools;
  #list = element("ul", { class: "errors" });
  #change;
  #text = [];
  #spans = []; // [start, end, severity], sorted

  /** The text is in `place`, buttons and the list of errors in `tools`. */
  constructor(place, tools, change) {
    this.#place = place;
    this.#tools = tools;
    this.#change = change;
    // A caret, so that keys can select; nothing can be typed.
    const reads = { contenteditable: "true", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", spellcheck: "false" };
    for (const [name, value] of Object.entries({ ...reads, "aria-labelledby": "text-label" })) place.setAttribute(name, value);
    for (const kind of ["beforeinput", "drop", "paste"]) place.addEventListener(kind, (event) => event.preventDefault());
    place.addEventListener("keydown", (event) => {
      const severity = SEVERITIES[Number(event.key) - 1];
      if (severity && !event.ctrlKey && !event.metaKey) this.#add(severity);
    });
    const buttons = SEVERITIES.map((severity, at) => element(
      "button", { type: "button", class: severity, onmousedown: (event) => event.preventDefault(), onclick: () => this.#add(severity) },
      `${severity} `, element("kbd", {}, `${at + 1}`),
    ));
    tools.replaceChildren(element("span", { class: "quiet" }, "Select an error in the text, then:"), ...buttons, this.#list);
    tools.hidden = false;
  }

  show(text, spans) {
    this.#text = [...text];
    this.#spans = spans;
    this.#draw();
  }

  #cut(start, end) {
    return this.#text.slice(start, end).join("");
  }

  #draw() {
    const parts = [];
    let at = 0;
    for (const [start, end, severity] of this.#spans) {
      parts.push(this.#cut(at, start), element("mark", { class: severity, title: severity }, this.#cut(start, end)));
      at = end;
    }
    this.#place.replaceChildren(...parts, this.#cut(at));
    this.#list.replaceChildren(...this.#spans.map((span) => element(
      "li", {}, element("b", {}, `${span[2]}: `), this.#cut(span[0], span[1]), " ",
      element("button", { type: "button", "aria-label": `Remove ${this.#cut(span[0], span[1])}`, onclick: () => this.#remove(span) }, "Remove"),
    )));
  }

  #add(severity) {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    if (!this.#place.contains(range.commonAncestorContainer)) return;
    const before = document.createRange();
    before.setStart(this.#place, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const chosen = range.toString();
    const blank = length(chosen) - length(chosen.trimStart());
    const start = length(before.toString()) + blank;
    const end = start + length(chosen.trim());
    if (start === end) return;
    const apart = this.#spans.filter(([from, to]) => to <= start || from >= end);
    this.#set([...apart, [start, end, severity]].sort((a, b) => a[0] - b[0]));
    selection.collapseToEnd();
  }

  #remove(span) {
    this.#set(this.#spans.filter((one) => one !== span));
  }

  #set(spans) {
    this.#spans = spans;
    this.#draw();
    this.#change(spans);
  }
}
