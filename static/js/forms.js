// A form that is being sent says so, and is sent once.
"use strict";

for (const form of document.querySelectorAll("form[data-once]")) {
  const buttons = [...form.querySelectorAll("button")];
  const words = new Map(buttons.map((button) => [button, [...button.childNodes]]));
  form.addEventListener("submit", (event) => {
    // Disabled only after the browser has gathered the fields, the pressed button's own among them.
    setTimeout(() => {
      for (const button of buttons) button.disabled = true;
      if (event.submitter) event.submitter.textContent = form.dataset.once;
    });
  });
  window.addEventListener("pageshow", () => {
    for (const [button, nodes] of words) { button.disabled = false; button.replaceChildren(...nodes); }
  });
}
