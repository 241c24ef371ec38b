// The site without a network. A page comes from the network; where that is away or hangs, from what was kept of it. What may be kept the
// server says page by page (X-Keep-Offline: its release, and whose log-in it is), and in a list which pages are wanted. What is
// kept is of one person and one release; a page is as old as the scripts that are kept beside it.
"use strict";
const { release, files, statics, list, away, home, entrances, parts } = self.site;
const HEADER = "X-Keep-Offline", KEPT_AT = "X-Kept-At", STAMP = "X-Stamp", PART = "X-Part";
const MINUTE = 60_000, DAY = 1440 * MINUTE, SOON = 5 * MINUTE, LONGEST = 14 * DAY;
const PATIENCE = 4_000, LONG = 16_000; // milliseconds until a network that does not answer counts as none
const HEAVIEST = 500_000; // bytes of a picture
const SITE = `site ${release}`, KEPT = "kept ";
const of = (keeper) => `${KEPT}${release} ${keeper}`;
const age = (kept) => Date.now() - Number(kept.headers.get(KEPT_AT));

// All but the pages of one log-in. Whoever logs in or out meanwhile ends what is just being fetched.
let era = 0;
const forget = async (but) => {
  for (const name of await caches.keys()) if (name.startsWith(KEPT) && name !== but) await caches.delete(name);
};
const leave = () => { era += 1; return forget(); };
const mine = async () => (await caches.keys()).find((name) => name.startsWith(of("")));
const find = async (request) => {
  const name = await mine(), kept = name && await (await caches.open(name)).match(request, { ignoreVary: true });
  if (!kept || age(kept) > LONGEST) return null;
  // A part is put into a page, and is none; a page is put into none.
  return kept.headers.has(PART) === request.headers.has("HX-Request") ? kept : null;
};

// Where it is kept, a page says since when; a script of its own shows it.
const keep = async (cache, page, answer) => {
  const said = { [KEPT_AT]: Date.now(), [STAMP]: page.stamp, ...(page.part && { [PART]: "1" }) };
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  for (const [name, value] of Object.entries(said)) headers.set(name, value);
  const whole = page.picture ? await answer.blob() : (await answer.text()).replace("<html ", `<html data-kept="${said[KEPT_AT]}" `);
  if (page.picture && whole.size > HEAVIEST) return cache.delete(page.at);
  return cache.put(page.at, new Response(whole, { headers }));
};
const allowed = (answer, name) => answer.ok && answer.headers.get(HEADER) === name.slice(KEPT.length);
const take = async (cache, name, page) => {
  const headers = { [HEADER]: "1", ...(page.part && { "HX-Request": "true" }) };
  const answer = await fetch(page.url, { headers, cache: "no-store" });
  if (!allowed(answer, name)) return cache.delete(page.at);
  if (!answer.redirected) return keep(cache, page, answer);
  const led = { Location: answer.url, [KEPT_AT]: Date.now(), [STAMP]: page.stamp };
  return cache.put(page.at, new Response(null, { status: 302, headers: led }));
};
const known = async (cache) => {
  const kept = await cache.match(list);
  return kept ? { since: age(kept), pages: (await kept.json()).pages } : { since: Infinity, pages: [] };
};
// The address under which a page is looked for: Home, as it is kept, leaves out what its person runs.
const at = (url) => new URL(url === `${home}?offline` ? home : url, self.location).href;

const fetchAll = async ({ now, keeper }) => {
  const began = era, name = await mine();
  if (!now && name && name === of(keeper) && (await known(await caches.open(name))).since < SOON) return;
  const answer = await fetch(list, { cache: "no-store" });
  if (!answer.ok) return;
  const said = await answer.json(), whole = of(said.keeper);
  if (!said.keeper) return forget();
  if (said.release !== release) return; // the next worker's
  await forget(whole);
  if (era !== began) return;
  const cache = await caches.open(whole);
  const pages = said.pages.map((page) => ({ ...page, at: at(page.url) }));
  await cache.put(list, new Response(JSON.stringify({ pages }), { headers: { [KEPT_AT]: Date.now() } }));
  const wanted = new Set([at(list), ...pages.map((page) => page.at)]);
  let gone = false;
  for (const request of await cache.keys()) if (!wanted.has(request.url)) gone = await cache.delete(request);
  if (gone) await cache.delete(home); // it may name a campaign that somebody was removed from
  for (const page of pages) {
    if (era !== began) return;
    const kept = await cache.match(page.at);
    if (!kept || kept.headers.get(STAMP) !== page.stamp || age(kept) > DAY) await take(cache, whole, page);
  }
};
// Who asks while it goes on has seen something newer, or is somebody else: it goes once more then.
let filling = null, next = null;
const fill = (wish) => {
  if (filling) next = { ...wish, now: wish.now || next?.now };
  else filling = fetchAll(wish).catch(() => {}).then(() => {
    const more = next;
    filling = next = null;
    return more && fill(more);
  });
  return filling;
};

// What somebody just read is as they read it; who is told that there is nothing here may have been removed.
const seen = async (url, answer) => {
  if ([403, 404, 410].includes(answer.status)) return fill({ now: true });
  const name = await mine();
  if (!name || !answer.headers.has(HEADER)) return;
  if (!allowed(answer, name)) return forget(KEPT + answer.headers.get(HEADER));
  const cache = await caches.open(name), page = (await known(cache)).pages.find((kept) => kept.at === url);
  if (page) await keep(cache, page, answer);
};
// What was given from what is kept because the network hung waits longer when it is asked for again: it may only be slow.
const hung = new Map();
const patience = (url) => (Date.now() - (hung.get(url) ?? 0) < MINUTE ? LONG : PATIENCE);
const after = (wait) => new Promise((done) => { setTimeout(done, wait); });
const offline = (request) => (request.mode === "navigate" ? caches.match(away, { cacheName: SITE, ignoreVary: true }) : null);
const instead = async (request, coming) => {
  const wait = patience(request.url);
  await after(wait);
  const kept = await find(request);
  if (kept) hung.set(request.url, Date.now());
  else await after(LONG - wait);
  return kept ?? await offline(request) ?? coming;
};
const page = async ({ request }, coming) => {
  try {
    return await Promise.race([coming, instead(request, coming)]);
  } catch (fault) {
    const kept = await find(request) ?? await offline(request);
    if (kept) return kept;
    throw fault;
  }
};
// An answer that comes late is kept all the same.
const respond = (event) => {
  const coming = fetch(event.request);
  if (event.request.mode === "navigate") {
    const copy = coming.then((came) => came.clone());
    event.waitUntil(copy.then((came) => seen(event.request.url, came), () => {}));
  }
  event.respondWith(page(event, coming));
};
const file = async (request) => await caches.match(request.url, { cacheName: SITE, ignoreVary: true }) ?? fetch(request);

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(SITE).then((cache) => cache.addAll([away, ...files])));
});
// A release takes over at once, and nothing of another one is left.
const takeOver = async () => {
  for (const name of await caches.keys()) if (name !== SITE && !name.startsWith(of(""))) await caches.delete(name);
  const name = await mine(), cache = name && await caches.open(name);
  for (const request of cache ? await cache.keys() : []) if (age(await cache.match(request)) > LONGEST) await cache.delete(request);
  await self.clients.claim();
};
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("message", (event) => {
  const { data, ports: [said] } = event;
  event.waitUntil(data.forget ? leave().then(() => said.postMessage("")) : fill(data));
});
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (entrances.includes(url.pathname)) event.waitUntil(leave());
  } else if (url.pathname.startsWith(statics)) event.respondWith(file(request));
  else if (request.mode === "navigate" || request.destination === "image" || (url.pathname.includes(parts) && request.headers.has("HX-Request"))) respond(event);
});
