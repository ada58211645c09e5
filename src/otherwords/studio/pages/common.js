// What all pages share: talking to the server, and making elements. Text only ever becomes text:
// nothing here, and nothing in our pages but the drawings of show.js, reads a string as HTML.

const token = document.querySelector('meta[name="token"]').content;

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
  const headers = { "content-type": "application/json", "x-studio-token": token };
  return answer(await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Writes one after the other. While the server cannot be reached the rest waits, and is tried
 *  again; `tell(waiting)` is called with the number of writes that are not yet on the disk. */
export class Saver {
  #queue = Promise.resolve();
  #waiting = 0;
  #tell;

  constructor(tell) {
    this.#tell = tell;
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
        if (error instanceof Refusal) throw error;
        this.#tell(this.#waiting, "The studio does not answer: this is not saved yet, and is tried again. If it was started anew, load the page again.");
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  #count(change) {
    this.#waiting += change;
    this.#tell(this.#waiting);
  }
}

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(child))));
  return made;
}

/** An element; attributes `onclick: f` listen, children are nodes or text. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same within SVG. */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Whether a key press belongs to the page: not to a field, not to the browser. */
export function isOurs(event) {
  const field = event.target.closest?.("input:not([type=radio]), textarea, select, dialog[open]");
  return !field && !event.ctrlKey && !event.metaKey && !event.altKey;
}
