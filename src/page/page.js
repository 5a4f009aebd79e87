// @ts-check

/** @typedef {{ name: string, tag?: string }} Plant */
/** @typedef {{ url: URL, token: string, etag?: string }} Query */
/** @typedef {{ etag: string, plants: Plant[], size: number, at: string }} Copy */
/** @typedef {{ status: number, reason: string, fields: [string, string][], text: string, time: number }} Answer */
/** @typedef {{ title: string, tone: string, message?: unknown, why: string }} Outcome */

const DOTS = "••••••••";

/** What a status is called where the answer doesn't say, as in HTTP/2. */
const REASONS = new Map([
  [200, "OK"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [408, "Request Timeout"],
  [414, "URI Too Long"],
  [417, "Expectation Failed"],
  [431, "Request Header Fields Too Large"],
  [503, "Service Unavailable"],
]);

const CHANGED =
  "A plant store refuses this, but this page doesn't ask for it: something on the way changed the request.";

/** Why a server may refuse what is no well-formed request for plants. */
const REFUSALS = new Map([
  [405, CHANGED],
  [408, "What you sent took too long to arrive: send it again."],
  [414, "The URL is too long. Shorten the limit."],
  [417, CHANGED],
  [431, "What you sent is too long: shorten the token or the limit."],
]);

/** What header fields are for, those first that say most. */
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

/** @param {number} count */
const number = (count) => count.toLocaleString("en");

/** @param {number} count @param {string} noun */
const plural = (count, noun) =>
  `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

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
const keyOf = ({ url, token }) => `${url} ${token}`;

/** @param {Query} query @param {string} shown What stands for the token. */
function fieldsOf({ token, etag }, shown = token) {
  /** @type {[string, string][]} */
  const fields = [];
  if (token) fields.push(["Authorization", `Bearer ${shown}`]);
  if (etag) fields.push(["If-None-Match", etag]);
  return fields;
}

/** An argument that a shell hands on as it is. @param {string} text */
const quote = (text) =>
  /^[\w .~:/?=&%+,•-]*$/.test(text)
    ? `"${text}"`
    : `'${text.replaceAll("'", "'\\''")}'`;

/** @type {Record<string, (url: string, fields: [string, string][]) => string>} */
const WRITERS = {
  curl: (url, fields) =>
    [
      /[[\]{}]/.test(url) ? "curl -i -g" : "curl -i",
      ...fields.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
      quote(url),
    ].join(" "),
  fetch: (url, fields) => {
    const headers = JSON.stringify(Object.fromEntries(fields), null, 2)
      .replaceAll("\n", "\n  ");
    return `const response = await fetch(${JSON.stringify(url)}, {
  headers: ${headers},
});
console.log(response.status, await response.text());`;
  },
  HTTPie: (url, fields) =>
    [
      "http",
      quote(url),
      ...fields.map(([name, value]) => quote(`${name}:${value}`)),
    ].join(" "),
};

/** The last answers with plants, to ask for news only. @type {Map<string, Copy>} */
const copies = new Map();

// What happened.

/** What an answer means, in a sentence or two. @param {Query} query @param {Answer} answer @param {any} body @param {Copy | undefined} copy */
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
    const isCut = body.length === Number(asked);
    const which = body.length === 1
      ? `is the ${isCut ? "first plant" : count}`
      : `are ${isCut ? "the first" : "all"} ${count}`;
    return `The token is good: here ${which} that its user may see.${
      isCut ? " The limit asks for no more." : ""
    }`;
  }
  if (status === 304 && copy) {
    return `The server said that your copy is still right, and sent no body. If-None-Match had the ETag of your copy, which came at ${copy.at}: ${
      plural(copy.size, "byte")
    } were not sent again.`;
  }
  if (status === 401) {
    if (/^bearer /i.test(token)) {
      return "The token is to be given without Bearer: it is put in front of it by itself.";
    }
    const challenge = fields.find(([name]) => name === "www-authenticate");
    if (!challenge?.[1].includes("invalid_token")) {
      return "No token was sent, so the server doesn't know who asks. WWW-Authenticate names what it takes.";
    }
    return `${
      token === "demo-expired"
        ? "In the sample data demo-expired has expired, but the answer doesn't tell. "
        : ""
    }A wrong, a revoked and an expired token are answered alike: a stranger learns nothing about the tokens that exist or existed.`;
  }
  if (status >= 500 || body?.error === 500) {
    return "The fault is not yours: the same request may be answered later.";
  }
  if (status === 400) {
    return "The request can't be answered as it stands: change it before you send it again. The token was good, since it is judged before the limit.";
  }
  return REFUSALS.get(status) ??
    "A plant store doesn't answer like this: is there another service at this address?";
}

/** @param {number} status @param {unknown} body */
const isList = (status, body) =>
  status === 200 && Array.isArray(body) && body.every(isPlant);

/** @param {any} value */
const isPlant = (value) =>
  typeof value?.name === "string" &&
  (value.tag === undefined || typeof value.tag === "string");

/** @param {Outcome} outcome */
function showOutcome({ title, tone, message, why }) {
  const parts = [make("p", { class: "status" }, title), make("p", {}, why)];
  if (typeof message === "string") {
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

/** What tags and what is searched for are compared by. @param {string} [text] */
const fold = (text = "") => text.trim().toLowerCase();

/** @param {Plant[]} list */
function showPlants(list) {
  plants = list;
  shown = STEP;
  const counts = new Map();
  for (const { tag = "" } of list) {
    const key = fold(tag);
    const { count = 0, label = tag.trim() } = counts.get(key) ?? {};
    if (key) counts.set(key, { count: count + 1, label });
  }
  const common = [...counts].sort(([, a], [, b]) => b.count - a.count)
    .slice(0, 16);
  find("tags").replaceChildren(...common.map(([key, { count, label }]) => {
    const button = make(
      "button",
      { type: "button", class: "tag", "data-tag": key, dir: "auto" },
      `${label} ${count}`,
    );
    colour(button, key);
    button.addEventListener("click", () => {
      filter.value = fold(filter.value) === key ? "" : label;
      refilter();
    });
    return button;
  }));
  find("plants").hidden = list.length === 0;
  applyFilter();
}

/** @param {HTMLElement} element @param {string} key */
function colour(element, key) {
  let hue = 26;
  for (const letter of key) hue = (hue * 155 + letter.charCodeAt(0)) % 360;
  element.style.setProperty("--hue", `${hue}`);
}

/** The plants that the filter lets through: those of a tag, or with its text in name or tag. */
function matching() {
  const wanted = fold(filter.value);
  const isTag = wanted !== "" && plants.some(({ tag }) => fold(tag) === wanted);
  return plants.filter(({ name, tag = "" }) =>
    isTag
      ? fold(tag) === wanted
      : `${name}\n${tag}`.toLowerCase().includes(wanted)
  );
}

function applyFilter() {
  const found = matching();
  const wanted = fold(filter.value);
  const of = wanted === "" ? "" : `${number(found.length)} of `;
  find("count").textContent = of + plural(plants.length, "plant");
  for (const button of all("#tags button")) {
    button.setAttribute("aria-pressed", `${button.dataset["tag"] === wanted}`);
  }
  find("list").replaceChildren(...found.slice(0, shown).map(toCard));
  find("more").hidden = found.length <= shown;
  find("more").textContent = `Show more (${number(found.length - shown)} left)`;
  writeState();
}

/** The count is said when the typing is over, and not beside the outcome. @type {ReturnType<typeof setTimeout> | undefined} */
let saying;

function refilter() {
  shown = STEP;
  applyFilter();
  clearTimeout(saying);
  saying = setTimeout(() => {
    find("said").textContent = find("count").textContent;
  }, 700);
}

/** @param {Plant} plant */
function toCard({ name, tag }) {
  const key = fold(tag);
  const card = make(
    "li",
    { dir: "auto" },
    make("span", { class: "name" }, name),
    make("span", { class: key ? "tag" : "note" }, key && tag || "no tag"),
  );
  if (key) colour(card, key);
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
  find("copy").textContent = `Copy ${kind}`;
}

const readKind = () =>
  /** @type {HTMLInputElement} */ (document.querySelector(
    "#kinds :checked",
  )).value;

/** @param {HTMLElement} table @param {[string, string][]} fields */
function fillTable(table, fields) {
  /** @param {string} name */
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

/** @param {Answer} answer @param {unknown} body @param {string} tone */
function showAnswer({ status, reason, fields, text, time }, body, tone) {
  const table = make("table", { "aria-label": "Header fields of the answer" });
  fillTable(table, fields);
  const line = make(
    "p",
    { class: "line", "data-tone": tone },
    make("b", {}, `${status} ${reason}`),
    make("span", {}, `in ${time.toFixed(1)} ms`),
  );
  const note = text === ""
    ? `No body${status === 304 ? ": the plants are your copy's" : ""}.`
    : `Body: ${plural(new Blob([text]).size, "byte")}${
      body === undefined ? "" : ", line breaks added for reading"
    }.`;
  find("answer").replaceChildren(
    line,
    table,
    make("p", { class: "note" }, note),
  );
  if (text === "") return;
  const pre = make(
    "pre",
    { tabindex: "0", role: "region", "aria-label": "Body of the answer" },
    ...colourJson(body === undefined ? text : layOut(body)),
  );
  find("answer").append(pre);
}

/** The most lines of a body that are shown. */
const LINES = 100;

/** @param {unknown} body */
function layOut(body) {
  if (!Array.isArray(body)) return JSON.stringify(body, null, 2);
  const lines = body.slice(0, LINES).map((each) => `  ${JSON.stringify(each)}`);
  if (body.length === 0) return "[]";
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(`  … and ${number(rest)} more`);
  return `[\n${lines.join(",\n")}\n]`;
}

/** @param {string} text */
function colourJson(text) {
  return text.split(/("(?:[^"\\]|\\.)*":?)/).map((part) =>
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

/** What would change the form or send once more waits for the answer. @param {boolean} value */
function setSending(value) {
  isSending = value;
  for (const button of all("#send, .choice button")) {
    button.setAttribute("aria-disabled", `${value}`);
  }
}

async function send() {
  if (isSending) return;
  setSending(true);
  const query = current = readQuery();
  showRequest();
  writeState();
  const waiting = setTimeout(() =>
    showOutcome({
      title: "Sent",
      tone: "",
      why: "Waiting for the answer …",
    }), 400);
  const result = UNSENDABLE.test(query.token)
    ? NOT_SENT
    : await ask(query).catch(failure);
  clearTimeout(waiting);
  setSending(false);
  if ("status" in result) receive(query, result);
  else {
    showPlants([]);
    find("answer").replaceChildren(
      make(
        "p",
        { class: "line", "data-tone": "none" },
        make("b", {}, "No answer"),
      ),
      make("p", { class: "note" }, "No status, no header fields, no body."),
    );
    showOutcome(result);
  }
}

/** @param {Query} query @param {Answer} answer */
function receive(query, answer) {
  const { status, reason, fields, text } = answer;
  const copy = copies.get(keyOf(query));
  const body = parse(text);
  const isGood = isList(status, body);
  const tone = isGood ? "good" : status === 304 ? "same" : "wrong";
  showAnswer(answer, body, tone);
  const etag = fields.find(([name]) => name === "etag")?.[1];
  if (isGood && etag) {
    const size = new Blob([text]).size;
    const at = new Date().toLocaleTimeString();
    if (copies.size > 8) copies.clear();
    copies.set(keyOf(query), { etag, plants: body, size, at });
  }
  if (status === 401) {
    for (const button of all(DEMO)) {
      button.disabled ||= button.dataset["token"] === query.token;
    }
  }
  showPlants(isGood ? body : status === 304 && copy ? copy.plants : []);
  showOutcome({
    title: `${status} ${reason}`,
    tone,
    message: body?.message,
    why: explain(query, answer, body, copy),
  });
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

/** What no header field can hold, beside what some would hold and no server reads. */
const UNSENDABLE = /[^\t -~\x80-\xff]/;

/** @type {Outcome} */
const NOT_SENT = {
  title: "Not sent",
  tone: "none",
  why: "The token has characters that no header field can hold.",
};

/** @param {unknown} error @returns {Outcome} */
function failure(error) {
  const late = error instanceof Error && error.name === "TimeoutError";
  return {
    title: "No answer",
    tone: "none",
    why: `${
      late
        ? "Nothing came back within 30 seconds."
        : "Nothing came back: the server is stopped, or the way to it is cut."
    } There is no status, since a status is part of an answer. Start the server and send again.`,
  };
}

// The state: in the URL there is what a link may show, never the token.

function writeState() {
  const url = new URL(location.href);
  url.search = "";
  url.searchParams.set("limit", limit.value);
  if (filter.value !== "") url.searchParams.set("filter", filter.value);
  try {
    history.replaceState(null, "", url);
  } catch { // browsers allow it so many times a minute
  }
}

/** What was chosen before a mistake was tried. */
const chosen = { token: "", limit: "" };

/** @param {DOMStringMap} data */
function choose(data) {
  if (isSending) return;
  const isMistake = "send" in data;
  if (!isMistake && data["token"] !== undefined) chosen.token = data["token"];
  token.value = data["token"] ?? chosen.token;
  limit.value = data["limit"] ?? chosen.limit;
  preview();
  if (isMistake) send();
}

/** The buttons of the demo tokens. */
const DEMO = "[data-token]:not([data-send])";

/** Until something has been sent, the exchange has what would be sent. */
function preview() {
  for (const button of all(DEMO)) {
    const isChosen = button.dataset["token"] === token.value;
    button.setAttribute("aria-pressed", `${isChosen}`);
  }
  if (!isSending && find("outcome").dataset["tone"] === undefined) {
    current = readQuery();
    showRequest();
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let copied;

async function copy() {
  const text = WRITERS[readKind()]?.(current.url.href, fieldsOf(current)) ?? "";
  const isCopied = await write(text);
  find("said").textContent = "";
  find("said").textContent = find("copy").textContent = isCopied
    ? "Copied"
    : "Your browser refused to copy";
  clearTimeout(copied);
  copied = setTimeout(showRequest, 2_000);
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
      each.setAttribute("aria-pressed", `${isShown}`);
    }
    showRequest();
  });
}
filter.addEventListener("input", refilter);
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
