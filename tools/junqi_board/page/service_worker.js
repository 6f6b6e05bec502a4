// Keeps the page's files, so that an installed board opens without its server: lessons, pieces and the last look work.

const FILES = "junqi";
const FIRST = ["/", "main.js", "texts.json", "boards.json", "lessons.json", "icon.svg"];

self.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(caches.open(FILES).then((kept) => kept.addAll(FIRST))));

self.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    fetch(event.request)
      .then(async (answer) => {
        if (answer.ok) await (await caches.open(FILES)).put(event.request, answer.clone());
        return answer;
      })
      .catch(async (error) => {
        const kept = await caches.match(event.request, { ignoreSearch: true });
        if (kept) return kept;
        throw error;
      }),
  );
});
