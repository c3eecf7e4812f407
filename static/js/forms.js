// A form that is being sent says so, and is sent once; also one that came into the page later.
"use strict";

const words = new Map();
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("once" in form.dataset)) return;
  // Disabled only after the browser has gathered the fields, the pressed button's own among them.
  setTimeout(() => {
    for (const button of form.querySelectorAll("button")) {
      words.set(button, [...button.childNodes]);
      button.disabled = true;
    }
    if (event.submitter) event.submitter.textContent = form.dataset.once;
  });
});
window.addEventListener("pageshow", () => {
  for (const [button, nodes] of words) { button.disabled = false; button.replaceChildren(...nodes); }
  words.clear();
});
