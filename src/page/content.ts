// Written by tools/page.ts: npm run generate

/** page.html with page.css and page.js in it. */
export const HTML: string =
  `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Plant store</title>
    <meta
      name="description"
      content="A small HTTP API to learn with: send a request and see all of it."
    />
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
  font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Cantarell, sans-serif;
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
  padding: 2.25rem 0 1.75rem;
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
  margin: 1rem 0 1.25rem;
}

.grow {
  flex: 1 1 17rem;
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
  align-items: center;
  margin-top: 0.5rem;
  font-size: 0.875rem;
}

.choice span {
  flex: 0 0 7.5rem;
  color: var(--soft);
}

.choice button,
#tags button {
  min-height: 2rem;
  padding: 0.125rem 0.75rem;
  border-radius: 1rem;
}

/* What happened */

#outcome {
  --tone: var(--soft);
  border-left: 0.375rem solid var(--tone);
}

#outcome p + p {
  margin-top: 0.5rem;
}

[data-tone="good"] {
  --tone: light-dark(#23653f, #8ad3a3) !important;
}

[data-tone="same"] {
  --tone: light-dark(#1f5c8c, #8cc4f0) !important;
}

[data-tone="wrong"] {
  --tone: light-dark(#9a4308, #f2b06b) !important;
}

[data-tone="none"] {
  --tone: light-dark(#a3263c, #f5979f) !important;
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
    oklch(97% 0.02 var(--hue, 120)),
    oklch(27% 0.025 var(--hue, 150))
  );
  border: 1px solid
    light-dark(
    oklch(90% 0.035 var(--hue, 120)),
    oklch(36% 0.035 var(--hue, 150))
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

.tag svg {
  flex: none;
  width: 0.875rem;
  height: 0.875rem;
  fill: currentColor;
}

.untagged {
  color: var(--soft);
}

#more {
  margin-top: 1rem;
}

/* What went over the wire */

.line,
pre,
td,
tbody th {
  font-family: var(--mono);
  font-size: 0.8125rem;
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
  font: 0.8125rem/1.4 system-ui, -apple-system, "Segoe UI", Cantarell,
    sans-serif;
  color: var(--soft);
}

pre {
  max-height: 24rem;
  margin: 0.75rem 0 0;
  padding: 0.75rem;
  overflow: auto;
  background: var(--sunk);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  line-height: 1.6;
}

#snippet {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
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

#copy {
  margin-top: 0.5rem;
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
}

@media (max-width: 40rem) {
  header {
    padding-top: 1.5rem;
  }

  nav {
    grid-column: 1 / -1;
    justify-content: start;
  }

  .choice span {
    flex-basis: 100%;
  }

  #send {
    flex: 1;
  }
}
</style>
  </head>
  <body>
    <header>
      <svg class="frond" viewBox="0 0 240 64" aria-hidden="true">
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
        <div id="answer"></div>
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
        <p class="note">Copies have the token itself, shown or not.</p>
      </section>
    </main>
    <p id="said" class="hidden" role="status"></p>
    <script type="module">
// @ts-check

/** @typedef {{ name: string, tag?: string }} Plant */
/** @typedef {{ url: URL, token: string, etag?: string }} Query */
/** @typedef {{ etag: string, plants: Plant[], size: number, at: string }} Copy */
/** @typedef {{ status: number, reason: string, fields: [string, string][], text: string, time: number }} Answer */
/** @typedef {{ title: string, tone: string, message?: string, why: string }} Outcome */

const DOTS = "••••••••";

/** What a status is called where the answer doesn't say, as in HTTP/2. */
const REASONS = new Map([
  [200, "OK"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [404, "Not Found"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
]);

/** What header fields are for. */
const MEANINGS = new Map([
  ["host", "Which service is asked; your browser fills it in"],
  ["authorization", "Who asks"],
  ["if-none-match", "The ETag of the copy that is here already"],
  ["access-control-allow-origin", "Pages of these origins may read the answer"],
  ["access-control-expose-headers", "and these fields of it"],
  ["cache-control", "Who may keep the answer, and when to ask again"],
  ["content-length", "Bytes of the body"],
  ["content-type", "What the body is"],
  ["etag", "Names exactly these plants: send it back to ask for news only"],
  ["retry-after", "Seconds to wait"],
  ["vary", "Caches keep one answer for each value of this field"],
  ["www-authenticate", "How to say who asks, and what was wrong with it"],
  ["x-content-type-options", "Browsers are not to guess another type"],
]);

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement} */ (find(id));
/** @param {string} selector */
const all = (
  selector,
) => /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(
  selector,
));

const token = field("token");
const limit = field("limit");
const filter = field("filter");

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** @param {number} count @param {string} noun */
const plural = (count, noun) =>
  \`\${count.toLocaleString("en")} \${noun}\${count === 1 ? "" : "s"}\`;

// The request.

/** @returns {Query} */
function readQuery() {
  const url = new URL("plants", location.href);
  if (limit.value !== "") url.searchParams.set("limit", limit.value);
  const query = { url, token: token.value.trim() };
  const copy = copies.get(keyOf(query));
  return copy ? { ...query, etag: copy.etag } : query;
}

/** @param {Query} query */
const keyOf = ({ url, token }) => \`\${url} \${token}\`;

/** @param {Query} query @param {string} shown What stands for the token. */
function fieldsOf({ token, etag }, shown = token) {
  /** @type {[string, string][]} */
  const fields = [];
  if (token) fields.push(["Authorization", \`Bearer \${shown}\`]);
  if (etag) fields.push(["If-None-Match", etag]);
  return fields;
}

/** An argument that a shell hands on as it is. @param {string} text */
const quote = (text) =>
  /^[\\w .~:/?=&%+,-]*$/.test(text)
    ? \`"\${text}"\`
    : \`'\${text.replaceAll("'", "'\\\\''")}'\`;

/** @type {Record<string, (url: string, fields: [string, string][]) => string>} */
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

/** The answers with plants that came last, to ask for news only. @type {Map<string, Copy>} */
const copies = new Map();

/** @param {Query} query @param {Copy} copy */
function keep(query, copy) {
  const key = keyOf(query);
  copies.delete(key);
  copies.set(key, copy);
  const [oldest] = copies.keys();
  if (copies.size > 8 && oldest !== undefined) copies.delete(oldest);
}

// What happened.

/** @param {Query} query @param {Answer} answer @param {unknown} body @param {Copy | undefined} copy @returns {Outcome} */
function judge(query, { status, reason, fields }, body, copy) {
  const title = \`\${status} \${reason}\`.trim();
  const { error, message } = /** @type {{ error?: number, message?: string }} */
    (body ?? {});
  const asked = query.url.searchParams.get("limit");
  if (Array.isArray(body)) {
    const why = body.length > 0
      ? \`The token is good. These are the plants that its user may see\${
        asked === null ? "" : \`, \${asked} of them at most\`
      }.\`
      : asked === "0"
      ? "A limit of 0 asks for no plants: the list is empty."
      : "The list is empty, and that is no error: the token is good, but its user may see no plants.";
    return { title, tone: "good", why };
  }
  if (status === 304 && copy) {
    return {
      title,
      tone: "same",
      why:
        \`The server said that your copy is still right, and sent no body. Your request named the copy from \${copy.at} by its ETag, in If-None-Match: \${
          plural(copy.size, "byte")
        } stayed where they were.\`,
    };
  }
  const said = message === undefined ? {} : { message };
  const wrong = { title, tone: "wrong", ...said };
  if (status === 401) {
    const challenge = fields.find(([name]) => name === "www-authenticate");
    if (!challenge?.[1].includes("invalid_token")) {
      return {
        ...wrong,
        why:
          "The server doesn't know who asks: no token was sent. WWW-Authenticate names what it takes.",
      };
    }
    const expired = query.token === "demo-expired"
      ? "You know that demo-expired has expired, but the answer doesn't tell. "
      : "";
    return {
      ...wrong,
      why:
        \`\${expired}A wrong, a revoked and an expired token are answered alike: a stranger learns nothing about the tokens that exist or existed.\`,
    };
  }
  if (status === 400 && error !== 500) {
    return {
      ...wrong,
      why:
        "The request can't be answered as it stands: change it before you send it again. The token was good, since it is judged before the limit.",
    };
  }
  return {
    ...wrong,
    tone: "none",
    why: status < 500 && error !== 500
      ? "The request was refused, and not for its token or limit. Does another service answer at this address?"
      : "The fault is not yours: the request may be fine, and may be answered later.",
  };
}

/** @param {Outcome} outcome */
function showOutcome({ title, tone, message, why }) {
  const parts = [make("p", { class: "status" }, title), make("p", {}, why)];
  if (message !== undefined) {
    parts.splice(1, 0, make("blockquote", {}, message));
  }
  find("outcome").dataset["tone"] = tone;
  find("outcome").replaceChildren(...parts);
}

// The plants.

/** How many plants are added at a time. */
const STEP = 24;

/** @type {Plant[]} */
let plants = [];
let shown = STEP;

/** @param {Plant[]} list */
function showPlants(list) {
  plants = list;
  shown = STEP;
  /** @type {Map<string, number>} */
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

/** @param {HTMLElement} element @param {string} tag */
function colour(element, tag) {
  let hue = 0;
  for (const letter of tag) hue = (hue * 31 + letter.charCodeAt(0)) % 360;
  element.style.setProperty("--hue", \`\${hue}\`);
}

/** The plants that the filter lets through: those of a tag, or with its text in name or tag. */
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
  find("count").textContent = filter.value.trim() === ""
    ? plural(plants.length, "plant")
    : \`\${found.length.toLocaleString("en")} of \${
      plural(plants.length, "plant")
    }\`;
  for (const button of all("#tags button")) {
    const { tag } = button.dataset;
    button.setAttribute("aria-pressed", \`\${tag === filter.value.trim()}\`);
  }
  find("list").replaceChildren(...found.slice(0, shown).map(toCard));
  find("more").hidden = found.length <= shown;
  find("more").textContent = \`Show more (\${
    (found.length - shown).toLocaleString("en")
  } left)\`;
  writeState();
}

/** @param {Plant} plant */
function toCard({ name, tag }) {
  const card = make("li", {}, make("span", { class: "name" }, name));
  if (!tag) {
    card.append(make("span", { class: "tag untagged" }, "no tag"));
    return card;
  }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const leaf = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("viewBox", "0 -22 22 22");
  svg.setAttribute("aria-hidden", "true");
  leaf.setAttribute("href", "#leaf");
  svg.append(leaf);
  card.append(make("span", { class: "tag" }, svg, tag));
  colour(card, tag);
  return card;
}

// The exchange.

/** @type {Query} */
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
  /** @type {HTMLInputElement} */ (document.querySelector(
    "#kinds :checked",
  )).value;

/** @param {HTMLElement} table @param {[string, string][]} fields */
function fillTable(table, fields) {
  table.replaceChildren(make(
    "tbody",
    {},
    ...fields.map(([name, value]) => {
      const meaning = MEANINGS.get(name.toLowerCase());
      const cell = make("td", {}, value);
      if (meaning) cell.append(make("small", {}, meaning));
      const title = name.replace(/\\b[a-z]/g, (letter) => letter.toUpperCase());
      return make("tr", {}, make("th", { scope: "row" }, title), cell);
    }),
  ));
}

/** @param {Answer} answer @param {unknown} body @param {string} tone */
function showAnswer({ status, reason, fields, text, time }, body, tone) {
  const table = make("table", { "aria-label": "Header fields of the answer" });
  fillTable(table, fields);
  const line = make(
    "p",
    { class: "line", "data-tone": tone },
    make("b", {}, \`\${status} \${reason}\`),
    make("span", {}, \`in \${time.toFixed(1)} ms\`),
  );
  const pre = make("pre", {
    tabindex: "0",
    role: "region",
    "aria-label": "Body of the answer",
  });
  const note = text === ""
    ? "No body."
    : \`Body: \${plural(new Blob([text]).size, "byte")}\${
      body === undefined ? "" : ", line breaks added for reading"
    }.\`;
  find("answer").replaceChildren(
    line,
    table,
    make("p", { class: "note" }, note),
  );
  if (text === "") return;
  pre.append(...colourJson(body === undefined ? text : layOut(body)));
  find("answer").append(pre);
}

/** The most lines of a body that are shown. */
const LINES = 100;

/** @param {unknown} body */
function layOut(body) {
  if (!Array.isArray(body)) return JSON.stringify(body, null, 2);
  const lines = body.slice(0, LINES).map((each) =>
    \`  \${
      JSON.stringify(each).replaceAll('":"', '": "').replaceAll('","', '", "')
    }\`
  );
  if (body.length === 0) return "[]";
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(\`  … and \${plural(rest, "plant")} more\`);
  return \`[\\n\${lines.join(",\\n")}\\n]\`;
}

/** @param {string} text */
function colourJson(text) {
  return text.split(/("(?:[^"\\\\]|\\\\.)*":?)/).map((part) =>
    part.startsWith('"')
      ? make("span", { class: part.endsWith(":") ? "key" : "text" }, part)
      : part
  );
}

/** @param {string} text */
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
    const body = parse(answer.text);
    const outcome = judge(current, answer, body, copy);
    showAnswer(answer, body, outcome.tone);
    if (answer.status === 200 && Array.isArray(body)) {
      const etag = answer.fields.find(([name]) => name === "etag")?.[1];
      const size = new Blob([answer.text]).size;
      const at = new Date().toLocaleTimeString();
      if (etag) keep(current, { etag, plants: body, size, at });
      showPlants(body);
    } else {
      showPlants(answer.status === 304 && copy ? copy.plants : []);
    }
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
    showOutcome(explain(error));
  } finally {
    isSending = false;
  }
}

/** @param {Query} query @returns {Promise<Answer>} */
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

/** @param {unknown} error @returns {Outcome} */
function explain(error) {
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
  if (limit.value !== "") url.searchParams.set("limit", limit.value);
  if (filter.value !== "") url.searchParams.set("filter", filter.value);
  history.replaceState(null, "", url);
}

/** What was chosen before a mistake was tried. */
const chosen = { token: "", limit: "" };

/** @param {DOMStringMap} data */
function choose(data) {
  const isMistake = "send" in data;
  if (!isMistake && data["token"] !== undefined) chosen.token = data["token"];
  token.value = data["token"] ?? chosen.token;
  limit.value = data["limit"] ?? chosen.limit;
  preview();
  if (isMistake) send();
}

/** Until something has been sent, the exchange has what would be sent. */
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
    : "Your browser refused: copy by hand";
  setTimeout(showRequest, 2_000);
}

/** @param {string} text */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // it is there over HTTPS and on this machine alone
    const area = make("textarea", { class: "hidden" }, text);
    document.body.append(area);
    /** @type {HTMLTextAreaElement} */ (area).select();
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
  const card = /** @type {HTMLElement} */ (find("list").children[first]);
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
  "sha256-/Wyi0UZBUrtI1oOROxS78CUTyRavG/mlWqLZPz9ZkIw=";

/** The hash of page.js, as a policy has it. */
export const SCRIPT_HASH: string =
  "sha256-6K9HtOhizHe0bKUcE1TVe8gGWZ9zEiv4tO11tfEskQs=";
