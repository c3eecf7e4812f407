// A button beside a field copies what is in it; without a clipboard the field can still be copied by hand.
"use strict";

for (const button of document.querySelectorAll("button[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard) continue;
  const word = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.focus();
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = word; }, 2500);
  });
}
