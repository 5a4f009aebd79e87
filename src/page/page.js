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
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

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
  /^[\w .~:/?=&%+,-]*$/.test(text)
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
  const title = `${status} ${reason}`.trim();
  const { error, message } = /** @type {{ error?: number, message?: string }} */
    (body ?? {});
  const asked = query.url.searchParams.get("limit");
  if (Array.isArray(body)) {
    const why = body.length > 0
      ? `The token is good. These are the plants that its user may see${
        asked === null ? "" : `, ${asked} of them at most`
      }.`
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
        `The server said that your copy is still right, and sent no body. Your request named the copy from ${copy.at} by its ETag, in If-None-Match: ${
          plural(copy.size, "byte")
        } stayed where they were.`,
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
        `${expired}A wrong, a revoked and an expired token are answered alike: a stranger learns nothing about the tokens that exist or existed.`,
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
      `${tag} ${count}`,
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
  element.style.setProperty("--hue", `${hue}`);
}

/** The plants that the filter lets through: those of a tag, or with its text in name or tag. */
function matching() {
  const wanted = filter.value.trim().toLowerCase();
  const isTag = plants.some(({ tag }) => tag?.toLowerCase() === wanted);
  return plants.filter(({ name, tag = "" }) =>
    isTag
      ? tag.toLowerCase() === wanted
      : `${name}\n${tag}`.toLowerCase().includes(wanted)
  );
}

function applyFilter() {
  const found = matching();
  find("count").textContent = filter.value.trim() === ""
    ? plural(plants.length, "plant")
    : `${found.length.toLocaleString("en")} of ${
      plural(plants.length, "plant")
    }`;
  for (const button of all("#tags button")) {
    const { tag } = button.dataset;
    button.setAttribute("aria-pressed", `${tag === filter.value.trim()}`);
  }
  find("list").replaceChildren(...found.slice(0, shown).map(toCard));
  find("more").hidden = found.length <= shown;
  find("more").textContent = `Show more (${
    (found.length - shown).toLocaleString("en")
  } left)`;
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
  find("copy").textContent = `Copy ${kind}`;
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
      const title = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
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
    make("b", {}, `${status} ${reason}`),
    make("span", {}, `in ${time.toFixed(1)} ms`),
  );
  const pre = make("pre", {
    tabindex: "0",
    role: "region",
    "aria-label": "Body of the answer",
  });
  const note = text === ""
    ? "No body."
    : `Body: ${plural(new Blob([text]).size, "byte")}${
      body === undefined ? "" : ", line breaks added for reading"
    }.`;
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
    `  ${
      JSON.stringify(each).replaceAll('":"', '": "').replaceAll('","', '", "')
    }`
  );
  if (body.length === 0) return "[]";
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(`  … and ${plural(rest, "plant")} more`);
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
  if (/[^\0-\xff]/.test(current.token)) {
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
    why: `${
      late
        ? "Nothing came back within 30 seconds."
        : "Nothing came back: the server is stopped, or the way to it is cut."
    } There is no status, since a status is part of an answer. Start the server and send again.`,
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
    button.setAttribute("aria-pressed", `${isChosen}`);
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
      each.setAttribute("aria-pressed", `${isShown}`);
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
