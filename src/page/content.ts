// Written by tools/page.ts: npm run generate

/** page.html with page.css and page.js in it. */
export const HTML: string = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Plant store</title>
    <meta name="color-scheme" content="light dark" />
    <link
      rel="icon"
      href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232f7a4d' d='M2 14C1 6 6 2 14 2c0 8-4 12-10 10l4-5-6 7z'/%3E%3C/svg%3E"
    />
    <style>
:root {
  color-scheme: light dark;
  --paper: light-dark(#f5f4ec, #101612);
  --card: light-dark(#fffefa, #18201b);
  --sunk: light-dark(#f4f4ea, #111813);
  --line: light-dark(#dedfd1, #2f3b33);
  --edge: light-dark(#828a7f, #75857a);
  --ink: light-dark(#1c2921, #e6ebe2);
  --soft: light-dark(#55625a, #a5b2a8);
  --green: light-dark(#23653f, #8ad3a3);
  --serif:
    "Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif;
  --mono:
    ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Consolas,
    "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Cantarell, sans-serif;
  font: 100%/1.5 var(--sans);
  background: var(--paper);
  color: var(--ink);
}

* {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

body {
  max-width: 84rem;
  margin: 0 auto;
  padding: 0 clamp(1rem, 3vw, 2.5rem) 3rem;
}

h1,
h2,
h3,
p,
ul {
  margin: 0;
}

h1,
h2 {
  font-family: var(--serif);
  font-weight: 600;
  line-height: 1.15;
}

h1 {
  font-size: clamp(2.25rem, 5vw, 3rem);
  letter-spacing: -0.01em;
}

h2 {
  font-size: 1.5rem;
}

h3 {
  margin: 1.75rem 0 0.5rem;
  font-size: 0.8125rem;
  letter-spacing: 0.06em;
  text-transform: uppercase;
  color: var(--soft);
}

a {
  color: var(--green);
  text-underline-offset: 0.2em;
}

:focus-visible {
  outline: 3px solid var(--green);
  outline-offset: 2px;
}

header {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0.25rem 2rem;
  padding: 1.75rem 0 1.5rem;
}

header p {
  color: var(--soft);
}

.frond {
  grid-area: 1 / 2;
  width: clamp(7rem, 20vw, 15rem);
  align-self: end;
  fill: var(--green);
  color: var(--green);
  opacity: 0.85;
}

nav {
  display: flex;
  gap: 1.25rem;
  justify-content: end;
}

main {
  display: grid;
  gap: 1.25rem;
}

main > div {
  display: grid;
  gap: 1.25rem;
  align-content: start;
  min-width: 0;
}

.card {
  min-width: 0;
  padding: clamp(1rem, 2.5vw, 1.75rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.875rem;
}

.title {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: center;
  justify-content: space-between;
}

.note,
output {
  color: var(--soft);
  font-size: 0.875rem;
}

.note {
  margin-top: 0.5rem;
}

/* What is asked for */

.fields {
  display: flex;
  flex-wrap: wrap;
  gap: 1rem;
  align-items: end;
  margin-top: 1rem;
}

.grow {
  flex: 1 1 14rem;
  min-width: 0;
}

label {
  display: block;
  margin-bottom: 0.25rem;
  font-size: 0.875rem;
  font-weight: 600;
}

input,
button {
  min-height: 2.75rem;
  padding: 0.375rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--sunk);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
}

::placeholder {
  color: var(--soft);
  opacity: 1;
}

#token,
#limit {
  font-family: var(--mono);
  font-size: 0.9375rem;
}

.joined {
  display: flex;
  gap: 0.5rem;
}

.joined input {
  flex: 1;
  min-width: 0;
}

button {
  font-size: 0.875rem;
  background: var(--card);
  border-color: var(--edge);
  cursor: pointer;
}

button:hover {
  border-color: var(--green);
  color: var(--green);
}

button[aria-pressed="true"] {
  background: light-dark(#e2efe2, #223a2b);
  border-color: var(--green);
  color: var(--green);
}

#send {
  padding: 0.375rem 1.75rem;
  font-size: 1rem;
  font-weight: 600;
  color: light-dark(#fff, #0d1a12);
  background: var(--green);
  border-color: var(--green);
}

#send:hover {
  background: light-dark(#184d2e, #a6e0ba);
}

.choice {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-top: 1rem;
  font-size: 0.875rem;
}

.choice span {
  flex: 0 0 100%;
  color: var(--soft);
}

.choice button,
#tags button,
.title button {
  min-height: 2rem;
  padding: 0.125rem 0.75rem;
  border-radius: 1rem;
}

/* What happened */

#outcome {
  border-left: 0.375rem solid var(--tone, var(--line));
}

#outcome p + p {
  margin-top: 0.5rem;
}

[data-tone="good"] {
  --tone: var(--green);
}

[data-tone="same"] {
  --tone: light-dark(#1f5c8c, #8cc4f0);
}

[data-tone="wrong"] {
  --tone: light-dark(#9a4308, #f2b06b);
}

[data-tone="none"] {
  --tone: light-dark(#a3263c, #f5979f);
  border-left-style: dashed !important;
}

.status {
  font: 600 1.75rem/1.2 var(--serif);
  color: var(--tone);
}

blockquote {
  margin: 0.75rem 0;
  font-weight: 600;
  overflow-wrap: anywhere;
}

/* The plants */

#filter {
  width: 100%;
}

#plants label {
  margin-top: 1rem;
}

#tags {
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  margin-top: 0.75rem;
}

#list {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr));
  gap: 0.625rem;
  margin-top: 1rem;
  padding: 0;
  list-style: none;
}

#list li {
  padding: 0.75rem 0.875rem;
  background: light-dark(
    oklch(97.5% 0.012 var(--hue, 120)),
    oklch(26% 0.015 var(--hue, 150))
  );
  border: 1px solid
    light-dark(
    oklch(90% 0.025 var(--hue, 120)),
    oklch(36% 0.025 var(--hue, 150))
  );
  border-radius: 0.625rem;
}

.name {
  display: block;
  font: italic 1.125rem/1.3 var(--serif);
  overflow-wrap: anywhere;
}

.tag {
  display: inline-flex;
  gap: 0.375rem;
  align-items: center;
  font-size: 0.8125rem;
  color: light-dark(
    oklch(42% 0.09 var(--hue, 150)),
    oklch(84% 0.08 var(--hue, 150))
  );
  overflow-wrap: anywhere;
}

.tag::before {
  flex: none;
  width: 0.6875rem;
  height: 0.6875rem;
  background: currentColor;
  border-radius: 0 100%;
  content: "";
  transform: scaleX(-1);
}

/* What went over the wire */

.line,
pre,
td,
tbody th {
  font-family: var(--mono);
  font-size: 0.8125rem;
  font-variant-ligatures: none;
}

.line {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.75rem;
  align-items: baseline;
  padding: 0.5rem 0.75rem;
  background: var(--sunk);
  border: 1px solid var(--line);
  border-left: 0.25rem solid var(--tone, var(--green));
  border-radius: 0.5rem;
  font-size: 0.9375rem;
  overflow-wrap: anywhere;
}

.line b {
  color: var(--tone, var(--green));
}

.line span {
  margin-left: auto;
  font-size: 0.8125rem;
  color: var(--soft);
}

table {
  width: 100%;
  border-collapse: collapse;
}

th,
td {
  padding: 0.4375rem 0.75rem;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
  overflow-wrap: anywhere;
}

th {
  width: 36%;
  font-weight: 600;
}

td small {
  display: block;
  font: 0.8125rem/1.4 var(--sans);
  color: var(--soft);
}

pre {
  max-height: 24rem;
  margin: 0.75rem 0 0;
  padding: 0.75rem;
  overflow: auto;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  background: var(--sunk);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  line-height: 1.6;
}

pre .key {
  color: var(--soft);
}

pre .text {
  color: var(--green);
}

#kinds {
  display: flex;
  gap: 1.25rem;
}

#kinds label {
  display: flex;
  gap: 0.375rem;
  align-items: center;
  min-height: 2rem;
}

#kinds input {
  min-height: 0;
  accent-color: var(--green);
}

#copy,
#more {
  margin-top: 0.75rem;
}

.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}

@media (min-width: 62rem) {
  main {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    align-items: start;
  }

  .jump {
    display: none;
  }
}

@media (max-width: 40rem) {
  header {
    padding-top: 1.5rem;
  }

  nav {
    grid-column: 1 / -1;
    justify-content: start;
  }

  header p {
    grid-column: 1 / -1;
  }

  tr,
  th,
  td {
    display: block;
    width: auto;
  }

  tr {
    padding: 0.375rem 0;
    border-bottom: 1px solid var(--line);
  }

  tbody th,
  td {
    padding: 0;
    border: 0;
  }

  #send {
    flex: 1;
  }
}
</style>
  </head>
  <body>
    <header>
      <svg class="frond" viewBox="0 4 240 72" aria-hidden="true">
        <defs>
          <path id="leaf" d="M0 0C2-9 9-17 22-22 22-9 14-1 0 0z" />
        </defs>
        <path d="M0 52C70 50 150 44 232 18" fill="none" stroke="currentColor" />
        <use href="#leaf" x="24" y="51" />
        <use href="#leaf" transform="matrix(1 0 0 -1 44 50)" />
        <use href="#leaf" x="64" y="49" />
        <use href="#leaf" transform="matrix(1 0 0 -1 84 47)" />
        <use href="#leaf" x="104" y="45" />
        <use href="#leaf" transform="matrix(1 0 0 -1 124 43)" />
        <use href="#leaf" transform="matrix(.9 0 0 .9 144 40)" />
        <use href="#leaf" transform="matrix(.9 0 0 -.9 163 37)" />
        <use href="#leaf" transform="matrix(.8 0 0 .8 182 33)" />
        <use href="#leaf" transform="matrix(.7 0 0 -.7 200 29)" />
        <use href="#leaf" transform="matrix(.6 0 0 .6 217 23)" />
      </svg>
      <h1>Plant store</h1>
      <p>A small HTTP API to learn with: send a request and see all of it.</p>
      <nav aria-label="Documents">
        <!-- openapi -->
        <a href="https://www.npmjs.com/package/plant-store">README</a>
      </nav>
    </header>
    <noscript>
      <p>
        This page sends its requests with JavaScript, which is off here. The
        same from a terminal, with this page's host:
      </p>
      <pre>curl -i -H "Authorization: Bearer TOKEN" "http://HOST/plants?limit=3"</pre>
    </noscript>
    <main>
      <div>
        <form id="form" class="card" aria-labelledby="ask">
          <h2 id="ask">Ask for plants</h2>
          <div class="fields">
            <div class="grow">
              <label for="token">Token</label>
              <div class="joined">
                <input
                  id="token"
                  type="password"
                  autocomplete="off"
                  autocapitalize="off"
                  spellcheck="false"
                  placeholder="none"
                />
                <button type="button" class="reveal" aria-pressed="false">
                  Show token
                </button>
              </div>
            </div>
            <div>
              <label for="limit">Limit</label>
              <input
                id="limit"
                inputmode="numeric"
                autocomplete="off"
                placeholder="none"
                size="6"
              />
            </div>
            <button id="send">Send</button>
          </div>
          <!-- demo tokens -->
          <div class="choice" role="group" aria-labelledby="mistakes">
            <span id="mistakes">Mistakes to try</span>
            <button type="button" data-token="" data-send>No token</button>
            <button type="button" data-token="wrong-token" data-send>
              Wrong token
            </button>
            <!-- expired token -->
            <button type="button" data-limit="-1" data-send>Bad limit</button>
          </div>
        </form>
        <section
          id="outcome"
          class="card"
          role="status"
          aria-label="Outcome"
        >
          <p class="status">Nothing sent yet</p>
          <p>
            Press Send: the plants appear here, and with them what went over the
            wire.
          </p>
        </section>
        <section id="plants" class="card" aria-labelledby="store" hidden>
          <div class="title">
            <h2 id="store">Plants</h2>
            <a class="jump" href="#exchange">On the wire</a>
            <output id="count" for="filter"></output>
          </div>
          <label for="filter">Filter by name or tag</label>
          <input id="filter" type="search" autocomplete="off" />
          <div id="tags" role="group" aria-label="Tags"></div>
          <ul id="list"></ul>
          <button id="more" type="button" hidden>Show more</button>
        </section>
      </div>
      <section id="exchange" class="card" aria-labelledby="wire">
        <div class="title">
          <h2 id="wire">On the wire</h2>
          <button type="button" class="reveal" aria-pressed="false">
            Show token
          </button>
        </div>
        <h3>Request</h3>
        <p id="request-line" class="line"></p>
        <table id="request-fields"
          aria-label="Header fields of the request"></table>
        <p class="note">
          Your browser adds fields of its own, such as Accept and User-Agent,
          which no page gets to see.
        </p>
        <h3>Answer</h3>
        <div id="answer">
          <p class="note">None yet.</p>
        </div>
        <h3 id="again">The same request elsewhere</h3>
        <div id="kinds" role="radiogroup" aria-labelledby="again">
          <label><input type="radio" name="kind" value="curl" checked />
            curl</label>
          <label><input type="radio" name="kind" value="fetch" /> fetch</label>
          <label><input type="radio" name="kind" value="HTTPie" />
            HTTPie</label>
        </div>
        <pre id="snippet" tabindex="0" role="region"
          aria-labelledby="again"></pre>
        <button id="copy" type="button">Copy curl</button>
        <p class="note">What you copy has the token in it, shown or not.</p>
      </section>
    </main>
    <p id="said" class="hidden" role="status"></p>
    <script type="module">
// @ts-check

const DOTS = "••••••••";

const REASONS = new Map([
  [200, "OK"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [404, "Not Found"],
  [503, "Service Unavailable"],
]);

const MEANINGS = [
  ["Host", "Which service is asked; your browser fills it in"],
  ["Authorization", "Who asks"],
  ["If-None-Match", "The ETag of the copy that is here already"],
  ["WWW-Authenticate", "How to say who asks, and what was wrong with it"],
  ["Retry-After", "Seconds to wait"],
  ["Content-Type", "What the body is"],
  ["Content-Length", "Bytes of the body"],
  ["ETag", "Names exactly these plants: send it back to ask for news only"],
  ["Cache-Control", "Who may keep the answer, and when to ask again"],
  ["Vary", "Each value of this field has an answer of its own"],
  ["Access-Control-Allow-Origin", "Which origins' pages may read the answer"],
  ["Access-Control-Expose-Headers", "Which fields of it they may read"],
  ["X-Content-Type-Options", "Browsers are not to guess another type"],
  ["Date", "When the answer was made"],
  ["Connection", "Whether the connection stays open"],
  ["Keep-Alive", "For how many seconds"],
];

const find = (id) => (document.getElementById(id));
const field = (id) => (find(id));
const all = (
  selector,
) => (document.querySelectorAll(
  selector,
));

const token = field("token");
const limit = field("limit");
const filter = field("filter");

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const number = (count) => count.toLocaleString("en");

const plural = (count, noun) =>
  \`\${number(count)} \${noun}\${count === 1 ? "" : "s"}\`;

// The request.

function readQuery() {
  const url = new URL("plants", location.href);
  if (limit.value !== "") url.searchParams.set("limit", limit.value);
  const query = { url, token: token.value.trim() };
  const copy = copies.get(keyOf(query));
  return copy ? { ...query, etag: copy.etag } : query;
}

const keyOf = ({ url, token }) => \`\${url} \${token}\`;

function fieldsOf({ token, etag }, shown = token) {
  const fields = [];
  if (token) fields.push(["Authorization", \`Bearer \${shown}\`]);
  if (etag) fields.push(["If-None-Match", etag]);
  return fields;
}

const quote = (text) =>
  /^[\\w .~:/?=&%+,•-]*$/.test(text)
    ? \`"\${text}"\`
    : \`'\${text.replaceAll("'", "'\\\\''")}'\`;

const WRITERS = {
  curl: (url, fields) =>
    [
      /[[\\]{}]/.test(url) ? "curl -i -g" : "curl -i",
      ...fields.map(([name, value]) => \`-H \${quote(\`\${name}: \${value}\`)}\`),
      quote(url),
    ].join(" "),
  fetch: (url, fields) => {
    const headers = JSON.stringify(Object.fromEntries(fields), null, 2)
      .replaceAll("\\n", "\\n  ");
    return \`const response = await fetch(\${JSON.stringify(url)}, {
  headers: \${headers},
});
console.log(response.status, await response.text());\`;
  },
  HTTPie: (url, fields) =>
    [
      "http",
      quote(url),
      ...fields.map(([name, value]) => quote(\`\${name}:\${value}\`)),
    ].join(" "),
};

const copies = new Map();

// What happened.

function explain({ url, token }, { status, fields }, body, copy) {
  const asked = url.searchParams.get("limit");
  if (isList(status, body)) {
    if (asked === "0") {
      return "A limit of 0 asks for no plants: the list is empty.";
    }
    if (body.length === 0) {
      return "The list is empty, and that is no error: the token is good, but its user may see no plants.";
    }
    const count = plural(body.length, "plant");
    return body.length === Number(asked)
      ? \`The token is good: here are the first \${count} that its user may see. The limit asks for no more.\`
      : \`The token is good: here are all \${count} that its user may see.\`;
  }
  if (status === 304 && copy) {
    return \`The server said that your copy is still right, and sent no body. If-None-Match had the ETag of your copy, which came at \${copy.at}: \${
      plural(copy.size, "byte")
    } were not sent again.\`;
  }
  if (status === 401) {
    const challenge = fields.find(([name]) => name === "www-authenticate");
    if (!challenge?.[1].includes("invalid_token")) {
      return "No token was sent, so the server doesn't know who asks. WWW-Authenticate names what it takes.";
    }
    return \`\${
      token === "demo-expired"
        ? "You know that demo-expired has expired, but the answer doesn't tell. "
        : ""
    }A wrong, a revoked and an expired token are answered alike: a stranger learns nothing about the tokens that exist or existed.\`;
  }
  if (status >= 500 || body?.error === 500) {
    return "The fault is not yours: the same request may be answered later.";
  }
  return status === 400
    ? "The request can't be answered as it stands: change it before you send it again. The token was good, since it is judged before the limit."
    : "A plant store doesn't answer like this: is there another service at this address?";
}

const isList = (status, body) => status === 200 && Array.isArray(body);

function showOutcome({ title, tone, message, why }) {
  const parts = [make("p", { class: "status" }, title), make("p", {}, why)];
  if (message) parts.splice(1, 0, make("blockquote", {}, \`\${message}\`));
  find("outcome").dataset["tone"] = tone;
  find("outcome").replaceChildren(...parts);
}

// The plants.

const STEP = 24;

let plants = [];
let shown = STEP;

function showPlants(list) {
  plants = list;
  shown = STEP;
  const counts = new Map();
  for (const { tag } of list) {
    if (tag) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, 16);
  find("tags").replaceChildren(...common.map(([tag, count]) => {
    const button = make(
      "button",
      { type: "button", class: "tag", "data-tag": tag },
      \`\${tag} \${count}\`,
    );
    colour(button, tag);
    button.addEventListener("click", () => {
      filter.value = filter.value === tag ? "" : tag;
      applyFilter();
    });
    return button;
  }));
  find("plants").hidden = list.length === 0;
  applyFilter();
}

function colour(element, tag) {
  let hue = 26;
  for (const letter of tag) hue = (hue * 155 + letter.charCodeAt(0)) % 360;
  element.style.setProperty("--hue", \`\${hue}\`);
}

function matching() {
  const wanted = filter.value.trim().toLowerCase();
  const isTag = plants.some(({ tag }) => tag?.toLowerCase() === wanted);
  return plants.filter(({ name, tag = "" }) =>
    isTag
      ? tag.toLowerCase() === wanted
      : \`\${name}\\n\${tag}\`.toLowerCase().includes(wanted)
  );
}

function applyFilter() {
  const found = matching();
  const wanted = filter.value.trim();
  const of = wanted === "" ? "" : \`\${number(found.length)} of \`;
  find("count").textContent = of + plural(plants.length, "plant");
  for (const button of all("#tags button")) {
    button.setAttribute("aria-pressed", \`\${button.dataset["tag"] === wanted}\`);
  }
  find("list").replaceChildren(...found.slice(0, shown).map(toCard));
  find("more").hidden = found.length <= shown;
  find("more").textContent = \`Show more (\${number(found.length - shown)} left)\`;
  writeState();
}

function toCard({ name, tag }) {
  const label = make("span", { class: tag ? "tag" : "note" }, tag || "no tag");
  const card = make("li", {}, make("span", { class: "name" }, name), label);
  if (tag) colour(card, tag);
  return card;
}

// The exchange.

let current;
let isShown = false;

function showRequest() {
  const { url, token } = current;
  const seen = fieldsOf(current, isShown ? token : DOTS);
  find("request-line").replaceChildren(
    make("b", {}, "GET"),
    url.pathname + url.search,
  );
  fillTable(find("request-fields"), [["Host", url.host], ...seen]);
  const kind = readKind();
  find("snippet").textContent = WRITERS[kind]?.(url.href, seen) ?? "";
  find("copy").textContent = \`Copy \${kind}\`;
}

const readKind = () =>
  (document.querySelector(
    "#kinds :checked",
  )).value;

function fillTable(table, fields) {
  const place = (name) =>
    MEANINGS.findIndex(([known]) => known?.toLowerCase() === name) >>> 0;
  const rows = fields
    .map(([name, value]) => ({ name, value, at: place(name.toLowerCase()) }))
    .sort((a, b) => a.at - b.at)
    .map(({ name, value, at }) => {
      const [known = name, meaning] = MEANINGS[at] ?? [];
      const cell = make("td", {}, value);
      if (meaning) cell.append(make("small", {}, meaning));
      return make("tr", {}, make("th", { scope: "row" }, known), cell);
    });
  table.replaceChildren(make("tbody", {}, ...rows));
}

function showAnswer({ status, reason, fields, text, time }, body, tone) {
  const table = make("table", { "aria-label": "Header fields of the answer" });
  fillTable(table, fields);
  const line = make(
    "p",
    { class: "line", "data-tone": tone },
    make("b", {}, \`\${status} \${reason}\`),
    make("span", {}, \`in \${time.toFixed(1)} ms\`),
  );
  const note = text === ""
    ? \`No body\${status === 304 ? ": the plants are your copy's" : ""}.\`
    : \`Body: \${plural(new Blob([text]).size, "byte")}\${
      body === undefined ? "" : ", line breaks added for reading"
    }.\`;
  find("answer").replaceChildren(
    line,
    table,
    make("p", { class: "note" }, note),
  );
  if (text === "") return;
  const lines = colourJson(body === undefined ? text : layOut(body));
  const label = "Body of the answer";
  find("answer").append(
    make(
      "pre",
      { tabindex: "0", role: "region", "aria-label": label },
      ...lines,
    ),
  );
}

const LINES = 100;

function layOut(body) {
  if (!Array.isArray(body)) return JSON.stringify(body, null, 2);
  const lines = body.slice(0, LINES).map((each) => \`  \${JSON.stringify(each)}\`);
  if (body.length === 0) return "[]";
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(\`  … and \${plural(rest, "plant")} more\`);
  return \`[\\n\${lines.join(",\\n")}\\n]\`;
}

function colourJson(text) {
  return text.split(/("(?:[^"\\\\]|\\\\.)*":?)/).map((part) =>
    part.startsWith('"')
      ? make("span", { class: part.endsWith(":") ? "key" : "text" }, part)
      : part
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let isSending = false;

async function send() {
  if (isSending) return;
  isSending = true;
  current = readQuery();
  const copy = copies.get(keyOf(current));
  showRequest();
  writeState();
  const waiting = setTimeout(() =>
    showOutcome({
      title: "Sent",
      tone: "",
      why: "Waiting for the answer …",
    }), 400);
  try {
    const answer = await ask(current);
    const { status, reason, fields, text } = answer;
    const body = parse(text);
    const isGood = isList(status, body);
    const tone = isGood ? "good" : status === 304 ? "same" : "wrong";
    showAnswer(answer, body, tone);
    const etag = fields.find(([name]) => name === "etag")?.[1];
    if (isGood && etag) {
      const size = new Blob([text]).size;
      const at = new Date().toLocaleTimeString();
      if (copies.size > 8) copies.clear();
      copies.set(keyOf(current), { etag, plants: body, size, at });
    }
    showPlants(isGood ? body : status === 304 && copy ? copy.plants : []);
    const outcome = {
      title: \`\${status} \${reason}\`,
      tone,
      message: body?.message,
      why: explain(current, answer, body, copy),
    };
    clearTimeout(waiting);
    showOutcome(outcome);
  } catch (error) {
    clearTimeout(waiting);
    showPlants([]);
    find("answer").replaceChildren(
      make(
        "p",
        { class: "line", "data-tone": "none" },
        make("b", {}, "No answer"),
      ),
      make("p", { class: "note" }, "No status, no header fields, no body."),
    );
    showOutcome(failure(error));
  } finally {
    isSending = false;
  }
}

async function ask(query) {
  const headers = new Headers(fieldsOf(query));
  const start = performance.now();
  const response = await fetch(query.url, {
    headers,
    cache: "no-store", // a browser that has a copy hides the 304
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const time = performance.now() - start;
  const { status } = response;
  const reason = response.statusText || (REASONS.get(status) ?? "");
  return { status, reason, fields: [...response.headers], text, time };
}

function failure(error) {
  if (/[^\\0-\\xff]/.test(current.token)) {
    return {
      title: "Not sent",
      tone: "none",
      why: "The token has characters that no header field can hold.",
    };
  }
  const late = error instanceof Error && error.name === "TimeoutError";
  return {
    title: "No answer",
    tone: "none",
    why: \`\${
      late
        ? "Nothing came back within 30 seconds."
        : "Nothing came back: the server is stopped, or the way to it is cut."
    } There is no status, since a status is part of an answer. Start the server and send again.\`,
  };
}

// The state: in the URL there is what a link may show, never the token.

function writeState() {
  const url = new URL(location.pathname, location.href);
  url.searchParams.set("limit", limit.value);
  if (filter.value !== "") url.searchParams.set("filter", filter.value);
  history.replaceState(null, "", url);
}

const chosen = { token: "", limit: "" };

function choose(data) {
  const isMistake = "send" in data;
  if (!isMistake && data["token"] !== undefined) chosen.token = data["token"];
  token.value = data["token"] ?? chosen.token;
  limit.value = data["limit"] ?? chosen.limit;
  preview();
  if (isMistake) send();
}

function preview() {
  for (const button of all("[data-token]:not([data-send])")) {
    const isChosen = button.dataset["token"] === token.value;
    button.setAttribute("aria-pressed", \`\${isChosen}\`);
  }
  if (!isAnswered()) {
    current = readQuery();
    showRequest();
  }
}

const isAnswered = () => find("outcome").dataset["tone"] !== undefined;

async function copy() {
  const text = WRITERS[readKind()]?.(current.url.href, fieldsOf(current)) ?? "";
  const isCopied = await write(text);
  find("said").textContent = "";
  find("said").textContent = find("copy").textContent = isCopied
    ? "Copied"
    : "Your browser refused to copy";
  setTimeout(showRequest, 2_000);
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // it is there over HTTPS and on this machine alone
    const area = make("textarea", { class: "hidden" }, text);
    document.body.append(area);
    (area).select();
    const isCopied = document.execCommand("copy");
    area.remove();
    find("copy").focus();
    return isCopied;
  }
}

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
for (const input of [token, limit]) {
  input.addEventListener("input", () => {
    chosen.token = token.value;
    chosen.limit = limit.value;
    preview();
  });
}
for (const button of all(".choice button")) {
  button.addEventListener("click", () => choose(button.dataset));
}
for (const button of all(".reveal")) {
  button.addEventListener("click", () => {
    isShown = !isShown;
    token.type = isShown ? "text" : "password";
    for (const each of all(".reveal")) {
      each.setAttribute("aria-pressed", \`\${isShown}\`);
    }
    showRequest();
  });
}
filter.addEventListener("input", () => {
  shown = STEP;
  applyFilter();
});
find("more").addEventListener("click", () => {
  const first = shown;
  shown += STEP;
  applyFilter();
  const card = (find("list").children[first]);
  card.tabIndex = -1;
  card.focus();
});
find("kinds").addEventListener("change", showRequest);
find("copy").addEventListener("click", copy);

const state = new URLSearchParams(location.search);
limit.value = chosen.limit = state.get("limit") ?? "12";
filter.value = state.get("filter") ?? "";
chosen.token = document.querySelector("[data-token]")
  ?.getAttribute("data-token") ?? "";
token.value = chosen.token;
preview();
</script>
  </body>
</html>
`;

/** The hash of page.css, as a policy has it. */
export const STYLE_HASH: string =
  "sha256-A49UWr8kVTmSLb9Ck0Lcoy4E09oS1PXrCP4B8xx1znk=";

/** The hash of page.js, as a policy has it. */
export const SCRIPT_HASH: string =
  "sha256-MxBA9GwOzsgO7gL1g9rR6WrxSR2OexxtGdsPRg+QVwM=";
