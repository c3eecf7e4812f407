// The reader's choice of light or dark, before anything is painted. It lives in a cookie that only this script and
// /theme.css read: the page itself is the same for everybody. Scripts that draw listen to "themechange" on the document.
"use strict";

(() => {
  const root = document.documentElement;
  const chosen = () => (document.cookie.match(/(?:^|; )theme=(light|dark)(?:;|$)/) || [])[1] || "system";
  const announce = () => document.dispatchEvent(new CustomEvent("themechange"));
  const show = () => {
    if (chosen() === "system") delete root.dataset.theme;
    else root.dataset.theme = chosen();
    for (const button of document.querySelectorAll("form.theme button")) {
      button.setAttribute("aria-pressed", String(button.value === chosen()));
    }
  };

  show();
  document.addEventListener("DOMContentLoaded", show); // now the buttons are there
  document.addEventListener("submit", (sending) => {
    if (!sending.target.matches("form.theme") || !sending.submitter) return;
    const theme = sending.submitter.value;
    const until = theme === "system" ? 0 : 31_536_000;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `theme=${theme}; path=/; max-age=${until}; samesite=lax${secure}`;
    if (until && chosen() !== theme) return; // no cookie is kept here: let the server say so
    sending.preventDefault();
    show();
    announce();
  });
  const print = matchMedia("print");
  print.addEventListener("change", announce); // paper is light, whatever was chosen
  addEventListener("pageshow", (event) => { if (event.persisted) { show(); announce(); } }); // back to a kept page
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (chosen() === "system") announce(); });
})();
