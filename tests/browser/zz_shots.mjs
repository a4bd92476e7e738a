import fs from "node:fs"; import http from "node:http"; import path from "node:path";
import { chromium } from "playwright-core";
const [samples, statics, out, ...names] = process.argv.slice(2);
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };
const file_of = (a) => { const n = decodeURIComponent(new URL(a, "http://localhost").pathname); return n.startsWith("/static/") ? path.join(statics, n.slice(8)) : path.join(samples, n); };
const server = http.createServer((q, r) => { if (q.method !== "GET") return r.writeHead(204).end(); fs.readFile(file_of(q.url), (e, b) => { r.writeHead(e ? 404 : 200, { "Content-Type": types[path.extname(file_of(q.url))] ?? "text/plain" }); r.end(e ? "" : b); }); });
await new Promise((d) => server.listen(0, "127.0.0.1", d));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--no-first-run"] });
for (const spec of names) {
  const [name, width = "1280", scheme = "light", js = "on"] = spec.split(":");
  const c = await browser.newContext({ viewport: { width: +width, height: 800 }, colorScheme: scheme, javaScriptEnabled: js === "on" });
  const p = await c.newPage();
  await p.goto(`http://127.0.0.1:${server.address().port}/${name}.html`);
  await p.waitForTimeout(200);
  await p.screenshot({ path: `${out}/${name}-${width}-${scheme}${js === "on" ? "" : "-nojs"}.png`, fullPage: true });
  await c.close();
}
await browser.close(); server.close();
