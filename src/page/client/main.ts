import { find } from "./dom.ts";
import { showRequest, showResponse } from "./exchange.ts";
import { explain, FIXES, titleOf } from "./explain.ts";
import * as form from "./form.ts";
import { showPlants } from "./plants.ts";
import { type ApiRequest, resolvePath } from "./request.ts";
import { type ApiResponse, fetchResponse, toPlants } from "./response.ts";
import { describeFailure, showResult } from "./result.ts";

/** The most recent list for each request. */
const copies = new Map<string, ApiResponse>();
const keyOf = ({ method, url, token }: ApiRequest) =>
  `${method} ${url} ${token}`;

/** The most recent request. */
let sent: ApiRequest | undefined;

/** Shows the request that the form describes, and returns it. */
function update(): ApiRequest {
  const values = form.read();
  const etag = copies.get(keyOf(values))?.headers.get("etag");
  const request = { ...values, etag };
  showRequest(request);
  find("stale").hidden = sent === undefined;
  return request;
}

async function send(): Promise<void> {
  const request = sent = update();
  find("stale").hidden = true;
  form.writeLink();
  const timer = setTimeout(() => {
    const meaning = "Waiting for the response…";
    if (request === sent) showResult({ title: "Request sent", meaning });
  }, 400);
  const outcome = await fetchResponse(request).catch(describeFailure);
  clearTimeout(timer);
  if (request !== sent) return; // a newer request has been sent
  if ("headers" in outcome) return receive(request, outcome);
  showPlants([]);
  showResponse("No response");
  showResult(outcome);
}

function receive(request: ApiRequest, response: ApiResponse): void {
  const { status, body } = response;
  const copy = copies.get(keyOf(request));
  const title = titleOf(response);
  const { error, message } = Object(body);
  const meaning = explain(request, response, copy);
  showResponse(title, response);
  showResult({ title, status, message, meaning, fix: FIXES[error] });
  const list = status === 304 ? copy : response;
  const plants = list?.status === 200 ? toPlants(list.body) : undefined;
  if (list && plants) copies.set(keyOf(request), list);
  showPlants(plants ?? []);
}

/** Fills in the value of a button. For an error or its fix, also sends the request. */
function choose(button: HTMLButtonElement): void {
  const { name, value } = button;
  form.fill({ [name]: name === "path" ? resolvePath(value) : value });
  if (!button.closest("#errors")) form.keep();
  update();
  if (button.closest("#demo")) return;
  // The result, including the focused button, is about to be replaced.
  if (button.closest("#result")) find("send").focus({ preventScroll: true });
  send();
}

document.forms[0]!.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
for (const id of ["method", "path", "token", "limit"]) {
  find(id).addEventListener("input", () => {
    form.keep();
    update();
  });
}
document.addEventListener("click", ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>("button[name]");
  if (button) choose(button);
});

if ("live" in document.documentElement.dataset) {
  find("serviceWorker" in navigator ? "live" : "no-worker").hidden = false;
}
form.readLink();
update();
