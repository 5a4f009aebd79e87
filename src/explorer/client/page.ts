import {
  type ApiRequest,
  type ApiResponse,
  fetchResponse,
  isTemporary,
  PLANTS_PATH,
  resolvePath,
  type Result,
  toPlants,
} from "./shared/api.ts";
import { find } from "./find.ts";
import { sizeOf } from "./shared/dom.ts";
import { explain, explainFailure, findFix, titleOf } from "./shared/explain.ts";
import * as form from "./form.ts";
import {
  addExchange,
  type Exchange,
  exchanges,
  markExchange,
} from "./history_card.ts";
import { showPlants } from "./plant_cards.ts";
import { showRequest } from "./request_card.ts";
import { showResponse, showResult } from "./response_card.ts";

/** The request of the shown response, and how to stop waiting for it. */
let sent: ApiRequest | undefined;
let waiting = new AbortController();

/** How long nothing changes while waiting, in milliseconds; also in explorer.css. */
const PATIENCE_MS = 300;

const WAITING: Result = { title: "Waiting…", status: "waiting" };
const UNSENT: Result = {
  title: "No request sent yet",
  status: "unsent",
  meaning:
    "Press Send to see the status, the body, the headers, and the plants.",
};

const isSame = (a: ApiRequest, b: ApiRequest) =>
  a.method === b.method && a.url.href === b.url.href && a.token === b.token;

/** Returns the most recent list for a request. */
function findCopy(request: ApiRequest): ApiResponse | undefined {
  return exchanges.find((each) => each.list && isSame(each.request, request))
    ?.list;
}

/** Shows the request that the form describes, and returns it. */
function update(): ApiRequest {
  const part = document.querySelector<HTMLInputElement>("[name=part]:checked")!;
  find("parts").dataset["part"] = part.value;
  const values = form.readRequest();
  const isConditional = find<HTMLInputElement>("conditional").checked;
  const copy = isConditional ? findCopy(values) : undefined;
  const request = { ...values, etag: copy?.response.headers.get("etag") };
  showRequest(request);
  const isNew = sent !== undefined &&
    (!isSame(request, sent) || !request.etag !== !sent.etag);
  find("unsent").hidden = find("previous").hidden = !isNew;
  return request;
}

async function send(): Promise<void> {
  form.moveLimit();
  const values = form.readValues();
  writeLink(values);
  sent = undefined;
  const request = sent = update();
  const [last] = exchanges;
  const isRetry = last && isTemporary(last.result.status) &&
    isSame(last.request, request);
  waiting.abort();
  waiting = new AbortController();
  find("parts").ariaBusy = "true";
  const timer = setTimeout(showResult, PATIENCE_MS, WAITING);
  const start = {
    request,
    values,
    attempts: isRetry ? last.attempts + 1 : 1,
  };
  const outcome = await fetchResponse(request, waiting).catch(explainFailure);
  clearTimeout(timer);
  if (request !== sent) return; // a newer request has been sent
  const exchange = "response" in outcome
    ? receive(start, outcome)
    : { ...start, result: outcome };
  addExchange(exchange, select);
  show(exchange);
}

/** Writes the request to the address, so that Back returns to the previous one. */
function writeLink(values: form.Values): void {
  const link = form.createLink(values);
  if (link === location.search) return;
  history[sent ? "pushState" : "replaceState"](null, "", link);
}

function receive(
  start: Omit<Exchange, "result">,
  received: ApiResponse,
): Exchange {
  const { request, attempts } = start;
  const { response, body, text, milliseconds } = received;
  const copy = findCopy(request);
  const { error, message } = Object(body);
  const { status, ok } = response;
  const list = status === 304
    ? copy
    : ok && toPlants(body)
    ? received
    : undefined;
  const result = {
    title: titleOf(response),
    status,
    figures: [text && sizeOf(text), `${milliseconds.toFixed(1)} ms`],
    message,
    meaning: explain(request, received, copy, attempts),
    fix: findFix(error ?? status),
  };
  return { ...start, result, received, list };
}

/** Shows an exchange, or the result of none. */
function show(
  { result, received, list }: Pick<Exchange, "result"> & Partial<Exchange>,
): void {
  showResponse(received);
  showPlants(toPlants(list?.body), received !== undefined);
  showResult(result);
  markExchange(result);
}

/** Shows an earlier exchange again. */
function select(exchange: Exchange): void {
  waiting.abort();
  writeLink(exchange.values);
  sent = exchange.request;
  form.fillFields(exchange.values);
  if (exchange.list) form.saveValues();
  find<HTMLInputElement>("conditional").checked = !!sent.etag;
  update();
  show(exchange);
}

/** Shows the exchange in the address, or sends its request if that is safe. */
function load(): void {
  const exchange = exchanges.find(({ values }) =>
    form.createLink(values) === location.search
  );
  if (exchange) return select(exchange);
  waiting.abort();
  sent = undefined;
  form.fillFromLink();
  if (form.isDemo(update())) send();
  else show({ result: UNSENT });
}

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter as HTMLButtonElement;
  const { name, value } = button;
  if (name === "path") form.fillFields({ path: resolvePath(value) });
  else if (name === "limit") {
    form.fillFields({ path: PLANTS_PATH, limit: value });
  } else if (name) form.fillFields({ [name]: value });
  if (name && !button.closest("#errors")) form.saveValues();
  send();
  // Otherwise, the keyboard of a phone covers the response.
  if (!name && matchMedia("(pointer: coarse)").matches) button.focus();
  find("result").scrollIntoView({ block: "nearest" });
});
document.addEventListener("input", ({ target }) => {
  const { form: owner, name } = target as HTMLInputElement;
  if (owner && name) form.saveValues();
  update();
});
find("path").addEventListener("change", form.moveLimit);
find("cancel").addEventListener("click", () => waiting.abort());

const openapi = document.querySelector<HTMLAnchorElement>(
  "[href='openapi.json']",
);
if (openapi) openapi.href = resolvePath("openapi.json");
addEventListener("popstate", load);
load();
