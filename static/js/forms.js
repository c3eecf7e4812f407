// A form that is being sent says so, and is sent once.
"use strict";

for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button");
  const words = button.textContent;
  form.addEventListener("submit", () => {
    // Disabled only after the browser has gathered the fields.
    setTimeout(() => { button.disabled = true; button.textContent = form.dataset.once; });
  });
  window.addEventListener("pageshow", () => { button.disabled = false; button.textContent = words; });
}
