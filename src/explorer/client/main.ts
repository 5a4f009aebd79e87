import {
  type ApiRequest,
  type ApiResponse,
  fetchResponse,
  PLANTS_PATH,
  resolvePath,
  toPlants,
} from "./api.ts";
import { find, make, sizeOf } from "./dom.ts";
import { explain, explainFailure, findFix, titleOf } from "./explain.ts";
import * as form from "./form.ts";
import { showPlants } from "./plant_cards.ts";
import { showRequest } from "./request_card.ts";
import { showResponse, showResult } from "./response_card.ts";

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
  const request = { ...values, etag: copy?.response.headers.get("etag") };
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
  attempts = isRetry && find("response").dataset["status"] === "503"
    ? attempts + 1
    : 1;
  form.writeLink();
  waiting.abort();
  waiting = new AbortController();
  const onclick = () => waiting.abort();
  const detail = make("button", { type: "button", onclick }, "Cancel");
  showResult({ title: "Waiting…", status: "waiting", detail });
  find("result").scrollIntoView({ block: "nearest" });
  const outcome = await fetchResponse(request, waiting.signal)
    .catch(explainFailure);
  if (request !== sent) return; // a newer request has been sent
  if ("response" in outcome) return receive(request, outcome);
  showPlants([]);
  showResponse();
  showResult(outcome);
}

function receive(request: ApiRequest, received: ApiResponse): void {
  const { response, body, text, milliseconds } = received;
  const copy = copies.get(keyOf(request));
  const { error, message } = Object(body);
  const list = response.status === 304 ? copy : received;
  const plants = list?.response.ok ? toPlants(list.body) : undefined;
  if (list && plants) copies.set(keyOf(request), list);
  showResponse(received);
  showPlants(plants ?? []);
  const size = text && `${sizeOf(text)} · `;
  const figures = `${size}${milliseconds.toFixed(1)} ms`;
  showResult({
    title: titleOf(response),
    status: response.status,
    detail: make("span", { className: "note figures" }, figures),
    message,
    meaning: explain(request, received, copy, attempts),
    fix: findFix(error),
  });
  if (plants && request.url.pathname === PLANTS_PATH) {
    const limit = request.url.searchParams.get("limit");
    const isCut = plants.length === Number(limit ?? NaN);
    form.showCount(request.token, plants.length, isCut);
  }
}

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter as HTMLButtonElement;
  const { name, value } = button;
  if (name) form.fill({ [name]: name === "path" ? resolvePath(value) : value });
  if (name && !button.closest("#errors")) form.keep();
  send();
});
document.addEventListener("input", ({ target }) => {
  const { form: owner, name } = target as HTMLInputElement;
  if (owner && name) form.keep();
  update();
});
find("path").addEventListener("change", form.moveLimit);

find("live").hidden = !("live" in document.documentElement.dataset);
form.readLink();
update();
