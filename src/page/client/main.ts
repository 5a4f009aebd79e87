import {
  type ApiRequest,
  type ApiResponse,
  fetchResponse,
  PLANTS_PATH,
  resolvePath,
  toPlants,
} from "./api.ts";
import { find, sizeOf } from "./dom.ts";
import { explain, FIXES, titleOf } from "./explain.ts";
import * as form from "./form.ts";
import { showPlants } from "./plant_cards.ts";
import { showRequest } from "./request_card.ts";
import { describeFailure, showResponse, showResult } from "./response_card.ts";

/** The most recent list for each request. */
const copies = new Map<string, ApiResponse>();
const keyOf = ({ method, url, token }: ApiRequest) =>
  `${method} ${url} ${token}`;

/** The most recent request, and how to stop waiting for its response. */
let sent: ApiRequest | undefined;
let waiting = new AbortController();

/** How many times in a row the most recent request was sent because of a 503. */
let attempts = 0;

/** Shows the request that the form describes, and returns it. */
function update(): ApiRequest {
  const values = form.read();
  const isConditional = find<HTMLInputElement>("conditional").checked;
  const copy = isConditional ? copies.get(keyOf(values)) : undefined;
  const request = { ...values, etag: copy?.headers.get("etag") };
  showRequest(request);
  const isNew = sent !== undefined &&
    (keyOf(request) !== keyOf(sent) || !request.etag !== !sent.etag);
  find("unsent").hidden = find("previous").hidden = !isNew;
  return request;
}

async function send(): Promise<void> {
  form.moveLimit();
  const previous = sent;
  sent = undefined;
  const request = sent = update();
  const isRetry = previous !== undefined && keyOf(previous) === keyOf(request);
  attempts = isRetry && document.body.dataset["status"] === "503"
    ? attempts + 1
    : 1;
  form.writeLink();
  waiting.abort();
  waiting = new AbortController();
  showResult({ title: "Waiting…", status: "waiting" });
  find("result").scrollIntoView({ block: "nearest" });
  const outcome = await fetchResponse(request, waiting.signal)
    .catch(describeFailure);
  if (request !== sent) return; // a newer request has been sent
  // The button is about to be hidden.
  if (document.activeElement === find("cancel")) find("send").focus();
  if ("headers" in outcome) return receive(request, outcome);
  showPlants([]);
  showResponse();
  showResult(outcome);
}

function receive(request: ApiRequest, response: ApiResponse): void {
  const { status, body, text, milliseconds } = response;
  const copy = copies.get(keyOf(request));
  const { error, message } = Object(body);
  const list = status === 304 ? copy : response;
  const plants = list?.status === 200 ? toPlants(list.body) : undefined;
  if (list && plants) copies.set(keyOf(request), list);
  showResponse(response);
  showPlants(plants ?? []);
  showResult({
    title: titleOf(response),
    status,
    figures: `${text && `${sizeOf(text)} · `}${milliseconds.toFixed(1)} ms`,
    message,
    meaning: explain(request, response, copy, attempts),
    fix: FIXES[error],
  });
  if (plants && request.url.pathname === PLANTS_PATH) {
    const limit = request.url.searchParams.get("limit");
    const isCut = plants.length === Number(limit ?? NaN);
    form.showCount(request.token, plants.length, isCut);
  }
}

/** Fills in the value of a button. */
function choose(button: HTMLButtonElement): void {
  const { name, value } = button;
  form.fill({ [name]: name === "path" ? resolvePath(value) : value });
  if (!button.closest("#errors")) form.keep();
}

document.forms[0]!.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter as HTMLButtonElement;
  if (button.name) choose(button);
  // The result, including the focused button, is about to be replaced.
  if (button.closest("#result")) find("send").focus({ preventScroll: true });
  send();
});
for (const id of ["method", "path", "token", "limit"]) {
  find(id).addEventListener("input", () => {
    form.keep();
    update();
  });
}
find("path").addEventListener("change", form.moveLimit);
find("conditional").addEventListener("change", update);
find("cancel").addEventListener("click", () => waiting.abort());

if ("live" in document.documentElement.dataset) {
  find("serviceWorker" in navigator ? "live" : "no-worker").hidden = false;
}
form.readLink();
update();
