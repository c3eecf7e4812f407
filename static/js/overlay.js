// The strip over a document is its scrollbar, and keys lead from hit to hit. Without this script the strip and the
// links lead to anchors in the text.
"use strict";

(() => {
  const text = document.querySelector("[data-laid]");
  const map = document.querySelector("[data-minimap]");
  if (!text || !map) return;

  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  const length = Math.max(Number(text.dataset.length), 1);

  // --- places of the text and of the page ------------------------------------------------------------------------

  const blocks = [...text.querySelectorAll("[data-at]")];
  const offsets = [...blocks.map((block) => Number(block.dataset.at)), length];
  let tops = null; // where on the page the blocks begin; forgotten when the text is laid out anew

  function measured() {
    if (!tops) {
      tops = blocks.map((block) => block.getBoundingClientRect().top + window.scrollY);
      tops.push(text.getBoundingClientRect().bottom + window.scrollY);
    }
    return tops;
  }

  // The last of some rising numbers that is not above a value, found by halving.
  function lastUpTo(numbers, value) {
    let [low, high] = [0, numbers.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (numbers[middle] <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Between two blocks a place of the page is as far along as one of the text.
  function translated(value, from, to) {
    const place = Math.min(lastUpTo(from, value), from.length - 2);
    const wide = from[place + 1] - from[place];
    const share = wide > 0 ? within((value - from[place]) / wide, 0, 1) : 0;
    return to[place] + share * (to[place + 1] - to[place]);
  }

  const characterAt = (y) => translated(y, measured(), offsets);
  const heightOf = (character) => translated(character, offsets, measured());
  const readingLine = () => window.scrollY + map.getBoundingClientRect().bottom;

  // --- the strip is the scrollbar --------------------------------------------------------------------------------

  const thumb = document.createElement("div");
  thumb.className = "window";
  thumb.tabIndex = 0;
  thumb.setAttribute("role", "scrollbar");
  thumb.setAttribute("aria-controls", text.id);
  thumb.setAttribute("aria-orientation", "horizontal");
  thumb.setAttribute("aria-label", "Place in the document");
  thumb.setAttribute("aria-valuemin", "0");
  thumb.setAttribute("aria-valuemax", String(length));
  map.append(thumb);
  map.classList.add("live");

  let isWaiting = false;
  function show() {
    isWaiting = false;
    const first = characterAt(window.scrollY + map.offsetHeight);
    const last = characterAt(window.scrollY + window.innerHeight);
    const wide = Math.max((100 * (last - first)) / length, 0.6);
    thumb.style.left = `${within((100 * first) / length, 0, 100 - wide)}%`;
    thumb.style.width = `${wide}%`;
    thumb.setAttribute("aria-valuenow", String(Math.round(first)));
    const told = [first, last, length].map((place) => Math.round(place).toLocaleString("en"));
    thumb.setAttribute("aria-valuetext", `characters ${told[0]} to ${told[1]} of ${told[2]}`);
  }

  function showSoon() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(show);
  }

  function bring(character) {
    window.scrollTo({ top: heightOf(within(character, 0, length)) - map.offsetHeight, behavior: "instant" });
  }

  let held = null; // by how many characters the pointer is behind the beginning of the window
  const pointed = (event) => {
    const box = map.getBoundingClientRect();
    return (length * within(event.clientX - box.left, 0, box.width)) / box.width;
  };

  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [place, first] = [pointed(event), characterAt(window.scrollY + map.offsetHeight)];
    const seen = characterAt(window.scrollY + window.innerHeight) - first;
    held = event.target === thumb ? place - first : seen / 2;
    map.setPointerCapture(event.pointerId);
    bring(place - held);
    event.preventDefault();
    thumb.focus({ preventScroll: true });
  });
  map.addEventListener("pointermove", (event) => { if (held !== null) bring(pointed(event) - held); });
  for (const end of ["pointerup", "pointercancel"]) map.addEventListener(end, () => { held = null; });
  map.addEventListener("click", (event) => event.preventDefault()); // the links are for readers without a script

  const LINE = 60; // pixels that an arrow key goes
  thumb.addEventListener("keydown", (event) => {
    const page = window.innerHeight - map.offsetHeight - LINE;
    const steps = { ArrowLeft: -LINE, ArrowUp: -LINE, ArrowRight: LINE, ArrowDown: LINE, PageUp: -page, PageDown: page };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Home") bring(0);
    else if (event.key === "End") window.scrollTo({ top: measured().at(-1) - window.innerHeight, behavior: "instant" });
    else if (event.key in steps) window.scrollBy({ top: steps[event.key], behavior: "instant" });
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  window.addEventListener("scroll", showSoon, { passive: true });
  new ResizeObserver(() => { tops = null; showSoon(); }).observe(text);
  window.addEventListener("resize", () => { tops = null; showSoon(); });

  // --- from place to place ---------------------------------------------------------------------------------------

  const jumps = document.querySelector("[data-jumps]");
  const told = jumps.querySelector("[data-told]");
  const links = new Map([...jumps.querySelectorAll("[data-stop-link]")].map((link) => [link.dataset.key, link]));
  const stops = new Map([...links.values()].map((link) => {
    const name = link.dataset.stopLink;
    return [name, [...text.querySelectorAll(`[data-stop~="${name}"]`)]];
  }));
  let here = null; // the place that was gone to, and where the page was then

  const topOf = (element) => element.getBoundingClientRect().top + window.scrollY;
  const follows = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;

  function nextOf(places, back) {
    const isHere = here && Math.abs(here.scroll - window.scrollY) < 2;
    const line = readingLine() + 1;
    const isBehind = isHere
      ? (place) => (back ? follows(place, here.element) : follows(here.element, place))
      : (place) => (back ? topOf(place) < line : topOf(place) > line);
    return back ? places.findLastIndex(isBehind) : places.findIndex(isBehind);
  }

  function go(link, back = false) {
    const places = stops.get(link.dataset.stopLink);
    const number = nextOf(places, back);
    if (number < 0) {
      told.textContent = `no ${link.dataset.noun} ${back ? "before" : "after"} this`;
      return;
    }
    const element = places[number];
    if (here) here.element.classList.remove("here");
    element.classList.add("here");
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center", behavior: "instant" });
    here = { element, scroll: window.scrollY };
    told.textContent = `${link.dataset.noun} ${number + 1} of ${places.length}`;
  }

  // --- keys ------------------------------------------------------------------------------------------------------

  const NAMES = { ArrowRight: "→", ArrowLeft: "←" };
  const button = jumps.querySelector("[data-keys]");
  const store = (work) => { try { return work(window.localStorage); } catch { return null; } }; // it may be switched off
  let isOn = store((kept) => kept.getItem("keys")) !== "off";

  for (const link of jumps.querySelectorAll("[data-key]")) {
    const key = document.createElement("kbd");
    key.textContent = NAMES[link.dataset.key] || link.dataset.key;
    if (link.dataset.noun) link.textContent = `next ${link.dataset.noun}`;
    link.after(" ", key);
    if (link.dataset.noun) link.addEventListener("click", (event) => { event.preventDefault(); go(link); });
  }

  function showKeys() {
    jumps.classList.toggle("keyless", !isOn);
    button.textContent = isOn ? "switch the keys off" : "switch the keys on";
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    isOn = !isOn;
    store((kept) => (isOn ? kept.removeItem("keys") : kept.setItem("keys", "off")));
    showKeys();
  });

  const isTyping = (element) => element.closest && element.closest("input, select, textarea, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (!isOn || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (links.has(key)) go(links.get(key), event.shiftKey);
    else {
      const link = !event.shiftKey && jumps.querySelector(`a[rel][data-key="${CSS.escape(key)}"]`);
      if (!link) return;
      link.click();
    }
    event.preventDefault();
  });

  showKeys();
  show();
})();
