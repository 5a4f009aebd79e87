import { DEMO_TOKENS } from "../../src/domain/demo_tokens.ts";
import {
  fetchResponse,
  headersOf,
  PLANTS_PATH,
} from "../../src/explorer/client/api.ts";
import { explain, titleOf } from "../../src/explorer/client/explain.ts";
import {
  showHeaders,
  sortHeaders,
} from "../../src/explorer/client/header_table.ts";
import { explainFailure } from "./button.ts";

const TOKENS = [...DEMO_TOKENS, ["unknown-token", "not valid"]].map(
  ([token, effect]) => `<option value="${token}">${token}: ${effect}</option>`,
);

const HTML = `<div>
<form aria-label="Request">
<label>Token <select aria-label="Token" name="token">
${TOKENS.join("\n")}
<option value="">no token</option>
</select></label>
<label>Limit
<input aria-label="Limit" name="limit" value="2" inputmode="numeric">
</label>
<button>Send</button>
</form>
<pre class="request"></pre>
<p class="status" role="status"></p>
<p class="meaning"></p>
<pre class="body" tabindex="0" aria-label="Response body"></pre>
<p>This API runs in your browser; nothing leaves it. To see more, open the
<a href="api/" target="_self">API explorer</a>.</p>
</div>
<table id="live-headers" aria-label="Response headers"></table>`;

/** A request whose token and limit can be changed, and the response. */
export class LiveElement extends HTMLElement {
  #waiting = new AbortController();

  connectedCallback(): void {
    this.innerHTML = HTML;
    const form = this.querySelector("form")!;
    form["token"].value = "demo-florist";
    const send = (event?: Event) => {
      event?.preventDefault();
      this.#send(form["token"].value, form["limit"].value)
        .catch((error: Error) => {
          if (error.name === "AbortError") return; // another request was sent
          this.#show("status", "No response");
          this.#show("meaning", explainFailure(error));
        });
    };
    form.addEventListener("submit", send);
    form.addEventListener("input", send);
    send();
  }

  /** Sends the request and shows the response, unless another request was sent. */
  async #send(token: string, limit: string): Promise<void> {
    const url = new URL(PLANTS_PATH, location.href);
    if (limit !== "") url.searchParams.set("limit", limit);
    const request = { method: "GET", url, token };
    const target = `/plants${url.search}`;
    const lines = headersOf(request).map((header) => header.join(": "));
    this.#show("request", [`GET ${target}`, ...lines].join("\n"));
    this.#show("status", "Waiting…");
    this.#waiting.abort();
    const { signal } = this.#waiting = new AbortController();
    const { api } = await import("./api.ts");
    const received = await fetchResponse(
      request,
      signal,
      (_, init) => api(`http://127.0.0.1:8000${target}`, init),
    );
    if (signal.aborted) return;
    const { response, text, body } = received;
    // The page sends no request again, so it does not count the attempts.
    const meaning = response.status === 503
      ? ""
      : explain(request, received, undefined, 1);
    this.dataset["status"] = `${response.status}`;
    this.#show("status", titleOf(response));
    this.#show("meaning", meaning || Object(body).message);
    this.#show("body", text);
    showHeaders("live-headers", sortHeaders(response.headers));
  }

  #show(name: string, text: string): void {
    this.querySelector(`.${name}`)!.textContent = text;
  }
}
