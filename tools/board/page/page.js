// Elements of the page, and what any part of it may say to the person.

export const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
export const still = matchMedia("(prefers-reduced-motion: reduce)");

export function make(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

let liveTimer = 0;
export function announce(text) {
  clearTimeout(liveTimer);
  liveTimer = setTimeout(() => ($("live").textContent = text), 60);
}

let bannerTimer = 0;
export function warn(text, forSeconds = 8) {
  clearTimeout(bannerTimer);
  const banner = $("banner");
  banner.hidden = !text;
  banner.firstElementChild.textContent = text;
  if (text && forSeconds) bannerTimer = setTimeout(() => (banner.hidden = true), 1000 * forSeconds);
}

export function addLines(box, lines) {
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  const all = [...box.textContent.split("\n").filter(Boolean), ...lines];
  box.textContent = all.slice(-200).join("\n");
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

export function confirmed(question) {
  const dialog = $("confirm");
  dialog.querySelector("p").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) => (dialog.onclose = () => done(dialog.returnValue === "yes")));
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
