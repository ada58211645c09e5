// What the desks share: talking to the server. Text only ever becomes text.
import { drawn, element } from "./page.js";

/** An answer of the server that is no success; `status` is that of HTTP. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(response) {
  const found = await response.json();
  if (!response.ok) throw new Refusal(response.status, found.error);
  return found;
}

/** GET /api/path with a query. */
export async function read(path, query = {}) {
  return answer(await fetch(`/api/${path}?${new URLSearchParams(query)}`));
}

/** POST /api/path, once. */
export async function write(path, body) {
  const headers = { "content-type": "application/json" };
  return answer(await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Writes one after the other. While the server cannot be reached the rest waits, and is tried
 *  again; `report(waiting)` is called with the number of writes that are not yet on the disk. */
export class Saver {
  #queue = Promise.resolve();
  #waiting = 0;
  #report;

  constructor(report) {
    this.#report = report;
    addEventListener("beforeunload", (event) => {
      if (this.#waiting) event.preventDefault();
    });
  }

  save(path, body) {
    this.#count(1);
    const saved = this.#queue.then(() => this.#insist(path, body));
    this.#queue = saved.catch(() => {});
    return saved.finally(() => this.#count(-1));
  }

  /** When all writes so far have been answered. */
  settled() {
    return this.#queue;
  }

  async #insist(path, body) {
    for (;;) {
      try {
        return await write(path, body);
      } catch (error) {
        // 403: the studio was started again, and its new address lets this browser in.
        if (error instanceof Refusal && error.status !== 403) throw error;
        const why = error instanceof Refusal ? error.message : "the studio does not answer";
        this.#report(this.#waiting, `This change is not saved yet and will be sent again: ${why}.`);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  #count(change) {
    this.#waiting += change;
    this.#report(this.#waiting);
  }
}

export { drawn, element };

/** The lead's instructions, a paragraph per line, instead of ours. */
export function instruct(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length) byId("how").replaceChildren(...lines.map((line) => element("li", {}, line)));
}

/** How long the rest takes, in words; nothing if that is not known yet. */
export function timeLeft(seconds) {
  if (seconds == null) return "";
  if (seconds < 90) return ", about a minute left";
  if (seconds < 5400) return `, about ${Math.round(seconds / 60)} minutes left`;
  return `, about ${(seconds / 3600).toFixed(1)} hours left`;
}

/** The element of an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Whether a key press belongs to the page: not to a field, not to the browser. */
export function isOurs(event) {
  const field = event.target.closest?.("input:not([type=radio], [type=range]), textarea, select, dialog[open], [contenteditable]");
  return !field && !event.ctrlKey && !event.metaKey && !event.altKey;
}
