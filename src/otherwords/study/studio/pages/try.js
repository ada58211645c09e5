// Two texts are judged a moment after the last key; an answer to older texts is dropped.
import { byId, element, write } from "./common.js";

const EXAMPLES = {
  "good rewrite": ["The meeting starts on 3 March and all members must register before Friday.",
    "The meeting begins on 3 March, and every member has to sign up before Friday."],
  "wrong date": ["The meeting starts on 3 March and all members must register before Friday.",
    "The meeting begins on 13 March, and every member has to sign up before Friday."],
  "something missing": ["Passengers may bring one bag, but liquids must stay at home.", "Passengers may bring one bag."],
  "something added": ["Members can use the pool in summer.", "Members can use the pool in summer for free."],
  "a negation": ["The museum is open on Mondays.", "The museum is not open on Mondays."],
  "a copy": ["The bridge was closed because of the storm.", "The bridge was closed because of the storm."],
};
const PAUSE = 250; // milliseconds
const boxes = ["original", "rewrite"].map(byId);
let asked = 0;
let timer;

async function judge() {
  const number = ++asked;
  const [original, rewrite] = boxes.map((box) => box.value.trim());
  if (!original || !rewrite) return show({ verdict: "", scores: {}, html: "" });
  try {
    const found = await write("try/judge", { original, rewrite });
    if (number === asked) show(found);
  } catch (error) {
    if (number === asked) show({ verdict: error.message, scores: {}, html: "" });
  }
}

function show({ verdict, scores, html }) {
  byId("verdict").textContent = verdict;
  byId("scores").replaceChildren(...Object.entries(scores).flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, element("meter", { min: 0, max: 1, value, "aria-label": name })),
    element("dd", {}, value.toFixed(2)),
  ]));
  const template = document.createElement("template");
  template.innerHTML = html; // made by metrics/drawing.py with all text escaped
  byId("drawing").replaceChildren(template.content);
}

for (const box of boxes) {
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(judge, PAUSE);
  });
}
for (const [name, texts] of Object.entries(EXAMPLES)) {
  const button = element("button", { type: "button" }, name);
  button.addEventListener("click", () => {
    boxes.forEach((box, place) => { box.value = texts[place]; });
    judge();
  });
  byId("examples").append(" ", button);
}
boxes[0].focus();
