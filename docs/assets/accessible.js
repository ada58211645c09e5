// What the theme leaves out: a name for the buttons of each block of code, and hidden inputs that
// the keyboard does not reach.
let blocks = 0;
function repair() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([aria-label])")) {
    nav.setAttribute("aria-label", `Code ${(blocks += 1)}`);
  }
  for (const input of document.querySelectorAll("input.md-option[aria-hidden]")) input.tabIndex = -1;
}
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });
repair();
