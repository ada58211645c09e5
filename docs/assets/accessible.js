// What the theme leaves out: a name for the buttons of each block of code, hidden inputs that the
// keyboard does not reach, wide tables that it can scroll, and one landmark for a table of contents.
let blocks = 0;
function repair() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([aria-label])")) {
    nav.setAttribute("aria-label", `Code ${(blocks += 1)}`);
  }
  for (const input of document.querySelectorAll("input.md-option[aria-hidden]")) input.tabIndex = -1;
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    wrap.tabIndex = wrap.scrollWidth > wrap.clientWidth ? 0 : -1;
  }
  for (const nav of document.querySelectorAll("[data-md-component=toc] nav[aria-label]")) {
    nav.removeAttribute("aria-label");
    nav.role = "none";
  }
}
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });
repair();
