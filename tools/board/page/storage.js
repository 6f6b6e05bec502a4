// What the browser keeps: choices for good, and for this tab alone where its person was.

export function kept(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`junqi.${name}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`junqi.${name}`, JSON.stringify(value));
  } catch {
    return; // a browser that keeps nothing still plays
  }
}

// What outlives a reload of this tab, and nothing else.
export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return; // what is too large is forgotten
  }
}

// Names a game: another server at the same address counts from 1 again, but has other tokens.
export const ofGame = (name, game) => `${name}.${location.hash.slice(1, 13)}.${game}`;
