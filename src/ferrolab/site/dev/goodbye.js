// Sent by `ferrolab serve --watch` in the place of a site's service worker: a site served from the same address before
// may have left one, and an author must see what is saved, with nothing in between.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.registration.unregister()));
