// Deadlines in the reader's own time, and how long is left, counted down.
"use strict";

const LOCAL = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

// The same words as limelight.moments.distance: what the page says does not change when this script comes.
const left = (milliseconds) => {
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `in ${days} day${days > 1 ? "s" : ""}${hours && days < 7 ? ` ${hours} h` : ""}`;
  if (hours) return `in ${hours} h${minutes ? ` ${minutes} min` : ""}`;
  return minutes ? `in ${minutes} min` : `in ${seconds} s`;
};

for (const deadline of document.querySelectorAll(".deadline[data-moment]")) {
  const moment = new Date(deadline.dataset.moment);
  const local = deadline.querySelector(".local");
  if (moment.getTimezoneOffset() !== 0) {
    const here = `${LOCAL.format(moment)} where you are`;
    if (local) local.textContent = ` · ${here}`;
    else deadline.querySelector("time").title += ` · ${here}`;
  }
  const countdown = deadline.querySelector(".countdown");
  const count = () => {
    const distance = moment - Date.now();
    if (distance > 0) countdown.textContent = left(distance);
    else if (countdown.dataset.open) countdown.textContent = "over";
    if (distance > 0) { countdown.dataset.open = "yes"; setTimeout(count, distance < 86_400_000 ? 1000 : 60_000); }
  };
  if (countdown) count();
}
